"""One torque slider per joint."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from armature.app.state.units import significant
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import keeps_room
from armature.app.widgets.value_field import ValueField
from armature.engine.model.robot import Robot

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
    floor_value = max(float(needed.max()) / 20, 1.0)
    derived = np.array([round_up(max(2 * float(torque), floor_value)) for torque in needed])
    limited = np.isfinite(robot.tau_max) & (robot.tau_max > 0)
    return np.where(limited, robot.tau_max, derived)


class TorqueSection(Section):
    """Tells `torque_changed(tau)`, `(n,)` in N·m or N; and `release_asked()`, to have them act instead of a control law."""

    torque_changed = Signal(object)
    release_asked = Signal()

    def __init__(self):
        super().__init__("Motor torque")
        self._rows, self._tokens, self._tau = [], None, np.zeros(0)
        self._made_for: tuple = ()
        tip = "The control law rests, and these sliders are the motor torques; a trajectory that runs puts it to work again"
        self._release = keeps_room(button("torque_release", "Set the arm free", tip=tip))
        self._release.clicked.connect(self.release_asked)
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

    def set_robot(self, robot: Robot, ranges: np.ndarray):
        """One slider per joint, all at zero; those of joints that an edit leaves as they were stay."""
        made_for = robot.joint_names, tuple(robot.prismatic), tuple(ranges)
        if made_for == self._made_for:
            self._tau = np.zeros(robot.n)
            self._show_zero()
            return
        self._made_for = made_for
        for part in (part for parts in self._rows for part in parts):
            self._grid.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._rows, self._tau = [], np.zeros(robot.n)
        for i, name in enumerate(robot.joint_names):
            self._add_row(i, name, float(ranges[i]), " N" if robot.prismatic[i] else " N·m")
        self.set_theme(self._tokens)

    def _add_row(self, i: int, name: str, limit: float, unit: str):
        label = QLabel(name)
        label.setToolTip(f"±{significant(limit, 6)}{unit}")
        slider = JointSlider(-limit, limit, False, limit / 50)
        slider.setObjectName(f"torque_slider_{name}")
        slider.setAccessibleName(f"{name} motor torque slider")
        decimals = 3 if limit < 2 else 2 if limit < 20 else 1
        field = ValueField(decimals, limit / 50, unit, widest=limit)
        field.setObjectName(f"torque_value_{name}")
        field.setAccessibleName(f"{name} motor torque")
        slider.moved.connect(lambda value, _: self._set(i, value))
        field.entered.connect(lambda value, _: self._set(i, value))
        slider.show_value(0.0)
        for column, part in enumerate((label, slider)):
            self._grid.addWidget(part, i, column)
        self._grid.addWidget(field, i, 2, Qt.AlignmentFlag.AlignRight)
        self._rows.append((label, slider, field))

    def _set(self, i: int, value: float):
        self._tau[i] = value
        _, slider, field = self._rows[i]
        slider.show_value(value)
        field.show_value(value)
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
        for _, slider, field in self._rows:
            slider.show_value(0.0)
            field.show_value(0.0)

    def set_theme(self, tokens):
        """Colours of the sliders."""
        self._tokens = tokens
        if tokens is not None:
            for _, slider, field in self._rows:
                slider.set_theme(tokens)
                field.refit()
