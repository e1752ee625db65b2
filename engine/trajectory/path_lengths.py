"""Upper bounds of how far each joint travels in parts of a trajectory."""

from __future__ import annotations

from math import comb

import numpy as np

from armature.engine.trajectory.trajectory import DEGREE, Trajectory

_D = DEGREE - 1  # degree of the speed
# Bernstein coefficients on 0…1 of Σ e_j s^j:  b_i = Σ_{j ≤ i} C(i, j) / C(d, j) e_j
_BERNSTEIN = np.array([[comb(i, j) / comb(_D, j) if j <= i else 0.0 for j in range(DEGREE)] for i in range(DEGREE)])
_SHIFT = np.array([[comb(k, j) for j in range(DEGREE)] for k in range(DEGREE)], float)


def path_lengths(trajectory: Trajectory, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return bounds `(K, n)` of ∫ |qd| dt, rad or m, from `start` to `end` `(K,)` s, each within one piece of the trajectory.

    ∫ |Σ b_i B_i| ds ≤ Σ |b_i| / (d + 1)  with the Bernstein polynomials B_i of degree d = 4 and the coefficients b_i of qd.

    The bound approaches the integral as the intervals become shorter.
    Source: Farin, Curves and Surfaces for CAGD, 5th edition 2002, chapter 6.
    """
    middle = (start + end) / 2
    piece = np.clip(np.searchsorted(trajectory.breaks, middle, side="right") - 1, 0, len(trajectory.coefficients) - 1)
    u, h = (start - trajectory.breaks[piece])[:, None, None], (end - start)[:, None, None]
    speed = trajectory.coefficients[piece][:, :, 1:] * np.arange(1, DEGREE + 1)  # qd = Σ speed_k u^k
    powers = u ** np.maximum(np.arange(DEGREE)[:, None] - np.arange(DEGREE), 0)
    local = np.einsum("anc,acj->anj", speed, _SHIFT * powers) * h ** np.arange(DEGREE)  # qd = Σ local_j s^j, s = (t − start) / h
    return np.abs(local @ _BERNSTEIN.T).mean(axis=2) * h[:, :, 0]
