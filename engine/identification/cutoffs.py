"""Cut-offs chosen from what was measured: where a motion ends and noise begins."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.recording.measured.resampling import slopes, smoothed, stretches, usual_cutoff

_MOST = 0.99  # of a motion's acceleration lies below its bandwidth
_ABOVE_NOISE = 30.0
_ROOM = 15.0  # cut-offs above the bandwidth: there the filter takes 2e-5 of an amplitude
_LOWEST, _HIGHEST = 0.1, 2.0  # Hz: what is faster in an arm is chatter, of a law or of encoders
_QUIET = 0.01  # of accelerations: so much of them may be noise


def bandwidth(q: np.ndarray, rate: float) -> float:
    """Hz below which nearly all acceleration of the joints `(N, n)` lies, in their longest stretch; noise is left out.

    f: Σ_{g<f} g⁴ |Q(g)|² = 0.99 Σ g⁴ |Q(g)|²
    """
    found = _LOWEST
    for k in range(q.shape[1]):
        parts = [part for column, part in stretches(q[:, k : k + 1])]
        if not parts:
            continue
        x = q[max(parts, key=lambda part: part.stop - part.start), k]
        if len(x) < 16 or np.ptp(x) == 0.0:
            continue
        at = np.linspace(0.0, 1.0, len(x))
        x = (x - x[0] - (x[-1] - x[0]) * at) * np.hanning(len(x))
        power = np.abs(np.fft.rfft(x)) ** 2
        f = np.fft.rfftfreq(len(x), 1.0 / rate)
        floor = np.median(power[len(power) // 2 :]) / np.log(2)
        told = np.where(power > _ABOVE_NOISE * floor, power, 0.0) * f**4
        if told.sum() > 0.0:
            found = max(found, float(f[np.searchsorted(np.cumsum(told), _MOST * told.sum())]))
    return min(found, _HIGHEST)


def chosen_cutoff(q: np.ndarray, f: float, rate: float, given: float | None) -> float:
    """Hz of the zero-phase filter of positions `(N, n)`: as given, or fifteen times their bandwidth f, as far as their noise lets
    accelerations be known to 1 %, and at most a fifth of the rate."""
    if given is None:
        return max(_LOWEST, min(_ROOM * f, _quiet_cutoff(q, rate), rate / 5.0))
    if not 0.0 < given < rate / 2.0:
        raise EngineError(f"the cut-off must be between 0 and half the rate, {rate / 2.0:g} Hz, got {given!r}")
    return float(given)


def _quiet_cutoff(q: np.ndarray, rate: float) -> float:
    """Hz up to which noise that is white makes little of the accelerations, of the joint in the middle.

    σ_qdd = σ_q √(2 f / rate) (2πf)² / √5 = 0.01 rms qdd
    """
    noise = np.nan_to_num(np.nanstd(q - smoothed(q, rate, rate / 5.0), axis=0)) / np.sqrt(1.0 - 2.0 / 5.0)
    size = np.nan_to_num(np.nanstd(slopes(slopes(smoothed(q, rate, usual_cutoff(rate)), rate), rate), axis=0))
    moving = (size > 0.0) & (noise > 0.0)
    if not moving.any():
        return np.inf
    ratio = float(np.median(noise[moving] / size[moving]))
    return float((_QUIET / ratio * np.sqrt(5.0 * rate / 2.0) / (2 * np.pi) ** 2) ** 0.4)
