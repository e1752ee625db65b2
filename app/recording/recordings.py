"""Recording and replaying, between the actions, the simulation and the recording dock."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from armature.app.recording.panel import RecordingPanel
from armature.app.state.files import Files
from armature.app.state.number_marks import said
from armature.app.state.replay import Replay
from armature.app.state.severity import Severity
from armature.app.state.simulation import Simulation
from armature.app.state.units import grouped
from armature.engine.recording.recording_event import RecordingEvent
from armature.engine.recording.recording_recovery import free_name
from armature.engine.simulation.simulation_event import Event

TEXT_EVERY = 0.1  # s between two updates of the row count


class Recordings(QObject):
    """`last_path` is the last one made while this window is open."""

    def __init__(
        self, action: QAction, last: QAction, panel: RecordingPanel, files: Files, simulation: Simulation, replay: Replay
    ):
        super().__init__(panel)
        self._action, self._last, self._panel, self._files = action, last, panel, files
        self._simulation, self._replay = simulation, replay
        self.last_path: Path | None = None
        self._requested: Path | None = None  # a file that is not begun yet
        self._since, self._shown = 0.0, 0.0
        action.toggled.connect(self._on_toggled)
        simulation.recording_changed.connect(self._on_recording)
        simulation.snapshot_taken.connect(self._on_snapshot)
        simulation.event_arrived.connect(self._on_event)
        files.recording_opened.connect(self._on_opened)
        replay.replaying_changed.connect(self._on_replaying)
        replay.moved.connect(panel.show_time)
        panel.play_requested.connect(replay.play)
        panel.seek_requested.connect(replay.seek)
        panel.speed_chosen.connect(replay.set_speed)
        panel.open_requested.connect(files.ask_open_recording)
        last.triggered.connect(lambda _: files.recording_requested.emit(self.last_path))
        panel.close_requested.connect(replay.close)
        panel.show_recording_state(None, 0, 0.0)

    def _on_toggled(self, on: bool):
        if not on:
            self._simulation.stop_recording()
            return
        self._replay.close()
        self._begin()

    def _begin(self):
        self._requested = self._files.new_recording_path()
        if self._requested is None:
            self._check(False)
        else:
            self._simulation.start_recording(self._requested)

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

    def _on_event(self, event: Event):
        """The worker says something about recordings, perhaps."""
        path = event.path
        if not isinstance(event.kind, RecordingEvent):
            return
        was_requested, self._requested = path == self._requested, None
        if event.kind is RecordingEvent.FAILED and was_requested and path is not None and free_name(path) != path:
            self._begin()  # another window took the name meanwhile
            return
        if event.kind is RecordingEvent.STOPPED and path is not None:
            self.last_path = path
            self._last.setEnabled(True)
        if event.kind is RecordingEvent.FAILED:
            self._check(self._simulation.recording is not None and self._simulation.recording != path)
        text = f"Recording to {path.name}" if event.kind is RecordingEvent.STARTED and path is not None else event.text
        if event.kind is RecordingEvent.STOPPED:
            text = said(text.removesuffix(f"{path}")) + f"{path}"
        self._files.message_about.emit("record", Severity.ERROR if event.kind is RecordingEvent.FAILED else Severity.INFO, text)

    def _on_opened(self, recording, path: Path):
        self._replay.opening.emit()
        self._simulation.stop_recording()
        self._simulation.set_replaying(True)
        count = grouped(len(recording))
        self._panel.show_replay(f"{path.name} · {count} {'sample' if len(recording) == 1 else 'samples'}", recording.duration)
        self._replay.load(recording)

    def _on_replaying(self, on: bool):
        if not on:
            self._panel.show_nothing()
            self._simulation.set_replaying(False)
