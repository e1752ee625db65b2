"""What is done at a waypoint: nothing, grasp a load, or release it; with the load's mass and centre."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.trajectory.waypoint_values import ACTIONS, PICKED, action_of
from armature.app.widgets.controls import choice, form, named, row
from armature.app.widgets.value_field import ValueField

if TYPE_CHECKING:
    from armature.engine import Waypoint

TITLES = {"pass": "none", "grasp": "grasp", "release": "release"}
TIP = "Gripper action in the middle of the dwell; if the dwell is 0, it is set to 0.5 s"


class WaypointLoad(QWidget):
    """Tells `chosen(action)` and `entered(i, value, gesture)`: i = 0 the mass in kg, 1…3 the centre in m, tool frame."""

    chosen = Signal(str)
    entered = Signal(int, float, int)

    def __init__(self):
        super().__init__()
        self.action = choice("waypoint_action", "Gripper action at the waypoint", {name: TITLES[name] for name in ACTIONS}, TIP)
        self.action.activated.connect(lambda _: self.chosen.emit(self.action.currentData()))
        mass = named(
            ValueField(3, 0.1, " kg", widest=1e4), "waypoint_mass", "Mass of the grasped object, kg", "Mass of the grasped object"
        )
        mass.setMinimum(1e-6)
        self.fields = [mass, *(ValueField(3, 0.01, "", widest=1e3) for _ in "xyz")]
        for axis, field in zip("xyz", self.fields[1:]):
            title = f"Centre of mass of the object along {axis} of the tool frame, m"
            named(field, f"waypoint_com_{axis}", title, title)
        for i, field in enumerate(self.fields):
            field.entered.connect(partial(self._tell, i))
        line = row(self.action, mass, None, spacing=4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form((("Action", line), ("CoM [m]", row(*self.fields[1:], None, spacing=4))), spacing=4))
        self._labels = self.findChildren(QLabel)
        self.show_waypoint(None)

    def _tell(self, i: int, value: float, gesture: int) -> None:
        if self.fields[i].isEnabled():  # else nothing is grasped
            self.entered.emit(i, value, gesture)

    def show_waypoint(self, waypoint: Waypoint | None) -> None:
        """What is done at the selected one; None where none is selected."""
        load = None if waypoint is None else waypoint.grasp
        with QSignalBlocker(self.action):
            self.action.setCurrentIndex(0 if waypoint is None else self.action.findData(action_of(waypoint)))
        for part in (self.action, *self._labels[:1]):
            part.setEnabled(waypoint is not None)
        for part in (*self.fields, *self._labels[1:]):
            part.setEnabled(load is not None)
        numbers = (PICKED, 0.0, 0.0, 0.0) if load is None else (load.mass, *load.com)  # what grasping would begin with
        for field, value in zip(self.fields, numbers, strict=True):
            field.show_value(float(value))

    def refit(self) -> None:
        """Take over the present font."""
        for field in self.fields:
            field.refit()
