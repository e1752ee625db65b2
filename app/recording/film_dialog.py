"""Choices for a film of the replay: format, pictures per second and size, with how many pictures these make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature.app.recording.film import missing_for
from armature.app.state.units import grouped, number
from armature.app.widgets.controls import button, choice, form, named
from armature.app.widgets.controls import number as number_field

KINDS = {".mp4": "Video (MP4)", ".gif": "Animated picture (GIF)"}
FASTEST = {".mp4": 120, ".gif": 50}  # pictures per second
SHAPE = 16 / 9  # width over height
HEIGHTS = (240, 360, 480, 720, 1080, 1440, 2160)  # pixels
MOST = 20_000  # pictures: eleven minutes of video


@dataclass(frozen=True)
class FilmOptions:
    """`rate` pictures per second, each `height` pixels high, as a file of the kind `suffix`."""

    suffix: str
    rate: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, both even."""
        width = round(self.height * SHAPE)
        return width + width % 2, self.height + self.height % 2


USUAL = {".mp4": FilmOptions(".mp4", 30, 720), ".gif": FilmOptions(".gif", 15, 360)}


class FilmDialog(QDialog):
    """Choose film options; emits `chosen(options)`. `duration` returns the length in s, `earlier` the last options per suffix."""

    chosen = Signal(object)

    def __init__(self, duration: Callable[[], float], earlier: dict[str, FilmOptions], suffix: str, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("film_dialog")
        self.setWindowTitle("Film the replay")
        self._duration, self._earlier = duration, {**USUAL, **earlier}
        self.kind = choice("film_kind", "Video format", KINDS, now=suffix)
        self.rate = number_field("film_rate", "Frames per second", (1, FASTEST[suffix]), 30)
        sizes = {height: " × ".join(map(str, FilmOptions("", 1, height).size)) for height in HEIGHTS}
        self.height_ = choice("film_height", "Size in pixels", sizes)
        self.words = named(QLabel(), "film_words")
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        cancel = button("film_dialog_cancel", "Cancel")
        self.save = button("film_save", "Save as…", "Choose the video file")
        self.save.setProperty("role", "primary")
        buttons = QHBoxLayout()
        buttons.addStretch()
        for press, act in ((cancel, self.reject), (self.save, self._on_save)):
            press.setAutoDefault(False)  # the Return key completes the entry in a field
            press.clicked.connect(lambda _=False, act=act: act())
            buttons.addWidget(press)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 14)
        column.setSpacing(12)
        column.addWidget(form((("Format", self.kind), ("Frames per second", self.rate), ("Size", self.height_))))
        column.addWidget(self.words)
        column.addStretch()
        column.addLayout(buttons)
        self.setMinimumWidth(26 * self.fontMetrics().height())
        self._show_kind()
        self.kind.currentIndexChanged.connect(lambda _: self._show_kind())
        self.rate.valueChanged.connect(lambda _: self._show_count())
        self.height_.currentIndexChanged.connect(lambda _: self._show_count())

    @property
    def options(self) -> FilmOptions:
        """The present choices."""
        return FilmOptions(str(self.kind.currentData()), round(self.rate.value()), int(self.height_.currentData()))

    def _show_kind(self) -> None:
        options = self._earlier[str(self.kind.currentData())]
        with QSignalBlocker(self.rate), QSignalBlocker(self.height_):
            self.rate.setRange(1, FASTEST[options.suffix])
            self.rate.setValue(options.rate)
            self.height_.setCurrentIndex(self.height_.findData(options.height))
        self._show_count()

    def _show_count(self) -> None:
        options, seconds = self.options, self._duration()
        count = pictures(seconds, options.rate)
        why = missing_for(options.suffix)
        text = f"{grouped(count)} frame{'s' * (count != 1)}, {number(seconds, 1)} s at the replay speed"
        if count > MOST:
            why = f"{grouped(count)} frames exceed the maximum of {grouped(MOST)}: mark a part or lower the frame rate"
        self.words.setText(why or text)
        self.save.setEnabled(not why)

    def _on_save(self) -> None:
        self.accept()
        self.chosen.emit(self.options)


def pictures(seconds: float, rate: int) -> int:
    """Return how many pictures a film of so many seconds has."""
    return max(1, round(seconds * rate))
