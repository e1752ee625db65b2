"""`ArmFrames`: the frames of an arm as the books count them, 0 for the base's, and the matrices between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature import engine
from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot

SAME = 1e-12
BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
ABOVE = str.maketrans("0123456789W", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵂ")


class ArmFrame(NamedTuple):
    """The `name` of the link or tool, its pose `X_BF` on a body, -1 for the base, the frame `before` it, and its `number`."""

    name: str
    body: int
    X_BF: np.ndarray
    before: int
    number: str

    @property
    def below(self) -> str:
        """Its number as a subscript."""
        return self.number.translate(BELOW)


class ArmFrames:
    """Frame 0 is the base link's, frame k that of the link that body k − 1 is, the last one the tool's if it has its own."""

    def __init__(self, robot: Robot):
        self.robot, tree = robot, robot.tree
        owners, X_BL = robot.link_table
        first = {int(body): row for row, body in reversed(list(enumerate(owners)))}
        self._rows = [first[body] for body in range(-1, len(robot.bodies))]
        names = [robot.link_names[row] for row in self._rows]
        parents = [-1, *(body.parent + 1 for body in tree.bodies)]
        self.frames = [
            ArmFrame(name, k - 1, X_BL[row], before, str(k))
            for k, (name, row, before) in enumerate(zip(names, self._rows, parents))
        ]
        tool = robot.tool_frame
        if np.abs(tool.X_BF - self.frames[tool.body + 1].X_BF).max() > SAME:
            self.frames.append(ArmFrame(robot.tool, tool.body, tool.X_BF, tool.body + 1, "ₜ"))
        self.based = bool(np.abs(self.frames[0].X_BF - np.eye(4)).max() > SAME)

    @property
    def last(self) -> int:
        """The frame that the tool has, or the last one of its chain."""
        return len(self.frames) - 1 if self.frames[-1].number == "ₜ" else self.robot.tool_frame.body + 1

    def path(self, k: int) -> list[int]:
        """The frames between the base's and frame k, that one last."""
        found: list[int] = []
        while k > 0:
            found.append(k)
            k = self.frames[k].before
        return found[::-1]

    def is_tool(self, k: int) -> bool:
        """Whether no joint moves this frame in the one before."""
        return self.frames[k].number == "ₜ"

    def step_symbol(self, k: int) -> str:
        """A₃; for the tool the constant ⁶Tₜ."""
        frame = self.frames[k]
        return f"{self._above(frame.before)}T{frame.below}" if self.is_tool(k) else f"A{frame.below}"

    def symbol(self, k: int) -> str:
        """⁰T₃, or ᵂT₃ where the base stands elsewhere than the world."""
        return f"{'ᵂ' if self.based else '⁰'}T{self.frames[k].below}"

    def product(self, k: int) -> str:
        """⁰T₃ = A₁ A₂ A₃."""
        base = ["ᵂT₀"] if self.based else []
        return f"{self.symbol(k)} = {' '.join([*base, *map(self.step_symbol, self.path(k))])}"

    def step_title(self, k: int) -> str:
        """A₃ = ²T₃: link3 relative to link2."""
        frame = self.frames[k]
        before = self.frames[frame.before]
        own = "" if self.is_tool(k) else f" = {self._above(frame.before)}T{frame.below}"
        return f"{self.step_symbol(k)}{own}: {frame.name} relative to {before.name}"

    def poses(self, q: np.ndarray) -> np.ndarray:
        """X_WF `(frames, 4, 4)` at q `(n,)`."""
        X = engine.link_poses(self.robot, q)[self._rows]
        return np.concatenate([X, engine.frame_pose(self.robot, q)[None]]) if self.is_tool(-1) else X

    def step(self, X: np.ndarray, k: int) -> np.ndarray:
        """The pose of frame k in the one before, from `poses`."""
        return np.linalg.inv(X[self.frames[k].before]) @ X[k]

    def tree_q(self, q: np.ndarray) -> np.ndarray:
        """The position of every joint, those included that copy others."""
        return q if self.robot.coupling is None else self.robot.coupling.position(q)

    def joint(self, k: int) -> int:
        """The joint that a person moves to move frame k in the one before; -1 for none."""
        return -1 if self.is_tool(k) or k == 0 else self.robot.body_joints[k - 1]

    def slides(self, k: int) -> bool:
        """Whether that joint slides."""
        return self.robot.tree.bodies[self.frames[k].body].joint_type == PRISMATIC

    def _above(self, k: int) -> str:
        return str(k).translate(ABOVE)


def carried(frames: ArmFrames, X: np.ndarray, k: int, p: np.ndarray) -> list[tuple[str, int, np.ndarray]]:
    """A point p `(3,)` of frame k after each matrix down to the base or W (-1): `(what, frame, (4,))`."""
    v = np.append(p, 1.0)
    found = [(f"p{frames.frames[k].below} in {frames.frames[k].name}", k, v)]
    for at in reversed(frames.path(k)):
        before = frames.frames[at].before
        v = frames.step(X, at) @ v
        text = f"p{frames.frames[before].below} = {frames.step_symbol(at)} p{frames.frames[at].below}"
        found.append((text, before, v))
    if frames.based:
        found.append(("p in the world = ᵂT₀ p₀", -1, X[0] @ v))
    return found
