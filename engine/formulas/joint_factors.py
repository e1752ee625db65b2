"""Factors of a series that depend on one joint alone, found by the positions of that joint at which all of it vanishes."""

from __future__ import annotations

import numpy as np

from armature.engine.formulas.series import Series, along

_ON_CIRCLE = 1e-6
_VANISHES = 1e-9
_QUARTER = np.pi / 2


def joint_factor(series: Series, joint: int) -> tuple[np.ndarray, Series] | None:
    """A factor of degree 1 in one joint and what is left; None where there is none.

    The factor is `(1, cos q, sin q)` coefficients where the joint turns, `(1, q)` where it slides.
    """
    columns = np.moveaxis(series.coefficients, joint, 0).reshape(series.coefficients.shape[joint], -1)
    if len(columns) == 1 or not columns.any():
        return None
    slides = series.slides[joint]
    roots = _common_roots(columns, slides)
    for factor in [np.array([-root, 1.0]) for root in roots] if slides else _pairs(roots):
        rest = _divided(series, joint, factor)
        if rest is not None:
            return factor, rest
    return None


def _common_roots(columns: np.ndarray, slides: bool) -> list[float]:
    """Positions at which every column vanishes, a double one twice; those next to quarter turns are these."""
    strongest = columns[:, np.abs(columns).max(axis=0).argmax()]
    found = []
    for root in np.roots(strongest[::-1]) if slides else np.roots(_in_powers_of_z(strongest)):
        if (slides and abs(root.imag) > _ON_CIRCLE) or (not slides and abs(abs(root) - 1) > _ON_CIRCLE):
            continue
        x = float(root.real) if slides else float(np.angle(root))
        near = 0.0 if slides else _QUARTER * round(x / _QUARTER)
        x = near if abs(x - near) < _ON_CIRCLE else x
        if np.abs(_values(columns, slides, x)).max() < _VANISHES * np.abs(columns).max():
            found.append(x)
    return found


def _in_powers_of_z(wave: np.ndarray) -> np.ndarray:
    """1, cos, sin, cos 2q … times z^d with z = e^{iq} as a polynomial in z, the highest power first."""
    d = len(wave) // 2
    powers = np.zeros(2 * d + 1, complex)
    powers[d] = wave[0]
    for k in range(1, d + 1):
        c, s = wave[2 * k - 1], wave[2 * k]
        powers[d + k], powers[d - k] = (c - 1j * s) / 2, (c + 1j * s) / 2
    return powers[::-1]


def _values(columns: np.ndarray, slides: bool, x: float) -> np.ndarray:
    if slides:
        return x ** np.arange(len(columns)) @ columns
    k = np.arange(1, len(columns) // 2 + 1)
    return np.concatenate([[1.0], np.stack([np.cos(k * x), np.sin(k * x)], axis=1).ravel()]) @ columns


def _pairs(roots: list[float]) -> list[np.ndarray]:
    """cos(q − m) − cos h, which vanishes at m ± h, for every two roots; first those half a turn apart."""
    pairs = [(a, b) for k, a in enumerate(roots) for b in roots[k + 1 :]]
    pairs.sort(key=lambda pair: abs(abs(pair[0] - pair[1]) - np.pi))
    factors = []
    for a, b in pairs:
        m, h = (a + b) / 2, (a - b) / 2
        factor = np.array([-np.cos(h), np.cos(m), np.sin(m)])
        factors.append(np.where(np.abs(factor) < 1e-12, 0.0, factor))
    return factors


def _divided(series: Series, joint: int, factor: np.ndarray) -> Series | None:
    """The series divided by the factor; None where it does not go without remainder."""
    C, slides = series.coefficients, series.slides[joint]
    count = C.shape[joint] - (1 if slides else 2)
    times = np.zeros((C.shape[joint], count))
    for k in range(count):
        one = np.zeros(count)
        one[k] = 1.0
        if slides:
            times[:, k] = np.convolve(one, factor)
        else:
            powers = np.convolve(_in_powers_of_z(one), _in_powers_of_z(factor))[::-1]
            d = len(powers) // 2
            times[0, k] = powers[d].real
            times[1::2, k] = 2 * powers[d + 1 :].real
            times[2::2, k] = -2 * powers[d + 1 :].imag
    quotient = along(np.linalg.pinv(times), C, joint)
    if np.abs(along(times, quotient, joint) - C).max() > _VANISHES * np.abs(C).max():
        return None
    return Series(series.slides, quotient)
