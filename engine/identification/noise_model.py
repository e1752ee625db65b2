"""`NoiseModel`: how the noise of a joint's rows depends on that of the rows before, and rows without that dependence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from armature.engine.identification.rows import Rows
from armature.engine.model.frozen import Frozen

MOST = 8  # rows before, at most
LAGS = 20  # of the test for whiteness
_SURE = 0.999  # the largest reflection: noise stays stationary


@dataclass(frozen=True, eq=False)
class Runs(Frozen):
    """Rows that follow each other without a gap: `used` `(B, n)` whether a row counts, `before` `(B, n)` how many of the same
    run come before it."""

    used: np.ndarray
    before: np.ndarray

    def pairs(self, lags: int) -> np.ndarray:
        """How many pairs of a run are 1 … `lags` rows apart, `(lags, n)`."""
        return np.array([(self.used[lag:] & (self.before[lag:] >= lag)).sum(axis=0) for lag in range(1, lags + 1)])


def runs_of(rows: Rows) -> Runs:
    """The runs of each joint; what was left out ends one, and so does a recording."""
    used = rows.share > 0
    at = np.arange(len(used))[:, None]
    first = np.where(used, 0, at + 1)
    begins = list(rows.begins)
    first[begins] = np.maximum(first[begins], at[begins])
    return Runs(used, at - np.maximum.accumulate(first, axis=0))


@dataclass(frozen=True, eq=False)
class NoiseModel(Frozen):
    """Noise e of each joint that depends on what it was: e_t = Σ_k a_k e_t−k + u_t, u white with standard deviation `left`
    `(n,)`. Encoders make such noise, as accelerations are differences of positions. `coefficients` a `(MOST, n)` and the
    `reflections` `(MOST, n)` that they follow from are 0 from a joint's order on."""

    coefficients: np.ndarray
    reflections: np.ndarray
    left: np.ndarray

    @property
    def orders(self) -> np.ndarray:
        """Of each joint `(n,)`: how many rows before tell something."""
        return np.count_nonzero(self.reflections, axis=0)

    @property
    def size(self) -> np.ndarray:
        """Standard deviation of e `(n,)`."""
        return self.left / np.sqrt(np.prod(1.0 - self.reflections**2, axis=0))

    @property
    def fast(self) -> np.ndarray:
        """Of which joints `(n,)` noise is less where it is slow than where it is fast, as that of encoders is."""
        return self.coefficients.sum(axis=0) < 0.0

    def weights(self) -> NoiseModel:
        """The model by which rows are weighted: noise that is fast is made white. To make slow noise white would make more of
        what is fast, and such noise is mostly what an arm's model has not, friction first: it is taken as if it were white."""
        return NoiseModel(self.coefficients * self.fast, self.reflections * self.fast, np.where(self.fast, self.left, self.size))

    def beyond_weights(self) -> NoiseModel:
        """The model of what is left of rows so weighted."""
        slow = ~self.fast
        return NoiseModel(self.coefficients * slow, self.reflections * slow, np.where(slow, self.left / self.size, 1.0))

    def whitened(self, values: np.ndarray, runs: Runs) -> np.ndarray:
        """Values `(B, n, …)` less what those before tell of their noise, in units of `left`.

        f_k = f_k−1 − K_k b_k−1(t − 1),  b_k = b_k−1(t − 1) − K_k f_k−1;  a row with k rows before it takes f_k √Π_i>k (1 − K_i²)
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
        return result / self.left[wide]

    def gathered(self, values: np.ndarray, begins: tuple[int, ...]) -> np.ndarray:
        """What each u of the noise adds to Σ_t values_t e_t, `(B, n, …)`, in units of `left`.

        v_t = values_t + Σ_k a_k v_t+k;  noise goes on where rows were left out, but not from one recording to the next
        """
        from scipy.signal import lfilter  # 0.3 s, which only this needs

        result = np.empty_like(values)
        for first, last in pairwise((*begins, len(values))):
            for j, left in enumerate(self.left):
                later = lfilter([left], [1.0, *-self.coefficients[:, j]], values[first:last, j][::-1], axis=0)
                result[first:last, j] = later[::-1]
        return result


def autocovariances(residual: np.ndarray, A: np.ndarray, covariance: np.ndarray, runs: Runs, lags: int) -> np.ndarray:
    """Of the noise of rows A x = y, from what is left of them with x of some covariance: 0 … `lags` rows apart, `(lags + 1, n)`.

    E e_t e_t−l = E r_t r_t−l + A_t cov A_t−lᵀ,  as r = e − A (x̂ − x);  without the second term fitted parameters would make white
    noise look as if it went back and forth
    """
    spread = A @ covariance
    result = []
    for lag in range(lags + 1):
        both, rest = runs.used[lag:] & (runs.before[lag:] >= lag), len(A) - lag
        products = residual[lag:] * residual[:rest] + np.einsum("tjm,tjm->tj", A[lag:], spread[:rest])
        result.append((products * both).sum(axis=0) / np.maximum(both.sum(axis=0), 1))
    return np.array(result)


def white_noise(size: np.ndarray) -> NoiseModel:
    """Noise `(n,)` that does not depend on what it was."""
    return NoiseModel(np.zeros((MOST, len(size))), np.zeros((MOST, len(size))), size)


def noise_model_of(covariances: np.ndarray, runs: Runs, floor: np.ndarray) -> NoiseModel:
    """The model of noise with these autocovariances `(MOST + 1, n)`, by Levinson's recursion, of the order with the least
    N log P + k log N, P the variance of what it leaves; noise has at least the standard deviation `floor` `(n,)`.

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
    """How probable correlations `(lags, n)` as large as those of whitened residuals are in white noise, `(n,)`.

    Q = Σ_l N_l r_l² (N + 2) / N, χ² with as many degrees of freedom as lags beyond the model's order

    Source: Ljung, Box 1978, On a measure of lack of fit in time series models, Biometrika 65(2).
    """
    from scipy.stats import chi2  # which only this needs

    count, lags = np.maximum(runs.used.sum(axis=0), 1), len(correlations)
    Q = (runs.pairs(lags) * correlations**2).sum(axis=0) * (count + 2) / count
    return np.asarray(chi2.sf(Q, np.maximum(lags - model.orders, 1)))


def _behind(values: np.ndarray) -> np.ndarray:
    """Each row's predecessor."""
    return np.concatenate([np.zeros_like(values[:1]), values[:-1]])
