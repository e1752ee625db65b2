"""`Obstacles`: surroundings of an arm that inverse kinematics avoids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from armature.engine.model.robot import Robot


class Obstacles(Protocol):
    """Surroundings that report which poses of an arm are in contact, with itself or with objects, such as a `Cell`."""

    def collides(self, robot: Robot, q: np.ndarray) -> np.ndarray:
        """Return whether the arm is in contact at q `(N, n)`, `(N,)` bool."""
        ...

    def contact_pairs(self, robot: Robot, q: np.ndarray) -> Sequence[tuple[str, str] | None]:
        """Return the names of the pair in the deepest contact at each of q `(N, n)`, None where there is no contact."""
        ...
