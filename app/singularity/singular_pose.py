"""`SingularPose`: a singular pose as the window lists it, and how it is found in the background."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature import engine
from armature.app.state.number_marks import said
from armature.app.state.units import Units
from armature.engine import Robot

HERE = 1e-6  # rad: nearer than this one is there


@dataclass(frozen=True, eq=False)
class SingularPose:
    """`q` `(n,)`, the `title` of its causes and the `sentences` that tell them; `distance` in rad from where the search began.

    It is told as a `length` in m where nearly only slides move, which is else 0.
    """

    q: np.ndarray
    title: str
    sentences: str
    distance: float = 0.0
    length: float = 0.0

    @property
    def is_here(self) -> bool:
        """Whether the search began at it."""
        return self.distance < HERE

    def values(self, robot: Robot, units: Units) -> str:
        """The joint positions as one line."""
        return ", ".join(units.short(float(v), bool(slides)) for v, slides in zip(self.q, robot.prismatic, strict=True))


def described(robot: Robot, q: np.ndarray, distance: float = 0.0, length: float = 0.0) -> SingularPose:
    """The singular pose q `(n,)` with its causes."""
    report = engine.singularity(robot, q)
    titles = dict.fromkeys(cause.title for cause in report.causes)
    return SingularPose(q, ", ".join(titles) or "Singular", said(report.reason), distance, length)


def nearest(robot: Robot, q: np.ndarray, job) -> SingularPose | None:
    """The singular pose nearest to q `(n,)` within the limits; None where there is none."""
    from armature.engine.singularities.singularity import is_slide  # numba: not before the window is on screen

    found = engine.nearest_singularity(robot, q)
    if found is None or job.cancelled():
        return None
    length = found.distance * robot.characteristic_length if is_slide(robot, found.q - q) else 0.0
    return described(robot, found.q, found.distance, length)
