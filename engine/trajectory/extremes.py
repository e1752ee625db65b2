"""Extremes of a trajectory's derivatives, from its polynomials rather than from samples between which a peak can hide."""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from armature.engine.trajectory.trajectory import DEGREE, Trajectory

_ROUNDING = 1e-12  # of a bound
_REAL = 1e-6  # imaginary part of a root that rounding has split


def peaks(trajectory: Trajectory, order: int) -> np.ndarray:
    """Largest |d^order q / dt^order| of each joint over the whole trajectory `(n,)`, rad or m per s^order.

    Both sides of every break count. A polynomial's extremes are its ends and the roots of its derivative; the roots are only
    computed for pieces whose Bernstein coefficients, which bound them, exceed the ends.

    Source: Farouki 2012, The Bernstein polynomial basis: a centennial retrospective, Computer Aided Geometric Design 29.
    """
    a = _scaled(trajectory, order)
    most = np.maximum(np.abs(a[:, :, 0]), np.abs(a.sum(axis=2))).max(axis=0)
    bound = np.abs(_bernstein(a)).max(axis=2)
    for piece, joint in np.argwhere(bound > most * (1.0 + _ROUNDING)):
        row = a[piece, joint]
        most[joint] = max(most[joint], *np.abs(np.polyval(row[::-1], _stationary(row))), 0.0)
    return most


def times_beyond(trajectory: Trajectory, order: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Times in s at which d^order q / dt^order is extreme, in the pieces that can leave `low` … `high`, each `(n,)`.

    The end of such a piece is the last time before its break, because the break itself belongs to the next piece.
    """
    a = _scaled(trajectory, order)
    b = _bernstein(a)
    found: list[float] = []
    for piece, joint in np.argwhere((b.min(axis=2) < low) | (b.max(axis=2) > high)):
        begin, end = trajectory.breaks[piece], trajectory.breaks[piece + 1]
        found += [begin, *(begin + _stationary(a[piece, joint]) * (end - begin)), np.nextafter(end, begin)]
    return np.array(found)


def _scaled(trajectory: Trajectory, order: int) -> np.ndarray:
    """Coefficients of the derivative in powers of u = (t − b_i) / h_i from 0 to 1, `(m, n, 6 − order)`."""
    c = trajectory.coefficients[:, :, order:]
    k = np.arange(DEGREE + 1 - order)
    falling = np.array([factorial(i + order) / factorial(i) for i in k])
    return c * falling * np.diff(trajectory.breaks)[:, None, None] ** k


def _bernstein(a: np.ndarray) -> np.ndarray:
    """Bernstein coefficients on [0, 1], between whose least and largest the polynomial stays, `(m, n, d + 1)`."""
    d = a.shape[2] - 1
    return a @ np.array([[comb(j, k) / comb(d, k) for j in range(d + 1)] for k in range(d + 1)])


def _stationary(a: np.ndarray) -> np.ndarray:
    """Points in [0, 1] where the polynomial with coefficients a `(d + 1,)`, lowest first, is stationary."""
    slope = (a * np.arange(len(a)))[1:]
    largest = np.abs(slope).max(initial=0.0)
    if largest == 0.0:
        return np.zeros(0)
    roots = np.roots(np.where(np.abs(slope) < 1e-15 * largest, 0.0, slope)[::-1])
    real = roots.real[np.abs(roots.imag) < _REAL]
    return real[(real > 0.0) & (real < 1.0)]
