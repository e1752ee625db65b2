"""Determinant of the Jacobian as a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armature.engine.errors import EngineError
from armature.engine.formulas.factor import COS, POSITION, SIN, Factor, Terms, product
from armature.engine.formulas.formula import Formula, always
from armature.engine.formulas.readable_terms import Series, along, parallel_groups, readable_terms
from armature.engine.formulas.typeset import letters, number
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.task import is_turned, task_rows
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot

_ON_CIRCLE = 1e-6
_VANISHES = 1e-9
_QUARTER = np.pi / 2


def joint_factor(series: Series, joint: int) -> tuple[np.ndarray, Series] | None:
    """Return a factor of degree 1 in one joint, and the quotient; None without such a factor.

    The factor has the coefficients of 1, cos q, sin q, or of 1, q for a slide.
    """
    columns = np.moveaxis(series.coefficients, joint, 0).reshape(series.coefficients.shape[joint], -1)
    if len(columns) == 1 or not columns.any():
        return None
    slides = series.slides[joint]
    roots = _common_roots(columns, slides)
    for factor in [np.array([-root, 1.0]) for root in roots] if slides else _pairs(roots):
        rest = _divide(series, joint, factor)
        if rest is not None:
            return factor, rest
    return None


def _common_roots(columns: np.ndarray, slides: bool) -> list[float]:
    """Common zeros of all columns, double ones twice, rounded to multiples of a quarter turn if close to one."""
    strongest = columns[:, np.abs(columns).max(axis=0).argmax()]
    found = []
    for root in np.roots(strongest[::-1]) if slides else np.roots(_in_powers_of_z(strongest)):
        if (slides and abs(root.imag) > _ON_CIRCLE) or (not slides and abs(abs(root) - 1) > _ON_CIRCLE):
            continue
        x = float(root.real) if slides else float(np.angle(root))
        near = 0.0 if slides else _QUARTER * round(x / _QUARTER)
        x = near if abs(x - near) < _ON_CIRCLE else x
        if np.abs(_values(columns, slides, x)).max() < _VANISHES * np.abs(columns).max():
            found.append(x)
    return found


def _in_powers_of_z(wave: np.ndarray) -> np.ndarray:
    """Coefficients of the series times z^d as a polynomial in z = e^{iq}, highest power first."""
    d = len(wave) // 2
    powers = np.zeros(2 * d + 1, complex)
    powers[d] = wave[0]
    for k in range(1, d + 1):
        c, s = wave[2 * k - 1], wave[2 * k]
        powers[d + k], powers[d - k] = (c - 1j * s) / 2, (c + 1j * s) / 2
    return powers[::-1]


def _values(columns: np.ndarray, slides: bool, x: float) -> np.ndarray:
    if slides:
        return x ** np.arange(len(columns)) @ columns
    k = np.arange(1, len(columns) // 2 + 1)
    return np.concatenate([[1.0], np.stack([np.cos(k * x), np.sin(k * x)], axis=1).ravel()]) @ columns


def _pairs(roots: list[float]) -> list[np.ndarray]:
    """Factors cos(q − m) − cos h with zeros m ± h for all pairs of roots; pairs half a turn apart first."""
    pairs = [(a, b) for k, a in enumerate(roots) for b in roots[k + 1 :]]
    pairs.sort(key=lambda pair: abs(abs(pair[0] - pair[1]) - np.pi))
    factors = []
    for a, b in pairs:
        m, h = (a + b) / 2, (a - b) / 2
        factor = np.array([-np.cos(h), np.cos(m), np.sin(m)])
        factors.append(np.where(np.abs(factor) < 1e-12, 0.0, factor))
    return factors


def _divide(series: Series, joint: int, factor: np.ndarray) -> Series | None:
    """Return the series divided by the factor; None with a remainder."""
    C, slides = series.coefficients, series.slides[joint]
    count = C.shape[joint] - (1 if slides else 2)
    times = np.zeros((C.shape[joint], count))
    for k in range(count):
        one = np.zeros(count)
        one[k] = 1.0
        if slides:
            times[:, k] = np.convolve(one, factor)
        else:
            powers = np.convolve(_in_powers_of_z(one), _in_powers_of_z(factor))[::-1]
            d = len(powers) // 2
            times[0, k] = powers[d].real
            times[1::2, k] = 2 * powers[d + 1 :].real
            times[2::2, k] = -2 * powers[d + 1 :].imag
    quotient = along(np.linalg.pinv(times), C, joint)
    if np.abs(along(times, quotient, joint) - C).max() > _VANISHES * np.abs(C).max():
        return None
    return Series(series.slides, quotient)


_STEPS, _POSES, _HALVINGS = 181, 64, 60


def zero_pose(robot: Robot, formula: Formula) -> NDArray[np.float64] | None:
    """Return a pose `(n,)` within the joint limits at which the formula is 0, if possible one joint away from home, or None.

    Each joint is moved alone, from home and then from random poses; a change of sign is bisected.
    """
    low, high = joint_ranges(robot)
    joints = sorted({i for monomial in formula.terms() for factor, _ in monomial for i, k in enumerate(factor.k) if k})
    home = np.clip(robot.configurations["home"], low, high)
    starts = [home, *np.random.default_rng(0).uniform(low, high, (_POSES, robot.n))]
    scale = max((abs(formula.number(value)) for value in formula.terms().values()), default=0.0)
    for start in starts:
        for joint in joints:
            line = np.repeat(start[None], _STEPS, axis=0)
            line[:, joint] = np.linspace(low[joint], high[joint], _STEPS)
            values = formula.evaluate(line)
            values[np.abs(values) < 1e-12 * scale] = 0.0
            zeros = [pose for pose, value in zip(line, values) if value == 0]
            zeros += [_bisect(formula, line[k], line[k + 1]) for k in np.flatnonzero(values[1:] * values[:-1] < 0)]
            if zeros:
                return min(zeros, key=lambda pose: abs(pose[joint] - start[joint]))
    return None


def _bisect(formula: Formula, a: np.ndarray, b: np.ndarray) -> NDArray[np.float64]:
    sign = np.sign(formula.evaluate(a))
    for _ in range(_HALVINGS):
        middle = (a + b) / 2
        if np.sign(formula.evaluate(middle)) == sign:
            a = middle
        else:
            b = middle
    return (a + b) / 2


_ROUNDING = 1e-13
_ROUNDING_OF_REST = 1e-10
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class DeterminantFactor:
    """One factor of det J: its `formula`, its `power`, and a pose `q` `(n,)` within the limits at which it vanishes, if any."""

    formula: Formula
    power: int
    q: NDArray[np.float64] | None


class Determinant(Formula):
    """det J of the task's rows: `constant` times the product of `factors`."""

    def __init__(
        self,
        robot: Robot,
        make: Callable[[tuple[int, ...]], Terms],
        constant: Any,
        factors: tuple[DeterminantFactor, ...],
        values: Mapping[str, float] | None = None,
    ):
        super().__init__(robot, "det_J", f"determinant of the Jacobian in {', '.join(robot.task)}", (), make, letters=values)
        self.constant, self.factors = constant, factors

    def __reduce__(self):
        return _restore, (self._robot, self.terms(), self.constant, self.factors, dict(self.letters))

    def __eq__(self, other: object) -> bool:
        if not (isinstance(other, Determinant) and super().__eq__(other)):
            return False
        return self.constant == other.constant and self._powers() == other._powers()

    __hash__ = Formula.__hash__

    def _powers(self) -> list[tuple[Formula, int]]:
        return [(factor.formula, factor.power) for factor in self.factors]

    @property
    def sentence(self) -> str:
        """Message with the number of factors, and of those that vanish within the limits."""
        if not self.factors:
            return "det J is the same in every pose"
        zeros = sum(factor.q is not None for factor in self.factors)
        if len(self.factors) > 1:
            return f"det J is a product of {len(self.factors)} factors; {zeros} of them vanish within the joint limits"
        return "det J has a single factor" if len(self.factors[0].formula.terms()) == 1 else "det J cannot be factored"

    def factored_latex(self, digits: int = 4) -> str:
        """Return the product in LaTeX."""
        constant, *parts = self.factored_parts(digits)
        if parts and constant in ("1", "-1"):
            return constant[:-1] + r" \, ".join(parts)
        return r" \, ".join([constant, *parts])

    def factored_parts(self, digits: int = 4) -> list[str]:
        """Return the constant, and each factor with its power, in LaTeX."""
        parts = [number(self.constant, digits) if isinstance(self.constant, float) else letters(self.constant)]
        for factor in self.factors:
            text = factor.formula.latex(digits)
            text = rf"\left({text}\right)" if len(factor.formula.terms()) > 1 else text
            parts.append(text + (f"^{{{factor.power}}}" if factor.power > 1 else ""))
        return parts


def _restore(robot: Robot, terms: Terms, constant, factors, letters) -> Determinant:
    return Determinant(robot, always(terms), constant, factors, letters)


def determinant(robot: Robot) -> Determinant:
    """Return det J with numeric coefficients: sampled, and divided by all factors that depend on a single joint.

    Rotations of the base do not change the determinant, so with six joints and coordinates its degree is min(i − 1, n − i) in
    joint i.
    """
    rows = square_rows(robot)
    slides = tuple(bool(x) for x in robot.prismatic)
    series = Series.from_samples(lambda q: np.linalg.det(jacobian(robot, q)[:, rows]), slides, _degrees(robot, rows))
    C = np.where(np.abs(series.coefficients) > _ROUNDING * np.abs(series.coefficients).max(), series.coefficients, 0.0)
    whole = rest = Series(slides, C)
    groups, lengths = parallel_groups(robot), _lengths(robot)
    found: list[Terms] = []
    for joint in range(robot.n):
        while (divided := joint_factor(rest, joint)) is not None:
            factor, rest = divided
            found.append(_scaled(_of_joint(factor, joint, robot.n, slides[joint]), lengths))
    largest = float(np.abs(rest.coefficients).max())
    terms = readable_terms(rest, groups, _ROUNDING * largest) if largest else {}
    remainder = {monomial: value for monomial, value in terms.items() if abs(value) > _ROUNDING_OF_REST * largest}
    if any(remainder):
        found.append(_scaled(remainder, lengths))
    make = _expansion(whole, groups)
    constant = _constant(robot, rows, found) if remainder else 0.0
    return Determinant(robot, lambda _: make(), constant, determinant_factors(robot, found))


def square_rows(robot: Robot) -> np.ndarray:
    """Return the rows of the task. Raises EngineError unless there are as many as joints."""
    rows = task_rows(robot)
    if is_turned(robot, rows):
        raise EngineError(
            f"{robot.name}: the determinant is only available for tasks in world axes, not in {robot.task_axes} axes"
        )
    if len(rows) != robot.n:
        coordinates = ", ".join(robot.task)
        raise EngineError(
            f"{robot.name}: {robot.n} joints for {len(rows)} task coordinates ({coordinates}); only a square J has a determinant"
        )
    return rows


def determinant_factors(
    robot: Robot, found: list[Terms], values: Mapping[str, float] | None = None
) -> tuple[DeterminantFactor, ...]:
    """Return the different factors with their powers, and with a pose at which each vanishes."""
    powers: list[list] = []
    for terms in found:
        same = next((entry for entry in powers if _equal(entry[0], terms)), None)
        if same:
            same[1] += 1
        else:
            powers.append([terms, 1])
    factors = []
    for k, (terms, power) in enumerate(powers):
        formula = Formula(robot, f"factor{k + 1}", "factor of det J", (), always(terms), letters=values)
        factors.append(DeterminantFactor(formula, power, zero_pose(robot, formula)))
    return tuple(factors)


def _equal(one: Terms, other: Terms) -> bool:
    if one.keys() != other.keys():
        return False
    return all(value == other[m] or (isinstance(value, float) and abs(value - other[m]) < _SAME) for m, value in one.items())


def _degrees(robot: Robot, rows: np.ndarray) -> tuple[int, ...]:
    n = robot.n
    if len(rows) == 6 and all(body.parent == i - 1 for i, body in enumerate(robot.bodies)):
        return tuple(min(i, n - 1 - i) for i in range(n))
    return (len(rows),) * n


def _expansion(series: Series, groups) -> Callable[[], Terms]:
    return lambda: readable_terms(series, groups, _ROUNDING * max(float(np.abs(series.coefficients).max()), 1e-300))


def _of_joint(factor: np.ndarray, joint: int, n: int, slides: bool) -> Terms:
    k = tuple(int(i == joint) for i in range(n))
    labels = [(), product(((Factor(POSITION, k), 1),))] if slides else [(), ((Factor(COS, k), 1),), ((Factor(SIN, k), 1),)]
    return {label: float(value) for label, value in zip(labels, factor) if value}


def _lengths(robot: Robot) -> np.ndarray:
    """Absolute values of a and d in the DH table."""
    if robot.dh is None:
        return np.empty(0)
    sizes = np.abs(np.concatenate([robot.dh.a, robot.dh.d]))
    return sizes[sizes > _SAME]


def _scaled(terms: Terms, lengths: np.ndarray) -> Terms:
    """Scale terms so that as many coefficients as possible are lengths of the arm; a single coefficient becomes 1."""
    values = np.array([float(value) for value in terms.values()])
    first = values[np.abs(values).argmax()]
    if len(values) == 1:
        scale = 1.0 / first
    else:
        scales = [length / abs(value) for length in lengths for value in values] or [1.0 / abs(first)]
        fits = [np.sum(np.abs(np.abs(values[:, None] * s) - lengths).min(axis=1, initial=np.inf) < 1e-9) for s in scales]
        best = int(np.argmax(fits))
        scale = (scales[best] if fits[best] > 1 else 1.0 / abs(first)) * (np.sign(np.sign(values).sum()) or np.sign(first))
    return {monomial: round(float(value) * scale, 12) for monomial, value in terms.items()}


def _constant(robot: Robot, rows: np.ndarray, found: list[Terms]) -> float:
    """Ratio of det J to the product of the factors, at the pose with the largest product."""
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (64, robot.n))
    value = np.ones(len(q))
    for terms in found:
        value *= Formula(robot, "", "", (), always(terms)).evaluate(q)
    k = np.abs(value).argmax()
    return float(f"{np.linalg.det(jacobian(robot, q[k])[rows]) / value[k]:.12g}")
