"""`JointNudge`: the selected joint moved by keys, one gesture from the first press to the release."""

from __future__ import annotations

from math import radians

from armature.app.scene.hands.pointer import Pointer
from armature.app.scene.scene_port import ScenePort

STEP = (radians(1.0), 0.005)  # rad, m


class JointNudge:
    """Tells the view's listeners what a drag would tell them."""

    def __init__(self, view: ScenePort, pointer: Pointer):
        self._view, self._pointer, self._joint = view, pointer, -1

    def move(self, steps: float) -> bool:
        """Move the selected joint by so many steps, within its limits; False when none is selected."""
        view, joint = self._view, self._view.selected
        if joint < 0 or not self._pointer.idle:
            return False
        if joint != self._joint:
            self.release()
            self._joint = joint
            view.drag_started.emit(joint)
        robot, q = view.robot, float(view.q[joint])
        low, high = min(robot.q_min[joint], q), max(robot.q_max[joint], q)
        value = q + steps * STEP[bool(robot.prismatic[joint])]
        view.joint_dragged.emit(joint, float(min(max(value, low), high)))
        return True

    def release(self) -> None:
        """The keys are up: the gesture is over."""
        if self._joint >= 0:
            joint, self._joint = self._joint, -1
            self._view.drag_finished.emit(joint)
