"""Cut-offs chosen from what was measured: where a motion ends and noise begins."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.recording.measured.zero_phase import stretches

_MOST = 0.99  # of a motion's acceleration lies below its bandwidth
_ABOVE_NOISE = 30.0
_ROOM = 10.0  # cut-offs above the bandwidth: there the filter takes 1e-4 of an amplitude
_LOWEST = 0.1  # Hz


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
    return found


def chosen_cutoff(f: float, rate: float, given: float | None) -> float:
    """Hz of the zero-phase filter of positions: as given, or ten times the bandwidth f, and at most a fifth of the rate."""
    if given is None:
        return min(_ROOM * f, rate / 5.0)
    if not 0.0 < given < rate / 2.0:
        raise EngineError(f"the cut-off must lie between 0 and half the rate, {rate / 2.0:g} Hz, not {given!r}")
    return float(given)
