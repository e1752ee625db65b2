"""An edit of the arm itself as an undo step, and what becomes of its pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QUndoCommand

from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine import RobotDraft


class ArmState(NamedTuple):
    """A robot, its pose `(n,)` in rad and m, and its file as it is being edited, None where it is not."""

    robot: Robot
    q: np.ndarray
    draft: RobotDraft | None


class ArmEdit(QUndoCommand):
    """The arm went from `old` to `new`; `put(state, left)` goes to a state from the other one; a gesture becomes one step."""

    def __init__(self, put: Callable[[ArmState, ArmState], None], old: ArmState, new: ArmState, gesture: int, text: str):
        super().__init__(text)
        self._put, self._old, self._new, self._gesture = put, old, new, gesture

    def id(self) -> int:
        """Qt merges neighbours of equal id: the gesture, never the time."""
        return self._gesture

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the end of the same gesture; a gesture that ends with the text it began with leaves no step."""
        if not isinstance(other, ArmEdit):
            return False
        self._new = other._new
        old, new = self._old.draft, self._new.draft
        self.setObsolete(old is not None and new is not None and old.text == new.text)
        return True

    def redo(self):
        """Work with the new arm."""
        self._put(self._new, self._old)

    def undo(self):
        """Work with the old one."""
        self._put(self._old, self._new)


def on_disk_as(state: ArmState, known: RobotDraft | None) -> tuple[Robot, RobotDraft | None]:
    """Robot and draft of a state, which may have been saved since: where and as what, says the draft that is `known` now."""
    robot, draft = state.robot, state.draft
    if draft is None or known is None:
        return robot, draft
    if draft.path != known.path:
        robot = replace(robot, source=known.path)
    return robot, replace(draft, robot=robot, path=known.path, saved_text=known.saved_text, disk_hash=known.disk_hash)


def same_joints(one: Robot, other: Robot) -> bool:
    """Whether both have as many joints of the same kinds in the same order, by whatever names."""
    moved = one.joint_names != other.joint_names and set(one.joint_names) == set(other.joint_names)
    return one.joint_types == other.joint_types and not moved


def carried_pose(robot: Robot, q: np.ndarray, edited: Robot, missing: np.ndarray | None = None) -> np.ndarray:
    """The pose `(n,)` of an edited arm that was `robot` at `q` `(n,)`, in rad and m.

    A joint keeps its value by its name, or by its place where only names were changed; one that is new, or turns where it slid,
    takes that of `missing`, else of home. What was within the limits stays within the new ones.
    """
    result = np.array(edited.configurations["home"] if missing is None else missing, float)
    by_place = robot.n == edited.n and set(robot.joint_names) != set(edited.joint_names)
    for i, name in enumerate(edited.joint_names):
        k = i if by_place else robot.joint_names.index(name) if name in robot.joint_names else -1
        if k < 0 or robot.prismatic[k] != edited.prismatic[i]:
            continue
        within = robot.q_min[k] <= q[k] <= robot.q_max[k]
        result[i] = np.clip(q[k], edited.q_min[i], edited.q_max[i]) if within else q[k]
    return result
