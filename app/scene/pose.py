"""`Pose`: one pose of a robot and what the items of the scene derive from it, each at most once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine import Robot, jacobian


@dataclass(frozen=True)
class Pose:
    """`q` `(n,)` in rad or m; `slots` X_WS `(n_bodies + 1, 4, 4)`, the world first."""

    robot: Robot
    q: np.ndarray
    slots: np.ndarray

    @cached_property
    def X_WT(self) -> np.ndarray:
        """Pose of the tool frame in W, `(4, 4)`."""
        frame = self.robot.frames[self.robot.tool]
        return self.slots[frame.body + 1] @ frame.X_BF

    @property
    def tool(self) -> np.ndarray:
        """Origin of the tool frame in W, `(3,)` in m."""
        return self.X_WT[:3, 3]

    @cached_property
    def J_v(self) -> np.ndarray:
        """Linear rows of the tool's Jacobian, world axes, `(3, n)`."""
        return jacobian(self.robot, self.q)[:3]
