"""Small equations in one joint, all of whose real solutions are wanted."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

_LOOSE = 1e-3  # how far from real a root may lie; what does not hold is dropped when the pose is checked
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
