"""Polynomials with given positions and derivatives at both ends (Hermite interpolation), and splines of them."""

from __future__ import annotations

from math import factorial

import numpy as np

from armature.engine.trajectory.trajectory import Trajectory

CUBIC, QUINTIC = 2, 3
"""Numbers of values q, qd, qdd that are given at each end."""


def _derivatives(u: float, size: int) -> np.ndarray:
    """Matrix whose row d has the d-th derivatives of 1, u, u², … at u, `(size, size)`."""
    rows = np.zeros((size, size))
    for d in range(size):
        for k in range(d, size):
            rows[d, k] = factorial(k) / factorial(k - d) * u ** (k - d)
    return rows


def _basis(order: int) -> np.ndarray:
    """Coefficients in u = t / h from values and derivatives by u at 0, then at 1, `(2 order, 2 order)`."""
    ends = np.vstack([_derivatives(0.0, 2 * order)[:order], _derivatives(1.0, 2 * order)[:order]])
    return np.linalg.inv(ends)


_BASES = {order: _basis(order) for order in (CUBIC, QUINTIC)}


def joined(first: np.ndarray, last: np.ndarray, durations: np.ndarray) -> Trajectory:
    """Return the trajectory of pieces i from `first[i]` to `last[i]`, both `(m, order, n)`: q, qd (, qdd); durations `(m,)` s."""
    order = first.shape[1]
    h = np.asarray(durations, float)
    powers = h[:, None] ** np.arange(order)
    given = np.concatenate([first * powers[:, :, None], last * powers[:, :, None]], axis=1)
    c = np.einsum("kj,mjn->mnk", _BASES[order], given)
    c /= h[:, None, None] ** np.arange(2 * order)
    return Trajectory(np.concatenate([[0.0], np.cumsum(h)]), c)


def smoothest(q: np.ndarray, durations: np.ndarray, order: int) -> Trajectory:
    """Return the spline through q `(m + 1, n)` with the least ∫ |d^order q / dt^order|² dt, of degree 2 order − 1.

    It is at rest at both ends. The derivatives at inner points follow from the continuity of the derivatives order … 2 order − 2.

    Source: de Boor, A Practical Guide to Splines, chapter IV; Flash and Hogan 1985 for minimum jerk.
    """
    m, n = len(q) - 1, q.shape[1]
    h, size = np.asarray(durations, float), order - 1
    nodes = np.zeros((m + 1, order, n))
    nodes[:, 0] = q
    basis, start, end = _BASES[order], _derivatives(0.0, 2 * order), _derivatives(1.0, 2 * order)
    A, b = np.zeros(((m - 1) * size, (m - 1) * size)), np.zeros(((m - 1) * size, n))
    for node in range(1, m):
        for row in range(size):
            d = order + row
            for piece, sign, derivative in ((node - 1, 1.0, end), (node, -1.0, start)):
                weights = sign * (derivative[d] @ basis) / h[piece] ** d
                for side in (0, 1):
                    for k in range(order):
                        weight, at = weights[side * order + k] * h[piece] ** k, piece + side
                        line = (node - 1) * size + row
                        if k == 0:
                            b[line] -= weight * q[at]
                        elif 0 < at < m:
                            A[line, (at - 1) * size + k - 1] += weight
    if m > 1:
        nodes[1:m, 1:] = np.linalg.solve(A, b).reshape(m - 1, size, n)
    return joined(nodes[:-1], nodes[1:], h)
