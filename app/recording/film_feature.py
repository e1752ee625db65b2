"""The replay as a film: one picture per turn of the event loop, drawn at its own size, encoded in a thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature.app.feature import Feature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.film import SUFFIXES, Film, missing, missing_for
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.scene.gl.offscreen_picture import RenderError
from armature.app.scene.labels.picture_caption import caption, caption_box
from armature.app.state.files import stamp, user_folder, with_format
from armature.app.state.severity import Severity
from armature.app.state.units import grouped, number
from armature.app.widgets.controls import button, choice, form, named
from armature.app.widgets.controls import number as number_field

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

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


ENDED = "Filming stopped because the replay ended; no video was saved."


class FilmFeature(Feature):
    """Films the part between the marks at the speed of the replay, with the view as it stands, overlays and all."""

    needs = (RecordingFeature, ReplayToolsFeature)

    def __init__(self, bench: Workbench, recording: RecordingFeature, replay_tools: ReplayToolsFeature):
        self._bench, self._path = bench, Path()
        self._film: Film | None = None
        self._dialog: FilmDialog | None = None
        self._chosen: dict[str, FilmOptions] = {}  # by suffix
        self._suffix = ".mp4"
        self._tools, self._replay_tools = recording.panel.tools, replay_tools
        self._times, self._done, self._size = np.zeros(0), 0, (0, 0)
        self._timer = QTimer(bench.parent)
        self._timer.timeout.connect(self._turn)

    def wire(self) -> None:
        """Wire the button and what ends a film."""
        bench, tools = self._bench, self._tools
        tools.requested.connect(lambda name: self._ask() if name == "film" else None)
        tools.cancel_requested.connect(lambda: self.cancel("Filming was stopped; no file was written."))
        bench.replay.replaying_changed.connect(self._on_replaying)
        bench.files.recording_opened.connect(lambda *_: self.cancel(ENDED))

    def shut_down(self) -> None:
        """Give up what is being filmed."""
        self._end()

    def _ask(self):
        """Ask for format, rate and size, then for the file."""
        if self._bench.replay.recording is None:
            return
        self._dialog = dialog = FilmDialog(self._seconds, self._chosen, self._suffix, self._bench.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self._ask_file)
        dialog.finished.connect(lambda _: self._forget_dialog())
        dialog.open()

    def _forget_dialog(self):
        self._dialog = None

    def _ask_file(self, options: FilmOptions):
        bench, suffix = self._bench, options.suffix
        self._chosen[suffix], self._suffix = options, suffix
        folder = user_folder(bench.preferences.now.screenshot_folder, QStandardPaths.StandardLocation.MoviesLocation)
        start = (folder if folder.is_dir() else Path.home()) / f"{bench.document.robot.name} {stamp()}{suffix}"
        path, kind = QFileDialog.getSaveFileName(bench.parent, "Film the replay", str(start), SUFFIXES[suffix])
        if path:
            self.start(with_format(path, kind or SUFFIXES[suffix]), options.rate, options.height)

    def _seconds(self) -> float:
        """How long the film of the part between the marks lasts at the speed of the replay, s."""
        first, last = self._replay_tools.marks
        return (last - first) * self._bench.replay.open.duration / self._bench.replay.speed

    def start(self, path: Path, rate: int | None = None, height: int | None = None) -> None:
        """Film to `path`, an .mp4 or a .gif, `rate` pictures a second, each `height` pixels high; says why it cannot be."""
        bench, recording = self._bench, self._bench.replay.recording
        why = missing(path)
        if recording is None or self._film is not None:
            why = "a film is being recorded" if self._film else "no recording is open"
        if why:
            bench.files.message_about.emit("film", Severity.ERROR, f"No film: {why}")
            return
        usual = USUAL[path.suffix.lower()]
        rate, height = rate or usual.rate, height or usual.height
        first, last = (mark * bench.replay.open.duration for mark in self._replay_tools.marks)
        count = pictures(self._seconds(), rate)
        if count > MOST:
            bench.files.message_about.emit(
                "film", Severity.ERROR, f"No film: {count} frames exceed the maximum of {MOST}. Mark a part of the recording."
            )
            return
        self._size = FilmOptions(usual.suffix, rate, height).size
        self._times, self._done, self._path = np.linspace(first, last, count), 0, path
        bench.replay.play(False)
        self._film = Film(path, rate)
        self._tools.show_film(0, count)
        self._timer.start(0)

    def _turn(self):
        film, bench = self._film, self._bench
        if film is None:
            return
        if film.over:
            path, error = self._path, film.error
            self._end()
            text = f"No film: {error}" if error else f"Saved {path}"
            bench.files.message_about.emit("film", Severity.ERROR if error else Severity.INFO, text)
        elif not film.ready or self._done > len(self._times):
            self._timer.setInterval(10)  # the encoder is behind
        elif self._done == len(self._times):
            self._done += 1
            film.finish()
        else:
            self._timer.setInterval(0)
            self._picture(film)

    def _picture(self, film: Film):
        bench, recording = self._bench, self._bench.replay.open
        bench.replay.seek(self._times[self._done] / recording.duration if recording.duration > 0 else 0.0)
        labels = bench.scene.stage.labels
        try:
            labels.reserved = [caption_box(*self._size)]
            image = bench.scene.render_image(*self._size)
        except RenderError as error:
            self.cancel(f"No film: {error}")
            return
        finally:
            labels.reserved = []
        t = recording.t[0] + self._times[self._done]
        caption(image, bench.document.robot.name, f"t = {number(t, 2)} s", bench.scene.theme.text)
        film.put(_numbers(image))
        self._done += 1
        self._tools.show_film(self._done, len(self._times))

    def _on_replaying(self, on: bool):
        if not on:
            if self._dialog is not None:
                self._dialog.reject()
            self.cancel(ENDED)

    def cancel(self, text: str) -> None:
        """Give up what is being filmed and say so."""
        if self._film is not None:
            self._end()
            self._bench.files.message_about.emit("film", Severity.WARNING, text)

    def _end(self):
        self._timer.stop()
        if self._film is not None:
            self._film.drop()
            self._film = None
            self._tools.show_film(0, 0)


def _numbers(image: QImage) -> np.ndarray:
    """Colours `(height, width, 3)` of a picture, 0…255."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
