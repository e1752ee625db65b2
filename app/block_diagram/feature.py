"""The block diagram over the view: the loop of trajectory, control, dynamics and kinematics, with what runs through it now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint

from armature import engine
from armature.app.block_diagram.diagram_signals import ARROWS, Flow, plot_title, reading
from armature.app.block_diagram.panel import BLOCKS, BlockDiagramPanel
from armature.app.block_diagram.torque_sum import EPSILON, NEEDED, TorqueSum, is_held
from armature.app.control.feature import ControlFeature
from armature.app.control.offered_laws import law_named
from armature.app.control.recorded_control import recorded_control
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.feature import Feature
from armature.app.kinematics.feature import KinematicsFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.simulation.feature import SimulationFeature
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.state.units import number
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.pop_up import Line, pop_up

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

TIPS = {
    "trajectory": "Desired motion. Click to open Trajectory",
    "control": "Controller: computes torques from desired and actual motion. Click to open Control",
    "dynamics": "Equations of motion: acceleration from torques. Click to open Dynamics",
    "integration": "Integrator: velocity and position from acceleration. Click to open Simulation",
    "kinematics": "Forward kinematics: tool pose from joint positions. Click to open Kinematics",
}


class BlockDiagramFeature(Feature):
    """Numbers as often as they can be read, while the strip is seen."""

    dock: Dock

    def __init__(
        self,
        bench: Workbench,
        dock: Dock,
        trajectory: TrajectoryFeature,
        control: ControlFeature,
        dynamics: DynamicsFeature,
        simulation: SimulationFeature,
        kinematics: KinematicsFeature,
        plots: PlotsFeature,
    ):
        self._bench, self._trajectory, self._control, self._plots = bench, trajectory, control, plots
        self.dock, self._dynamics = dock, dynamics
        self._docks = dict(zip(BLOCKS, (trajectory.dock, control.dock, dynamics.dock, simulation.dock, kinematics.dock)))
        self.panel = BlockDiagramPanel()
        self.panel.fit(bench.parent.height())  # as high as its dock keeps free

    def wire(self) -> None:
        """Wire strip, docks and clock."""
        bench, panel = self._bench, self.panel
        for name, tip in TIPS.items():
            panel.blocks[name].setToolTip(tip)
        panel.block_clicked.connect(lambda name: self._docks[name].bring_up())
        panel.plot_requested.connect(self._add_plot)
        panel.menu_requested.connect(self._open_menu)
        panel.joint_chosen.connect(lambda _: self._on_reading())
        bench.scene.joint_clicked.connect(panel.joint.setCurrentIndex)
        bench.clock.reading.connect(self._on_reading)

    def set_robot(self, robot) -> None:
        """Its joints."""
        self.panel.set_robot(robot)

    def _add_plot(self, name: str) -> None:
        self._plots.panel.show_plot(name)
        self._plots.dock.bring_up()

    def _open_menu(self, arrow: str, place: QPoint) -> None:
        lines = [Line(plot, plot_title(plot), partial(self._add_plot, plot)) for plot in ARROWS[arrow].plots]
        pop_up(self.panel, f"Plot {ARROWS[arrow].symbol}", place, lines)

    def _on_reading(self) -> None:
        bench, panel, robot = self._bench, self.panel, self._bench.document.robot
        if not on_screen(panel):
            return
        flow, units, terms = self._flow(), bench.preferences.units, self._terms()
        needed = NEEDED if terms is not None and terms.needed else ""
        for name in ARROWS:
            told = reading(name, flow.of(name), robot.joint_names, robot.prismatic, units)
            panel.show_reading(name, told, needed if name == "torque" else "")
        panel.settle()
        source, acting = self._source, self._acting(terms)
        panel.blocks["trajectory"].show_state(source or "idle", not source)
        panel.blocks["control"].show_state(acting or "idle", not acting)
        words = (
            (BLOCKS["dynamics"][1], False, "" if terms is None else terms.words) if robot.has_dynamics else ("no masses", True)
        )
        panel.blocks["dynamics"].show_state(*words)
        facts = [] if terms is None else terms.lines(robot.joint_names, robot.prismatic)
        tip = "\n".join([TIPS["dynamics"], EPSILON, *facts])
        panel.blocks["dynamics"].setToolTip(tip if robot.has_dynamics else no_masses(robot.name))

    @property
    def _source(self) -> str:
        """Source of the arm's motion: replay, or how far the trajectory is; empty for none."""
        if self._bench.replay.replaying:
            return "replay"
        followed = self._trajectory.model.followed
        return "" if followed is None else f"{number(self._trajectory.run.time, 1)} of {number(followed.duration, 1)} s"

    def _acting(self, terms: TorqueSum | None) -> str:
        """Title of the law that gives the torques, in a replay of the one that gave them; empty for none."""
        replay, needed = self._bench.replay, terms is not None and terms.needed
        if replay.replaying:
            return "" if needed or not self._bench.document.robot.has_dynamics else recorded_control(replay.open, replay.row)
        if self._control.acts:
            return law_named(self._control.shown).title
        return law_named("torque").title if terms is not None and not needed and np.any(terms.tau) else ""

    def _terms(self) -> TorqueSum | None:
        """What the torque at the arrow is made of; None where none is told."""
        bench, latest = self._bench, self._dynamics.explained
        if latest is None or self._flow_rests or not bench.document.robot.has_dynamics:
            return None
        if len(latest.q) != bench.document.robot.n:
            return None
        part = self._dynamics.replayed.part if bench.replay.replaying else None
        held = (
            not part.moving
            if part is not None
            else not latest.running and (bench.simulation.motion is not None or (latest.posed and is_held(latest)))
        )
        return TorqueSum(latest.tau, latest.tau_terms, held)

    @property
    def _flow_rests(self) -> bool:
        """Whether a law that acts is paused with the arm where a person put it: what holds it is not what the law would give."""
        bench, latest = self._bench, self._bench.simulation.latest
        posed = not bench.simulation.running and (latest is None or latest.posed)
        rests = self._control.acts and not bench.replay.replaying and posed
        return rests and not np.any(shown_motion(bench.simulation, bench.replay, bench.document.robot.n).qd)

    def _flow(self) -> Flow:
        """What runs along the arrows: of the recording that is open, else of the arm as it is posed, meant to move or moves."""
        bench, robot, q = self._bench, self._bench.document.robot, self._bench.document.q
        tool, motion = engine.frame_pose(robot, q)[:3, 3], shown_motion(bench.simulation, bench.replay, robot.n)
        tau, desired = None, None
        if bench.replay.replaying:
            tau = bench.replay.open.tau[bench.replay.row] if robot.has_dynamics else None
        elif (latest := self._dynamics.explained) is not None:
            tau, desired = (latest.tau if robot.has_dynamics else None), latest.q_desired
        qdd = np.asarray(motion.qdd) if robot.has_dynamics else None
        if self._flow_rests:
            tau, qdd = None, None
        if desired is None and self._trajectory.model.followed is not None:
            desired = self._trajectory.model.followed.q_at(self._trajectory.run.time)
        return Flow(desired, tau, qdd, q, np.asarray(motion.qd), tool)
