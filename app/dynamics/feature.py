"""The dynamics lab: pull on the arm, change what acts on it, and see what every torque and joule is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject

from armature import engine
from armature.app.dynamics.hand_spring import hand_spring
from armature.app.dynamics.model_edits import ModelEdits
from armature.app.dynamics.needed_torque import needed
from armature.app.dynamics.panel import DynamicsPanel
from armature.app.dynamics.replay_dynamics import ReplayDynamics
from armature.app.feature import Feature
from armature.app.scene.overlays.newton_euler.load_item import Motion
from armature.app.simulation.feature import SimulationFeature
from armature.app.simulation.torque_section import torque_ranges
from armature.app.state.engine_startup import KernelStage
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import no_masses
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.widgets.on_screen import on_screen
from armature.engine.simulation.commands import ReleasePull, SetPull

if TYPE_CHECKING:
    from armature.app.state.posed_motion import PosedMotion
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine.model.payload import Payload
    from armature.engine.model.robot import Robot
    from armature.engine.simulation.runs.recorded_dynamics import RecordedPart
    from armature.engine.simulation.snapshot import Snapshot

PAUSED = "Ctrl-drag pulls on the arm only during a simulation. Press Space to start it, then drag."


class Pulling(QObject):
    """Joins the tug in the scene with the simulation; the worker hears of a new target at most once per frame."""

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._tug, self._simulation = bench, bench.scene.tug, bench.simulation
        self._spring: tuple | None = None
        self._target: np.ndarray | None = None
        self._tug.grabbed.connect(self._grab)
        self._tug.moved.connect(self._aim)
        self._tug.released.connect(self.let_go)
        self._tug.requested.connect(self._explain)
        self._simulation.running_changed.connect(self._on_running)

    @property
    def held(self) -> tuple[int, np.ndarray] | None:
        """Body and point `(3,)` in its axes that a person pulls on, None for none."""
        return None if self._spring is None else self._spring[:2]

    def let_go(self):
        """No force any more."""
        if self._spring is not None:
            self._spring = self._target = None
            self._bench.clock.tick.disconnect(self._send)
            self._simulation.snapshot_taken.disconnect(self._show)
            self._simulation.send(ReleasePull())

    def _grab(self, body: int, point: np.ndarray):
        document, latest = self._bench.document, self._simulation.latest
        if latest is None:  # another robot has just come
            self._bench.scene.pointer.drop()
            return
        self._bench.banner.heeded(PAUSED)
        if self._spring is None:
            self._bench.clock.tick.connect(self._send)
            self._simulation.snapshot_taken.connect(self._show)
        self._spring = (body, point, *hand_spring(document.robot, document.q, body, point, latest.dt))

    def _aim(self, target: np.ndarray):
        self._target = target

    def _send(self):
        if self._target is not None and self._spring is not None:
            body, point, k, d = self._spring
            self._simulation.send(SetPull(body, point, self._target, k, d))
            self._target = None

    def _show(self, snapshot):
        force = snapshot.pull_force
        self._tug.show_force(0.0 if force is None else float(np.linalg.norm(force)))

    def _on_running(self, running: bool):
        self._tug.armed = running
        if not running:
            self._bench.scene.pointer.drop()

    def _explain(self):
        robot = self._bench.document.robot
        self._bench.banner.show_message(Severity.INFO, PAUSED if robot.has_dynamics else no_masses(robot.name))


class DynamicsFeature(Feature):
    """Joins what acts on the arm, and what comes of it, with simulation and scene."""

    dock: Dock

    needs = (SimulationFeature,)

    def __init__(self, bench: Workbench, simulation: SimulationFeature):
        self._bench, self._simulation = bench, simulation
        self._shown: tuple[Snapshot | None, tuple[bool, ...]] | None = None
        self._held: tuple[Robot, Payload | None, Robot] | None = None  # the arm, what it holds, and both as one
        self._chosen: Payload | None = None
        self._meant: tuple[Snapshot, PosedMotion, Snapshot] | None = None  # the arm as it stands, what is wanted of it, and both
        self.panel = DynamicsPanel()
        self.dock = Dock("dynamics", "Dynamics", self.panel, RIGHT, {"dynamics": 1})

    def wire(self) -> None:
        """Wire panel, scene and simulation."""
        bench, simulation, conditions = self._bench, self._bench.simulation, self.panel.conditions
        self.pulling, self.replayed = Pulling(bench), ReplayDynamics(bench)
        self.edits = ModelEdits(bench, conditions, self.panel.friction)
        for section in (conditions, self.panel.friction):
            self._simulation.panel.friction_chosen.connect(section.set_friction)
        simulation.snapshot_taken.connect(self._on_snapshot)
        simulation.motion_changed.connect(self._on_motion)
        self.replayed.changed.connect(self._show_in_scene)
        self.replayed.told.connect(self._on_remark)
        in_view, shown = self.panel.loads_in_view, bench.actions["show_loads"]
        in_view.setChecked(shown.isChecked())
        in_view.toggled.connect(shown.setChecked)
        shown.toggled.connect(in_view.setChecked)
        shown.toggled.connect(lambda _: self._show_in_scene())
        bench.document.robot_changed.connect(self._on_robot)
        bench.clock.reading.connect(self._on_reading)
        bench.startup.when(KernelStage.ALL, lambda: self._on_robot(bench.document.robot))

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """External conditions."""
        return {"conditions": self.edits.session_table()}

    def open_session(self, file: SessionFile) -> None:
        """Restore the external conditions."""
        if self._bench.document.robot.has_dynamics:
            self.edits.open_session(file.conditions)

    def _on_motion(self):
        motion = self._bench.simulation.motion
        self.panel.tell_needed(motion is not None and bool(motion.qd.any() or motion.qdd.any()))
        self._show_in_scene()

    def _on_remark(self, text: str):
        if self._bench.document.robot.has_dynamics:
            self.panel.show_remark(text)

    def shut_down(self) -> None:
        """Let go of the arm, and end the thread."""
        self._bench.scene.pointer.drop()
        self.replayed.stop()

    def _on_robot(self, robot: Robot):
        self._shown = None
        self.panel.show_remark("" if robot.has_dynamics else no_masses(robot.name))
        self._bench.drawing.shape(self.dock, self._shape)

    def _shape(self):
        robot = self._bench.document.robot
        if self._bench.simulation.ready or not robot.has_dynamics:
            self.panel.set_robot(robot, torque_ranges(robot, engine.gravity_torque) if robot.has_dynamics else None)
        self.edits.show()
        self._shown = None  # its numbers come into another shape

    @property
    def explained(self) -> Snapshot | None:
        """What is explained: the sample of the replay, else what a typed motion needs, else the latest of the simulation."""
        if self._bench.replay.replaying:
            return self.replayed.snapshot
        latest, motion = self._bench.simulation.latest, self._bench.simulation.motion
        if latest is None or motion is None or latest.running:
            return latest
        if self._meant is None or self._meant[0] is not latest or self._meant[1] is not motion:
            self._meant = latest, motion, needed(self._holding(latest.payload), self._bench.simulation.robot, latest, motion)
        return self._meant[2]

    @property
    def _unknown(self) -> bool:
        """Whether a sample of a recording is shown that is not all numbers."""
        return self._bench.replay.replaying and self.replayed.unknown

    def _on_snapshot(self, snapshot: Snapshot):
        """What the simulated tool holds is told where it is chosen, too."""
        if snapshot.payload is not self._chosen:
            self._chosen = snapshot.payload
            self.panel.conditions.show_payload(snapshot.payload)
        self._show_in_scene()

    def _show_in_scene(self):
        """What the tool holds, and the loads of the links, of which the item reckons only what is drawn."""
        stage, snapshot = self._bench.scene.stage, self.explained
        if snapshot is None:
            if self._unknown and stage.loads.visible():
                unknown = np.full(self._bench.document.robot.n, np.nan)
                stage.loads.set_motion(Motion(self._holding(None), unknown, unknown, unknown))
                self._bench.scene.update()
            return
        if snapshot.payload is not stage.payload.payload:
            stage.payload.set_payload(snapshot.payload)
            self._bench.scene.update()
        if stage.loads.visible():
            pull = self._pull_on_links(snapshot)
            stage.loads.set_motion(Motion(self._holding(snapshot.payload), snapshot.q, snapshot.qd, snapshot.qdd, pull))
            self._bench.scene.update()

    def _on_reading(self):
        """Numbers, as often as they can be read and only where they can be seen."""
        if not self._bench.document.robot.has_dynamics or not on_screen(self.panel):
            return
        self.panel.conditions.set_carrying(self._bench.simulation.carries)
        snapshot, shown = self.explained, (self.explained, self.panel.in_view)
        if shown == self._shown:
            return
        if snapshot is not None:
            self._shown = shown
            self.panel.show_state(self._holding(snapshot.payload), snapshot, self._pull_on_links(snapshot))
        elif self._unknown:
            self._shown = shown
            self.panel.show_unknown()

    def _holding(self, payload: Payload | None) -> Robot:
        """The arm, simulated or recorded, with what its tool holds."""
        part = self._part
        if part is not None:
            return part.robot
        arm = self._bench.simulation.robot
        if self._held is None or self._held[0] is not arm or self._held[1] is not payload:
            self._held = arm, payload, arm if payload is None else payload.held_by(arm)
        return self._held[2]

    @property
    def _part(self) -> RecordedPart | None:
        """What acted on the arm at the sample of the replay, if there is one."""
        return self.replayed.part if self._bench.replay.replaying else None

    def _pull_on_links(self, snapshot: Snapshot) -> np.ndarray | None:
        """The hand's force as wrenches `(n_links, 6)` at the origins of the link frames."""
        part = self._part
        if snapshot.pull_force is None or snapshot.pull_point is None:
            return None
        if part is not None and part.pull is not None:
            body = part.pull.body
        elif self.pulling.held is not None:
            body = self.pulling.held[0]
        else:
            return None
        wrench = np.zeros((len(snapshot.link_poses), 6))
        link = [frame.body for frame in self._bench.document.robot.links.values()].index(body)
        arm = snapshot.pull_point - snapshot.link_poses[link, :3, 3]
        wrench[link] = *snapshot.pull_force, *np.cross(arm, snapshot.pull_force)
        return wrench
