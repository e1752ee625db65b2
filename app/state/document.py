"""`RobotDocument`: the single editable truth, with signals."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from armature import engine
from armature.app.state.pose_edit import FiguresEdit, PoseEdit, next_gesture
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


class RobotDocument(QObject):
    """The open robot and its pose.

    `q_changed` says that the pose is another one, whoever moved it; `q_edited` that a person moved it; `robot_closing` that
    another robot is about to be opened, `robot_changed` that it is, or that the same arm has other figures: then `same_arm`. Only
    `edit`, `edit_joint` and `edit_figures` leave an undo step; a simulation or a replay calls `follow`.
    """

    q_changed = Signal(object)
    q_edited = Signal(object)
    robot_closing = Signal()
    robot_changed = Signal(object)

    def __init__(self, robot: Robot, parent: QObject | None = None):
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self._robot = robot
        self._q = read_only(robot.configurations["home"])
        self._link_poses: np.ndarray | None = None
        self.same_arm = False

    @property
    def robot(self) -> Robot:
        """The open robot."""
        return self._robot

    @property
    def q(self) -> np.ndarray:
        """Joint positions `(n,)` in rad and m, read-only."""
        return self._q

    @property
    def link_poses(self) -> np.ndarray:
        """Poses of all link frames at q, `(n_links, 4, 4)`, computed once per pose."""
        if self._link_poses is None:
            self._link_poses = engine.link_poses(self._robot, self._q)
        return self._link_poses

    def open_robot(self, name_or_path: str) -> Robot:
        """Open another robot; on `ModelError` the present one stays, untouched."""
        robot = engine.load_robot(name_or_path)
        self.set_robot(robot)
        return robot

    def set_robot(self, robot: Robot):
        """Make `robot` the open one, at its home pose, with an empty undo history."""
        self.robot_closing.emit()
        self.undo_stack.clear()
        self._robot = robot
        self._q = read_only(robot.configurations["home"])
        self._link_poses = None
        self.robot_changed.emit(robot)
        self.q_changed.emit(self._q)

    def set_q(self, q):
        """The one setter of the pose; `q` `(n,)` finite, limits are the user's business."""
        if self._store(q, None):
            self.q_changed.emit(self._q)
            self.q_edited.emit(self._q)

    def follow(self, q, link_poses: np.ndarray | None = None):
        """Take over a pose from a simulation or a replay, with its link poses where they are known."""
        if self._store(q, link_poses):
            self.q_changed.emit(self._q)

    def edit(self, q, gesture: int | None = None, text: str = "pose"):
        """A person set the pose: one undo step per gesture."""
        new = self._checked(q)
        if not np.array_equal(new, self._q):
            self.undo_stack.push(PoseEdit(self.set_q, self._q, new, next_gesture() if gesture is None else gesture, text))

    def edit_joint(self, joint: int, value: float, gesture: int | None = None):
        """A person set one joint, in rad or m."""
        q = self._q.copy()
        q[joint] = value
        self.edit(q, gesture, self._robot.joint_names[joint])

    def edit_figures(self, robot: Robot, text: str):
        """Work with `robot`, the same arm with other masses or friction: one undo step, and the pose stays."""
        if robot.joint_names != self._robot.joint_names:
            raise engine.ModelError(f"{robot.name} is another arm than {self._robot.name}")
        self.undo_stack.push(FiguresEdit(self._set_figures, self._robot, robot, text))

    def _set_figures(self, robot: Robot):
        self._robot, self._link_poses, self.same_arm = robot, None, True
        self.robot_changed.emit(robot)
        self.same_arm = False
        self.q_changed.emit(self._q)

    def _checked(self, q) -> np.ndarray:
        q = read_only(q)
        if q.shape != (self._robot.n,) or not np.isfinite(q).all():
            raise engine.DimensionError(f"{self._robot.name}: q must be {self._robot.n} finite numbers, got {q.tolist()}")
        return q

    def _store(self, q, link_poses) -> bool:
        q = self._checked(q)
        if np.array_equal(q, self._q):
            return False
        self._q, self._link_poses = q, link_poses
        return True
