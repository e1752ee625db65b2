"""The dynamics lab: pull on the arm, change what acts on it, and see what every torque and joule is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import engine
from app.features.pulling import Pulling
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
        self._window, self._shown, self._held = window, None, (None, None, None)
        self.panel = DynamicsPanel()
        self.panels = {"dynamics": self.panel}

    def connect(self):
        """Wire panel, scene and simulation."""
        window, simulation, conditions = self._window, self._window.simulation, self.panel.conditions
        self.pulling = Pulling(window)
        conditions.gravity_chosen.connect(lambda g: simulation.choose(gravity=g))
        conditions.smooth_chosen.connect(lambda names: simulation.choose(smooth=names))
        conditions.stops_chosen.connect(lambda on: simulation.choose(stops=on))
        conditions.payload_chosen.connect(simulation.set_payload)
        window.simulation_panel.friction_chosen.connect(conditions.set_friction)
        simulation.snapshot_taken.connect(self._show_payload)
        simulation.snapshot_taken.connect(self._show_loads)
        in_view, shown = self.panel.loads_in_view, window.actions_["show_loads"]
        in_view.setChecked(shown.isChecked())
        in_view.toggled.connect(shown.setChecked)
        shown.toggled.connect(in_view.setChecked)
        shown.toggled.connect(lambda on: self._show_loads(simulation.latest))
        window.document.robot_changed.connect(self._on_robot)
        window.clock.reading.connect(self._on_reading)
        window.ready.connect(lambda: self._on_robot(window.document.robot))

    def shut_down(self):
        """Let go of the arm."""
        self._window.scene.pointer.drop()

    def _on_robot(self, robot):
        self._shown = None
        if self._window.simulation.ready or not robot.has_dynamics:
            ranges = torque_ranges(robot, engine.gravity_torque) if robot.has_dynamics else None
            self.panel.set_robot(robot, ranges, "" if robot.has_dynamics else no_masses(robot.name))

    def _show_payload(self, snapshot):
        item = self._window.scene.stage.payload
        if snapshot.payload is not item.payload:
            item.set_payload(snapshot.payload)
            self.panel.conditions.show_payload(snapshot.payload)
            self._window.scene.update()

    def _show_loads(self, snapshot):
        """The forces and moments in the view; the item reckons only what is drawn."""
        item = self._window.scene.stage.loads
        if snapshot is not None and item.visible():
            pull = self._pull_on_links(snapshot)
            item.set_motion(Motion(self._holding(snapshot.payload), snapshot.q, snapshot.qd, snapshot.qdd, pull))
            self._window.scene.update()

    def _on_reading(self):
        """Numbers, as often as they can be read and only where they can be seen."""
        snapshot, robot = self._window.simulation.latest, self._window.document.robot
        if snapshot is None or not robot.has_dynamics or not on_screen(self.panel):
            return
        if snapshot is not self._shown:
            self._shown = snapshot
            self.panel.show_state(self._holding(snapshot.payload), snapshot, self._pull_on_links(snapshot))

    def _holding(self, payload):
        """The simulated arm with what its tool holds."""
        arm = self._window.simulation.robot
        if self._held[0] is not arm or self._held[1] is not payload:
            self._held = arm, payload, arm if payload is None else payload.held_by(arm)
        return self._held[2]

    def _pull_on_links(self, snapshot) -> np.ndarray | None:
        """The hand's force as wrenches `(n_links, 6)` at the origins of the link frames."""
        held = self.pulling.held
        if held is None or snapshot.pull_force is None:
            return None
        wrench = np.zeros((len(snapshot.link_poses), 6))
        bodies = [frame.body for frame in self._window.document.robot.links.values()]
        link = bodies.index(held[0])
        arm = snapshot.pull_point - snapshot.link_poses[link, :3, 3]
        wrench[link] = *snapshot.pull_force, *np.cross(arm, snapshot.pull_force)
        return wrench
