"""Weighted least squares for the base parameters, with standard deviations that allow for noise that is not white."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.identification.noise_model import (
    LAGS,
    MOST,
    NoiseModel,
    autocovariances,
    noise_model_of,
    runs_of,
    white_noise,
    whiteness,
)
from armature.engine.identification.rows import Rows
from armature.engine.model.frozen import Frozen

_WHITE, _PASSES = 3, 8  # passes with noise taken as white, and in all
_SAME = 1e-3  # by so little weights change at the end
_RANK = 1e-9  # of the largest column; below it a column depends on others
_WITHIN = 1.96  # standard deviations
_EXACT = 1e-10  # of a joint's torque: residuals below it are rounding


@dataclass(frozen=True, eq=False)
class Solution(Frozen):
    """`values` `(m,)` with `covariance` `(m, m)`; `told` `(m,)` whether the rows tell them, and `dependent` `(m, m)`, where
    they do not, the part of their columns in those of the others: x_k + dependent[k, j] x_j is known. `noise` `(n,)` the standard
    deviation of a row per joint, `residual` `(B, n)`, `white` `(B, n)` what `model` leaves of it, `correlation` `(LAGS, n)` of
    that with itself 1, 2, … rows later, `within` `(n,)` the share of them that 95 % of white noise would have, and `whiteness`
    `(n,)`, how probable such correlations are in white noise."""

    values: np.ndarray
    covariance: np.ndarray
    told: np.ndarray
    dependent: np.ndarray
    noise: np.ndarray
    residual: np.ndarray
    white: np.ndarray
    model: NoiseModel
    correlation: np.ndarray
    within: np.ndarray
    whiteness: np.ndarray


def solved(rows: Rows, prior: np.ndarray) -> Solution:
    """min Σ_j |A_j x − y_j|² / σ_j², σ_j from the residuals of joint j, again and again until they no longer change.

    What the rows do not tell keeps its `prior` value. The covariance is that for noise correlated between joints, and in time as
    its model says, e = Ψ u:

        cov = H⁻¹ (Σ_t v_tᵀ C v_t) H⁻¹,  v = Ψᵀ S⁻¹ A,  H = Σ_t A_tᵀ S⁻¹ A_t,  S = diag σ²,  C the correlation of u between joints

    The model is for σ alone. Weights by it would make more of what is fast, where a real arm is least like its model.

    Source: Swevers, Ganseman, Tükel, De Schutter, Van Brussel 1997, Optimal robot excitation and identification; den Haan, Levin
    1997, A practitioner's guide to robust covariance matrix estimation.
    """
    y = rows.y - rows.A @ prior
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    floor = _EXACT * np.where(size > 0.0, size, 1.0)
    weights = white_noise(np.where(size > 0.0, size, 1.0))
    kept, dependent = _independent(rows.A, weights.left)
    A, runs = rows.A[..., kept], runs_of(rows)
    for k in range(_PASSES):
        B, z = weights.whitened(A, runs), weights.whitened(y, runs)
        delta, inverse, leverage = _fit(B, z)
        residual, before = y - A @ delta, weights.left
        if k < _WHITE:
            freedom = np.maximum(runs.used.sum(axis=0) - leverage, 1.0)
            model = white_noise(np.maximum(np.sqrt((residual**2).sum(axis=0) / freedom), floor))
        else:
            model = noise_model_of(autocovariances(residual, A, inverse, runs, MOST), runs, floor)
        weights = model.weights()
        if k >= _WHITE and np.abs(weights.left / before - 1.0).max() < _SAME:
            break
    white = model.whitened(residual, runs)
    covariances = autocovariances(white, model.whitened(A, runs), inverse, runs, LAGS)
    correlation = covariances[1:] / np.maximum(covariances[0], 1e-300)
    v = model.beyond_weights().gathered(B, rows.begins)
    covariance = inverse @ np.einsum("tia,ij,tjb->ab", v, _between_joints(white), v, optimize=True) @ inverse
    m = len(prior)
    values, full = prior.copy(), np.zeros((m, m))
    values[kept] += delta
    full[np.ix_(kept, kept)] = covariance
    told = np.zeros(m, bool)
    told[kept] = True
    return Solution(
        values=values,
        covariance=full,
        told=told,
        dependent=dependent,
        noise=model.size,
        residual=residual,
        white=white,
        model=model,
        correlation=correlation,
        within=(np.abs(correlation) < _WITHIN / np.sqrt(np.maximum(runs.pairs(LAGS), 1))).mean(axis=0),
        whiteness=whiteness(correlation, runs, model),
    )


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


def _fit(B: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The solution of rows in units of their noise, its covariance, and per joint the sum of the rows' leverage: how many
    unknowns its rows are used up for."""
    stack = B.reshape(-1, B.shape[2])
    norms = np.linalg.norm(stack, axis=0)
    Q, R = np.linalg.qr(stack / norms)
    delta = np.linalg.solve(R, Q.T @ z.ravel()) / norms
    inverse = np.linalg.inv(R) / norms[:, None]
    return delta, inverse @ inverse.T, (Q**2).sum(axis=1).reshape(z.shape).sum(axis=0)


def _between_joints(white: np.ndarray) -> np.ndarray:
    """The correlation `(n, n)` of whitened residuals."""
    size = np.sqrt(np.maximum((white**2).sum(axis=0), 1e-300))
    return np.asarray(white.T @ white / np.outer(size, size))
