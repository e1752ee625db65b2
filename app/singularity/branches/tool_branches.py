"""`ToolBranches`: every way in which the arm brings its tool to a pose, and how far each is from where the arm stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature import engine
from armature.engine import Branch, Robot
from armature.engine.kinematics.ik_all import with_contacts
from armature.engine.kinematics.obstacles import Obstacles

SAME_POSE = 1e-7  # m and rad: a tool that has moved no farther is where it was
HERE = 1e-4  # rad and m: a branch that is no farther off is the one the arm is in


@dataclass(frozen=True, eq=False)
class ToolBranches:
    """`branches` for the tool's pose `X_WT` `(4, 4)`; `held` is the joint that keeps its `value`, rad or m, of seven.

    `Branch.collides` of each is a contact with the `obstacles`, () for None.
    """

    robot: Robot
    X_WT: np.ndarray
    held: int | None
    value: float
    branches: tuple[Branch, ...]
    obstacles: Obstacles | None = None

    def hold_for(self, robot: Robot, q: np.ndarray, held: int | None) -> bool:
        """Whether they are those of the arm at q `(n,)`, too."""
        if robot is not self.robot or held != self.held or (held is not None and abs(q[held] - self.value) > SAME_POSE):
            return False
        return bool(np.abs(engine.frame_pose(robot, q) - self.X_WT).max() < SAME_POSE)

    def changes(self, q: np.ndarray) -> np.ndarray:
        """What each branch asks of the joints from q `(n,)` on, rad and m `(k, n)`."""
        return np.array([branch.q - q for branch in self.branches]).reshape(-1, self.robot.n)

    def distances(self, q: np.ndarray) -> np.ndarray:
        """|q_branch − q| `(k,)` in rad; a slide's metre counts as 1/L, L the robot's characteristic length."""
        unit = np.where(self.robot.prismatic, self.robot.characteristic_length, 1.0)
        return np.linalg.norm(self.changes(q) / unit, axis=1)

    def here(self, q: np.ndarray) -> int:
        """The branch that the arm is in at q `(n,)`; -1 for none."""
        changes = self.changes(q)
        turns = np.where(self.robot.prismatic, 0.0, np.round(changes / (2 * np.pi)))
        off = np.abs(changes - 2 * np.pi * turns).max(axis=1, initial=0.0)  # a joint that is whole turns off is where it is
        return int(off.argmin()) if len(off) and off.min() < HERE else -1


def joints_to_hold(robot: Robot) -> tuple[int, ...]:
    """The joints of which one has to be held, as seven or more move the tool; none where that many do not."""
    moving = tuple(robot.joint_bodies.index(body) for body in robot.tree.chain(robot.frame(None)) if body in robot.joint_bodies)
    return moving if len(moving) > 6 else ()


def tool_branches(
    robot: Robot, q: np.ndarray, held: int | None, before: ToolBranches | None, obstacles: Obstacles | None = None
) -> ToolBranches:
    """Return the branches at q `(n,)` in the order and under the names of the branches `before` the arm moved.

    If only the obstacles differ, the solutions are those of `before`, and their contacts are computed again.

    Raises:
        EngineError where the arm has none that can be listed.
    """
    if before is not None and before.hold_for(robot, q, held):
        return replace(before, branches=with_contacts(robot, before.branches, obstacles), obstacles=obstacles)
    X_WT, value = engine.frame_pose(robot, q), 0.0 if held is None else float(q[held])
    fixed = None if held is None else {robot.joint_names[held]: value}
    if before is not None and before.robot is robot and before.held == held and before.branches:
        branches = engine.follow_branches(robot, before.branches, X_WT, q0=q, fixed=fixed)
    else:
        branches = engine.ik_all(robot, X_WT, q0=q, fixed=fixed)
    return ToolBranches(robot, X_WT, held, value, with_contacts(robot, branches, obstacles), obstacles)
