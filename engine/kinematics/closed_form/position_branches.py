"""All positions of three revolute or prismatic joints that move a point to a given position."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

_LOOSE = 1e-3  # largest imaginary part of a root; wrong ones are dropped when the pose is checked
_NOTHING = 1e-11  # of its scale, a function that small everywhere is zero
_FIFTHS = 2 * np.pi * np.arange(5) / 5


def angles_of(a: float, b: float, c: float) -> list[float]:
    """Both θ in rad with a cos θ + b sin θ = c: φ + δ and φ − δ, φ = atan2(b, a), cos δ = c/√(a² + b²); one where they meet."""
    size = math.hypot(a, b)
    if size == 0.0 or abs(c) > size * (1 + _LOOSE):
        return []
    middle, cosine = math.atan2(b, a), max(-1.0, min(1.0, c / size))
    delta = math.acos(cosine)
    return [middle + delta] if 1 - abs(cosine) < 1e-15 else [middle + delta, middle - delta]


def roots_of(f: Callable[[float], float], turns: bool, scale: float, length: float) -> list[float] | None:
    """Real zeros of f; None where f is zero everywhere.

    A joint that turns: f is a trigonometric polynomial of degree ≤ 2, given exactly by five samples; with z = exp(iθ) its zeros
    are roots of Σ c_k z^(k+2) on the unit circle. A joint that slides: f is a polynomial of degree ≤ 4 in q / `length`.
    """
    if turns:
        samples = np.array([f(x) for x in _FIFTHS])
        coefficients = np.roll(np.fft.fft(samples) / 5, 2)[::-1]  # of z⁴ … z⁰
    else:
        nodes = np.cos((np.arange(5) + 0.5) * np.pi / 5)
        samples = np.array([f(x * length) for x in nodes])
        coefficients = np.linalg.solve(np.vander(nodes), samples)
    largest = np.abs(coefficients).max()
    if largest <= _NOTHING * scale:
        return None
    coefficients[np.abs(coefficients) < 1e-14 * largest] = 0.0
    roots = np.roots(coefficients)
    if turns:
        on = roots[np.abs(np.abs(roots) - 1) < _LOOSE]
        return [float(x) for x in np.angle(on)]
    real = roots[(np.abs(roots.imag) < _LOOSE) & (np.abs(roots.real) < 1e3)]
    return [float(x) * length for x in real.real]


def turn(q: float) -> np.ndarray:
    """Rot_z(q) `(3, 3)`."""
    c, s = math.cos(q), math.sin(q)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def cross(v, w) -> np.ndarray:
    """v × w; for two vectors a tenth of what numpy's general one takes."""
    return np.array([v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]])


def between(v, w) -> float:
    """Angle in rad about z from v to w, by their x and y."""
    return math.atan2(w[1], w[0]) - math.atan2(v[1], v[0])


SPHERICAL, PARALLEL = "three axes through one point", "three parallel axes"
NEARLY = 1e-4  # rad, and of the reach: precision of robot files; branches are refined afterwards


@dataclass(frozen=True, eq=False)
class SixAxes:
    """A chain of six joints with a closed form.

    `X` `(6, 4, 4)` each joint's placement in the one before; `X_6F` the frame on the last; `turns` which joints turn; `kind`
    SPHERICAL or PARALLEL, of the axes `first` (0-based) and the two after it; `meet` where these meet, as heights on the first
    and on the last of them (SPHERICAL); `crossing` where the last two axes of the chain do, as a height on the last, or None;
    `size` the reach in m.
    """

    X: np.ndarray
    X_6F: np.ndarray
    turns: tuple[bool, ...]
    kind: str
    first: int
    meet: tuple[float, float]
    crossing: float | None
    size: float

    @property
    def has_names(self) -> bool:
        """Whether it has a shoulder, an elbow and a wrist in this order, so that its branches have names."""
        return self.first == (3 if self.kind == SPHERICAL else 1) and self.crossing is not None

    @property
    def centre6(self) -> np.ndarray:
        """Intersection `(3,)` of the last two axes, in the frame of body 6."""
        return np.array([0.0, 0.0, self.crossing or 0.0])


def six_axes(X: np.ndarray, X_6F: np.ndarray, turns: tuple[bool, ...], size: float) -> SixAxes | None:
    """The closed form that fits six joints placed at X `(6, 4, 4)`, the usual ones first; None where none does."""
    last = _crossing(X[5], size) if turns[4] and turns[5] else None
    crossing = None if last is None else last[1]
    for first in (3, 0, 1, 2):
        if all(turns[first : first + 3]):
            before, after = _crossing(X[first + 1], size), _crossing(X[first + 2], size)
            if before is not None and after is not None and abs(before[1] - after[0]) < NEARLY * size:
                return SixAxes(X, X_6F, turns, SPHERICAL, first, (before[0], after[1]), crossing, size)
    for first in (1, 0, 2, 3) if all(turns) else ():
        fourth = (first > 0 and _parallel(X[first])) or (first < 3 and _parallel(X[first + 3]))
        if _parallel(X[first + 1]) and _parallel(X[first + 2]) and not fourth:
            return SixAxes(X, X_6F, turns, PARALLEL, first, (0.0, 0.0), crossing, size)
    return None


def _parallel(X: np.ndarray) -> bool:
    """Whether the next axis, placed at X, is parallel to this one."""
    return bool(np.hypot(X[0, 2], X[1, 2]) < NEARLY)


def _crossing(X: np.ndarray, size: float) -> tuple[float, float] | None:
    """Intersection of this axis and the next, placed at X, as heights on both; None without one.

    p + t d is on z if its x and y vanish: t = −(p · d)_xy/|d|²_xy with zero remainder.
    """
    if _parallel(X):
        return None
    p, d = X[:3, 3], X[:3, 2]
    t = -float(p[:2] @ d[:2]) / float(d[:2] @ d[:2])
    if np.hypot(*(p + t * d)[:2]) > NEARLY * size:
        return None
    return float(p[2] + t * d[2]), t


@dataclass(frozen=True, eq=False)
class CutLoop:
    """Six joints in the order they have from the cut on, and the pose that the last of them then takes.

    `order` the joints' places in the arm; `X` `(6, 4, 4)` the placement of each in the one before, the first in the frame of
    `X_W6`, the pose of body 6; `turns` which joints turn; `centre3`, `centre6` `(3,)` where the last three axes meet, in the
    frames of bodies 3 and 6 (of three axes through one point); `size` the reach in m.
    """

    order: tuple[int, ...]
    X: np.ndarray
    X_W6: np.ndarray
    turns: tuple[bool, ...]
    centre3: np.ndarray
    centre6: np.ndarray
    size: float


def cut_loop(six: SixAxes, X_WF: np.ndarray) -> CutLoop:
    """The loop that the pose X_WF `(4, 4)` closes, cut so that axes through one point come last, parallel ones second to fourth.

    X₁ J₁ X₂ J₂ … X₆ J₆ X_6F = X_WF is a loop J₁ X₂ J₂ … J₆ G₁ = 1 with G₁ = X_6F X_WF⁻¹ X₁, in which any joint may be the first.
    """
    start = (six.first + (3 if six.kind == SPHERICAL else -1)) % 6
    G = six.X.copy()
    G[0] = six.X_6F @ np.linalg.solve(X_WF, six.X[0])
    order = tuple((start + k) % 6 for k in range(6))
    X = G[list(order)]
    X[0] = np.eye(4)
    host = X[3]
    centre3 = host[:3, :3] @ np.array([0.0, 0.0, six.meet[0]]) + host[:3, 3]
    turns = tuple(six.turns[i] for i in order)
    return CutLoop(order, X, np.linalg.inv(G[start]), turns, centre3, np.array([0.0, 0.0, six.meet[1]]), six.size)


_Z = np.array([0.0, 0.0, 1.0])
_ON_AXIS = 1e-7  # of the reach: least distance of a point from an axis that determines the joint's angle


@dataclass(frozen=True)
class Part:
    """Positions of some joints of a branch, and the indices in the cut loop of those that are free."""

    q: tuple[float, ...]
    free: tuple[int, ...] = ()


def arm_parts(six: CutLoop, r: np.ndarray, q0: np.ndarray) -> list[Part]:
    """All (q1, q2, q3) that bring the point `six.centre3` of body 3 to r `(3,)`, given in joint 1's frame at rest.

    With g(q3) the point seen from joint 2 and u = Rot_z(q2) g or g + z q2 what joint 2 makes of it, it comes to h = a + R u in
    body 1. Joint 1 leaves |h| and h_z alone if it turns, h_x and h_y if it slides: two equations in q2 and q3.

    Source: Pieper 1968, The kinematics of manipulators under computer control, for general axes.
    """
    X2, X3 = six.X[1], six.X[2]
    a, R = X2[:3, 3], X2[:3, :3]

    def g(q3: float) -> np.ndarray:
        moved = turn(q3) @ six.centre3 if six.turns[2] else six.centre3 + _Z * q3
        return X3[:3, 3] + X3[:3, :3] @ moved

    solve = _second_turns if six.turns[1] else _second_slides
    parts = []
    for q3, u, third_free in solve(six, a, R, g, r, q0):
        seen, free = g(q3), [2] if third_free else []
        q2 = float(u[2] - seen[2])
        if six.turns[1]:
            lost = np.hypot(*seen[:2]) < _ON_AXIS * six.size
            q2 = q0[1] if lost else between(seen, u)
            free += [1] if lost else []
        h = a + R @ u
        q1 = float(r[2] - h[2])
        if six.turns[0]:
            lost = np.hypot(*r[:2]) < _ON_AXIS * six.size
            q1 = q0[0] if lost else between(h, r)
            free += [0] if lost else []
        parts.append(Part((q1, q2, q3), tuple(sorted(free))))
    return parts


def _thirds(f, six: CutLoop, power: int, q0: np.ndarray) -> list[tuple[float, bool]]:
    """Zeros q3 of f, which counts in m^power, and whether q3 is free there."""
    roots = roots_of(f, six.turns[2], six.size**power, six.size)
    return [(float(q0[2]), True)] if roots is None else [(q3, False) for q3 in roots]


def _second_turns(six: CutLoop, a, R, g, r, q0):
    """(q3, u, whether q3 is free) where joint 2 turns: n₁ · u_xy = k₁(q3), n₂ · u_xy = k₂(q3), |u_xy| = |g_xy|, u_z = g_z."""
    size = six.size
    if six.turns[0]:
        alpha, rho = R.T @ a / size, R[2]

        def k(q3):
            p = g(q3)
            return np.array([(r @ r - a @ a - p @ p) / (2 * size) - alpha[2] * p[2], r[2] - a[2] - rho[2] * p[2]])
    else:
        alpha, rho = R[0], R[1]

        def k(q3):
            p = g(q3)
            return np.array([r[0] - a[0] - alpha[2] * p[2], r[1] - a[1] - rho[2] * p[2]])

    U, sigma, Vt = np.linalg.svd(np.array([alpha[:2], rho[:2]]))
    if sigma[1] > NEARLY * sigma[0]:
        inverse = Vt.T @ np.diag(1 / sigma) @ U.T
        for q3, free in _thirds(lambda x: float(np.sum((inverse @ k(x)) ** 2) - np.sum(g(x)[:2] ** 2)), six, 2, q0):
            yield q3, np.array([*(inverse @ k(q3)), g(q3)[2]]), free
        return
    # one direction of u is not prescribed: that leaves one equation in q3 alone, and two u for each of its zeros
    for q3, free in _thirds(lambda x: float(U[:, 1] @ k(x)), six, 1, q0):
        along, p = float(U[:, 0] @ k(q3)) / sigma[0], g(q3)
        rest = float(p[:2] @ p[:2]) - along**2
        if rest < -NEARLY * size**2:
            continue
        for side in (1, -1) if rest > 0 else (1,):
            yield q3, np.array([*(along * Vt[0] + side * math.sqrt(max(rest, 0.0)) * Vt[1]), p[2]]), free


def _second_slides(six: CutLoop, a, R, g, r, q0):
    """(q3, u, whether q3 is free) where joint 2 slides: u = g + z q2."""
    n = R[:, 2]
    if not six.turns[0]:  # (a + R g + n q2)_xy = r_xy
        flat = float(n[:2] @ n[:2])
        for q3, free in _thirds(lambda x: float(cross(n, r - a - R @ g(x))[2]), six, 1, q0) if flat > NEARLY**2 else []:
            yield q3, g(q3) + _Z * float(n[:2] @ (r - a - R @ g(q3))[:2]) / flat, free
        return
    if abs(n[2]) > NEARLY:  # the height gives q2, the distance q3

        def u_of(x):
            return g(x) + _Z * float(r[2] - a[2] - R[2] @ g(x)) / n[2]

        for q3, free in _thirds(lambda x: float(np.sum((a + R @ u_of(x)) ** 2) - r @ r), six, 2, q0):
            yield q3, u_of(q3), free
        return
    for q3, free in _thirds(lambda x: float(r[2] - a[2] - R[2] @ g(x)), six, 1, q0):
        w = a + R @ g(q3)  # |w + n q2| = |r|
        half, rest = float(n @ w), float(w @ w - r @ r)
        if half**2 - rest < -NEARLY * six.size**2:
            continue
        root = math.sqrt(max(half**2 - rest, 0.0))
        for q2 in (-half + root, -half - root) if root > 0 else (-half,):
            yield q3, g(q3) + _Z * q2, free
