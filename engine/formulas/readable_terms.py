"""Trigonometric series as short formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from armature.engine.formulas.factor import COS, POSITION, SIN, Factor, Monomial, Terms, angle, product, unit
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class Series:
    """Series f(q) = Σ coefficient × one basis function per joint.

    `coefficients` `(b_1, …, b_n, …)`: axis i runs over 1, cos q_i, sin q_i, cos 2q_i, sin 2q_i … of a revolute joint i, or over
    1, q_i, q_i² … of a prismatic joint; further axes are the axes of f. Numbers, or objects such as sympy expressions.
    """

    slides: tuple[bool, ...]
    coefficients: np.ndarray

    @staticmethod
    def from_samples(function: Callable[[np.ndarray], np.ndarray], slides: tuple[bool, ...], degrees: tuple[int, ...]) -> Series:
        """Return the series of `function` of q `(N, n)` with at most these degrees, exact up to rounding.

        f is evaluated at 2d + 1 angles around the circle (d + 1 positions from −1 to 1 m for a slide), followed by a discrete
        Fourier transform along every axis.
        """
        points = [_points(slide, degree) for slide, degree in zip(slides, degrees)]
        grid = np.stack(np.meshgrid(*points, indexing="ij"), axis=-1)
        values = function(np.ascontiguousarray(grid.reshape(-1, len(slides))))
        C = values.reshape(*grid.shape[:-1], *values.shape[1:])
        for axis, (slide, x) in enumerate(zip(slides, points)):
            if len(x) > 1:
                C = along(np.linalg.inv(_basis(slide, x)), C, axis)
        return Series(slides, C)

    def slope(self, joint: int) -> Series:
        """Return ∂f/∂q of one joint."""
        count = self.coefficients.shape[joint]
        D = np.zeros((count, count), int)
        if self.slides[joint]:
            D[np.arange(count - 1), np.arange(1, count)] = np.arange(1, count)
        else:
            for k in range(1, count // 2 + 1):  # cos kq → −k sin kq,  sin kq → k cos kq
                D[2 * k, 2 * k - 1], D[2 * k - 1, 2 * k] = -k, k
        return Series(self.slides, along(D, self.coefficients, joint))

    def __getitem__(self, entry: tuple[int, ...]) -> Series:
        """Return the series of one entry of f."""
        C = self.coefficients.reshape(*self.coefficients.shape[: len(self.slides)], -1)
        shape = self.coefficients.shape[len(self.slides) :]
        return Series(self.slides, C[..., int(np.ravel_multi_index(entry, shape)) if shape else 0])


def along(T: np.ndarray, C: np.ndarray, axis: int) -> np.ndarray:
    """Return Σ_b T_ab C_…b… along an axis."""
    return np.moveaxis(np.tensordot(T, C, (1, axis)), 0, axis)


def _points(slide: bool, degree: int) -> np.ndarray:
    if slide:
        return np.linspace(-1.0, 1.0, degree + 1) if degree else np.zeros(1)
    return 2 * np.pi * np.arange(2 * degree + 1) / (2 * degree + 1)


def _basis(slide: bool, x: np.ndarray) -> np.ndarray:
    """Basis functions in columns, at the positions x in rows."""
    if slide:
        return x[:, None] ** np.arange(len(x))
    pairs = [wave(k * x) for k in range(1, len(x) // 2 + 1) for wave in (np.cos, np.sin)]
    return np.stack([np.ones_like(x), *pairs], axis=1)


_PARALLEL = 1e-12


def parallel_groups(robot: Robot) -> tuple[tuple[int, ...], ...]:
    """Return groups of at least two successive revolute joints with parallel axes; slides may be between them."""
    group_of: dict[int, list[int]] = {}
    groups: list[list[int]] = []
    for i, body in enumerate(robot.bodies):
        if robot.prismatic[i]:
            continue
        R, k = body.X_PJ[:3, :3], body.parent
        while k >= 0 and robot.prismatic[k]:
            R, k = robot.bodies[k].X_PJ[:3, :3] @ R, robot.bodies[k].parent
        if k >= 0 and np.hypot(R[0, 2], R[1, 2]) < _PARALLEL and group_of[k][-1] == k:
            group_of[i] = group_of[k]
            group_of[k].append(i)
        else:
            group_of[i] = [i]
            groups.append(group_of[i])
    return tuple(tuple(group) for group in groups if len(group) > 1)


_MOST = 1000  # products along one axis up to which the angles of one more joint are added


def readable_terms(
    series: Series, groups: Sequence[tuple[int, ...]], small: float = 0.0, positions: Mapping[int, Factor] | None = None
) -> Terms:
    """Return the series of one number as a sum of products, in the form with the fewest terms.

    Args:
        groups: revolute joints with parallel axes: sums of their angles are tried.
        positions: factors that replace the position of a slide.
        small: bound of rounding errors; larger numbers are rounded to the nearest power of ten.
    """
    table = _Table(series, small, positions or {})
    for group in groups:
        table = _best([table.with_squares(group), table.with_sums(group)])
    loose = [i for i, slides in enumerate(series.slides) if not slides and not any(i in group for group in groups)]
    return table.with_squares(loose).terms()


class _Table:
    """Coefficients along axes, with the product that each index of an axis represents."""

    def __init__(self, series: Series | None, small: float, positions: Mapping[int, Factor] = MappingProxyType({})):
        self.small, self.labels, self.axes = small, [], {}
        if series is not None:
            n = len(series.slides)
            self.C = series.coefficients
            self.axes = {joint: joint for joint in range(n)}
            shape = self.C.shape
            self.labels = [_labels(i, n, slides, shape[i], positions.get(i)) for i, slides in enumerate(series.slides)]

    @property
    def count(self) -> int:
        return int(np.count_nonzero(self._large()))

    @property
    def _decimals(self) -> int:
        return round(-math.log10(self.small)) if self.small > 0.0 else 17

    def _large(self) -> np.ndarray:
        return self.C != 0 if self.C.dtype == object else np.abs(self.C) > self.small

    def _with(self, C: np.ndarray, labels: list) -> _Table:
        other = _Table(None, self.small)
        other.C, other.labels, other.axes = C, labels, self.axes
        return other

    def with_squares(self, joints: Sequence[int]) -> _Table:
        """Write double angles of these joints as squares if that needs no more terms."""
        best = self
        for joint in joints:
            best = _best([*best._squares_of(self.axes[joint]), best])
        return best

    def _squares_of(self, axis: int) -> list[_Table]:
        """cos 2φ = 1 − 2 sin² φ, or 2 cos² φ − 1;  sin 2φ = 2 sin φ cos φ, for every φ along an axis."""
        labels = self.labels[axis]
        doubled = [a for a, label in enumerate(labels) if _is_doubled(label)]
        if not doubled:
            return []
        found = []
        for kind, sign in ((COS, 1), (SIN, -1)):
            T, new = np.eye(len(labels), dtype=int), list(labels)
            for a in doubled:
                ((factor, _),) = labels[a]
                half = tuple(k // 2 for k in factor.k)
                c, s = angle(half)
                T[a, a] = 2 if factor.kind == SIN else 2 * sign
                if factor.kind == COS:
                    T[0, a] = -sign
                new[a] = product(c, s) if factor.kind == SIN else product(*2 * [c if kind == COS else s])
            found.append(self._with(along(T, self.C, axis), [*self.labels[:axis], new, *self.labels[axis + 1 :]]))
        return found

    def with_sums(self, group: Sequence[int]) -> _Table:
        """Write products of a group's angles as sums and differences of the angles, along one axis."""
        table = self
        first = self.axes[group[0]]
        for joint in group[1:]:
            if len(table.labels[first]) * len(table.labels[self.axes[joint]]) <= _MOST:
                table = table._merge(first, self.axes[joint])
        return _best([*table._squares_of(first), table])

    def _merge(self, a: int, b: int) -> _Table:
        """Combine two axes: the products that occur are along the first, the second has only 1."""
        index: dict[Monomial, int] = {(): 0}
        entries = []
        for x, one in enumerate(self.labels[a]):
            for y, other in enumerate(self.labels[b]):
                for label, value in _sums(one, other):
                    entries.append((index.setdefault(label, len(index)), x * len(self.labels[b]) + y, value))
        T = np.zeros((len(index), len(self.labels[a]) * len(self.labels[b])))
        for row, column, value in entries:
            T[row, column] += value
        if self.C.dtype == object:
            T = _exact(T)
        moved = np.moveaxis(self.C, (a, b), (0, 1))
        rows = T @ moved.reshape(T.shape[1], -1)
        large = rows != 0 if rows.dtype == object else np.abs(rows) > self.small
        kept = [k for k in range(len(index)) if k == 0 or large[k].any()]
        C = rows[kept].reshape(len(kept), 1, *moved.shape[2:])
        labels, found = list(self.labels), list(index)
        labels[a], labels[b] = [found[k] for k in kept], [()]
        return self._with(np.moveaxis(C, (0, 1), (a, b)), labels)

    def terms(self) -> Terms:
        found: Terms = {}
        for place in np.argwhere(self._large()):
            label = product(*(self.labels[axis][k] for axis, k in enumerate(place)))
            value = self.C[tuple(place)]
            found[label] = value if self.C.dtype == object else round(float(value), self._decimals)
        return found


def _best(tables: list[_Table]) -> _Table:
    """Return the first of the tables with the fewest terms."""
    return min(tables, key=lambda table: table.count)


def _labels(joint: int, n: int, slides: bool, count: int, position: Factor | None) -> list[Monomial]:
    if slides:
        one = unit(POSITION, joint, n) if position is None else ((position, 1),)
        return [product(*[one] * power) for power in range(count)]
    waves = [angle(tuple(k * int(i == joint) for i in range(n))) for k in range(1, count // 2 + 1)]
    return [(), *(label for pair in waves for label in pair)]


def _is_doubled(label: Monomial) -> bool:
    return len(label) == 1 and label[0][1] == 1 and label[0][0].kind in (COS, SIN) and not any(k % 2 for k in label[0][0].k)


def _sums(one: Monomial, other: Monomial) -> list[tuple[Monomial, float]]:
    """Product of two sines, cosines or ones as a sum:  2 cos a cos b = cos(a + b) + cos(a − b) and so on."""
    if not one or not other:
        return [(one or other, 1.0)]
    ((a, _),), ((b, _),) = one, other
    plus, minus = tuple(x + y for x, y in zip(a.k, b.k)), tuple(x - y for x, y in zip(a.k, b.k))
    if a.kind == COS and b.kind == COS:
        waves = ((COS, plus, 0.5), (COS, minus, 0.5))
    elif a.kind == SIN and b.kind == SIN:
        waves = ((COS, minus, 0.5), (COS, plus, -0.5))
    elif a.kind == SIN:
        waves = ((SIN, plus, 0.5), (SIN, minus, 0.5))
    else:
        waves = ((SIN, plus, 0.5), (SIN, minus, -0.5))
    return [_upright(*wave) for wave in waves]


def _upright(kind: str, k: tuple[int, ...], value: float) -> tuple[Monomial, float]:
    """Make the first number of k positive:  cos(−x) = cos x,  sin(−x) = −sin x."""
    if next(x for x in k if x) < 0:
        k, value = tuple(-x for x in k), value if kind == COS else -value
    return ((Factor(kind, k), 1),), value


def _exact(T: np.ndarray) -> np.ndarray:
    """Return multiples of one half as exact rational numbers."""
    from sympy import QQ

    exact = np.zeros(T.shape, object)
    for place in np.argwhere(T):
        exact[tuple(place)] = QQ(int(2 * T[tuple(place)]), 2)
    return exact
