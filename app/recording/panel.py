"""The recording dock: what is being written, and the timeline that plays recordings back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from armature.app.recording.replay_tools_panel import ReplayTools
from armature.app.state.units import grouped, megabytes, number
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, choice, named, row, speeds
from armature.app.widgets.playing.timeline import Timeline
from armature.app.widgets.section import Strip, note
from armature.engine.recording.recording_formats import FORMATS

STEPS = 10_000
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class RecordingPanel(QWidget):
    """Tells what a person wants: to play, to seek a fraction of the whole, another speed, another file or another format."""

    play_requested = Signal(bool)
    seek_requested = Signal(float)
    speed_chosen = Signal(float)
    open_requested = Signal()
    close_requested = Signal()
    format_chosen = Signal(str)

    def __init__(self, record: QAction, last: QAction, format_: str):
        super().__init__()
        self._tokens: Tokens | None = None
        self._duration = 0.0
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(10)
        layout.addWidget(self._record_line(record, format_))
        rule = QWidget()
        rule.setFixedHeight(1)
        rule.setProperty("role", "rule")
        layout.addWidget(rule)
        layout.addWidget(self._file_line(last))
        layout.addWidget(self._timeline())
        self._contacts = named(note(""), "replay_contacts")
        layout.addWidget(self._contacts)
        self.tools = ReplayTools()
        layout.addWidget(self.tools)
        layout.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Strip(inside))
        self.show_nothing()

    def _record_line(self, record: QAction, format_: str) -> QWidget:
        start = QToolButton()
        start.setDefaultAction(record)
        start.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        start.setAccessibleName("Record")
        formats = {kind.suffix.removeprefix("."): f"{kind.title} ({kind.suffix})" for kind in FORMATS.values()}
        self.format = choice("recording_format", "File format of new recordings", formats, now=format_)
        self.format.currentIndexChanged.connect(lambda _: self.format_chosen.emit(self.format.currentData()))
        tip = "Write every simulation step to a file; while paused, every change of pose"
        self.status = named(note("Not recording"), "recording_status", tip=tip)
        return row(start, self.format, self.status, stretch=self.status, spacing=8)

    def _file_line(self, last: QAction) -> QWidget:
        open_button = button("recording_open", "Open recording…", tip="Replay a recording from a file")
        open_button.clicked.connect(self.open_requested)
        again = button("recording_replay_last", "Replay last", "Replay the last recording")
        again.clicked.connect(last.trigger)
        last.changed.connect(lambda: again.setEnabled(last.isEnabled()))
        again.setEnabled(last.isEnabled())
        self._title = named(QLabel(), "replay_title")
        self._title.setWordWrap(True)
        tip = "Close the recording (Esc in the view); the simulation continues from the pose shown"
        self._close = button("replay_close", "Close", "Close the recording", tip)
        self._close.clicked.connect(self.close_requested)
        return row(open_button, again, self._title, self._close, stretch=self._title, spacing=8)

    def _timeline(self) -> QWidget:
        self.play = named(QToolButton(), "replay_play", "Play or pause the recording")
        self.play.setCheckable(True)
        self.play.toggled.connect(self._on_play)
        tip = "Drag, or use the arrow keys, Home and End; space plays, [ and ] mark a part"
        self.slider = named(Timeline(STEPS), "replay_timeline", "Timeline", tip)
        self.slider.play_requested.connect(self.play.toggle)
        self.slider.valueChanged.connect(lambda position: self.seek_requested.emit(position / STEPS))
        self._time = named(QLabel(), "replay_time")
        self._speed = speeds("replay_speed", "Replay speed", SPEEDS)
        self._speed.currentIndexChanged.connect(lambda i: self.speed_chosen.emit(SPEEDS[i]))
        self._bar = row(self.play, self.slider, self._time, self._speed, stretch=self.slider, spacing=8)
        return self._bar

    def _on_play(self, on: bool):
        self._draw_play()
        self.play_requested.emit(on)

    def _draw_play(self):
        if self._tokens is not None:
            self.play.setIcon(icon("pause" if self.play.isChecked() else "run", self._tokens.text))

    def change_speed(self, by: int):
        """`by` notches faster, or slower where negative."""
        self._speed.setCurrentIndex(min(max(self._speed.currentIndex() + by, 0), len(SPEEDS) - 1))

    def show_idle(self, folder: str, per_minute: float):
        """Show where the next recording goes, and about how many bytes a minute of it takes."""
        self.status.setText(f"Not recording · about {megabytes(per_minute)} per minute in {folder}")

    def show_recording(self, path: Path, folder: str, rows: int, seconds: float, size: int):
        """Show the file that is being written: its rows, how long it has been recorded, its size in bytes so far, and where."""
        count = f"{grouped(rows)} {'row' if rows == 1 else 'rows'}"
        self.status.setText(f"{path.name} · {count} · {number(seconds, 1)} s · {megabytes(size)} in {folder}")

    def show_replay(self, title: str, duration: float):
        """A recording is open."""
        self._duration = duration
        self._title.setText(title)
        self._bar.setEnabled(duration > 0.0)  # one sample is a moment
        self.tools.setEnabled(True)
        self._close.setEnabled(True)
        self.show_time(0.0, False)

    def show_contacts(self, text: str):
        """Show a text about cell and contacts of the recording below the timeline."""
        self._contacts.setText(text or " ")  # its line remains, so that nothing below moves

    def show_time(self, t: float, playing: bool):
        """Where the replay is."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.play):
            if not self.slider.isSliderDown():
                self.slider.setValue(round(t / self._duration * STEPS) if self._duration > 0 else 0)
            self.play.setChecked(playing)
        self._draw_play()
        self._time.setText(f"{number(t, 2)} / {number(self._duration, 2)} s")

    def show_nothing(self):
        """No recording is open."""
        self._title.setText("No recording open")
        self._duration = 0.0
        self.show_time(0.0, False)
        self._bar.setEnabled(False)
        self.tools.setEnabled(False)
        self.tools.show_result("")
        self.show_contacts("")
        self.slider.set_contacts(())
        self._close.setEnabled(False)

    def set_theme(self, tokens: Tokens):
        """Colours of the icons, fonts of the numbers."""
        self._tokens = tokens
        self._time.setFont(fixed_font(0.95))
        self.tools.set_theme(tokens)
        self.slider.set_theme(tokens)
        self._draw_play()
