"""`equations`: what a teacher would put on the wall about an arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.sampled_equations import SampledEquations
from armature.engine.model.robot import Robot

_MOST_JOINTS = 8


@dataclass(frozen=True, eq=False)
class Equations:
    """The formulas of one arm, each made when it is first asked for.

    `fk` is the tool's pose `(4, 4)`, `J` its Jacobian `(6, n)`; tau = M qdd + C qd + g. `significance` is the share below which
    terms of M and g were left out, 0 for none; C is that of the M that is told, so that Mdot − 2C stays skew-symmetric.
    `values` are the letters' numbers, empty where coefficients are numbers.
    """

    robot: Robot
    significance: float
    _source: SampledEquations = field(repr=False)
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def in_letters(self) -> bool:
        """Whether coefficients are letters such as m1 and l1."""
        return bool(self.values)

    @property
    def fk(self) -> Formula:
        """Pose of the tool in the world, `(4, 4)`."""
        return self._source.fk

    @property
    def J(self) -> Formula:
        """Jacobian of the tool in world axes, linear rows first, `(6, n)`."""
        return self._source.J

    @property
    def M(self) -> Formula:
        """Mass matrix `(n, n)`, rotor inertia included. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return self._source.M

    @property
    def C(self) -> Formula:
        """Coriolis matrix `(n, n)` of the Christoffel symbols, of a large arm by entries only. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return self._source.C

    @property
    def g(self) -> Formula:
        """Gravity torque `(n,)`. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return self._source.g

    @property
    def operations(self) -> tuple[int, int]:
        """Multiplications and additions that M, C and g of one state cost as generated, sines and cosines not counted.

        For the Puma 560 Armstrong, Khatib and Burdick (ICRA 1986) publish 305 calculations for a model shortened by hand: out go
        terms below 1 % of the largest term of the same equation. Here, with `significance=0.01`, out go terms that stay below 1 %
        of the largest value of their whole matrix, which is coarser for the wrist.
        """
        counts = [self.M.operations, self.C.operations, self.g.operations]
        return sum(times for times, _ in counts), sum(plus for _, plus in counts)


def equations(robot: Robot, significance: float | None = None) -> Equations:
    """The equations of an arm as formulas to read, to evaluate and to take along as code.

    tau = M(q) qdd + C(q, qd) qd + g(q),  xd = J(q) qd

    With c_i = cos q_i and s_i = sin q_i each entry is a polynomial: M of degree 2 at most in each pair (c_i, s_i), g, J and the
    tool's pose of degree 1; in a slide's position M of degree 2, the others of degree 1. So the engine's values on a grid of 5
    (3) positions per joint, and a Fourier transform, give the coefficients exactly; each entry is told in the way with the fewest
    terms: products of single angles, or sums of the angles of parallel axes such as c_23 = cos(q2 + q3).

    Args:
        significance: leaves out those terms of M and g that stay below this share of the largest value of their matrix over the
            joint ranges, such as 0.01; `error` of each formula tells the largest torque that this makes.

    Returns:
        `Equations`; each `Formula` has `evaluate`, `latex`, `python`, `c`, `matlab`, its entries `[i, j]`, and its `operations`.

    Raises:
        EngineError for arms of more than eight joints, with mimic joints, and for a significance that is no share.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, chapters 2, 3 and 7.
    """
    if robot.coupling is not None:
        raise EngineError(
            f"{robot.name}: has mimic joints; formulas are made for joints that move on their own, as in `robot.tree`"
        )
    if robot.n > _MOST_JOINTS:
        raise EngineError(
            f"{robot.name}: has {robot.n} joints; formulas are made for at most {_MOST_JOINTS}, beyond that nobody can read them"
        )
    share = 0.0 if significance is None else significance
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share < 1:
        raise EngineError(f"significance = {significance!r} is not a share from 0 up to 1, such as 0.01 for 1 %")
    return Equations(robot, float(share), SampledEquations(robot, share))
