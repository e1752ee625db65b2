"""What a question can ask of an arm in a state: numbers of the engine, by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armature import engine
from armature.engine.errors import EngineError
from armature.engine.kinematics.polar import polar_axis
from armature.engine.kinematics.task import task_jacobian, task_rows
from armature.engine.model.robot import Robot

KNOWN = (
    "x, y, z, r, phi, roll, pitch, yaw of the tool; q1, qd1, qdd1; vx, wz, ax of the tool; "
    "J11, det_J, rank_J, sigma_min, condition; "
    "M11, C11, christoffel111, coriolis1, g1, tau1, friction1; K, P, L, dL_dqd1, dL_dqd_dt1, dL_dq1; "
    "theta1, d1, a1, alpha1 of the DH table; w1z, wd1z, v1x, a1x, ac1x, F1x, N1z, f1x, n1z of the recursion, in axes of the world"
)
_AXES = "xyz"
_STEPS = {"w": "w", "wd": "wd", "v": "v", "a": "a", "ac": "a_c", "F": "F", "N": "N", "f": "f", "n": "n"}
_DH = {"theta": 0, "d": 1, "a": 2, "alpha": 3}
ANGLES = re.compile(r"q\d|phi|roll|pitch|yaw|theta\d|alpha\d")
"""Quantities in rad; a joint's position is one where the joint turns."""


@dataclass(frozen=True, eq=False)
class State:
    """An arm in a state, `(n,)` each."""

    robot: Robot
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray

    def value(self, name: str) -> float:
        """The number of a quantity. Raises EngineError where there is no such quantity, or the arm has none."""
        for pattern, read in _READERS:
            if match := pattern.fullmatch(name):
                try:
                    return float(read(self, *match.groups()))
                except IndexError:
                    raise EngineError(f"{name}: {self.robot.name} has {self.robot.n} joints") from None
        raise EngineError(f"unknown quantity {name!r}; valid are {KNOWN}")

    @cached_property
    def tool(self) -> np.ndarray:
        """X_WT."""
        return engine.frame_pose(self.robot, self.q)

    @property
    def polar(self) -> tuple[float, float, float]:
        """r, phi and height of the tool; seen from above where the arm has no polar coordinates of its own."""
        axis = polar_axis(self.robot)
        if axis is None:
            return float(np.hypot(*self.tool[:2, 3])), float(np.arctan2(self.tool[1, 3], self.tool[0, 3])), float(self.tool[2, 3])
        return axis.coordinates(self.tool[:3, 3])

    @cached_property
    def jacobian(self) -> np.ndarray:
        """Of the tool, `(6, n)`."""
        return engine.jacobian(self.robot, self.q)

    @cached_property
    def christoffel(self) -> np.ndarray:
        """`(n, n, n)`, [k, i, j]."""
        return engine.christoffel(self.robot, self.q)

    @property
    def dL_dq(self) -> np.ndarray:
        """∂L/∂q = ½ qdᵀ ∂M/∂q qd − g `(n,)`, with ½ ∂M_kj/∂q_i = ½ (c_kij + c_jik)."""
        return np.einsum("kij,k,j->i", self.christoffel, self.qd, self.qd) - engine.gravity_torque(self.robot, self.q)

    @property
    def tau(self) -> np.ndarray:
        """M qdd + C qd + g `(n,)`."""
        return engine.rnea(self.robot, self.q, self.qd, self.qdd)

    def tool_motion(self, kind: str, axis: str) -> float:
        """A component of the tool's velocity v, turning w or acceleration a."""
        row = _AXES.index(axis) + (3 if kind == "w" else 0)
        if kind == "a":
            drift = engine.jacobian_dot(self.robot, self.q, self.qd)[row] @ self.qd
            return float(drift + self.jacobian[row] @ self.qdd)
        return float(self.jacobian[row] @ self.qd)

    def determinant(self) -> float:
        """Of the task's rows of J."""
        J = task_jacobian(self.robot, self.q, None, task_rows(self.robot))
        if J.shape[0] != J.shape[1]:
            raise EngineError(f"det_J: the Jacobian of {self.robot.name} is not square")
        return float(np.linalg.det(J))

    def angle_of_tool(self, name: str) -> float:
        """Roll, pitch or yaw."""
        from armature.engine.rotations import roll_pitch_yaw

        return float(roll_pitch_yaw(self.tool[:3, :3])[("roll", "pitch", "yaw").index(name)])

    def dh(self, name: str, row: int) -> float:
        """An entry of the live DH table."""
        if self.robot.dh is None:
            raise EngineError(f"{name}: {self.robot.name} has no DH table")
        return float(self.robot.dh.rows(self.q)[row, _DH[name]])

    def recursion(self, name: str, link: int, axis: str) -> float:
        """A vector of Newton–Euler, in axes of the world."""
        steps = engine.rnea_steps(self.robot, self.q, self.qd, self.qdd)
        return float(steps._asdict()[_STEPS[name]][link, _AXES.index(axis)])


def _i(text: str) -> int:
    return int(text) - 1


_READERS: tuple[tuple[re.Pattern, Callable], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        ("([xyz])", lambda s, axis: s.tool[_AXES.index(axis), 3]),
        ("r", lambda s: s.polar[0]),
        ("phi", lambda s: s.polar[1]),
        ("(roll|pitch|yaw)", State.angle_of_tool),
        (r"q([1-9])", lambda s, k: s.q[_i(k)]),
        (r"qd([1-9])", lambda s, k: s.qd[_i(k)]),
        (r"qdd([1-9])", lambda s, k: s.qdd[_i(k)]),
        ("([vwa])([xyz])", State.tool_motion),
        (r"J([1-6])([1-9])", lambda s, i, k: s.jacobian[_i(i), _i(k)]),
        ("det_J", State.determinant),
        ("rank_J", lambda s: engine.singularity(s.robot, s.q).rank),
        ("sigma_min", lambda s: engine.singularity(s.robot, s.q).sigma_min),
        ("condition", lambda s: engine.singularity(s.robot, s.q).condition),
        (r"M([1-9])([1-9])", lambda s, i, k: engine.mass_matrix(s.robot, s.q)[_i(i), _i(k)]),
        (r"C([1-9])([1-9])", lambda s, i, k: engine.coriolis_matrix(s.robot, s.q, s.qd)[_i(i), _i(k)]),
        (r"christoffel([1-9])([1-9])([1-9])", lambda s, k, i, j: s.christoffel[_i(k), _i(i), _i(j)]),
        (r"coriolis([1-9])", lambda s, k: (engine.coriolis_matrix(s.robot, s.q, s.qd) @ s.qd)[_i(k)]),
        (r"g([1-9])", lambda s, k: engine.gravity_torque(s.robot, s.q)[_i(k)]),
        (r"tau([1-9])", lambda s, k: s.tau[_i(k)]),
        (r"friction([1-9])", lambda s, k: engine.friction_torque(s.robot, s.qd)[_i(k)]),
        ("K", lambda s: engine.kinetic_energy(s.robot, s.q, s.qd)),
        ("P", lambda s: engine.potential_energy(s.robot, s.q)),
        ("L", lambda s: engine.kinetic_energy(s.robot, s.q, s.qd) - engine.potential_energy(s.robot, s.q)),
        (r"dL_dqd([1-9])", lambda s, k: (engine.mass_matrix(s.robot, s.q) @ s.qd)[_i(k)]),
        (r"dL_dqd_dt([1-9])", lambda s, k: (s.tau + s.dL_dq)[_i(k)]),
        (r"dL_dq([1-9])", lambda s, k: s.dL_dq[_i(k)]),
        (r"(theta|d|a|alpha)([1-9])", lambda s, name, k: s.dh(name, _i(k))),
        (r"(w|wd|v|a|ac|F|N|f|n)([1-9])([xyz])", lambda s, name, k, axis: s.recursion(name, int(k), axis)),
    )
)
