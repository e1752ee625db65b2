"""The recording dock: what is written, and what is played back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from armature.app.feature import Feature
from armature.app.recording.panel import RecordingPanel
from armature.app.state.cell_document import UNNAMED, cell_label
from armature.app.state.files import Files, short_path
from armature.app.state.number_marks import said
from armature.app.state.preferences import Preferences
from armature.app.state.replay import Replay
from armature.app.state.severity import Severity
from armature.app.state.simulation import Simulation
from armature.app.state.units import grouped
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM, Dock
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_files import part_path
from armature.engine.recording.recording_formats import FORMATS
from armature.engine.recording.recording_metadata import recorded_cell
from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.recording.recording_recovery import free_name
from armature.engine.simulation.commands import StartRecording, StopRecording
from armature.engine.simulation.simulation_event import Event

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

TEXT_EVERY = 0.1  # s between two updates of the row count


class Recordings(QObject):
    """`last_path` is the recording made last, also by an earlier window, if its file is still there."""

    def __init__(
        self,
        action: QAction,
        last: QAction,
        panel: RecordingPanel,
        files: Files,
        simulation: Simulation,
        replay: Replay,
        preferences: Preferences,
    ):
        super().__init__(panel)
        self._action, self._last, self._panel, self._files = action, last, panel, files
        self._simulation, self._replay, self._preferences = simulation, replay, preferences
        remembered = preferences.now.last_recording
        self.last_path: Path | None = Path(remembered) if remembered and Path(remembered).is_file() else None
        last.setEnabled(self.last_path is not None)
        self._requested: Path | None = None  # a file that is not begun yet
        self._since, self._shown, self._idle_dt = 0.0, 0.0, 0.0
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
        preferences.changed.connect(lambda name: name.startswith("recording_") and self.show_idle())
        self.show_idle()

    def _on_toggled(self, on: bool):
        if not on:
            self._simulation.send(StopRecording())
            return
        self._replay.close()
        self._begin()

    def _begin(self):
        self._requested = self._files.new_recording_path()
        if self._requested is None:
            self._check(False)
        else:
            self._simulation.send(StartRecording(self._requested))

    def _on_recording(self, path: Path | None):
        self._check(path is not None)
        if path is not None:
            self._since = time.monotonic()
        self._show(path, 0)

    def _on_snapshot(self, snapshot):
        now = time.monotonic()
        if snapshot.recording is None and self._simulation.dt != self._idle_dt:
            self.show_idle()
        if snapshot.recording is not None and now - self._shown >= TEXT_EVERY:
            self._shown = now
            self._show(snapshot.recording, snapshot.rows)

    def _show(self, path: Path | None, rows: int):
        if path is None:
            self.show_idle()
            return
        try:
            size = part_path(path).stat().st_size
        except OSError:  # not begun yet, or renamed already
            size = 0
        self._panel.show_recording(path, short_path(path.parent), rows, time.monotonic() - self._since, size)

    def show_idle(self):
        """Show where the next recording goes and how large a minute of it is, unless one is being made."""
        simulation, suffix = self._simulation, f".{self._preferences.now.recording_format}"
        self._idle_dt = simulation.dt
        if simulation.recording is None:
            size = FORMATS[suffix].size(60.0 / simulation.dt, Layout(simulation.robot.n).width)
            self._panel.show_idle(short_path(self._files.recording_folder()), size)

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
            self._preferences.set(last_recording=str(path))
        if event.kind is RecordingEvent.FAILED:
            self._check(self._simulation.recording is not None and self._simulation.recording != path)
        text = f"Recording to {path.name}" if event.kind is RecordingEvent.STARTED and path is not None else event.text
        if event.kind is RecordingEvent.STOPPED:
            text = said(text.removesuffix(f"{path}")) + f"{path}"
        self._files.message_about.emit("record", Severity.ERROR if event.kind is RecordingEvent.FAILED else Severity.INFO, text)

    def _on_opened(self, recording, path: Path):
        self._replay.opening.emit()
        self._simulation.send(StopRecording())
        self._simulation.set_replaying(True)
        count, cell = grouped(len(recording)), recorded_cell(recording.metadata)
        facts = [path.name, f"{count} {'sample' if len(recording) == 1 else 'samples'}"]
        if cell is not None and cell_label(cell[0]) != UNNAMED:
            facts.append(cell_label(cell[0]))
        self._panel.show_replay(" · ".join(facts), recording.duration)
        self._replay.load(recording)

    def _on_replaying(self, on: bool):
        if not on:
            self._panel.show_nothing()
            self._simulation.set_replaying(False)


class RecordingFeature(Feature):
    """`recordings` joins the dock with simulation, files and replay."""

    dock: Dock

    commands = (
        *block(
            "Simulation",
            4.0,
            Command(
                "record",
                "Record",
                "record",
                ("Ctrl+R",),
                "Write every simulation step to a file. While the simulation is paused, every change of the pose is written",
                checkable=True,
                bar=2.4,
            ),
        ),
        *block(
            "File",
            2.1,
            Command("replay_last", "Replay last recording", tip="Replay the last recording, also one of an earlier session"),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench, record = bench, bench.actions["record"]
        last = bench.actions["replay_last"]
        self.panel = RecordingPanel(record, last, bench.preferences.now.recording_format)
        self.dock = Dock("recording", "Recording", self.panel, BOTTOM, {"trajectory": 5, "dynamics": 6})
        self.recordings = Recordings(record, last, self.panel, bench.files, bench.simulation, bench.replay, bench.preferences)

    def wire(self) -> None:
        """Wire clock, settings and dock."""
        bench, replay, panel = self._bench, self._bench.replay, self.panel
        for name, act in (
            ("run", lambda: replay.play(True)),
            ("pause", lambda: replay.play(False)),
            ("step", lambda: replay.step(1)),
            ("reset", lambda: replay.step(-replay.row)),
            ("slower", lambda: panel.change_speed(-1)),
            ("faster", lambda: panel.change_speed(1)),
        ):  # the keys of the simulation, while a recording is open
            bench.actions.on(name, lambda act=act: replay.replaying and act())
        bench.clock.tick.connect(bench.replay.advance)
        bench.document.q_edited.connect(self._on_hand)
        bench.replay.taken_over.connect(lambda why: bench.banner.show_message(Severity.INFO, why, subject="replay"))
        bench.replay.replaying_changed.connect(self._on_replaying)
        bench.document.robot_changed.connect(lambda _: self.recordings.show_idle())
        self.panel.format_chosen.connect(lambda suffix: bench.preferences.set(recording_format=suffix))

    def _on_replaying(self, on: bool) -> None:
        if on:
            self.dock.bring_up()

    def _on_hand(self, q) -> None:
        """A hand on the arm ends the replay, and it is said: there is no way back but to open the recording again."""
        replay, names = self._bench.replay, self._bench.document.robot.joint_names
        if replay.replaying:
            moved = [name for name, there, was in zip(names, q, replay.shown, strict=True) if there != was]
            replay.close(f"{moved[0] if len(moved) == 1 else 'the arm'} was moved")
