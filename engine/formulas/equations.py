"""`equations`: the equations of an arm as formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.formulas.determinant import Determinant
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.lettering import no_letters
from armature.engine.formulas.sampled_equations import SampledEquations
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine.formulas.symbolic_equations import SymbolicEquations

_MOST_JOINTS = 8


@dataclass(frozen=True, eq=False)
class Equations:
    """Formulas of one arm, each derived when it is first requested.

    `fk` is the tool's pose in the world `(4, 4)`, `J` its Jacobian `(6, n)`; tau = M qdd + C qd + g with `M`, `C`, `c` = C qd and
    `g`. All are in SI units and radians. `significance`: terms of M and g are omitted if they are smaller than this share of the
    largest value of their matrix; 0 omits none. C is derived from the shortened M, so that Mdot − 2C remains skew-symmetric. Arms
    with symbolic coefficients also have the steps of their derivation: kinetic energy `T`, potential energy `V` and `L` = T − V
    per link, `dL_dqd`, `dL_dqd_dt`, `dL_dq` and the torque `tau` = `dL_dqd_dt` − `dL_dq` per joint, and `tau_newton_euler`, the
    same torque by the recursion. `without_letters` is the reason why the coefficients are numeric, "" if they are symbolic.
    """

    robot: Robot
    significance: float
    without_letters: str
    _source: SampledEquations = field(repr=False)
    _letters: SymbolicEquations | None = field(default=None, repr=False)

    def __reduce__(self):
        return equations, (self.robot, None if self.in_letters else self.significance)

    @property
    def in_letters(self) -> bool:
        """True if the coefficients are symbols such as m1 and l1."""
        return self._letters is not None

    @property
    def values(self) -> Mapping[str, float]:
        """Value of each symbol in SI units, by name; empty if the coefficients are numeric."""
        return MappingProxyType({} if self._letters is None else self._letters.values)

    @property
    def fk(self) -> Formula:
        """Pose of the tool in the world, `(4, 4)`."""
        return (self._letters or self._source).fk

    @property
    def J(self) -> Formula:
        """Jacobian of the tool in world axes, linear rows first, `(6, n)`."""
        return (self._letters or self._source).J

    @property
    def A(self) -> tuple[Formula, ...]:
        """Pose of each link relative to the previous link, a tuple of `(4, 4)` formulas in m.

        For an arm with a DH table these are the matrices of its rows.
        """
        return (self._letters or self._source).A

    @property
    def det_J(self) -> Determinant:
        """Determinant of the task's rows of J, a `Formula` with `factors` and `factored_latex`.

        Each factor has a `formula`, its `power`, and `q` `(n,)`, joint positions in rad or m at which it is zero, or None.

        Raises EngineError for a Jacobian that is not square.
        """
        return (self._letters or self._source).det_J

    @property
    def M(self) -> Formula:
        """Mass matrix `(n, n)`, kg·m², kg·m or kg, rotor inertia included. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).M

    @property
    def C(self) -> Formula:
        """Coriolis matrix `(n, n)` from the Christoffel symbols.

        If M has more than 1500 terms, only the entries `C[i, j]` can be evaluated and exported; the whole matrix raises
        EngineError. Raises MissingDynamicsError.
        """
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).C

    @property
    def christoffel(self) -> Formula:
        """Christoffel symbols `(n, n, n)`, [k, i, j], with C_kj = Σ_i c_kij qd_i. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).christoffel

    @property
    def c(self) -> Formula:
        """Torque C qd `(n,)`, N·m or N, the sum of `centripetal` and `coriolis`. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).c

    @property
    def centripetal(self) -> Formula:
        """Part of the torque C qd with squares of speeds `(n,)`, N·m or N: Σ_i c_kii qd_i². Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).centripetal

    @property
    def coriolis(self) -> Formula:
        """Part of the torque C qd with products of two different speeds `(n,)`: Σ_i<j 2 c_kij qd_i qd_j. Raises
        MissingDynamicsError.
        """
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).coriolis

    @property
    def g(self) -> Formula:
        """Gravity torque `(n,)`, N·m or N. Raises MissingDynamicsError."""
        batching.require_dynamics(self.robot)
        return (self._letters or self._source).g

    @property
    def T(self) -> Formula:
        """Kinetic energy of each link `(n,)` in J, including its rotor. Raises EngineError if the coefficients are numeric."""
        return self._derivation.T

    @property
    def V(self) -> Formula:
        """Potential energy of each link `(n,)` in J, 0 for a centre of mass at the height of the world origin.

        Raises EngineError if the coefficients are numeric.
        """
        return self._derivation.V

    @property
    def L(self) -> Formula:
        """Lagrangian T − V of each link `(n,)` in J. Raises EngineError if the coefficients are numeric."""
        return self._derivation.L

    @property
    def dL_dqd(self) -> Formula:
        """∂L/∂qd for each joint `(n,)`, with L summed over the links. Raises EngineError if the coefficients are numeric."""
        return self._derivation.dL_dqd

    @property
    def dL_dqd_dt(self) -> Formula:
        """d/dt ∂L/∂qd for each joint `(n,)`, N·m or N. Raises EngineError if the coefficients are numeric."""
        return self._derivation.dL_dqd_dt

    @property
    def dL_dq(self) -> Formula:
        """∂L/∂q for each joint `(n,)`, N·m or N. Raises EngineError if the coefficients are numeric."""
        return self._derivation.dL_dq

    @property
    def tau(self) -> Formula:
        """Joint torque tau = d/dt ∂L/∂qd − ∂L/∂q `(n,)`, N·m or N. Raises EngineError if the coefficients are numeric."""
        return self._derivation.tau

    @property
    def tau_newton_euler(self) -> Formula:
        """Joint torque of M qdd + C qd + g `(n,)`, N·m or N, derived by recursive Newton–Euler.

        Raises EngineError if the coefficients are numeric.
        """
        return self._derivation.tau_newton_euler

    @property
    def _derivation(self) -> SymbolicEquations:
        if self._letters is None:
            raise EngineError(self.without_letters)
        return self._letters

    @property
    def operations(self) -> tuple[int, int]:
        """Numbers of multiplications and of additions in the generated code of M, C and g; sines and cosines are not counted.

        For comparison: Armstrong, Khatib and Burdick (ICRA 1986) report 305 calculations for a model of the Puma 560 that they
        shortened by hand; they omitted terms below 1 % of the largest term of the same equation. Here `significance=0.01` omits
        terms below 1 % of the largest value of the whole matrix, which omits more terms of the wrist.
        """
        counts = [self.M.operations, self.C.operations, self.g.operations]
        return sum(times for times, _ in counts), sum(plus for _, plus in counts)


def equations(robot: Robot, significance: float | None = None) -> Equations:
    """Derive the equations of an arm as formulas that can be read, evaluated and exported as code.

    tau = M(q) qdd + C(q, qd) qd + g(q),  xd = J(q) qd  with the twist xd of the tool, world axes, at its origin.

    Arms of up to three joints are derived with symbolic coefficients (lengths a1, d1, lc1, masses m1, moments of inertia I1, g)
    by Lagrange's method, unless a significance is given. All others have numeric coefficients: with c_i = cos q_i and s_i = sin
    q_i each entry is a polynomial, M of degree 2 at most in each pair (c_i, s_i), g, J and the tool's pose of degree 1; in the
    position of a prismatic joint M is of degree 2, the others of degree 1. So the engine's values on a grid of 5 (M) or 3
    positions per joint, and a Fourier transform, give the coefficients exactly. Each entry has the form with the fewest terms:
    products of single angles, or sums of angles of parallel axes such as c_23 = cos(q2 + q3).

    Args:
        significance: share, such as 0.01; terms of M and g are omitted if they are smaller than this share of the largest value
            of their matrix over the joint ranges. `error` of each formula is the largest torque error that this causes at speeds
            and accelerations up to 1 (rad or m, per s and s²), N·m or N. 0: no term is omitted and all coefficients are numeric.
            None: no term is omitted; coefficients are symbolic for up to three joints.

    Returns:
        `Equations`; each `Formula` has `evaluate`, `latex`, `python`, `c`, `matlab`, its entries `[i, j]`, and `operations`, the
        numbers of multiplications and additions of its code.

    Raises:
        EngineError for arms with more than eight joints or with mimic joints (use `robot.tree`), and for a significance outside
        [0, 1).

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, chapters 2, 3 and 7.
    """
    if robot.coupling is not None:
        raise EngineError(f"{robot.name} has mimic joints: formulas are only available for independent joints")
    if robot.n > _MOST_JOINTS:
        raise EngineError(
            f"{robot.name} has {robot.n} joints: formulas are limited to {_MOST_JOINTS} joints (more are unreadable)"
        )
    share = 0.0 if significance is None else significance
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share < 1:
        raise EngineError(f"significance must be at least 0 and below 1, such as 0.01 for 1 %, got {significance!r}")
    why_not = no_letters(robot)
    if not why_not and significance is not None:
        why_not = f"{robot.name}: symbolic coefficients cannot be combined with a significance"
    sampled = SampledEquations(robot, float(share))
    return Equations(robot, float(share), why_not, sampled, None if why_not else _symbolic(robot))


def _symbolic(robot: Robot) -> SymbolicEquations:
    from armature.engine.formulas.symbolic_equations import SymbolicEquations

    return SymbolicEquations(robot)
