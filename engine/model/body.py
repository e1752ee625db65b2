"""Bodies and frames of the canonical tree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.rotations import skew

REVOLUTE = "revolute"
PRISMATIC = "prismatic"


@dataclass(frozen=True)
class Frame(Frozen):
    """A named frame F fixed to a body B: `body` is the 0-based body (-1 for the world), `X_BF` its 4×4 pose.

    `link` is the name of the robot's link that it is fixed to, "" while it is on no robot.
    """

    body: int
    X_BF: np.ndarray
    link: str = ""

    def __post_init__(self):
        object.__setattr__(self, "X_BF", read_only(self.X_BF))


@dataclass(frozen=True)
class Friction:
    """Joint-side friction: viscous N·m·s/rad, Coulomb (positive, negative direction) and breakaway N·m, all ≥ 0."""

    viscous: float = 0.0
    coulomb: tuple[float, float] = (0.0, 0.0)
    stiction: float = 0.0

    def worn(self, wear: float) -> Friction:
        """`wear` times as much."""
        plus, minus = self.coulomb
        return Friction(wear * self.viscous, (wear * plus, wear * minus), wear * self.stiction)


@dataclass(frozen=True)
class Body(Frozen):
    """One moving body B and the joint that carries it, which turns or slides about its own z axis.

    `X_PJ` is the joint's 4×4 placement in the parent body P at q = 0 (P = -1 is the world); `mass` in kg, `com` `(3,)` in m in
    frame B, `inertia` `(3, 3)` in kg·m² about the CoM in the axes of B; `rotor_inertia` already on the joint side;
    `restitution` of the joint's stops, 0 (stops dead) to 1.
    """

    parent: int
    joint_type: str
    X_PJ: np.ndarray
    mass: float = 0.0
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    rotor_inertia: float = 0.0
    friction: Friction = Friction()
    restitution: float = 0.0

    def __post_init__(self):
        vars(self).update(X_PJ=read_only(self.X_PJ), com=read_only(self.com), inertia=read_only(self.inertia))

    def inertia_at_origin(self) -> np.ndarray:
        """I_o = I_c − m [c]×[c]×, `(3, 3)` kg·m² (parallel axes)."""
        c = skew(self.com)
        return self.inertia - self.mass * c @ c

    def with_mass(self, mass: float, com: np.ndarray, inertia: np.ndarray) -> Body:
        """This body with another mass rigidly attached; `com` and `inertia` (about that CoM) in the axes of B."""
        total = self.mass + mass
        if total == 0.0:
            return replace(self, inertia=self.inertia + inertia)
        c = (self.mass * self.com + mass * np.asarray(com)) / total
        r1, r2 = skew(self.com - c), skew(np.asarray(com) - c)
        return replace(self, mass=total, com=c, inertia=self.inertia - self.mass * r1 @ r1 + inertia - mass * r2 @ r2)
