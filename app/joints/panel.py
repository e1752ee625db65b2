"""The joint dock: every joint to see, drag and type."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from armature.app.joints.joint_row import FreeEnds, JointRow
from armature.app.joints.shown_joint import ShownJoint, shown_joints
from armature.app.state.slices import Steps
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets import controls
from armature.app.widgets.restyle import polish
from armature.app.widgets.section import note, page
from armature.app.widgets.steady import Steady
from armature.engine.model.robot import Robot

MOTION = "Joint speeds and accelerations. Dynamics ▸ Torque explained shows the required torques; a run starts with these speeds"
PAUSE_FIRST = "The simulation moves the joints. Press Space to pause."


class JointsPanel(QWidget):
    """Emits `joint_edited(joint, value, gesture)` in rad or m, `joint_slid` for the same by a slider, `joint_hovered(joint)`, -1
    when none, `menu_requested(joint, place)`, and `motion_edited(joint, order, value)`: a speed, order 1, or an acceleration,
    order 2, per s and s²."""

    joint_edited = Signal(int, float, int)
    joint_slid = Signal(int, float, int)
    joint_hovered = Signal(int)
    menu_requested = Signal(int, QPoint)
    motion_edited = Signal(int, int, float)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._tokens: Tokens | None = None
        self._rows: list[JointRow] = []
        self._joints: list[ShownJoint] = []
        self._waiting: np.ndarray | None = None
        self._movable = True
        self._content = page(self, "Joints")
        self._content.setSpacing(4)
        self.switch = controls.button("joint_motion", "q̇  q̈", "Joint speeds and accelerations", MOTION, QToolButton)
        self.switch.setCheckable(True)
        self.switch.setProperty("role", "chip")
        self.switch.toggled.connect(self._show_motion)
        self._hint = note(PAUSE_FIRST)
        self._hint.hide()
        head = Steady(2, self._hint)  # the rows stand still when the simulation begins
        self._content.addWidget(controls.row(head, self.switch, stretch=head))
        self._content.addStretch(1)

    def make_rows(self, robot: Robot) -> Steps:
        """Those that `robot` needs beside the present ones, hidden until it is there."""
        for joint in shown_joints(robot)[len(self._rows) :]:
            row = self._add_row(joint)
            row.hide()
            polish(row)
            yield

    def set_robot(self, robot: Robot, q: np.ndarray):
        """One row per joint of `robot`, at `q`; the rows that are there show the new joints."""
        joints = shown_joints(robot)
        for row in self._rows[len(joints) :]:
            self._content.removeWidget(row)
            row.hide()
            row.deleteLater()
        del self._rows[len(joints) :]
        if joints != self._joints:
            for row, joint in zip(self._rows, joints):
                row.show_joint(joint)
                row.show()
            for joint in joints[len(self._rows) :]:
                self._add_row(joint)
            self._joints = joints
        self._show_motion()
        self.set_q(q)

    def _add_row(self, joint: ShownJoint) -> JointRow:
        i, row = len(self._rows), JointRow(joint, self._units, self._tokens)
        row.edited.connect(lambda value, gesture: self.joint_edited.emit(i, value, gesture))
        row.slid.connect(lambda value, gesture: self.joint_slid.emit(i, value, gesture))
        row.hovered.connect(lambda on: self.joint_hovered.emit(i if on else -1))
        row.motion_entered.connect(lambda order, value: self.motion_edited.emit(i, order, value))
        row.menu_requested.connect(lambda at: self.menu_requested.emit(i, at))
        self._content.insertWidget(i + 1, row)
        self._rows.append(row)
        return row

    def set_q(self, q: np.ndarray):
        """Show a pose."""
        self._waiting = None
        for row, value in zip(self._rows, q):
            row.show_value(value)

    def show_free_ranges(self, ranges: list[FreeEnds] | None) -> None:
        """Show how far each joint is from contact; None: not known."""
        for k, row in enumerate(self._rows):
            row.show_free_range(ranges[k] if ranges is not None and k < len(ranges) else None)

    def follow(self, q: np.ndarray):
        """Show a pose at the next `refresh`: where the arm moves by itself, not every frame is read."""
        self._waiting = q

    def refresh(self):
        """Called by the clock."""
        if self._waiting is not None:
            self.set_q(self._waiting)

    def show_motion(self, qd: np.ndarray, qdd: np.ndarray):
        """How the joints move, or are meant to."""
        for row, speed, acceleration in zip(self._rows, qd, qdd):
            row.show_speeds(speed, acceleration)

    def set_movable(self, why_not: str):
        """Whether the arm can be given a speed at all, and why not."""
        self._movable = not why_not
        self.switch.setEnabled(self._movable)
        self.switch.setToolTip(why_not or MOTION)
        self._show_motion()

    def _show_motion(self, *_):
        for row in self._rows:
            row.show_motion(self._movable and self.switch.isChecked())

    def let_go(self):
        """No slider is held any more, although the button may still be down."""
        for row in self._rows:
            row.slider.setSliderDown(False)

    def set_selected(self, joint: int):
        """Mark the joint that is selected in the view; -1 for none."""
        for i, row in enumerate(self._rows):
            row.set_selected(i == joint)

    def set_editable(self, on: bool):
        """Whether the joints can be set by hand; the reason is shown where they cannot."""
        self._hint.setVisible(not on)
        for row in self._rows:
            row.set_editable(on)

    def set_units(self, units: Units):
        """Show the joints in other units."""
        self._units = units
        for row in self._rows:
            row.set_units(units)

    def set_theme(self, tokens: Tokens):
        """Colours of the rows."""
        self._tokens = tokens
        for row in self._rows:
            row.set_theme(tokens)
