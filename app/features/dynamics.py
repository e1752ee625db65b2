"""The dynamics lab: pull on the arm, change what acts on it, and see what every torque and joule is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import engine
from app.features.pulling import Pulling
from app.features.replay_dynamics import ReplayDynamics
from app.files import no_masses
from app.panels.dynamics import DynamicsPanel
from app.panels.torques import torque_ranges
from app.scene.load_item import Motion
from app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from app.main_window import MainWindow


class DynamicsFeature:
    """Joins what acts on the arm, and what comes of it, with simulation and scene."""

    def __init__(self, window: MainWindow):
        self._window, self._shown, self._held, self._chosen = window, None, (None, None, None), None
        self.panel = DynamicsPanel()
        self.panels = {"dynamics": self.panel}

    def connect(self):
        """Wire panel, scene and simulation."""
        window, simulation, conditions = self._window, self._window.simulation, self.panel.conditions
        self.pulling, self.replayed = Pulling(window), ReplayDynamics(window)
        conditions.gravity_chosen.connect(lambda g: simulation.choose(gravity=g))
        conditions.smooth_chosen.connect(lambda names: simulation.choose(smooth=names))
        conditions.stops_chosen.connect(lambda on: simulation.choose(stops=on))
        conditions.payload_chosen.connect(simulation.set_payload)
        window.simulation_panel.friction_chosen.connect(conditions.set_friction)
        simulation.snapshot_taken.connect(self._show_load_change)
        simulation.snapshot_taken.connect(lambda _: self._show_in_scene())
        self.replayed.changed.connect(self._show_in_scene)
        self.replayed.told.connect(lambda text: window.document.robot.has_dynamics and self.panel.show_remark(text))
        in_view, shown = self.panel.loads_in_view, window.actions_["show_loads"]
        in_view.setChecked(shown.isChecked())
        in_view.toggled.connect(shown.setChecked)
        shown.toggled.connect(in_view.setChecked)
        shown.toggled.connect(lambda _: self._show_in_scene())
        window.document.robot_changed.connect(self._on_robot)
        window.clock.reading.connect(self._on_reading)
        window.ready.connect(lambda: self._on_robot(window.document.robot))

    def shut_down(self):
        """Let go of the arm, and end the thread."""
        self._window.scene.pointer.drop()
        self.replayed.stop()

    def _on_robot(self, robot):
        self._shown = None
        if self._window.simulation.ready or not robot.has_dynamics:
            ranges = torque_ranges(robot, engine.gravity_torque) if robot.has_dynamics else None
            self.panel.set_robot(robot, ranges, "" if robot.has_dynamics else no_masses(robot.name))

    @property
    def _state(self):
        """What is explained: the sample of the replay, else the latest of the simulation; None where there is none."""
        return self.replayed.snapshot if self._window.recordings.replaying else self._window.simulation.latest

    def _show_load_change(self, snapshot):
        """What the simulated tool holds, where it is chosen."""
        if snapshot.payload is not self._chosen:
            self._chosen = snapshot.payload
            self.panel.conditions.show_payload(snapshot.payload)

    def _show_in_scene(self):
        """What the tool holds, and the loads of the links, of which the item reckons only what is drawn."""
        stage, snapshot = self._window.scene.stage, self._state
        if snapshot is None:
            return
        if snapshot.payload is not stage.payload.payload:
            stage.payload.set_payload(snapshot.payload)
            self._window.scene.update()
        if stage.loads.visible():
            pull = self._pull_on_links(snapshot)
            stage.loads.set_motion(Motion(self._holding(snapshot.payload), snapshot.q, snapshot.qd, snapshot.qdd, pull))
            self._window.scene.update()

    def _on_reading(self):
        """Numbers, as often as they can be read and only where they can be seen."""
        if not self._window.document.robot.has_dynamics or not on_screen(self.panel):
            return
        self.panel.conditions.set_carrying(self._window.simulation.carries)
        snapshot, shown = self._state, (self._state, self.panel.in_view)
        if snapshot is not None and shown != self._shown:
            self._shown = shown
            self.panel.show_state(self._holding(snapshot.payload), snapshot, self._pull_on_links(snapshot))

    def _holding(self, payload):
        """The arm, simulated or recorded, with what its tool holds."""
        if self._window.recordings.replaying:
            return self.replayed.part.robot
        arm = self._window.simulation.robot
        if self._held[0] is not arm or self._held[1] is not payload:
            self._held = arm, payload, arm if payload is None else payload.held_by(arm)
        return self._held[2]

    def _pull_on_links(self, snapshot) -> np.ndarray | None:
        """The hand's force as wrenches `(n_links, 6)` at the origins of the link frames."""
        if snapshot.pull_force is None:
            return None
        if self._window.recordings.replaying:
            body = self.replayed.part.pull.body
        elif self.pulling.held is not None:
            body = self.pulling.held[0]
        else:
            return None
        wrench = np.zeros((len(snapshot.link_poses), 6))
        link = [frame.body for frame in self._window.document.robot.links.values()].index(body)
        arm = snapshot.pull_point - snapshot.link_poses[link, :3, 3]
        wrench[link] = *snapshot.pull_force, *np.cross(arm, snapshot.pull_force)
        return wrench
