"""Where the tool is: position and roll-pitch-yaw, to be read and typed, and the quaternion."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units, number
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import Steady
from armature.app.widgets.value_field import ValueField
from armature.engine.kinematics.polar import PolarAxis, polar_axis
from armature.engine.kinematics.task import movable_task
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.rotations import roll_pitch_yaw, rot_rpy

TIP = "{} about the axis of {}. Enter a value to move the arm"


class PolarFields(QWidget):
    """Tells `wanted(p, gesture)`, the place `(3,)` in W that was typed. Hidden where an arm has no such coordinates."""

    wanted = Signal(object, int)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._axis: PolarAxis | None = None
        self._here = (0.0, 0.0, 0.0)
        self.r, self.phi = self._field(0, "r", True), self._field(1, "phi", False)
        grid = QGridLayout(self)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setHorizontalSpacing(6)
        for k, (text, field) in enumerate((("r", self.r), ("φ", self.phi))):
            label = QLabel(text)
            label.setProperty("role", "muted")
            label.setBuddy(field)
            grid.addWidget(label, 0, 2 * k)
            grid.addWidget(field, 0, 2 * k + 1)
            grid.setColumnStretch(2 * k, 1)
        self.hide()

    def _field(self, k: int, name: str, length: bool) -> ValueField:
        units = self._units
        field = ValueField(units.decimals(length), units.step(length), units.suffix(length))
        field.show_unknown()
        field.entered.connect(lambda shown, gesture: self._on_entered(k, shown / self._units.factor(length), gesture))
        return named(field, f"tool_{name}", f"{name} of the tool, polar")

    def set_axis(self, axis: PolarAxis | None, joint: str) -> None:
        """The axis that they are about, and whose it is."""
        self._axis = axis
        self.setVisible(axis is not None)
        for field in (self.r, self.phi):
            field.setToolTip(TIP.format(field.accessibleName(), joint))
            if axis is None:
                field.show_unknown()

    def allow(self, on: bool) -> None:
        """Whether they can be typed now."""
        self.r.setEnabled(on)
        self.phi.setEnabled(on)

    def show_point(self, p: np.ndarray, state: str) -> None:
        """The tool is, or is wanted, at `p` `(3,)` in W."""
        if self._axis is None:
            return
        self._here = self._axis.coordinates(p)
        for field, value, length in ((self.r, self._here[0], True), (self.phi, self._here[1], False)):
            field.show_value(value * self._units.factor(length), state)

    def set_units(self, units: Units) -> None:
        """Show them in other units."""
        self._units = units
        for field, length in ((self.r, True), (self.phi, False)):
            field.set_format(units.decimals(length), units.step(length), units.suffix(length))

    def refit(self) -> None:
        """Take over the present font."""
        self.r.refit()
        self.phi.refit()

    def _on_entered(self, k: int, value: float, gesture: int) -> None:
        if self._axis is not None:
            r, phi, height = self._here
            self.wanted.emit(self._axis.point(*((value, phi) if k == 0 else (r, value)), height), gesture)


NAMES = ("x", "y", "z", "roll", "pitch", "yaw")
TYPED = "enter a value to move the arm"
KEEPS = "follows from the other coordinates, because the arm has too few joints"


class ToolPoseSection(Section):
    """Six fields, column by column, and what follows from them.

    `wanted(X, gesture)` tells where the tool is to go, X_WT `(4, 4)`. Until it is there, or `give_up`, the fields keep what was
    typed, so that a pose can be typed number by number though the arm cannot follow in between; `left` tells of Escape.
    """

    wanted = Signal(object, int)
    left = Signal()

    def __init__(self, units: Units):
        super().__init__("Tool pose in the world")
        self._units = units
        self._here: np.ndarray | None = None
        self._wanted: np.ndarray | None = None
        self._task: tuple[str, ...] = TASK_AXES
        self._editable = True
        self._fields = [self._field(i, name) for i, name in enumerate(NAMES)]
        self.add(self._grid())
        self.polar = self.add(PolarFields(units))
        self.polar.wanted.connect(self._on_place)
        self._quaternion = named(QLabel(), "tool_quaternion", "Quaternion (w, x, y, z)", "Quaternion: w, x, y, z")
        self._quaternion.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words = named(note(), "tool_words")
        self._words.hide()
        self.add(Steady(3, self._quaternion, self._words))
        self.set_units(units)

    def _field(self, i: int, name: str) -> ValueField:
        units, length = self._units, i < 3
        field = named(
            ValueField(units.decimals(length), units.step(length), units.suffix(length)), f"tool_{name}", f"{name} of the tool"
        )
        field.show_unknown()
        field.entered.connect(lambda shown, gesture: self._on_entered(i, shown / self._units.factor(length), gesture))
        return field

    def _grid(self) -> QWidget:
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        for i, (name, field) in enumerate(zip(NAMES, self._fields, strict=True)):
            label = QLabel(name)
            label.setProperty("role", "muted")
            label.setBuddy(field)
            grid.addWidget(label, i % 3, i // 3 * 2)
            grid.addWidget(field, i % 3, i // 3 * 2 + 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)
        return widget

    def set_robot(self, robot: Robot) -> None:
        """The coordinates that the arm can choose."""
        self._here, self._task = None, movable_task(robot)
        axis = polar_axis(robot)
        self.polar.set_axis(axis, "" if axis is None else robot.tree.joint_names[axis.joint])
        self.give_up()
        self._allow()

    def set_editable(self, on: bool) -> None:
        """Whether a pose can be typed now."""
        self._editable = on
        self._allow()

    def _allow(self) -> None:
        for axis, field in zip(TASK_AXES, self._fields, strict=True):
            field.setEnabled(self._editable and axis in self._task)
            field.setToolTip(f"{field.accessibleName()}: {TYPED if axis in self._task else KEEPS}")
        self.polar.allow(self._editable and len({"x", "y", "z"}.intersection(self._task)) > 1)

    def show_pose(self, X: np.ndarray, quaternion: np.ndarray) -> None:
        """The tool is at X_WT `(4, 4)`, turned as the quaternion `(4,)` says, w first."""
        self._here = X
        self._quaternion.setText("quaternion " + " ".join(number(v, 3).rjust(6) for v in quaternion.tolist()))
        if self._wanted is None:
            self._show(X, "ok")

    def show_obstacle(self, why: str) -> None:
        """The arm cannot go where it is wanted."""
        if self._wanted is not None:
            self._show(self._wanted, "out")
            self._tell(why, "error")

    @property
    def waits(self) -> bool:
        """Whether the tool is wanted elsewhere than where it is."""
        return self._wanted is not None

    def give_up(self) -> None:
        """The tool is wanted nowhere else any more: show where it is."""
        if self._wanted is None:
            return
        self._wanted = None
        self._tell("", "info")
        if self._here is not None:
            self._show(self._here, "ok")

    def _show(self, X: np.ndarray, state: str) -> None:
        for i, (field, value) in enumerate(zip(self._fields, _numbers(X), strict=True)):
            field.show_value(float(value) * self._units.factor(i < 3), state)
        self.polar.show_point(X[:3, 3], state)

    def _tell(self, text: str, severity: str) -> None:
        """In place of the quaternion, which is of where the arm is and not of what the fields show then."""
        here, gone = (self._words, self._quaternion) if text else (self._quaternion, self._words)
        gone.hide()  # first: never is there room for both
        self._words.setText(text)
        here.show()
        set_style_property(self._words, "severity", severity)

    def _on_entered(self, i: int, value: float, gesture: int) -> None:
        X = self._here if self._wanted is None else self._wanted
        if X is None:
            return
        numbers = _numbers(X)
        numbers[i] = value
        self._want(rot_rpy(*numbers[3:]), numbers[:3], gesture)

    def _on_place(self, p: np.ndarray, gesture: int) -> None:
        """Polar coordinates were typed: the place is another one, the orientation is not."""
        X = self._here if self._wanted is None else self._wanted
        if X is not None:
            self._want(X, p, gesture)

    def _want(self, R: np.ndarray, p: np.ndarray, gesture: int) -> None:
        self._wanted = np.array(R)
        self._wanted[:3, 3] = p
        self.wanted.emit(self._wanted, gesture)

    def keyPressEvent(self, event):
        """Escape gives up, and goes on to the window, which gives the focus back to the view."""
        if event.key() == Qt.Key.Key_Escape and self._wanted is not None:
            self.left.emit()
            self.give_up()
        event.ignore()

    def set_units(self, units: Units) -> None:
        """Show the pose in other units."""
        self._units = units
        for i, field in enumerate(self._fields):
            field.set_format(units.decimals(i < 3), units.step(i < 3), units.suffix(i < 3))
        self.polar.set_units(units)
        if self._wanted is not None:
            self._show(self._wanted, "out")
        elif self._here is not None:
            self._show(self._here, "ok")

    def refit(self) -> None:
        """Take over the present font."""
        self._quaternion.setFont(fixed_font(0.92))
        for field in self._fields:
            field.refit()
        self.polar.refit()


def _numbers(X: np.ndarray) -> np.ndarray:
    """x, y, z in m, roll, pitch and yaw in rad of a pose `(4, 4)`."""
    return np.concatenate([X[:3, 3], roll_pitch_yaw(X[:3, :3])])
