"""`Payload`: what the tool holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class Payload(Frozen):
    """A rigid body in the tool's hand: `mass` kg, CoM `com` `(3,)` m and `inertia` `(3, 3)` kg·m² about it, in the tool frame."""

    mass: float
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    def __post_init__(self):
        object.__setattr__(self, "com", read_only(self.com))
        object.__setattr__(self, "inertia", read_only(self.inertia))

    def describe(self) -> dict[str, Any]:
        """Its figures as plain values."""
        return {"mass": float(self.mass), "com": self.com.tolist(), "inertia": self.inertia.tolist()}

    def held_by(self, robot: Robot) -> Robot:
        """The robot with this in its tool's hand. Raises ModelError, DimensionError."""
        return robot.with_payload(self.mass, self.com, self.inertia)
