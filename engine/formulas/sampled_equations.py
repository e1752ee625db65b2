"""Equations of an arm as formulas, from samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import gravity_torque
from armature.engine.formulas.determinant import Determinant, determinant
from armature.engine.formulas.factor import COS, POSITION, SIN, SPEED, Factor, Monomial, Terms, product, unit
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.readable_terms import Series, parallel_groups, readable_terms
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.poses import frame_pose, link_poses
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot

POSES = 4096
_SEED = 0
_LED_ON, _SWEEPS, _STEPS = 8, 2, 61


def poses_in_range(robot: Robot) -> np.ndarray:
    """Return random poses `(POSES, n)` within the joint ranges, the same at each call."""
    low, high = joint_ranges(robot)
    return np.random.default_rng(_SEED).uniform(low, high, (POSES, robot.n))


def significant_terms(robot: Robot, terms: Terms, least: float) -> Terms:
    """Return the terms that exceed `least` anywhere within the joint ranges."""
    low, high = joint_ranges(robot)
    return {monomial: value for monomial, value in terms.items() if abs(value) * _peak(monomial, low, high) >= least}


def _peak(monomial: Monomial, low: np.ndarray, high: np.ndarray) -> float:
    """Upper bound of a product of factors: the product of their maxima."""
    size = 1.0
    for factor, power in monomial:
        size *= _reach(factor, low, high) ** power
    return size


def _reach(factor: Factor, low: np.ndarray, high: np.ndarray) -> float:
    """Largest absolute value of one factor."""
    k = np.array(factor.k)
    a, b = float(np.where(k > 0, low, high) @ k), float(np.where(k > 0, high, low) @ k)
    if factor.kind == POSITION:
        return max(abs(a), abs(b))
    # |cos| is 1 at integer multiples of π, |sin| at odd multiples of π/2
    shift = {COS: 0.0, SIN: np.pi / 2}[factor.kind]
    if np.floor((b - shift) / np.pi) > np.floor((a - shift) / np.pi):
        return 1.0
    wave = np.cos if factor.kind == COS else np.sin
    return float(max(abs(wave(a)), abs(wave(b))))


def largest_difference(robot: Robot, difference: Callable[[np.ndarray], np.ndarray]) -> float:
    """Return the largest value of a function of q `(N, n)` over the joint ranges: the worst random poses, improved by joint."""
    low, high = joint_ranges(robot)
    q = poses_in_range(robot)
    values = difference(q)
    worst = np.argsort(values)[-_LED_ON:]
    q, values = q[worst], values[worst]
    for _ in range(_SWEEPS):
        for joint in range(robot.n):
            tried = np.repeat(q[:, None], _STEPS, axis=1)
            tried[:, :, joint] = np.linspace(low[joint], high[joint], _STEPS)
            found = difference(tried.reshape(-1, robot.n)).reshape(len(q), _STEPS)
            best = found.argmax(axis=1)
            better = found.max(axis=1) > values
            q[better], values[better] = tried[better, best[better]], found.max(axis=1)[better]
    return float(values.max())


ROUNDING = 4e-15
"""Share of the largest value below which coefficients are rounding errors."""
_WHOLE_C = 1500  # terms of M up to which C is written as a whole


class SampledEquations:
    """Formulas with numeric coefficients, each derived when it is first requested.

    In sine and cosine of a revolute joint, and in the position of a prismatic joint, pose, J and g have degree 1, M degree 2; M
    does not depend on the first joint.
    """

    def __init__(self, robot: Robot, significance: float | None):
        self.robot, self.significance = robot, significance or 0.0
        self.slides = tuple(bool(x) for x in robot.prismatic)
        self.groups = parallel_groups(robot)

    @cached_property
    def fk(self) -> Formula:
        series = self._sampled(lambda q: frame_pose(self.robot, q), 1)
        return self._formula("fk", f"pose of {self.robot.tool} in the world, 4x4", series, (4, 4))

    @cached_property
    def J(self) -> Formula:
        series = self._sampled(lambda q: jacobian(self.robot, q), 1)
        about = f"Jacobian of {self.robot.tool} in world axes, linear rows first"
        return self._formula("J", about, series, (6, self.robot.n))

    @cached_property
    def M(self) -> Formula:
        make = self._entries(self._mass, self._mass_scale, self.significance)
        n = self.robot.n
        error = self._error(lambda q: np.abs(self._missing_mass(q)).sum(axis=2).max(axis=1))
        return Formula(self.robot, "M", "mass matrix, rotor inertia included", (n, n), make, symmetric=True, error=error)

    @cached_property
    def g(self) -> Formula:
        series = self._sampled(lambda q: gravity_torque(self.robot, q), 1)
        make = self._entries(series, self._largest(gravity_torque), self.significance, self._weight * self.robot.reach)
        error = self._error(lambda q: np.abs(gravity_torque(self.robot, q) - self.g.evaluate(q)).max(axis=1))
        return Formula(self.robot, "g", "gravity torque", (self.robot.n,), make, error=error)

    @cached_property
    def C(self) -> Formula:
        n = self.robot.n
        about = "Coriolis matrix from the Christoffel symbols of M"
        error = self._error(self._missing_coriolis)
        return Formula(self.robot, "C", about, (n, n), self._coriolis, ("q", "qd"), refusal=self._too_large, error=error)

    @cached_property
    def A(self) -> tuple[Formula, ...]:
        return tuple(self._step(i) for i in range(self.robot.n))

    def _step(self, i: int) -> Formula:
        """Pose A_i of link i in the previous link."""
        links = [frame.body for frame in self.robot.links.values()]
        at, before = links.index(i), links.index(self.robot.bodies[i].parent)

        def step(q: np.ndarray) -> np.ndarray:
            X = link_poses(self.robot, q)
            return np.linalg.inv(X[:, before]) @ X[:, at]

        series = Series.from_samples(step, self.slides, tuple(int(k == i) for k in range(self.robot.n)))
        names = self.robot.link_names
        return self._formula(f"A{i + 1}", f"pose of {names[at]} in {names[before]}, 4x4", series, (4, 4))

    @cached_property
    def christoffel(self) -> Formula:
        n = self.robot.n
        error = self._error(self._missing_coriolis)
        about = "Christoffel symbols of M, entry [k, i, j]"
        return Formula(self.robot, "christoffel", about, (n, n, n), self.symbol_terms, refusal=self._too_large, error=error)

    @cached_property
    def c(self) -> Formula:
        return self._speeds("c", "Coriolis matrix times joint speeds", lambda i: range(i, self.robot.n))

    @cached_property
    def centripetal(self) -> Formula:
        return self._speeds("centripetal", "centripetal part of C qd", lambda i: [i])

    @cached_property
    def coriolis(self) -> Formula:
        return self._speeds("coriolis", "Coriolis part of C qd", lambda i: range(i + 1, self.robot.n))

    def _speeds(self, name: str, about: str, partners: Callable[[int], Iterable[int]]) -> Formula:
        """Formula Σ c_kij qd_i qd_j over the joints i and their partners j, with a factor 2 for i ≠ j."""
        n = self.robot.n
        pairs = [(i, j) for i in range(n) for j in partners(i)]

        def make(place: tuple[int, ...]) -> Terms:
            terms: Terms = {}
            for i, j in pairs:
                both = product(unit(SPEED, i, n), unit(SPEED, j, n))
                found = self.christoffel.terms((*place, i, j))
                terms |= {product(m, both): (1.0 if i == j else 2.0) * value for m, value in found.items()}
            return terms

        error = self._error(self._missing_coriolis)
        return Formula(self.robot, name, about, (n,), make, ("q", "qd"), refusal=self._too_large, error=error)

    @cached_property
    def det_J(self) -> Determinant:
        return determinant(self.robot)

    def symbol(self, k: int, i: int, j: int) -> Series:
        """c_kij = ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k)."""
        M = self._shortened_mass
        C = M[k, j].slope(i).coefficients + M[k, i].slope(j).coefficients - M[i, j].slope(k).coefficients
        return Series(self.slides, 0.5 * C)

    def symbol_terms(self, place: tuple[int, ...]) -> Terms:
        """Return the terms of a Christoffel symbol."""
        return readable_terms(self.symbol(*place), self.groups, ROUNDING * self._mass_scale)

    def _coriolis(self, place: tuple[int, ...]) -> Terms:
        """C_kj = Σ_i c_kij qd_i."""
        k, j = place
        n, terms = self.robot.n, {}
        for i in range(n):
            speed = unit(SPEED, i, n)
            terms.update({product(m, speed): value for m, value in self.christoffel.terms((k, i, j)).items()})
        return terms

    def _error(self, difference: Callable[[np.ndarray], np.ndarray]) -> Callable[[], float]:
        return lambda: largest_difference(self.robot, difference) if self.significance else 0.0

    def _missing_mass(self, q: np.ndarray) -> np.ndarray:
        return mass_matrix(self.robot, q) - self.M.evaluate(q)

    def _missing_coriolis(self, q: np.ndarray) -> np.ndarray:
        """Largest Σ_ij |c_kij| over k of the omitted part of M: its torque at unit joint speeds; slopes by differences."""
        h, n = 1e-5, self.robot.n
        moved = np.concatenate([q[:, None] + h * np.eye(n), q[:, None] - h * np.eye(n)], axis=1)
        M = self._missing_mass(moved.reshape(-1, n)).reshape(len(q), 2, n, n, n)
        dM = (M[:, 0] - M[:, 1]) / (2 * h)  # [i, k, j]
        c = 0.5 * (np.einsum("sikj->skij", dM) + np.einsum("sjki->skij", dM) - np.einsum("skij->skij", dM))
        return np.abs(c).sum(axis=(2, 3)).max(axis=1)

    def _too_large(self) -> str:
        if self.M.size <= _WHOLE_C:
            return ""
        return (
            f"{self.robot.name}: the mass matrix has {self.M.size} terms, so C is available by entry only, as C[i, j]; "
            "for fewer terms, give a significance such as 0.01"
        )

    @cached_property
    def _mass_scale(self) -> float:
        return self._largest(mass_matrix)

    @cached_property
    def _mass(self) -> Series:
        degrees = [2 * int(body.parent >= 0) for body in self.robot.bodies]
        return Series.from_samples(lambda q: mass_matrix(self.robot, q), self.slides, tuple(degrees))

    @cached_property
    def _shortened_mass(self) -> Series:
        """Series of M without the omitted terms, so that Mdot − 2C is skew-symmetric."""
        if not self.significance:
            return self._mass
        degrees = [2 * int(body.parent >= 0) for body in self.robot.bodies]
        return Series.from_samples(self.M.evaluate, self.slides, tuple(degrees))

    def _sampled(self, function: Callable[[np.ndarray], np.ndarray], degree: int) -> Series:
        return Series.from_samples(function, self.slides, (degree,) * self.robot.n)

    def _largest(self, function: Callable[[Robot, np.ndarray], np.ndarray]) -> float:
        """Largest absolute entry over the joint ranges."""
        return float(np.abs(function(self.robot, poses_in_range(self.robot))).max())

    def _formula(self, name: str, about: str, series: Series, shape: tuple[int, ...]) -> Formula:
        scale = float(np.abs(series.coefficients).max())
        return Formula(self.robot, name, about, shape, self._entries(series, scale, 0.0))

    @property
    def _weight(self) -> float:
        return float(np.linalg.norm(self.robot.gravity) * sum(body.mass for body in self.robot.bodies))

    def _entries(
        self, series: Series, scale: float, significance: float, rounded: float = 0.0
    ) -> Callable[[tuple[int, ...]], Terms]:
        """Terms of an entry; `rounded` is the size of the summands, which may cancel."""

        def make(place: tuple[int, ...]) -> Terms:
            terms = readable_terms(series[place], self.groups, ROUNDING * max(scale, rounded))
            return significant_terms(self.robot, terms, significance * scale) if significance else terms

        return make
