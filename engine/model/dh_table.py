"""Denavit–Hartenberg tables and the elementary moves they are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.rotations import rot_x, rot_z

STANDARD = "standard"
MODIFIED = "modified"


def translate(x: float, y: float, z: float) -> np.ndarray:
    """Trans(x, y, z) as a 4×4 pose; metres."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


@dataclass(frozen=True)
class DHTable(Frozen):
    """A DH table: `a`, `d` in metres, `alpha`, `theta` in rad, all `(n,)`; the constant parts of each row.

    Standard:  A_i = Rot_z(theta_i) Trans_z(d_i) Trans_x(a_i) Rot_x(alpha_i).
    Modified:  A_i = Rot_x(alpha_{i-1}) Trans_x(a_{i-1}) Rot_z(theta_i) Trans_z(d_i); row i then holds a_{i-1}, alpha_{i-1}.
    The joint variable adds to theta_i (revolute) or to d_i (prismatic).

    Source: Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, eq. 3.10; Craig, Introduction to Robotics, eq. 3.6.
    """

    convention: str
    a: np.ndarray
    alpha: np.ndarray
    d: np.ndarray
    theta: np.ndarray
    prismatic: np.ndarray

    def __post_init__(self):
        vars(self).update(a=read_only(self.a), alpha=read_only(self.alpha), d=read_only(self.d), theta=read_only(self.theta))
        vars(self).update(prismatic=read_only(self.prismatic, dtype=bool))

    @property
    def n(self) -> int:
        """Number of rows, one per joint."""
        return len(self.a)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """Live rows `(n, 4)` as (theta, d, a, alpha) at joint positions q `(n,)` in rad or m."""
        theta = self.theta + np.where(self.prismatic, 0.0, q)
        d = self.d + np.where(self.prismatic, q, 0.0)
        return np.column_stack([theta, d, self.a, self.alpha])

    def placement(self, i: int) -> np.ndarray:
        """Pose 4×4 of joint i's axis frame at q_i = 0 in link frame i-1: the transform before the motion."""
        axis = rot_z(self.theta[i]) @ translate(0, 0, self.d[i])
        return axis if self.convention == STANDARD else rot_x(self.alpha[i]) @ translate(self.a[i], 0, 0) @ axis

    def tail(self, i: int) -> np.ndarray:
        """Pose 4×4 of link frame i in joint i's moving axis frame: the transform after the motion."""
        return translate(self.a[i], 0, 0) @ rot_x(self.alpha[i]) if self.convention == STANDARD else np.eye(4)
