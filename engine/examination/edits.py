"""What to write in a file so that a figure becomes another one; nothing for a robot without a file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from armature.engine.examination.figures import TOML, URDF, Figures, JointFigures, LinkFigures, deeper
from armature.engine.examination.finding import Edit, Place, Repair

_DIGITS = 12
_MOMENTS = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))


def repair(text: str, edits: tuple[Edit, ...], certain: bool = False) -> Repair | None:
    """The repair, where there is something to write; `certain` where nothing else can be meant."""
    return Repair(text, edits, bool(certain)) if edits else None


def rounded(x: float) -> float:
    """Without the dust of the arithmetic: 12 significant digits."""
    return float(f"{float(x):.{_DIGITS}g}")


def vector_edit(figures: Figures, where: Place, values: Any) -> tuple[Edit, ...]:
    """Three numbers or more at one place."""
    numbers = [rounded(x) for x in values]
    if figures.kind == TOML:
        return ((where.key, numbers),)
    return ((where.key, " ".join(f"{x!r}" for x in numbers)),) if figures.kind == URDF else ()


def number_edit(figures: Figures, where: Place, value: float) -> tuple[Edit, ...]:
    """One number at one place."""
    if figures.kind == TOML:
        return ((where.key, rounded(value)),)
    return ((where.key, repr(rounded(value))),) if figures.kind == URDF else ()


def inertia_edit(figures: Figures, link: LinkFigures, inertia: np.ndarray) -> tuple[Edit, ...]:
    """Another inertia `(3, 3)` kg·m² about the centre of mass, in the axes of the link."""
    if figures.kind == TOML:
        diagonal = np.count_nonzero(inertia - np.diag(np.diagonal(inertia))) == 0
        rows = np.diagonal(inertia) if diagonal else inertia
        return ((link.inertia_at.key, [rounded(x) for x in rows] if diagonal else _rows(inertia)),)
    if figures.kind != URDF:
        return ()
    I = link.R_LI.T @ inertia @ link.R_LI  # noqa: E741
    return tuple(edit for key, i, j in _MOMENTS for edit in number_edit(figures, deeper(link.inertia_at, key), I[i, j]))


def limits_edit(figures: Figures, joint: JointFigures, lower: float, upper: float) -> tuple[Edit, ...]:
    """Other limits of a joint, rad or m."""
    if figures.kind == URDF:
        ends = zip(("lower", "upper"), (lower, upper), strict=True)
        return tuple(edit for key, x in ends for edit in number_edit(figures, deeper(joint.where, "limit", key), x))
    if figures.kind != TOML:
        return ()
    key, turn = ("limits_deg", math.degrees) if "limits" in joint.in_degrees else ("limits", float)
    return (((*joint.where.key, key), [rounded(turn(lower)), rounded(turn(upper))]),)


def velocity_edit(figures: Figures, joint: JointFigures, velocity: float) -> tuple[Edit, ...]:
    """Another speed limit of a joint, rad/s or m/s."""
    keys: tuple[str, ...] = ("velocity_limit",) if figures.kind == TOML else ("limit", "velocity")
    return number_edit(figures, deeper(joint.where, *keys), velocity)


def _rows(matrix: np.ndarray) -> list[list[float]]:
    return [[rounded(x) for x in row] for row in matrix]
