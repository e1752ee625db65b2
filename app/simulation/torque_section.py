"""One torque slider per joint."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from armature.app.state.arm_sizes import decimals_for
from armature.app.state.slices import Steps
from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.restyle import polish
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import keeps_room
from armature.app.widgets.value_field import ValueField
from armature.engine.model.robot import Robot


class TorqueRow(QObject):
    """Tells `changed(tau)` in N·m or N; its widgets stand in row `i` of a grid."""

    changed = Signal(float)

    def __init__(self, grid: QGridLayout, i: int):
        super().__init__(grid)
        self._label, self._slider, self._field = QLabel(), JointSlider(-1.0, 1.0, False, 0.02), ValueField(1, 0.02, "")
        self._slider.moved.connect(lambda value, _: self.changed.emit(value))
        self._field.entered.connect(lambda value, _: self.changed.emit(value))
        self._parts = self._label, self._slider, self._field
        grid.addWidget(self._label, i, 0)
        grid.addWidget(self._slider, i, 1)
        grid.addWidget(self._field, i, 2, Qt.AlignmentFlag.AlignRight)

    def show_joint(self, name: str, limit: float, unit: str, decimals: int) -> None:
        """Be the row of this joint from now on, with torques up to `limit`; its value comes with the next `show_value`."""
        self._label.setText(name)
        self._label.setToolTip(f"±{significant(limit, 6)}{unit}")
        named(self._slider, f"torque_slider_{name}", f"{name} motor torque slider")
        named(self._field, f"torque_value_{name}", f"{name} motor torque")
        self._slider.set_interval(-limit, limit, False, limit / 50)
        self._field.set_widest(limit)
        self._field.set_format(decimals, limit / 50, unit)

    def show_value(self, tau: float) -> None:
        """Follow what acts."""
        self._slider.show_value(tau)
        self._field.show_value(tau)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the slider."""
        self._slider.set_theme(tokens)
        self._field.refit()

    def set_visible(self, on: bool) -> None:
        """Whether its joint is there already."""
        for part in self._parts:
            part.setVisible(on)

    def polish(self) -> None:
        """Have the style sheet look at it before it is shown."""
        for part in self._parts:
            polish(part)

    def remove(self) -> None:
        """Take its widgets out of the grid."""
        for part in self._parts:
            part.hide()
            part.deleteLater()  # which takes them out of their layout
        self.deleteLater()


PROBES = 256


def round_up(value: float) -> float:
    """The next of 1, 2, 5 × a power of ten."""
    power = 10.0 ** floor(log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if value <= step * power * (1 + 1e-9))


def torque_ranges(robot: Robot, gravity_torque) -> np.ndarray:
    """Half width `(n,)` of each slider in N·m or N: the torque limit, or twice what gravity can ask where there is none.

    `gravity_torque(robot, q)` maps `(N, n)` to `(N, n)`; it is probed at random poses within the limits.
    """
    low = np.where(np.isfinite(robot.q_min), robot.q_min, -np.pi)
    high = np.where(np.isfinite(robot.q_max), robot.q_max, np.pi)
    poses = low + (high - low) * np.random.default_rng(0).random((PROBES, robot.n))
    needed = np.abs(gravity_torque(robot, poses)).max(axis=0)
    largest = float(needed.max())
    least = max(largest / 20, min(largest, 1.0)) or 1.0
    derived = np.array([round_up(max(2 * float(torque), least)) for torque in needed])
    limited = np.isfinite(robot.tau_max) & (robot.tau_max > 0)
    return np.where(limited, robot.tau_max, derived)


def decimals_of(ranges: np.ndarray) -> int:
    """Digits after the point for all joints alike: as many as the weakest needs, as far as the strongest has room for them."""
    least, largest = float(ranges.min()), float(ranges.max())
    needed, room = 3 if least < 2 else 2 if least < 20 else 1, 3 if largest < 10 else 2 if largest < 1000 else 1
    return decimals_for(least, needed) if largest < 1 else min(needed, room)


class TorqueSection(Section):
    """Tells `torque_changed(tau)`, `(n,)` in N·m or N; and `release_requested()`, to have them act instead of a control law."""

    torque_changed = Signal(object)
    release_requested = Signal()

    def __init__(self):
        super().__init__("Motor torque")
        self._rows: list[TorqueRow] = []
        self._tokens: Tokens | None = None
        self._joints: tuple[tuple[str, float, str], ...] = ()
        self._tau = np.zeros(0)
        tip = "Set the motor torques with these sliders; running a trajectory enables the controller again"
        self._release = keeps_room(button("torque_release", "Disable controller", tip=tip))
        self._release.clicked.connect(self.release_requested)
        self._release.hide()
        self._grid_widget = self.add(QWidget())
        self._grid = QGridLayout(self._grid_widget)
        self._grid.setContentsMargins(2, 0, 2, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self.zero = QPushButton("Zero all")
        self.zero.setObjectName("torque_zero")
        self.zero.setAccessibleName("Set all motor torques to zero")
        self.zero.clicked.connect(self.clear)
        self.add(row(self.zero, None, self._release))
        self._why_not = self.add(named(note(), "torque_note"))
        self._why_not.hide()

    def make_rows(self, robot: Robot) -> Steps:
        """Those that `robot` needs beside the present ones, hidden until it is there."""
        while len(self._rows) < robot.n:
            line = self._add_row()
            line.set_visible(False)
            line.polish()
            yield

    def set_robot(self, robot: Robot, ranges: np.ndarray):
        """One slider per joint, all at zero; those that are there show the new joints."""
        units = tuple(" N" if slides else " N·m" for slides in robot.prismatic)
        joints = tuple(zip(robot.joint_names, ranges.tolist(), units))
        for line in self._rows[robot.n :]:
            line.remove()
        del self._rows[robot.n :]
        if joints != self._joints:
            while len(self._rows) < robot.n:
                self._add_row()
            for line, joint in zip(self._rows, joints):
                line.show_joint(*joint, decimals_of(ranges))
                line.set_visible(True)
            self._joints = joints
        self._tau = np.zeros(robot.n)
        self._show_zero()

    def _add_row(self) -> TorqueRow:
        i = len(self._rows)
        line = TorqueRow(self._grid, i)
        line.changed.connect(lambda tau: self._set(i, tau))
        if self._tokens is not None:
            line.set_theme(self._tokens)
        self._rows.append(line)
        return line

    def _set(self, i: int, value: float):
        self._tau[i] = value
        self._rows[i].show_value(value)
        self.torque_changed.emit(self._tau.copy())

    def explain(self, why_not: str):
        """Rest, with a sentence about who sets the torques instead; empty: act."""
        self._why_not.setText(why_not)
        self._why_not.setVisible(bool(why_not))
        self._release.setVisible(bool(why_not))
        for part in (self._grid_widget, self.zero):
            part.setEnabled(not why_not)

    def clear(self):
        """All torques to zero."""
        self._tau[:] = 0.0
        self._show_zero()
        self.torque_changed.emit(self._tau.copy())

    def _show_zero(self):
        for line in self._rows:
            line.show_value(0.0)

    def set_theme(self, tokens: Tokens):
        """Colours of the sliders."""
        self._tokens = tokens
        for line in self._rows:
            line.set_theme(tokens)
