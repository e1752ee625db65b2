"""Masses and inertias as MuJoCo takes them."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import Body
from armature.engine.model.export.xml_values import figure, lengths, numbers
from armature.engine.model.inertia_rules import listed
from armature.engine.model.toml.written_values import short
from armature.engine.rotations import quaternion

LEAST = 1e-12  # kg and kg·m²: MuJoCo refuses bodies with less than 1e-15 of either
_ROUNDING = 1e-9  # relative: what a table's last digit makes of a flat body


def inertial_figures(body: Body, X_BL: np.ndarray) -> tuple[dict[str, str], str]:
    """Attributes of `<inertial>` in the link's frame, and in words what had to be altered, "" for nothing.

    MuJoCo refuses moving bodies without mass or moments, and a moment that exceeds the sum of the other two.
    """
    moments, R_BI = principal(body.inertia)
    said = []
    if body.mass < LEAST:
        said.append(f"MuJoCo does not accept a moving body without mass, so {LEAST:g} kg is written instead")
    low, middle, high = moments
    if (excess := high - low - middle) > 0:
        if excess > _ROUNDING * high:
            fitting = listed(np.array([low + excess / 2, middle + excess / 2, high]))
            said.append(f"MuJoCo does not accept principal moments {listed(moments)}; {fitting} are written")
        moments = np.array([low + excess / 2, middle + excess / 2, high])
        moments[2] = min(moments[2], np.nextafter(moments[0] + moments[1], 0.0))
    moments = np.maximum(moments, LEAST)
    R, p = X_BL[:3, :3].T @ R_BI, X_BL[:3, :3].T @ (body.com - X_BL[:3, 3])
    low, middle, high = short(moments)
    moments = np.array([low, middle, high]) if high < low + middle else moments
    figures = {"pos": lengths(p), "mass": figure(max(body.mass, LEAST)), "diaginertia": numbers(moments)}
    if (quat := lengths(quaternion(R))) != "1 0 0 0":
        figures["quat"] = quat
    return figures, "; ".join(said) + "." * bool(said)


def principal(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments `(3,)`, smallest first, and right-handed axes R with I = R diag(moments) Rᵀ; exact for a diagonal I."""
    if np.count_nonzero(inertia - np.diag(np.diagonal(inertia))) == 0:
        order = np.argsort(np.diagonal(inertia), kind="stable")
        moments, R = np.diagonal(inertia)[order], np.eye(3)[:, order]
    else:
        moments, R = np.linalg.eigh(inertia)
    if np.linalg.det(R) < 0:
        R = R * [-1.0, 1.0, 1.0]
    return np.maximum(moments, 0.0), R
