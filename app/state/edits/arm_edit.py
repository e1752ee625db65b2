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


Origins = tuple[int, ...]
"""For each joint of an edited arm the joint that it was before, −1 for a new one."""


class ArmState(NamedTuple):
    """A robot, its pose `(n,)` in rad and m, and its file as it is being edited, None where it is not."""

    robot: Robot
    q: np.ndarray
    draft: RobotDraft | None


Put = Callable[[ArmState, ArmState, Origins | None], None]


class ArmEdit(QUndoCommand):
    """The arm went from `old` to `new`, whose joints have `origins` in the old one, None where names tell; `put(state, left,
    origins)` goes to a state from the other one. A gesture becomes one step."""

    def __init__(self, put: Put, old: ArmState, new: ArmState, origins: Origins | None, gesture: int, text: str):
        super().__init__(text)
        self._put, self._old, self._new, self._origins, self._gesture = put, old, new, origins, gesture

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
        self._put(self._new, self._old, self._origins)

    def undo(self):
        """Work with the old one."""
        back = None if self._origins is None else _inverse(self._origins, self._old.robot.n)
        self._put(self._old, self._new, back)


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


def carried_pose(
    robot: Robot, q: np.ndarray, edited: Robot, origins: Origins | None = None, missing: np.ndarray | None = None
) -> np.ndarray:
    """The pose `(n,)` of an edited arm that was `robot` at `q` `(n,)`, in rad and m.

    `origins` tells for each of its joints which one it was, −1 for a new one; where it is not told, names do, or places where
    only names were changed. A joint that is new, or turns where it slid, takes the value of `missing`, else of home. What was
    within the limits stays within the new ones.
    """
    result = np.array(edited.configurations["home"] if missing is None else missing, float)
    for i, k in enumerate(_by_name(robot, edited) if origins is None else origins):
        if k < 0 or robot.prismatic[k] != edited.prismatic[i]:
            continue
        within = robot.q_min[k] <= q[k] <= robot.q_max[k]
        result[i] = np.clip(q[k], edited.q_min[i], edited.q_max[i]) if within else q[k]
    return result


def _by_name(robot: Robot, edited: Robot) -> Origins:
    old, new = robot.joint_names, edited.joint_names
    if robot.n == edited.n and set(old) != set(new):
        return tuple(range(robot.n))
    return tuple(old.index(name) if name in old else -1 for name in new)


def _inverse(origins: Origins, n: int) -> Origins:
    return tuple(origins.index(k) if k in origins else -1 for k in range(n))
