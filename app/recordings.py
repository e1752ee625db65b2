"""Recording and replaying, between the actions, the simulation and the recording dock."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.files import Files
from app.panels.recording import RecordingPanel
from app.replay import Replay
from app.simulation import Simulation
from app.units import grouped
from engine.recording.recover import free_name

TEXT_EVERY = 0.1  # s between two updates of the row count


class Recordings(QObject):
    """`replaying_changed(on)` tells when a recording takes over the arm or lets go of it.

    `last_path` is the last one made while this window is open.
    """

    replaying_changed = Signal(bool)

    def __init__(self, action: QAction, panel: RecordingPanel, files: Files, simulation: Simulation, replay: Replay):
        super().__init__(panel)
        self._action, self._panel, self._files = action, panel, files
        self._simulation, self._replay = simulation, replay
        self.last_path: Path | None = None
        self._asked: Path | None = None  # a file that is not begun yet
        self._since, self._shown = 0.0, 0.0
        action.toggled.connect(self._on_toggled)
        simulation.recording_changed.connect(self._on_recording)
        simulation.snapshot_taken.connect(self._on_snapshot)
        files.recording_opened.connect(self._on_opened)
        replay.moved.connect(panel.show_time)
        panel.play_asked.connect(replay.play)
        panel.seek_asked.connect(replay.seek)
        panel.speed_chosen.connect(replay.set_speed)
        panel.open_asked.connect(files.ask_open_recording)
        panel.last_asked.connect(lambda: files.recording_asked.emit(self.last_path))
        panel.close_asked.connect(self.close_replay)
        panel.show_recording_state(None, 0, 0.0)

    @property
    def replaying(self) -> bool:
        """Whether a recording holds the arm."""
        return self._replay.recording is not None

    def _on_toggled(self, on: bool):
        if not on:
            self._simulation.stop_recording()
            return
        self.close_replay()
        self._begin()

    def _begin(self):
        self._asked = self._files.new_recording_path()
        if self._asked is None:
            self._check(False)
        else:
            self._simulation.start_recording(self._asked)

    def _on_recording(self, path: Path | None):
        self._check(path is not None)
        if path is not None:
            self._since = time.monotonic()
        self._show(path, 0)

    def _on_snapshot(self, snapshot):
        now = time.monotonic()
        if snapshot.recording is not None and now - self._shown >= TEXT_EVERY:
            self._shown = now
            self._show(snapshot.recording, snapshot.rows)

    def _show(self, path: Path | None, rows: int):
        self._panel.show_recording_state(path, rows, time.monotonic() - self._since)

    def _check(self, on: bool):
        self._action.blockSignals(True)
        self._action.setChecked(on)
        self._action.blockSignals(False)

    def on_event(self, event) -> bool:
        """Handle what the worker says about recordings; False for any other event."""
        kinds = {"recording_started": "info", "recording_stopped": "info", "recording_failed": "error"}
        if event.kind not in kinds:
            return False
        was_asked, self._asked = event.path == self._asked, None
        if event.kind == "recording_failed" and was_asked and free_name(event.path) != event.path:
            self._begin()  # another window took the name meanwhile
            return True
        if event.kind == "recording_stopped":
            self.last_path = event.path
            self._panel.allow_replay_last(event.path.name)
        if event.kind == "recording_failed":
            self._check(self._simulation.recording is not None and self._simulation.recording != event.path)
        text = f"Recording to {event.path.name}" if event.kind == "recording_started" else event.text
        self._files.message.emit(kinds[event.kind], text)
        return True

    def _on_opened(self, recording, path: Path):
        self._simulation.stop_recording()
        self._simulation.set_replaying(True)
        self._replay.load(recording)
        count = grouped(len(recording))
        self._panel.show_replay(f"{path.name} · {count} {'sample' if len(recording) == 1 else 'samples'}", recording.duration)
        self.replaying_changed.emit(True)

    def close_replay(self):
        """Let go of the open recording; the arm stays where it is."""
        if self.replaying:
            self._replay.close()
            self._panel.show_nothing()
            self._simulation.set_replaying(False)
            self.replaying_changed.emit(False)
