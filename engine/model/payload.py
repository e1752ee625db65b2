"""`Payload`: what the tool holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np

from armature.engine.errors import DimensionError
from armature.engine.model.checked_figures import payload_figures, vector
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only


class _Arm(Protocol):
    def with_payload(self: Arm, mass: Payload) -> Arm: ...


Arm = TypeVar("Arm", bound=_Arm)


@dataclass(frozen=True, eq=False)
class Payload(Frozen):
    """Rigid body held by the tool: `mass` kg, centre of mass `com` `(3,)` m and `inertia` `(3, 3)` kg·m².

    `com` is in the tool frame; `inertia` is about the centre of mass, in the axes of the tool frame. Both are zero by default.
    Raises DimensionError for values of another shape, not finite, or physically inconsistent.
    """

    mass: float
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    def __post_init__(self):
        com = vector("Payload: com [x, y, z] in m", self.com)
        mass, inertia = payload_figures("Payload:", DimensionError, self.mass, self.inertia)
        vars(self).update(mass=mass, com=read_only(com), inertia=read_only(inertia))

    def describe(self) -> dict[str, Any]:
        """Return mass in kg, centre of mass `com` in m and inertia in kg·m² as plain values, for the metadata of a recording."""
        return {"mass": float(self.mass), "com": self.com.tolist(), "inertia": self.inertia.tolist()}

    def held_by(self, robot: Arm) -> Arm:
        """Return the robot with this payload held by its tool."""
        return robot.with_payload(self)
