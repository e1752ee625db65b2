"""Forms of the trajectory dock: numbers of the selected waypoint, its action and payload, and the limits of the tool."""

from __future__ import annotations

from dataclasses import asdict

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from armature.app.state.evented import Binder, on
from armature.app.state.number_marks import said
from armature.app.state.shared_sentences import sentence
from armature.app.state.window_state import WindowState
from armature.app.trajectory import waypoint_values
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.trajectory.waypoint_values import ACTIONS, PICKED
from armature.app.widgets.controls import button, choice, form, named, row
from armature.app.widgets.section import Section, note
from armature.app.widgets.value_form import FormNumber, ValueForm, cell_grid
from armature.app.widgets.value_grid import ValueGrid

NONE = "Select a waypoint in the table to edit its values here."
ACTION_TITLES = {"pass": "none", "grasp": "grasp", "release": "release"}
ACTION_TIP = "Gripper action in the middle of the dwell; if the dwell is 0, it is set to 0.5 s"
MASS = FormNumber("waypoint_mass", "Mass of the grasped object", unit=" kg", decimals=3, step=0.1, least=1e-6, most=1e4)
CENTRE = [
    FormNumber(
        f"waypoint_com_{axis}",
        f"Centre of mass of the object along {axis} of the tool frame, m",
        decimals=3,
        step=0.01,
        least=-1e3,
        most=1e3,
    )
    for axis in "xyz"
]
LIMITS = {"speed": ("/s", 0.05), "acceleration": ("/s²", 0.2), "jerk": ("/s³", 2.0)}
KINDS = (("", "Linear", True, 1.0), ("angular_", "Angular", False, 4.0))  # one step of 1 m is one of 4 rad
TOOL = {
    f"{prefix}{key}": FormNumber(
        f"tool_limit_{prefix}{key}", f"{title} {key} of the tool", is_length, per, -1, step * ratio, 1e-6
    )
    for key, (per, step) in LIMITS.items()
    for prefix, title, is_length, ratio in KINDS
}
TOOL_TIP = (
    "Lines and arcs without a given time are as fast as these limits and the joint limits allow. "
    "Joint moves respect the joint limits only"
)
SCOPE = "For lines and arcs only; joint moves use the limits of the joints."
USUAL = "0.5 m/s and 2 rad/s, full speed in 0.25 s, full acceleration in 0.1 s"


class WaypointForm(ValueGrid):
    """Joints of the selected waypoint, or the pose of the tool and the point of an arc."""

    def __init__(self, model: TrajectoryModel, state: WindowState):
        super().__init__("waypoint_value", "the waypoint", NONE, model.set_value)
        self._model, self._state = model, state

    def bind(self, views: Binder) -> None:
        """Bind the view."""
        views.bind(self._show, on(self._model, "robot", "waypoint"), on(self._state, "units"))

    def _show(self) -> None:
        robot, point = self._model.robot, self._model.waypoint
        names, values = ((), ()) if point is None else (waypoint_values.names(robot, point), waypoint_values.values(robot, point))
        self.show_values(names, values, self._state.units)


class PayloadForm(QWidget):
    """Action at the selected waypoint, mass in kg and centre in m of the grasped object, in the frame of the tool."""

    def __init__(self, model: TrajectoryModel, state: WindowState):
        super().__init__()
        self._model, self._state = model, state
        title = "Gripper action at the waypoint"
        self.action = choice("waypoint_action", title, {name: ACTION_TITLES[name] for name in ACTIONS}, ACTION_TIP)
        self.action.activated.connect(lambda _: model.set_action(self.action.currentData()))
        self._form = ValueForm([MASS, *CENTRE], model.set_load, state.units)
        self.fields = self._form.fields
        line = row(self.action, self.fields[0], None, spacing=4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form((("Action", line), ("CoM [m]", row(*self.fields[1:], None, spacing=4))), spacing=4))
        self._labels = self.findChildren(QLabel)

    def bind(self, views: Binder) -> None:
        """Bind the view."""
        views.bind(self._show, on(self._model, "waypoint"), on(self._state, "units"))

    def refit(self) -> None:
        """Adapt to the present font."""
        self._form.refit()

    def _show(self) -> None:
        point = self._model.waypoint
        load = None if point is None else point.grasp
        with QSignalBlocker(self.action):
            self.action.setCurrentIndex(0 if point is None else self.action.findData(waypoint_values.action_of(point)))
        for part in (self.action, *self._labels[:1]):
            part.setEnabled(point is not None)
        for part in (*self.fields, *self._labels[1:]):
            part.setEnabled(load is not None)
        usual = (PICKED, 0.0, 0.0, 0.0)  # of an object that is grasped next
        self._form.show(usual if load is None else (load.mass, *load.com), self._state.units)


class ToolLimitsSection(Section):
    """Speed, acceleration and jerk of the tool, in m and rad per s, s², s³."""

    def __init__(self, model: TrajectoryModel, state: WindowState):
        super().__init__("Limits of the tool")
        self._model, self._state, names = model, state, list(TOOL)
        self.header.setToolTip(TOOL_TIP)
        self._form = ValueForm(
            list(TOOL.values()), lambda k, *entered: model.set_tool_limit(names[k], *entered), state.units, is_aligned=True
        )
        self.add(named(note(SCOPE), "tool_limits_scope"))
        fields = self._form.fields
        rows: list[list[QWidget | str]] = [["", *(title for _, title, *_ in KINDS)]]
        rows += [[key.capitalize(), *fields[2 * k : 2 * k + 2]] for k, key in enumerate(LIMITS)]
        self.add(cell_grid(rows, 0))
        tip = "Use the limits of the robot file, or the defaults where it has none"
        self._reset = button("tool_limits_reset", "Reset", "Reset the limits of the tool", tip, QPushButton)
        self._reset.clicked.connect(model.reset_tool_limits)
        self._whence = named(note(), "tool_limits_whence")
        self.add(row(self._whence, self._reset, stretch=self._whence))

    def show_limits(self) -> None:
        """Show the six limits, and whether each is of the trajectory, of the robot or a default value."""
        of_draft, of_robot = self._model.draft.tool_limits, self._model.robot.tool_limits
        values = asdict(of_draft.over(of_robot).whole())
        self._form.show([values[name] for name in TOOL], self._state.units)
        own, others = ([name for name, value in asdict(limits).items() if value is not None] for limits in (of_draft, of_robot))
        others = [name for name in others if name not in own]
        self._reset.setEnabled(bool(own))
        sources = [("From this trajectory", own), ("from the robot", others)]
        parts = [f"{who}: {', '.join(name.replace('_', ' ') for name in names)}" for who, names in sources if names]
        left = f"default values: {said(USUAL)}"
        self._whence.setText(sentence("; ".join([*parts, left] if len(own) + len(others) < len(TOOL) else parts)))

    def refit(self) -> None:
        """Adapt to the present font."""
        self._form.refit()
