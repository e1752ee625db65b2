"""The recording dock: what is being written, and the timeline that plays recordings back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.icons import icon
from app.panels.replay_tools import ReplayTools
from app.theme import fixed_font
from app.widgets.section import note
from app.widgets.timeline import Timeline
from engine.recording.formats import FORMATS

STEPS = 10_000
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class RecordingPanel(QWidget):
    """Tells what a person wants: to play, to seek a fraction of the whole, another speed, another file or another format."""

    play_asked = Signal(bool)
    seek_asked = Signal(float)
    speed_chosen = Signal(float)
    open_asked = Signal()
    last_asked = Signal()
    close_asked = Signal()
    format_chosen = Signal(str)

    def __init__(self, record: QAction, format_: str):
        super().__init__()
        self._tokens, self._duration = None, 0.0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(10)
        layout.addWidget(self._record_line(record, format_))
        rule = QWidget()
        rule.setFixedHeight(1)
        rule.setProperty("role", "rule")
        layout.addWidget(rule)
        layout.addWidget(self._file_line())
        layout.addWidget(self._timeline())
        self.tools = ReplayTools()
        layout.addWidget(self.tools)
        layout.addStretch(1)
        self.show_nothing()

    def _record_line(self, record: QAction, format_: str) -> QWidget:
        widget, line = _line()
        button = QToolButton()
        button.setDefaultAction(record)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setAccessibleName("Record")
        self.format = QComboBox()
        self.format.setObjectName("recording_format")
        self.format.setAccessibleName("File format of new recordings")
        for form in FORMATS.values():
            self.format.addItem(f"{form.title} ({form.suffix})", form.suffix.removeprefix("."))
        self.format.setCurrentIndex(self.format.findData(format_))
        self.format.currentIndexChanged.connect(lambda _: self.format_chosen.emit(self.format.currentData()))
        self.status = note("Not recording")
        self.status.setObjectName("recording_status")
        self.status.setToolTip("While recording, every simulation step, or every pose while paused, goes to a file")
        line.addWidget(button)
        line.addWidget(self.format)
        line.addWidget(self.status, 1)
        return widget

    def _file_line(self) -> QWidget:
        widget, line = _line()
        open_button = QPushButton("Open recording…")
        open_button.setObjectName("recording_open")
        open_button.setToolTip("Play back a recording from a file")
        open_button.clicked.connect(self.open_asked)
        self._last = QPushButton("Replay last")
        self._last.setObjectName("recording_replay_last")
        self._last.setAccessibleName("Replay the recording made last")
        self._last.setEnabled(False)
        self._last.clicked.connect(self.last_asked)
        self._title = QLabel()
        self._title.setObjectName("replay_title")
        self._title.setWordWrap(True)
        self._close = QPushButton("Close")
        self._close.setObjectName("replay_close")
        self._close.setAccessibleName("Close the recording")
        self._close.clicked.connect(self.close_asked)
        line.addWidget(open_button)
        line.addWidget(self._last)
        line.addWidget(self._title, 1)
        line.addWidget(self._close)
        return widget

    def _timeline(self) -> QWidget:
        self._bar, line = _line()
        self.play = QToolButton()
        self.play.setObjectName("replay_play")
        self.play.setAccessibleName("Play or pause the recording")
        self.play.setCheckable(True)
        self.play.toggled.connect(self._on_play)
        self.slider = Timeline(STEPS)
        self.slider.setObjectName("replay_timeline")
        self.slider.setAccessibleName("Timeline")
        self.slider.setToolTip("Drag, or use the arrow keys, Home and End; space plays, [ and ] mark a part")
        self.slider.play_asked.connect(self.play.toggle)
        self.slider.valueChanged.connect(lambda position: self.seek_asked.emit(position / STEPS))
        self._time = QLabel()
        self._time.setObjectName("replay_time")
        self._speed = QComboBox()
        self._speed.setObjectName("replay_speed")
        self._speed.setAccessibleName("Replay speed")
        for speed in SPEEDS:
            self._speed.addItem(f"{speed:g} ×", speed)
        self._speed.setCurrentIndex(SPEEDS.index(1.0))
        self._speed.currentIndexChanged.connect(lambda i: self.speed_chosen.emit(SPEEDS[i]))
        for part, stretch in ((self.play, 0), (self.slider, 1), (self._time, 0), (self._speed, 0)):
            line.addWidget(part, stretch)
        return self._bar

    def _on_play(self, on: bool):
        self._draw_play()
        self.play_asked.emit(on)

    def _draw_play(self):
        if self._tokens is not None:
            self.play.setIcon(icon("pause" if self.play.isChecked() else "run", self._tokens.text))

    def show_recording_state(self, path: Path | None, rows: int, seconds: float):
        """What is being written: the file, its rows and for how long; None for nothing."""
        if path is None:
            self.status.setText("Not recording")
        else:
            count = f"{rows:,}".replace(",", "\N{THIN SPACE}")
            self.status.setText(f"{path.name} · {count} rows · {seconds:.1f} s")

    def allow_replay_last(self, name: str):
        """A recording was made."""
        self._last.setEnabled(True)
        self._last.setToolTip(f"Play back {name}")

    def show_replay(self, title: str, duration: float):
        """A recording is open."""
        self._duration = duration
        self._title.setText(title)
        self._bar.setEnabled(True)
        self.tools.setEnabled(True)
        self._close.setEnabled(True)
        self.show_time(0.0, False)

    def show_time(self, t: float, playing: bool):
        """Where the replay is."""
        for widget in (self.slider, self.play):
            widget.blockSignals(True)
        if not self.slider.isSliderDown():
            self.slider.setValue(round(t / self._duration * STEPS) if self._duration > 0 else 0)
        self.play.setChecked(playing)
        for widget in (self.slider, self.play):
            widget.blockSignals(False)
        self._draw_play()
        self._time.setText(f"{t:.2f} / {self._duration:.2f} s")

    def show_nothing(self):
        """No recording is open."""
        self._title.setText("No recording open")
        self._duration = 0.0
        self.show_time(0.0, False)
        self._bar.setEnabled(False)
        self.tools.setEnabled(False)
        self.tools.show_result("")
        self._close.setEnabled(False)

    def set_theme(self, tokens):
        """Colours of the icons, fonts of the numbers."""
        self._tokens = tokens
        self._time.setFont(fixed_font(0.95))
        self.tools.set_theme(tokens)
        self.slider.set_theme(tokens)
        self._draw_play()


def _line() -> tuple[QWidget, QHBoxLayout]:
    widget = QWidget()
    line = QHBoxLayout(widget)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    return widget, line
