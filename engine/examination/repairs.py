"""Repairs: edits of a robot file that correct a parameter, and one finding for a mistake of most links."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from armature.engine.examination.finding import GRADES, Edit, Finding, Place, Repair, number
from armature.engine.examination.parameters import TOML, URDF, JointParameters, LinkParameters, Parameters, deeper

_DIGITS = 12
_MOMENTS = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))


def repair(text: str, edits: tuple[Edit, ...], certain: bool = False) -> Repair | None:
    """Return the repair, or None without edits; `certain` if no other correction is possible."""
    return Repair(text, edits, bool(certain)) if edits else None


def round_off(x: float) -> float:
    """Round to 12 significant digits."""
    return float(f"{float(x):.{_DIGITS}g}")


def vector_edit(parameters: Parameters, where: Place, values: Any) -> tuple[Edit, ...]:
    """Return the edit that writes a list of numbers at a place."""
    numbers = [round_off(x) for x in values]
    if parameters.kind == TOML:
        return ((where.key, numbers),)
    return ((where.key, " ".join(f"{x!r}" for x in numbers)),) if parameters.kind == URDF else ()


def number_edit(parameters: Parameters, where: Place, value: float) -> tuple[Edit, ...]:
    """Return the edit that writes a number at a place."""
    if parameters.kind == TOML:
        return ((where.key, round_off(value)),)
    return ((where.key, repr(round_off(value))),) if parameters.kind == URDF else ()


def inertia_edit(parameters: Parameters, link: LinkParameters, inertia: np.ndarray) -> tuple[Edit, ...]:
    """Return the edits that write an inertia `(3, 3)` kg·m² about the centre of mass, along the axes of the link."""
    if parameters.kind == TOML:
        diagonal = np.count_nonzero(inertia - np.diag(np.diagonal(inertia))) == 0
        rows = np.diagonal(inertia) if diagonal else inertia
        return ((link.inertia_at.key, [round_off(x) for x in rows] if diagonal else _rows(inertia)),)
    if parameters.kind != URDF:
        return ()
    I = link.R_LI.T @ inertia @ link.R_LI  # noqa: E741
    return tuple(edit for key, i, j in _MOMENTS for edit in number_edit(parameters, deeper(link.inertia_at, key), I[i, j]))


def limits_edit(parameters: Parameters, joint: JointParameters, lower: float, upper: float) -> tuple[Edit, ...]:
    """Return the edits that write the limits of a joint, rad or m."""
    if parameters.kind == URDF:
        ends = zip(("lower", "upper"), (lower, upper), strict=True)
        return tuple(edit for key, x in ends for edit in number_edit(parameters, deeper(joint.where, "limit", key), x))
    if parameters.kind != TOML:
        return ()
    key, turn = ("limits_deg", math.degrees) if "limits" in joint.in_degrees else ("limits", float)
    return (((*joint.where.key, key), [round_off(turn(lower)), round_off(turn(upper))]),)


def velocity_edit(parameters: Parameters, joint: JointParameters, velocity: float) -> tuple[Edit, ...]:
    """Return the edit that writes the velocity limit of a joint, rad/s or m/s."""
    keys: tuple[str, ...] = ("velocity_limit",) if parameters.kind == TOML else ("limit", "velocity")
    return number_edit(parameters, deeper(joint.where, *keys), velocity)


def _rows(matrix: np.ndarray) -> list[list[float]]:
    return [[round_off(x) for x in row] for row in matrix]


FEW = 3  # equal mistakes that are not a coincidence
Part = TypeVar("Part")


def together(
    found: Sequence[tuple[float, Finding]], parts: Sequence[Part], nouns: str, edits: Callable[[Part, float], tuple[Edit, ...]]
) -> Iterator[Finding]:
    """Yield one finding where more than half of the parts, three or more, need the same factor; else each by itself.

    Args:
        found: the factor that corrects a part's value, 0 if unknown, and its finding.
        parts: all parts with such a value, including correct ones: the repair changes them all.
        nouns: of the parts, as in "3 of 4 links".
        edits: returns the edits that multiply a part's value by a factor.
    """
    factors = [factor for factor, _ in found if factor]
    common = max(dict.fromkeys(factors), key=factors.count, default=0.0)
    if factors.count(common) < FEW or 2 * factors.count(common) <= len(parts):
        yield from (finding for _, finding in found)
        return
    alike = [finding for factor, finding in found if factor == common]
    edited = tuple(edit for part in parts for edit in edits(part, common))
    certain = all(finding.repair is not None and finding.repair.certain for finding in alike)
    text = f"multiply the values of all {len(parts)} {nouns} by {number(common)}"
    yield as_one(alike, len(parts), nouns, repair(text, edited, certain))


def as_one(alike: Sequence[Finding], count: int, nouns: str, mend: Repair | None) -> Finding:
    """Return one finding for several of the same rule among `count` parts, with the most severe grade."""
    gravest = min(alike, key=lambda finding: GRADES.index(finding.grade))
    return replace(
        gravest,
        rule=f"{gravest.rule}, most {nouns}",
        figure=f"{len(alike)} of {count} {nouns}, the first with {alike[0].figure}",
        where=alike[0].where,
        cause=of_several(gravest.cause),
        repair=mend,
    )


def of_several(cause: str) -> str:
    """Return the cause of one finding in the plural."""
    for one, several in (("It was", "They were"), ("It may", "They may"), (" its ", " their ")):
        cause = cause.replace(one, several)
    return cause
