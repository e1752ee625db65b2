"""The menu of a link and its joint: in the view on the link, among the joints on the row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint

from armature.app.feature import Feature
from armature.app.joints.feature import JointsFeature
from armature.app.widgets.copied_text import as_python, tabbed
from armature.app.widgets.pop_up import Entry, Line, copy, pop_up

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

PAUSE = "Pause the simulation (Space) to move joints by hand."


class JointMenuFeature(Feature):
    """Frames, moves, copies and hides what was right-clicked."""

    needs = (JointsFeature,)

    def __init__(self, bench: Workbench, joints: JointsFeature):
        self._bench, self._joints = bench, joints

    def wire(self) -> None:
        """Open at links and at rows."""
        self._bench.scene.menus.link.connect(self._open)
        self._joints.panel.menu_requested.connect(self._open_of_joint)

    def _open_of_joint(self, joint: int, at: QPoint) -> None:
        self._open(self._bench.document.robot.joint_bodies[joint] + 1, at)

    def _open(self, slot: int, at: QPoint) -> None:
        """`slot` 0 is the pedestal, which has nothing but the arm's own lines."""
        bench, robot = self._bench, self._bench.document.robot
        name = next((name for name, frame in robot.links.items() if frame.body == slot - 1), "")
        joint = -1 if slot == 0 else robot.body_joints[slot - 1]
        title, lines = name, list[Entry]()
        if joint >= 0:
            value = bench.preferences.units.text(float(bench.document.q[joint]), bool(robot.prismatic[joint]))
            title = f"{name} · {robot.joint_names[joint]} = {value}"
            lines += [Line("frame", "Zoom to this link", lambda: self._frame(joint)), None, *self._ways(joint), None]
        lines += [bench.actions["add_waypoint"], None, *self._copies(name), None]
        if slot > 0:
            lines.append(Line("hide", "Hide this link", lambda: self._hide(slot), tip="View ▸ Arm shows hidden links again"))
        pop_up(bench.parent, title, at, [*lines, bench.actions["unhide"]])

    def _frame(self, joint: int) -> None:
        self._bench.scene.select_joint(joint)
        self._bench.scene.fit()

    def _hide(self, slot: int) -> None:
        scene = self._bench.scene
        scene.hide(scene.stage.arm.hidden | {slot}, scene.stage.frames.hidden)

    def _ways(self, joint: int) -> list[Line]:
        """To zero and to the limits that there are, where the joint may go there."""
        robot, units = self._bench.document.robot, self._bench.preferences.units
        slides, low, high = bool(robot.prismatic[joint]), float(robot.q_min[joint]), float(robot.q_max[joint])
        goals = [("zero", "zero", 0.0)] if low <= 0.0 <= high else []
        goals += [("lower", f"the lower limit, {units.text(low, slides)}", low)] if np.isfinite(low) else []
        goals += [("upper", f"the upper limit, {units.text(high, slides)}", high)] if np.isfinite(high) else []
        still = not self._bench.simulation.running
        return [
            Line(f"go_{name}", f"Go to {text}", partial(self._go, joint, value), still, "" if still else PAUSE)
            for name, text, value in goals
        ]

    def _go(self, joint: int, value: float) -> None:
        bench = self._bench
        bench.replay.close(f"{bench.document.robot.joint_names[joint]} was moved")
        bench.document.edit_joint(joint, value)

    def _copies(self, link: str) -> list[Line]:
        """Joint positions, and the pose of the link whose name is given, as they are now."""
        document, units = self._bench.document, self._bench.preferences.units
        q, robot = document.q, document.robot
        X = document.link_poses[robot.link_names.index(link)] if link else robot.base
        shown = q * np.array([units.factor(bool(slides)) for slides in robot.prismatic])
        symbols = ", ".join(dict.fromkeys(units.symbol(bool(slides)) for slides in robot.prismatic))
        return [
            Line("copy_q", f"Copy q in {symbols}", lambda: copy(tabbed(shown)), tip="Tab-separated, full precision"),
            Line("copy_q_python", "Copy q as NumPy array", lambda: copy(as_python("q", q)), tip="In rad and m"),
            Line(
                "copy_pose",
                f"Copy pose of {link or 'the base'}",
                lambda: copy(tabbed(X)),
                tip="4 × 4 matrix in the world frame, m",
            ),
            Line(
                "copy_pose_python",
                "Copy pose as NumPy array",
                lambda: copy(as_python("X_WL", X)),
                tip="4 × 4 matrix in the world frame, m",
            ),
        ]
