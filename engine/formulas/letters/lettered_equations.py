"""The formulas of a small arm in letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce

import numpy as np
from sympy import Integer, cancel, gcd

from armature.engine.formulas.determinant import Determinant, determinant_factors, square_rows
from armature.engine.formulas.factor import Terms
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.letters.by_lagrange import ByLagrange
from armature.engine.formulas.letters.by_newton_euler import by_newton_euler
from armature.engine.formulas.letters.letter_terms import LetterTerms
from armature.engine.formulas.letters.lettered_arm import LetteredArm
from armature.engine.model.robot import Robot

_MOTION = ("q", "qd", "qdd")


class LetteredEquations:
    """Each formula is made when it is first requested."""

    def __init__(self, robot: Robot):
        self.robot, self._arm = robot, LetteredArm(robot)

    @cached_property
    def values(self) -> dict[str, float]:
        """The letters that occur, by the names they go by, and their numbers."""
        used = self._used
        return {self._names.get(name, name): value for name, value in self._arm.values.items() if name in used}

    @cached_property
    def fk(self) -> Formula:
        return self._formula("fk", f"pose of {self.robot.tool} in the world, 4x4", self._tool_pose, ("q",))

    @cached_property
    def J(self) -> Formula:
        about = f"Jacobian of {self.robot.tool} in world axes, linear rows first"
        return self._formula("J", about, self._jacobian, ("q",))

    @cached_property
    def M(self) -> Formula:
        return self._formula("M", "mass matrix, rotor inertia included", self._lagrange.M, ("q",), symmetric=True)

    @cached_property
    def C(self) -> Formula:
        about = "Coriolis matrix of the Christoffel symbols of M"
        return self._formula("C", about, self._lagrange.C, ("q", "qd"))

    @cached_property
    def g(self) -> Formula:
        return self._formula("g", "gravity torque", self._lagrange.g, ("q",))

    @cached_property
    def A(self) -> tuple[Formula, ...]:
        """A_i = X_B'L'⁻¹ X_B'B X_BL of the link that joint i carries, B' and L' before it."""
        steps = []
        for i, body in enumerate(self.robot.bodies):
            X = self._arm.body_motion(i) @ self._arm.link(i)
            X = self._arm.inverse(self._arm.base if body.parent < 0 else self._arm.link(body.parent)) @ X
            before = "base" if body.parent < 0 else f"link {body.parent + 1}"
            steps.append(self._formula(f"A{i + 1}", f"pose of link {i + 1} in {before}, 4x4", X, ("q",)))
        return tuple(steps)

    @cached_property
    def christoffel(self) -> Formula:
        about = "Christoffel symbols of M, entry [k, i, j]"
        return self._formula("christoffel", about, self._lagrange.symbols, ("q",))

    @cached_property
    def c(self) -> Formula:
        lagrange = self._lagrange
        return self._formula("c", "Coriolis matrix times joint speeds", lagrange.squares + lagrange.products, ("q", "qd"))

    @cached_property
    def centripetal(self) -> Formula:
        return self._formula("centripetal", "centripetal part of C qd", self._lagrange.squares, ("q", "qd"))

    @cached_property
    def coriolis(self) -> Formula:
        about = "Coriolis part of C qd"
        return self._formula("coriolis", about, self._lagrange.products, ("q", "qd"))

    @cached_property
    def det_J(self) -> Determinant:
        """What all terms share is taken out of them."""
        terms = self._terms.terms(_determinant(self._jacobian[square_rows(self.robot)]))
        shared = list(map(dict, terms))
        common = {factor: min(m.get(factor, 0) for m in shared) for factor in (shared[0] if shared else {})}
        single: list[Terms] = [{((factor, 1),): Integer(1)} for factor, power in common.items() for _ in range(power)]
        constant = reduce(gcd, terms.values(), Integer(0))
        if terms and all(value.could_extract_minus_sign() for value in terms.values()):
            constant = -constant
        rest = {
            tuple((f, power - common.get(f, 0)) for f, power in monomial if power > common.get(f, 0)): cancel(value / constant)
            for monomial, value in terms.items()
        }
        found = single + ([rest] if any(rest) else [])
        factors = determinant_factors(self.robot, found, self.values)
        return Determinant(self.robot, lambda _: terms, constant, factors, self.values)

    @cached_property
    def T(self) -> Formula:
        return self._formula("T", "kinetic energy of each link", self._lagrange.T, ("q", "qd"))

    @cached_property
    def V(self) -> Formula:
        return self._formula("V", "potential energy of each link", self._lagrange.V, ("q",))

    @cached_property
    def L(self) -> Formula:
        return self._formula("L", "T − V of each link", self._lagrange.T - self._lagrange.V, ("q", "qd"))

    @cached_property
    def dL_dqd(self) -> Formula:
        return self._formula("dL_dqd", "derivative of L with respect to each speed", self._lagrange.dL_dqd, ("q", "qd"))

    @cached_property
    def dL_dqd_dt(self) -> Formula:
        return self._formula("dL_dqd_dt", "time derivative of dL_dqd", self._lagrange.dL_dqd_dt, _MOTION)

    @cached_property
    def dL_dq(self) -> Formula:
        return self._formula("dL_dq", "derivative of L with respect to each position", self._lagrange.dL_dq, ("q", "qd"))

    @cached_property
    def tau(self) -> Formula:
        return self._formula("tau", "torque by Lagrange's equation", self._lagrange.tau, _MOTION)

    @cached_property
    def tau_newton_euler(self) -> Formula:
        return self._formula("tau_newton_euler", "torque by recursive Newton-Euler", by_newton_euler(self._arm), _MOTION)

    @cached_property
    def _lagrange(self) -> ByLagrange:
        return ByLagrange(self._arm)

    @cached_property
    def _tool_pose(self) -> np.ndarray:
        b = self.robot.tool_frame.body
        return self._arm.tool if b < 0 else self._lagrange.poses[b] @ self._arm.tool

    @cached_property
    def _jacobian(self) -> np.ndarray:
        """J_i = (z_i × (p − p_i), z_i), for a slide (z_i, 0)."""
        J, b = self._arm.zeros(6, self.robot.n), self.robot.tool_frame.body
        while b >= 0:
            X = self._lagrange.poses[b]
            z, r = X[:3, 2], self._tool_pose[:3, 3] - X[:3, 3]
            J[:3, b] = z if self.robot.prismatic[b] else np.cross(z, r)
            J[3:, b] = J[3:, b] if self.robot.prismatic[b] else z
            b = self.robot.bodies[b].parent
        return J

    @cached_property
    def _used(self) -> set[str]:
        """Letters of the poses of tool and links and of the energies."""
        found: set[str] = set()
        poses = [self._tool_pose, self._arm.base, *self._arm.placements, *(self._arm.link(i) for i in range(self.robot.n))]
        for p in (*self._lagrange.T, *self._lagrange.V, *np.array(poses).ravel()):
            found.update(name for name, k in zip(self._arm.values, zip(*p.monoms())) if any(k))
        return found

    @cached_property
    def _names(self) -> dict[str, str]:
        """Of a link whose only moment of inertia that acts is Izz1: I1."""
        names = {}
        for i in range(self.robot.n):
            acting = [name for name in self._used if name[0] == "I" and name[1] != "r" and name.endswith(str(i + 1))]
            if len(acting) == 1:
                names[acting[0]] = f"I{i + 1}"
        return names

    @cached_property
    def _terms(self) -> LetterTerms:
        return LetterTerms(self._arm, self._names)

    def _formula(
        self, name: str, about: str, polynomials: np.ndarray, arguments: Sequence[str], symmetric: bool = False
    ) -> Formula:
        def make(place: tuple[int, ...]):
            return self._terms.terms(polynomials[place])

        return Formula(self.robot, name, about, polynomials.shape, make, tuple(arguments), self.values, symmetric)


def _determinant(A: np.ndarray):
    """By the first row."""
    if len(A) == 1:
        return A[0, 0]
    minors = [np.delete(A[1:], k, axis=1) for k in range(len(A))]
    return sum((-1) ** k * A[0, k] * _determinant(minor) for k, minor in enumerate(minors))
