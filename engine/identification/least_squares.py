"""Weighted least squares for the base parameters, with standard deviations that allow for noise that is not white."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.identification.rows import Rows
from armature.engine.model.frozen import Frozen

_PASSES = 6  # of weights from residuals
_SAME = 1e-3  # by so little weights change at the end
_RANK = 1e-9  # of the largest column; below it a column depends on others
_EXACT = 1e-10  # of a joint's torque: residuals below it are rounding
_SIGNIFICANT = 2.5  # standard deviations: a correlation above them is no accident


@dataclass(frozen=True, eq=False)
class Solution(Frozen):
    """`values` `(m,)` with `covariance` `(m, m)`; `told` `(m,)` whether the rows tell them, and `dependent` `(m, m)`, where
    they do not, the part of their columns in those of the others: x_k + dependent[k, j] x_j is known. `noise` `(n,)` the standard
    deviation of a row per joint, `residual` `(B, n)`, `correlation` `(n,)` that of a residual with the next, `lags` how many
    of those correlations are allowed for."""

    values: np.ndarray
    covariance: np.ndarray
    told: np.ndarray
    dependent: np.ndarray
    noise: np.ndarray
    residual: np.ndarray
    correlation: np.ndarray
    lags: int


def solved(rows: Rows, prior: np.ndarray) -> Solution:
    """min Σ_j |A_j x − y_j|² / σ_j², σ_j from the residuals of joint j, again and again until they no longer change.

    What the rows do not tell keeps its `prior` value. The covariance is that for noise stationary in time and correlated between
    joints and with itself, with Bartlett's weights:

        cov = H⁻¹ (Σ_l w_l Σ_t A_t+lᵀ S⁻¹ C_l S⁻¹ A_t) H⁻¹,  H = Σ_t A_tᵀ S⁻¹ A_t,  S = diag σ²,  C_l the residuals' covariance

    Source: Swevers, Ganseman, Tükel, De Schutter, Van Brussel 1997, Optimal robot excitation and identification; Newey, West
    1987.
    """
    y = rows.y - rows.A @ prior
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    floor = _EXACT * np.where(size > 0.0, size, 1.0)
    noise = np.where(size > 0.0, size, 1.0)
    kept, dependent = _independent(rows.A, noise)
    A = rows.A[..., kept]
    for _ in range(_PASSES):
        delta, leverage = _fit(A, y, noise)
        residual = y - A @ delta
        freedom = np.maximum((rows.share > 0).sum(axis=0) - leverage, 1.0)
        before, noise = noise, np.maximum(np.sqrt((residual**2).sum(axis=0) / freedom), floor)
        if np.abs(noise / before - 1.0).max() < _SAME:
            break
    covariance, correlation, lags = _covariance(A, residual, noise, freedom, rows)
    m = len(prior)
    values, full = prior.copy(), np.zeros((m, m))
    values[kept] += delta
    full[np.ix_(kept, kept)] = covariance
    told = np.zeros(m, bool)
    told[kept] = True
    return Solution(values, full, told, dependent, noise, residual, correlation, lags)


def _independent(A: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The unknowns that rows can tell, in order, and how the columns of the others are made of theirs."""
    from scipy.linalg import qr, solve_triangular

    m = A.shape[2]
    stack = (A / noise[:, None]).reshape(-1, m)
    norms = np.linalg.norm(stack, axis=0)
    seen = np.flatnonzero(norms > _RANK * norms.max(initial=0.0))
    dependent = np.zeros((m, m))
    R, order = qr(stack[:, seen] / norms[seen], mode="r", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    rank = int((diagonal > _RANK * diagonal.max(initial=0.0)).sum())
    kept, rest = seen[order[:rank]], seen[order[rank:]]
    if len(rest):
        beta = solve_triangular(R[:rank, :rank], R[:rank, rank:]) * norms[rest] / norms[kept][:, None]
        dependent[np.ix_(rest, kept)] = beta.T
    return np.sort(kept), dependent


def _fit(A: np.ndarray, y: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The solution, and per joint the sum of the rows' leverage: how many unknowns its rows are used up for."""
    m = A.shape[2]
    stack = (A / noise[:, None]).reshape(-1, m)
    norms = np.linalg.norm(stack, axis=0)
    Q, R = np.linalg.qr(stack / norms)
    delta = np.linalg.solve(R, Q.T @ (y / noise).ravel()) / norms
    return delta, (Q**2).sum(axis=1).reshape(y.shape).sum(axis=0)


def _covariance(
    A: np.ndarray, residual: np.ndarray, noise: np.ndarray, freedom: np.ndarray, rows: Rows
) -> tuple[np.ndarray, np.ndarray, int]:
    scaled = A / noise[:, None]
    norms = np.linalg.norm(scaled.reshape(-1, A.shape[2]), axis=0)
    scaled = scaled / norms
    _, R = np.linalg.qr(scaled.reshape(-1, A.shape[2]))
    inverse = np.linalg.inv(R)
    inverse = inverse @ inverse.T
    e = residual / noise
    whole = np.ones(len(e), bool)
    whole[list(rows.begins)] = False  # a block and the one before it are of one recording
    counts = (rows.share > 0).sum(axis=0)
    power = np.maximum((e**2).sum(axis=0), 1e-300)
    correlation = (e[1:] * e[:-1] * whole[1:, None]).sum(axis=0) / power
    lags = _lags(correlation, counts)
    meat = np.zeros_like(inverse)
    for lag in range(lags + 1):
        same = _of_one_recording(rows, lag)
        C = (e[lag:] * same[:, None]).T @ e[: len(e) - lag] / np.sqrt(np.outer(freedom, freedom))
        ahead = scaled[lag:] * same[:, None, None]
        part = np.einsum("tia,ij,tjb->ab", ahead, C, scaled[: len(e) - lag], optimize=True)
        weight = 1.0 - lag / (lags + 1.0)
        meat += weight * (part if lag == 0 else part + part.T)
    covariance = inverse @ meat @ inverse / np.outer(norms, norms)
    return covariance, correlation, lags


def _lags(correlation: np.ndarray, counts: np.ndarray) -> int:
    """How many correlations with later residuals to allow for: none where they are negative or may be accidents. Andrews
    1991, AR(1), Bartlett."""
    strong = correlation * np.sqrt(np.maximum(counts, 1)) > _SIGNIFICANT
    if not strong.any():
        return 0
    rho = float(np.clip(correlation[strong].max(), 0.0, 0.97))
    alpha = 4 * rho**2 / ((1 - rho) ** 2 * (1 + rho) ** 2)
    count = int(counts.max())
    return min(int(np.ceil(1.1447 * (alpha * count) ** (1 / 3))), count // 10)


def _of_one_recording(rows: Rows, lag: int) -> np.ndarray:
    """Which blocks from `lag` on are of the same recording as that `lag` before."""
    place = np.searchsorted(np.array(rows.begins), np.arange(len(rows.y)), side="right")
    return place[lag:] == place[: len(place) - lag]
