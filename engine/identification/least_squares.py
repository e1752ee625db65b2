"""Weighted least squares for the base parameters, with standard deviations for coloured noise."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from armature.engine.identification.rows import Rows
from armature.engine.model.frozen import Frozen

_WHITE, _PASSES = 3, 8  # passes with white noise, and in total
_SAME = 1e-3  # relative change of the weights at convergence
_RANK = 1e-9  # of the largest column; smaller pivots are dependent columns
_WITHIN = 1.96  # standard deviations
_EXACT = 1e-10  # of a joint's torque: residuals below it are rounding


@dataclass(frozen=True, eq=False)
class Solution(Frozen):
    """Solution of the weighted least squares.

    `values` `(m,)` with `covariance` `(m, m)`; `identifiable` `(m,)`; for the others `dependent` `(m, m)` is the part of their
    columns in the identifiable columns: x_k + dependent[k, j] x_j is known. `noise` `(n,)`: standard deviation of a row per
    joint; `residual` `(B, n)`; `white` `(B, n)`: residual after `model`; `correlation` `(LAGS, n)`: its autocorrelation;
    `within` `(n,)`: share of it inside the 95 % band of white noise; `whiteness` `(n,)`: probability under white noise.
    """

    values: np.ndarray
    covariance: np.ndarray
    identifiable: np.ndarray
    dependent: np.ndarray
    noise: np.ndarray
    residual: np.ndarray
    white: np.ndarray
    model: NoiseModel
    correlation: np.ndarray
    within: np.ndarray
    whiteness: np.ndarray


def solve_weighted(rows: Rows, prior: np.ndarray) -> Solution:
    """Minimize Σ_j |A_j x − y_j|² / σ_j² with σ_j from the residuals of joint j, iterated until they converge.

    Unidentifiable parameters keep their `prior` value. The covariance is for noise that is correlated between joints, and in time
    by the model e = Ψ u:

        cov = H⁻¹ (Σ_t v_tᵀ C v_t) H⁻¹,  v = Ψᵀ S⁻¹ A,  H = Σ_t A_tᵀ S⁻¹ A_t,  S = diag σ²,  C the correlation of u between joints

    The model affects σ only. Weights from it would emphasize high frequencies, where model errors of a real arm are largest.

    Source: Swevers, Ganseman, Tükel, De Schutter, Van Brussel 1997, Optimal robot excitation and identification; den Haan, Levin
    1997, A practitioner's guide to robust covariance matrix estimation.
    """
    y = rows.y - rows.A @ prior
    size = np.sqrt((rows.y**2).sum(axis=0) / np.maximum(rows.share.sum(axis=0), 1e-9))
    floor = _EXACT * np.where(size > 0.0, size, 1.0)
    weights = white_noise(np.where(size > 0.0, size, 1.0))
    kept, dependent = _independent(rows.A, weights.sigma)
    A, runs = rows.A[..., kept], runs_of(rows)
    for k in range(_PASSES):
        B, z = weights.whiten(A, runs), weights.whiten(y, runs)
        delta, inverse, leverage = _fit(B, z)
        residual, before = y - A @ delta, weights.sigma
        if k < _WHITE:
            freedom = np.maximum(runs.used.sum(axis=0) - leverage, 1.0)
            model = white_noise(np.maximum(np.sqrt((residual**2).sum(axis=0) / freedom), floor))
        else:
            model = noise_model_of(autocovariances(residual, A, inverse, runs, MOST), runs, floor)
        weights = model.weights()
        if k >= _WHITE and np.abs(weights.sigma / before - 1.0).max() < _SAME:
            break
    white = model.whiten(residual, runs)
    covariances = autocovariances(white, model.whiten(A, runs), inverse, runs, LAGS)
    correlation = covariances[1:] / np.maximum(covariances[0], 1e-300)
    v = model.beyond_weights().gather(B, rows.begins)
    covariance = inverse @ np.einsum("tia,ij,tjb->ab", v, _between_joints(white), v, optimize=True) @ inverse
    m = len(prior)
    values, full = prior.copy(), np.zeros((m, m))
    values[kept] += delta
    full[np.ix_(kept, kept)] = covariance
    identifiable = np.zeros(m, bool)
    identifiable[kept] = True
    return Solution(
        values=values,
        covariance=full,
        identifiable=identifiable,
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
    """Return the identifiable unknowns, in order, and how the other columns depend on theirs."""
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
    """Return the solution of whitened rows, its covariance, and the sum of leverages per joint."""
    stack = B.reshape(-1, B.shape[2])
    norms = np.linalg.norm(stack, axis=0)
    Q, R = np.linalg.qr(stack / norms)
    delta = np.linalg.solve(R, Q.T @ z.ravel()) / norms
    inverse = np.linalg.inv(R) / norms[:, None]
    return delta, inverse @ inverse.T, (Q**2).sum(axis=1).reshape(z.shape).sum(axis=0)


def _between_joints(white: np.ndarray) -> np.ndarray:
    """Return the correlation `(n, n)` of whitened residuals."""
    size = np.sqrt(np.maximum((white**2).sum(axis=0), 1e-300))
    return np.asarray(white.T @ white / np.outer(size, size))


MOST = 8  # largest order
LAGS = 20  # lags of the test for whiteness
_SURE = 0.999  # largest reflection coefficient, for stationary noise


@dataclass(frozen=True, eq=False)
class Runs(Frozen):
    """Consecutive rows: `used` `(B, n)`: the row counts; `before` `(B, n)`: number of earlier rows in the same run."""

    used: np.ndarray
    before: np.ndarray

    def pairs(self, lags: int) -> np.ndarray:
        """Return the number of pairs that are 1 … `lags` rows apart in a run, `(lags, n)`."""
        return np.array([(self.used[lag:] & (self.before[lag:] >= lag)).sum(axis=0) for lag in range(1, lags + 1)])


def runs_of(rows: Rows) -> Runs:
    """Return the runs of each joint; an omitted row and the end of a recording end a run."""
    used = rows.share > 0
    at = np.arange(len(used))[:, None]
    first = np.where(used, 0, at + 1)
    begins = list(rows.begins)
    first[begins] = np.maximum(first[begins], at[begins])
    return Runs(used, at - np.maximum.accumulate(first, axis=0))


@dataclass(frozen=True, eq=False)
class NoiseModel(Frozen):
    """Autoregressive noise of each joint: e_t = Σ_k a_k e_t−k + u_t, u white with standard deviation `sigma` `(n,)`.

    Encoders cause such noise, because accelerations are differences of positions. `coefficients` a `(MOST, n)` and the
    `reflections` `(MOST, n)` that they follow from are 0 beyond a joint's order.
    """

    coefficients: np.ndarray
    reflections: np.ndarray
    sigma: np.ndarray

    @property
    def orders(self) -> np.ndarray:
        """Return the order of each joint `(n,)`."""
        return np.count_nonzero(self.reflections, axis=0)

    @property
    def size(self) -> np.ndarray:
        return self.sigma / np.sqrt(np.prod(1.0 - self.reflections**2, axis=0))

    @property
    def fast(self) -> np.ndarray:
        """Return the joints `(n,)` with less noise at low than at high frequencies, as from encoders."""
        return self.coefficients.sum(axis=0) < 0.0

    def weights(self) -> NoiseModel:
        """Return the model for weighting rows: it whitens high-frequency noise only.

        Low-frequency residuals are mostly model errors, such as friction; whitening them would amplify high frequencies.
        """
        return NoiseModel(self.coefficients * self.fast, self.reflections * self.fast, np.where(self.fast, self.sigma, self.size))

    def beyond_weights(self) -> NoiseModel:
        """Return the model of the noise that remains after weighting."""
        slow = ~self.fast
        return NoiseModel(self.coefficients * slow, self.reflections * slow, np.where(slow, self.sigma / self.size, 1.0))

    def whiten(self, values: np.ndarray, runs: Runs) -> np.ndarray:
        """Subtract from values `(B, n, …)` the prediction from earlier rows, in units of `sigma`.

        f_k = f_k−1 − K_k b_k−1(t − 1),  b_k = b_k−1(t − 1) − K_k f_k−1;  a row with k predecessors uses f_k √Π_i>k (1 − K_i²)
        """
        wide = (slice(None),) + (None,) * (values.ndim - 2)
        forward, backward = values, values
        gain = np.sqrt(np.cumprod((1.0 - self.reflections**2)[::-1], axis=0)[::-1])
        result = values * gain[0][wide]
        for k, K in enumerate(self.reflections):
            if not K.any():
                break
            behind = _behind(backward)
            forward, backward = forward - K[wide] * behind, behind - K[wide] * forward
            rest = gain[k + 1] if k + 1 < MOST else np.ones_like(K)
            result = np.where((runs.before > k)[(..., *wide[1:])], forward * rest[wide], result)
        return result / self.sigma[wide]

    def gather(self, values: np.ndarray, begins: tuple[int, ...]) -> np.ndarray:
        """Return the effect of each u on Σ_t values_t e_t, `(B, n, …)`, in units of `sigma`.

        v_t = values_t + Σ_k a_k v_t+k;  noise continues over omitted rows, but not from one recording to the next
        """
        from scipy.signal import lfilter  # slow import, 0.3 s

        result = np.empty_like(values)
        for first, last in pairwise((*begins, len(values))):
            for j, sigma in enumerate(self.sigma):
                later = lfilter([sigma], [1.0, *-self.coefficients[:, j]], values[first:last, j][::-1], axis=0)
                result[first:last, j] = later[::-1]
        return result


def autocovariances(residual: np.ndarray, A: np.ndarray, covariance: np.ndarray, runs: Runs, lags: int) -> np.ndarray:
    """Return autocovariances `(lags + 1, n)` of the noise of A x = y from residuals and the covariance of x.

    E e_t e_t−l = E r_t r_t−l + A_t cov A_t−lᵀ,  because r = e − A (x̂ − x);  without the second term, fitting would make
    white noise look negatively correlated
    """
    spread = A @ covariance
    result = []
    for lag in range(lags + 1):
        both, rest = runs.used[lag:] & (runs.before[lag:] >= lag), len(A) - lag
        products = residual[lag:] * residual[:rest] + np.einsum("tjm,tjm->tj", A[lag:], spread[:rest])
        result.append((products * both).sum(axis=0) / np.maximum(both.sum(axis=0), 1))
    return np.array(result)


def white_noise(size: np.ndarray) -> NoiseModel:
    """Return the model of white noise `(n,)`."""
    return NoiseModel(np.zeros((MOST, len(size))), np.zeros((MOST, len(size))), size)


def noise_model_of(covariances: np.ndarray, runs: Runs, floor: np.ndarray) -> NoiseModel:
    """Fit the noise model to autocovariances `(MOST + 1, n)` by Levinson's recursion; the order minimizes
    N log P + k log N, P the remaining variance; the standard deviation of the noise is at least `floor` `(n,)`.

    Source: Schwarz 1978, Estimating the dimension of a model; Brockwell, Davis, Time Series: Theory and Methods, chapter 5.
    """
    n = covariances.shape[1]
    count = np.maximum(runs.used.sum(axis=0), 2)
    reflections, steps, powers = np.zeros((MOST, n)), np.zeros((MOST + 1, MOST, n)), [np.maximum(covariances[0], floor**2)]
    for k in range(MOST):
        a, P = steps[k], powers[-1]
        K = np.clip((covariances[k + 1] - (a[:k] * covariances[k:0:-1]).sum(axis=0)) / P, -_SURE, _SURE)
        steps[k + 1, :k] = a[:k] - K * a[:k][::-1]
        steps[k + 1, k] = reflections[k] = K
        powers.append(P * (1.0 - K**2))
    order = np.argmin(count * np.log(powers) + np.log(count) * np.arange(MOST + 1)[:, None], axis=0)
    each = np.arange(n)
    kept = np.where(np.arange(MOST)[:, None] < order, reflections, 0.0)
    return NoiseModel(steps[order, :, each].T, kept, np.maximum(np.sqrt(np.array(powers)[order, each]), floor))


def whiteness(correlations: np.ndarray, runs: Runs, model: NoiseModel) -> np.ndarray:
    """Return the probability `(n,)` of correlations `(lags, n)` as large as these under white noise.

    Q = Σ_l N_l r_l² (N + 2) / N, χ² with as many degrees of freedom as lags beyond the model's order

    Source: Ljung, Box 1978, On a measure of lack of fit in time series models, Biometrika 65(2).
    """
    from scipy.stats import chi2  # slow import

    count, lags = np.maximum(runs.used.sum(axis=0), 1), len(correlations)
    Q = (runs.pairs(lags) * correlations**2).sum(axis=0) * (count + 2) / count
    return np.asarray(chi2.sf(Q, np.maximum(lags - model.orders, 1)))


def _behind(values: np.ndarray) -> np.ndarray:
    """Return the predecessor of each row."""
    return np.concatenate([np.zeros_like(values[:1]), values[:-1]])
