"""Equations of an arm with symbols for its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from math import comb

import numpy as np
from sympy import Expr, Integer, Symbol, cancel, gcd
from sympy import factor as factored
from sympy.polys.rings import PolyElement, PolyRing

from armature.engine.formulas.determinant import Determinant, determinant_factors, square_rows
from armature.engine.formulas.factor import ACCELERATION, POSITION, SPEED, Factor, Terms, product, unit
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.readable_terms import Series, along, parallel_groups, readable_terms
from armature.engine.formulas.symbolic_arm import LagrangeDerivation, SymbolicArm, newton_euler_torque
from armature.engine.model.robot import Robot


class SymbolicTerms:
    """Converts polynomials of one arm to terms; `names` renames symbols."""

    def __init__(self, arm: SymbolicArm, names: dict[str, str]):
        self.arm, self.n = arm, arm.robot.n
        self.groups = parallel_groups(arm.robot)
        self.count = len(arm.values)
        self.letters = PolyRing([Symbol(names.get(name, name), positive=True) for name in arm.values], arm.ring.domain)
        self.slides = tuple(bool(x) for x in arm.robot.prismatic)
        self.lengths = {i: length for i in range(self.n) if self.slides[i] and (length := self._length(i)) is not None}

    def terms(self, p: PolyElement) -> Terms:
        """Return the polynomial as a sum with the fewest products, grouped by speeds and accelerations."""
        n = self.n
        parts: dict[tuple[int, ...], list] = {}
        for exponents, value in p.terms():
            moving = exponents[self.count + 3 * n :]
            parts.setdefault(moving, []).append((exponents, value))
        found: Terms = {}
        for moving, part in sorted(parts.items(), reverse=True):
            motion = [
                unit(SPEED, i % n, n) if i < n else unit(ACCELERATION, i % n, n) for i in range(2 * n) for _ in range(moving[i])
            ]
            for monomial, value in self._shortest(self._series(part)).items():
                found[product(monomial, *motion)] = textbook(value.as_expr())
        return found

    def _shortest(self, series: Series) -> Terms:
        """Terms in powers of q of the slides, or of the length d + q if that needs no more terms."""
        best = readable_terms(series, self.groups)
        positions: dict[int, Factor] = {}
        for i, (factor, d) in self.lengths.items():
            longer = Series(series.slides, along(_powers_of_length(d, series.coefficients.shape[i]), series.coefficients, i))
            terms = readable_terms(longer, self.groups, positions={**positions, i: factor})
            if len(terms) <= len(best):
                best, series, positions = terms, longer, {**positions, i: factor}
        return best

    def _length(self, i: int) -> tuple[Factor, PolyElement] | None:
        """Symbol of the slide's length at q = 0, as part of a factor and as a polynomial; None without one."""
        X = self.arm.placements[i]
        terms = (X[:3, 2] @ X[:3, 3]).terms()
        if len(terms) != 1 or sum(terms[0][0]) != 1 or abs(terms[0][1]) != 1:
            return None
        exponents, sign = terms[0]
        letter = exponents.index(1)
        name, value = self.letters.symbols[letter].name, float(sign) * list(self.arm.values.values())[letter]
        k = tuple(int(j == i) for j in range(self.n))
        return Factor(POSITION, k, name if sign > 0 else f"-{name}", value), self.letters({exponents[: self.count]: sign})

    def _series(self, part: list) -> Series:
        """Fourier series in revolute joints, polynomial in prismatic joints."""
        n, count = self.n, self.count
        degrees = [0] * n
        for exponents, _ in part:
            for i in range(n):
                degrees[i] = max(degrees[i], self._degree(exponents, i))
        shape = [d + 1 if slide else 2 * d + 1 for d, slide in zip(degrees, self.slides)]
        C = np.full(shape, self.letters.zero, object)
        for exponents, value in part:
            coefficient = self.letters({exponents[:count]: value})
            waves = [self._wave(exponents, i, size) for i, size in enumerate(shape)]
            for place in np.ndindex(*(len(wave) for wave in waves)):
                factors = [wave[k][1] for wave, k in zip(waves, place)]
                at = tuple(wave[k][0] for wave, k in zip(waves, place))
                scale = factors[0]
                for x in factors[1:]:
                    scale = scale * x
                C[at] += coefficient * scale
        return Series(self.slides, C)

    def _degree(self, exponents: tuple[int, ...], i: int) -> int:
        n, count = self.n, self.count
        if self.slides[i]:
            return exponents[count + 2 * n + i]
        return exponents[count + i] + exponents[count + n + i]

    def _wave(self, exponents: tuple[int, ...], i: int, size: int) -> list[tuple[int, object]]:
        """Coefficients of cos^a sin^b in the basis of joint i as pairs (index, value); a power of q for a slide."""
        n, count, one = self.n, self.count, self.arm.ring.domain(1)
        if self.slides[i]:
            return [(exponents[count + 2 * n + i], one)]
        wave = {0: one}
        for power, step in ((exponents[count + i], _times_cos), (exponents[count + n + i], _times_sin)):
            for _ in range(power):
                wave = _multiply_wave(wave, step, one / 2)
        return [(place, value) for place, value in wave.items() if value]


def _powers_of_length(d: PolyElement, count: int) -> np.ndarray:
    """q^k = Σ_j (k over j) (d + q)^j (−d)^(k−j), column k."""
    T = np.full((count, count), 0 * d, object)
    for k in range(count):
        for j in range(k + 1):
            T[j, k] = comb(k, j) * (-d) ** (k - j)
    return T


def _multiply_wave(wave: dict, step: Callable[[int], list[tuple[int, int]]], half) -> dict:
    out: dict = {}
    for place, value in wave.items():
        for to, twice in step(place):
            out[to] = out.get(to, 0) + value * twice * half
    return out


def _times_cos(place: int) -> list[tuple[int, int]]:
    """Product of 2 cos q and a function of the basis 1, cos q, sin q, cos 2q, sin 2q …, as pairs (index, factor)."""
    if place == 0:
        return [(1, 2)]
    k, is_sin = (place + 1) // 2, place % 2 == 0
    if k == 1:
        return [(4, 1)] if is_sin else [(3, 1), (0, 1)]
    return [(place + 2, 1), (place - 2, 1)]


def _times_sin(place: int) -> list[tuple[int, int]]:
    """The same product with 2 sin q: 2 sin cos kq = sin (k + 1)q − sin (k − 1)q,  2 sin sin kq = cos (k − 1)q − cos (k + 1)q."""
    if place == 0:
        return [(2, 2)]
    k, is_sin = (place + 1) // 2, place % 2 == 0
    if is_sin:
        return [(2 * (k - 1) - 1 if k > 1 else 0, 1), (2 * (k + 1) - 1, -1)]
    return [(2 * (k + 1), 1)] if k == 1 else [(2 * (k + 1), 1), (2 * (k - 1), -1)]


def textbook(value: Expr) -> Expr:
    """Return the shortest form: unchanged, factored, or with masses collected."""
    return min([factored(value), _collect_masses(value), value], key=lambda x: x.count_ops())


def _collect_masses(value: Expr) -> Expr:
    groups: dict[Expr, Expr] = {}
    for term in value.as_ordered_terms():
        masses, others = _split(term)
        groups[others] = groups.get(others, 0) + masses
    return sum(masses * others for others, masses in groups.items())


def _split(term: Expr) -> tuple[Expr, Expr]:
    """Return number and masses of a product, and its other factors."""
    masses, others = term.as_coeff_Mul()[0], 1
    for x in term.as_coeff_Mul()[1].as_ordered_factors():
        if getattr(x, "name", "").startswith("m"):
            masses *= x
        else:
            others *= x
    return masses, others


_MOTION = ("q", "qd", "qdd")


class SymbolicEquations:
    """Formulas with symbolic coefficients, each derived when it is first requested."""

    def __init__(self, robot: Robot):
        self.robot, self._arm = robot, SymbolicArm(robot)

    @cached_property
    def values(self) -> dict[str, float]:
        """Value of each symbol that occurs, by its name."""
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
        about = "Coriolis matrix from the Christoffel symbols of M"
        return self._formula("C", about, self._lagrange.C, ("q", "qd"))

    @cached_property
    def g(self) -> Formula:
        return self._formula("g", "gravity torque", self._lagrange.g, ("q",))

    @cached_property
    def A(self) -> tuple[Formula, ...]:
        """Pose of link i in the previous link: A_i = X_B'L'⁻¹ X_B'B X_BL."""
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
        """Determinant of the Jacobian, with common factors factored out."""
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
        return self._formula("L", "K − P of each link", self._lagrange.T - self._lagrange.V, ("q", "qd"))

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
        return self._formula("tau_newton_euler", "torque by recursive Newton-Euler", newton_euler_torque(self._arm), _MOTION)

    @cached_property
    def _lagrange(self) -> LagrangeDerivation:
        return LagrangeDerivation(self._arm)

    @cached_property
    def _tool_pose(self) -> np.ndarray:
        b = self.robot.tool_frame.body
        return self._arm.tool if b < 0 else self._lagrange.poses[b] @ self._arm.tool

    @cached_property
    def _jacobian(self) -> np.ndarray:
        """Jacobian: J_i = (z_i × (p − p_i), z_i), for a slide (z_i, 0)."""
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
        """Symbols in the poses of tool and links, and in the energies."""
        found: set[str] = set()
        poses = [self._tool_pose, self._arm.base, *self._arm.placements, *(self._arm.link(i) for i in range(self.robot.n))]
        for p in (*self._lagrange.T, *self._lagrange.V, *np.array(poses).ravel()):
            found.update(name for name, k in zip(self._arm.values, zip(*p.monoms())) if any(k))
        return found

    @cached_property
    def _names(self) -> dict[str, str]:
        """Shorter names of symbols: I1 if Izz1 is the only moment of inertia of link 1 that occurs."""
        names = {}
        for i in range(self.robot.n):
            acting = [name for name in self._used if name[0] == "I" and name[1] != "r" and name.endswith(str(i + 1))]
            if len(acting) == 1:
                names[acting[0]] = f"I{i + 1}"
        return names

    @cached_property
    def _terms(self) -> SymbolicTerms:
        return SymbolicTerms(self._arm, self._names)

    def _formula(
        self, name: str, about: str, polynomials: np.ndarray, arguments: Sequence[str], symmetric: bool = False
    ) -> Formula:
        def make(place: tuple[int, ...]):
            return self._terms.terms(polynomials[place])

        return Formula(self.robot, name, about, polynomials.shape, make, tuple(arguments), self.values, symmetric)


def _determinant(A: np.ndarray):
    """Return the determinant, expanded along the first row."""
    if len(A) == 1:
        return A[0, 0]
    minors = [np.delete(A[1:], k, axis=1) for k in range(len(A))]
    return sum((-1) ** k * A[0, k] * _determinant(minor) for k, minor in enumerate(minors))
