"""The recording dock: what is written, and what is played back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.recording.panel import RecordingPanel
from armature.app.recording.recordings import Recordings
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM, Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


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
