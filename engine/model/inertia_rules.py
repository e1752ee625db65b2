"""Conditions for a physically consistent inertia matrix."""

from __future__ import annotations

import numpy as np

# Published tables are rounded to a few digits, so equalities hold only so closely.
TOLERANCE = 1e-6


class InertiaRemark(str):
    """Remark of a robot on an inertia in its file; an arm with identified inertias drops it."""


def inertia_fault(inertia: np.ndarray) -> str | None:
    """Why no mass distribution, not even a negative one, is meant by this `(3, 3)` matrix in kg·m²; None if one may be.

    Symmetric: I = Iᵀ; no negative moment: I ⪰ 0.
    """
    size = np.abs(inertia).max()
    if np.abs(inertia - inertia.T).max() > TOLERANCE * size:
        i, j = np.unravel_index(np.abs(inertia - inertia.T).argmax(), (3, 3))
        return f"is not symmetric: row {i + 1} column {j + 1} is {inertia[i, j]:g}, the mirrored entry {inertia[j, i]:g}"
    moments = principal_moments(inertia)
    if moments[0] < -TOLERANCE * size:
        return f"has a negative principal moment ({moments_text(moments)}); all three must be 0 or more"
    return None


def triangle_fault(inertia: np.ndarray) -> str | None:
    """Why no body can have this `(3, 3)` inertia in kg·m² though it is positive semi-definite; None if one can.

    I1 ≤ I2 + I3 for the principal moments, because I2 + I3 − I1 = 2 ∫ x1² dm.
    Source: Wensing, Kim, Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter Identification, 2018.
    """
    moments = principal_moments(inertia)
    if moments[2] <= moments[0] + moments[1] + TOLERANCE * moments[2]:
        return None
    return f"physically inconsistent principal moments {moments_text(moments)}: the largest exceeds the sum of the other two"


def principal_moments(inertia: np.ndarray) -> np.ndarray:
    """The principal moments `(3,)` in kg·m², smallest first."""
    return np.linalg.eigvalsh((inertia + inertia.T) / 2)


def moments_text(moments: np.ndarray) -> str:
    """The moments as text, without the dust of the eigenvalue routine."""
    dust = 1e-12 * np.abs(moments).max()
    return ", ".join(f"{0.0 if abs(x) <= dust else x:.4g}" for x in moments) + " kg·m²"
