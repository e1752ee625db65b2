"""What the lecture texts print wrong, beside the right number on the arm it concerns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armature.app.state.units import significant
from armature.engine import Robot

KINEMATICS, JACOBIAN, LAGRANGE, MATRICES, RECURSION = "Kinematics", "Jacobian", "Lagrange", "M · C · g", "Recursion"


@dataclass(frozen=True)
class Motion:
    """An arm in a motion q, qd, qdd `(n,)`."""

    robot: Robot
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@dataclass(frozen=True)
class Slip:
    """Where a text is wrong: on which arm and in which tabs it is told; what it prints, what is right, and both
    numbers now, "" where what is printed gives none, and what they are `of` where that is a part or the whole of it; which
    `letters` of the text are others here."""

    robot: str
    types: str
    tabs: tuple[str, ...]
    where: str
    printed: str
    right: str
    numbers: Callable[[Motion], tuple[str, str]]
    of: str = ""
    letters: str = ""

    def concerns(self, robot: Robot) -> bool:
        """Whether this is the arm of the text."""
        return robot.name == self.robot and "".join(kind[0].upper() for kind in robot.joint_types) == self.types


def slips_of(robot: Robot) -> list[Slip]:
    """All that concern an arm."""
    return [slip for slip in SLIPS if slip.concerns(robot)]


def _numbers(*pair: float, unit: str = "") -> tuple[str, str]:
    scale = max(1.0, *map(abs, pair))
    first, second = (significant(value, scale=scale) + unit for value in pair)
    return first, second


def _vector(value: np.ndarray) -> str:
    return "(" + ", ".join(significant(float(x), 3, 1.0) for x in value) + ")"


def _half_coriolis(now: Motion) -> tuple[str, str]:
    """m2 (l1 + q2) qd1 qd2, once and twice."""
    once = now.robot.bodies[1].mass * _length(now) * now.qd[0] * now.qd[1]
    return _numbers(once, 2.0 * once, unit=" N·m")


def _energy_of_m2(now: Motion) -> tuple[str, str]:
    """½ m2 (qd2 + (alpha + q2)² qd1²), and with qd2²."""
    half, turning = 0.5 * now.robot.bodies[1].mass, (_length(now) * now.qd[0]) ** 2
    return _numbers(half * (now.qd[1] + turning), half * (now.qd[1] ** 2 + turning), unit=" J")


def _acceleration_of_m2(now: Motion) -> tuple[str, str]:
    """qdd2 c − k qd2 qd1 s − (alpha + q2) (qdd1 s + qd1² c), k = 1 and 2."""
    c, s, length = np.cos(now.q[0]), np.sin(now.q[0]), _length(now)
    rest = now.qdd[1] * c - length * (now.qdd[0] * s + now.qd[0] ** 2 * c)
    turn = now.qd[1] * now.qd[0] * s
    return _numbers(rest - turn, rest - 2.0 * turn, unit=" m/s²")


def _axis(now: Motion) -> tuple[str, str]:
    angle = now.q[0] + now.q[1]
    y = np.array([np.sin(angle), -np.cos(angle), 0.0])
    return _vector(-y), _vector(y)


def _damping(now: Motion) -> tuple[str, str]:
    D = np.array([body.friction.viscous for body in now.robot.bodies])
    return "", _vector(-D * now.qd) + " N·m (slide: N)"


def _length(now: Motion) -> float:
    """d + q of the second joint, a slide."""
    assert now.robot.dh is not None
    return float(now.robot.dh.d[1] + now.q[1])


ALPHA = "α in the lecture text is d₂ here"
SLIPS = (
    Slip(
        "rp_offset",
        "RP",
        (LAGRANGE, MATRICES, RECURSION),
        "RP manipulator, problem 7.8, eq. 18, hence eq. 26",
        "τ₁ = … + m₂ (l₁ + q₂) q̇₁ q̇₂ …, claimed to equal eq. 14",
        "τ₁ = … + 2 m₂ (l₁ + q₂) q̇₁ q̇₂ …, as in eq. 14",
        _half_coriolis,
        "this term ",
        "l₁ in the text is d₂ here",
    ),
    Slip(
        "rp",
        "RP",
        (LAGRANGE,),
        "Lecture text “Classical robotics in a nutshell”, kinetic energy of m₂, first line",
        "½ m₂ (q̇₂ + (α + q₂)² q̇₁²), where q̇₂ should be squared",
        "½ m₂ (q̇₂² + (α + q₂)² q̇₁²)",
        _energy_of_m2,
        letters=ALPHA,
    ),
    Slip(
        "rp",
        "RP",
        (RECURSION,),
        "Lecture text “Classical robotics in a nutshell”, acceleration of m₂ along x, first line",
        "ẍ₂ = … − q̇₁ q̇₂ s₁ …, half of the Coriolis term",
        "ẍ₂ = … − 2 q̇₁ q̇₂ s₁ …",
        _acceleration_of_m2,
        "ẍ₂ ",
    ),
    Slip(
        "scara",
        "RRP",
        (JACOBIAN,),
        "Lecture text “Classical robotics in a nutshell”, Jacobian of the SCARA",
        "J₃₃ = +1",
        "J₃₃ = −1, since z = h₁ + h₂ − q₃",
        lambda now: ("+1", "−1"),
        letters="h₁ and h₂ in the text are d₁ and d₂ here",
    ),
    Slip(
        "scara",
        "RRP",
        (KINEMATICS,),
        "Lecture text “Classical robotics in a nutshell”, axes of frame 2 of the SCARA",
        "y₂ = (−s₁₂, c₁₂, 0), a left-handed frame",
        "y₂ = z₂ × x₂ = (s₁₂, −c₁₂, 0)",
        _axis,
    ),
    Slip(
        "scara",
        "RRP",
        (LAGRANGE, MATRICES),
        "Lecture text “Classical robotics in a nutshell”, second version, friction",
        "damping −D Fₙ: proportional to the normal force Fₙ, not to the speed",
        "damping −D q̇, proportional to speed; μ Fₙ is Coulomb friction",
        _damping,
    ),
)
