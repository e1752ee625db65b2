"""`RobotDocument`: the single editable truth, with signals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from armature import engine
from armature.app.state.edits.arm_edit import ArmEdit, ArmState, Origins, carried_pose, on_disk_as, same_joints
from armature.app.state.edits.pose_edit import PoseEdit, next_gesture
from armature.app.state.notice import Notice
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine import RobotDraft


class RobotDocument(QObject):
    """The open robot and its pose.

    `q_changed` says that the pose is another one, whoever moved it; `q_edited` that a person moved it; `robot_closing` that
    another robot is about to be opened, `robot_changed` that it is, or that the open one was edited: then `edited`, and
    `same_arm` where it has the joints that it had. `draft` is the file of the open robot as it is being edited, None where it
    is not, and `draft_changed` reports another one. Only `edit`, `edit_joint`, `drag`, `drag_joint`, `edit_robot` and
    `edit_draft` leave an undo step; a simulation or a replay calls `follow`. `drag_end(start, end)` is the pose in which a
    drag from one pose `(n,)` to another ends, and why it ends before, empty if it does not; `drag_stop` is the reason of the last
    drag.
    """

    q_edited = Signal(object)
    robot_closing = Signal()
    robot_changed = Signal(object)
    draft_changed = Signal()

    def __init__(self, robot: Robot, parent: QObject | None = None):
        super().__init__(parent)
        self.q_changed = Notice()
        self.undo_stack = QUndoStack(self)
        self._robot = robot
        self._q = read_only(robot.configurations["home"])
        self._link_poses: np.ndarray | None = None
        self._draft: RobotDraft | None = None
        self.drag_end: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, str]] = lambda start, end: (end, "")
        self.drag_stop = ""
        self.edited = self.same_arm = False

    @property
    def draft(self) -> RobotDraft | None:
        """The file of the open robot as it is being edited, None where it is not being edited."""
        return self._draft

    @property
    def unsaved(self) -> bool:
        """Whether the robot's file was edited and not saved."""
        return self._draft is not None and self._draft.changed

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
        self._link_poses, self._draft = None, None
        self.robot_changed.emit(robot)
        self.draft_changed.emit()
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

    def drag(self, q, gesture: int, text: str):
        """Move the arm toward q as far as `drag_end` allows: one undo step per gesture."""
        end, self.drag_stop = self.drag_end(self._q, self._checked(q))
        self.edit(end, gesture, text)

    def drag_joint(self, joint: int, value: float, gesture: int):
        """Move one joint toward a value, in rad or m, as far as `drag_end` allows."""
        q = self._q.copy()
        q[joint] = value
        self.drag(q, gesture, self._robot.joint_names[joint])

    def edit_robot(self, robot: Robot, text: str):
        """Work with `robot`, the open arm with other figures, as no file says: one undo step."""
        self._push(ArmState(robot, carried_pose(self._robot, self._q, robot), None), text)

    def edit_draft(self, draft: RobotDraft, text: str, gesture: int | None = None, origins: Origins | None = None):
        """A person edited the robot's file: one undo step per gesture; the pose goes by `origins`, else by the joints' names."""
        if self._draft is None:  # what undo goes back to is a file, too
            with suppress(engine.ModelError):
                self._draft = engine.draft_of(self._robot)
        q = carried_pose(self._robot, self._q, draft.robot, origins)
        self._push(ArmState(draft.robot, q, draft), text, gesture, origins)

    def take_draft(self, draft: RobotDraft | None):
        """The file of the open robot begins to be edited, or was saved: the arm stays as it is, without an undo step."""
        self._draft = draft
        if draft is not None and draft.path is not None and draft.path != self._robot.source:
            self._robot, self.edited, self.same_arm = draft.robot, True, True
            self.robot_changed.emit(draft.robot)
            self.edited = self.same_arm = False
        self.draft_changed.emit()

    def _push(self, new: ArmState, text: str, gesture: int | None = None, origins: Origins | None = None):
        old = ArmState(self._robot, self._q, self._draft)
        gesture = next_gesture() if gesture is None else gesture
        self.undo_stack.push(ArmEdit(self._work_with, old, new, origins, gesture, text))

    def _work_with(self, state: ArmState, left: ArmState, origins: Origins | None):
        """Go to `state` of the arm; the pose goes with it, unless the arm has moved since it was `left` in the other one."""
        still = np.array_equal(self._q, left.q)
        q = state.q if still else carried_pose(self._robot, self._q, state.robot, origins, state.q)
        self.same_arm = same_joints(self._robot, state.robot) and origins in (None, tuple(range(state.robot.n)))
        robot, draft = on_disk_as(state, self._draft)
        self._robot, self._q, self._link_poses, self._draft, self.edited = robot, read_only(q), None, draft, True
        self.robot_changed.emit(robot)
        self.edited = self.same_arm = False
        self.draft_changed.emit()
        self.q_changed.emit(self._q)

    def _checked(self, q) -> np.ndarray:
        q = read_only(q)
        if q.shape != (self._robot.n,) or not all(map(isfinite, q.tolist())):
            raise engine.DimensionError(f"{self._robot.name}: q must be {self._robot.n} finite numbers, got {q.tolist()}")
        return q

    def _store(self, q, link_poses) -> bool:
        q = self._checked(q)
        if q.tolist() == self._q.tolist():
            return False
        self._q, self._link_poses = q, link_poses
        return True
