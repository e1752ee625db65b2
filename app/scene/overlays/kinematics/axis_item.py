"""`AxisItem`: the axes of the joints that something is told of, with their names."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.labels.label import Label

FRONT = 0.011  # the part of the depths that is nearest to the eye: the arm does not hide it
LENGTH = 0.22  # to either side, in reaches


class AxisItem(PoseItem):
    """Shows nothing until it has joints."""

    def __init__(self):
        super().__init__(depth=33)
        self.joints: tuple[int, ...] = ()
        self.names: tuple[str, ...] = ()
        self.ends = np.zeros((0, 2, 3))
        self.setVisible(False)

    def clear(self) -> None:
        self.set_joints(())

    def set_joints(self, joints: tuple[int, ...]) -> None:
        """Show the axes of these; () for none."""
        self.joints = joints
        self.setVisible(bool(joints))
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        robot = pose.robot
        X = pose.slots[[robot.joint_bodies[joint] + 1 for joint in self.joints]].reshape(-1, 4, 4)
        way = LENGTH * robot.reach * X[:, :3, 2]
        self.ends = np.stack([X[:, :3, 3] - way, X[:, :3, 3] + way], axis=1)
        self.names = tuple(robot.joint_names[joint] for joint in self.joints)

    def draw(self, frame: FrameState) -> None:
        if len(self.ends):
            marks = lines(self.ends[:, 0], self.ends[:, 1], [palette.SELECTED] * len(self.ends), 3.0, 9.0)
            self.held("lines", LineBatch).draw_in_front(frame, marks, FRONT)

    def labels(self, frame: FrameState) -> list[Label]:
        """The names at the ends of the axes."""
        if not self.visible():
            return []
        return [Label(name, frame.theme.text, end[1], (0.0, -10.0), rank=-1) for name, end in zip(self.names, self.ends)]
