"""The named configurations of a robot: values as a file gives them, checked against the joints and their limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticCustomError

from armature.engine.model.file_bytes import MAX_POSES, too_many
from armature.engine.model.file_values import angle, number, refusal

IN_RAD, IN_DEGREES = "configurations", "configurations_deg"


@dataclass(frozen=True)
class JointRange:
    """What a joint is called, whether it slides, and its limits in rad or m, ±inf where it has none; `in_degrees` where the
    file writes them so.
    """

    name: str
    slides: bool
    low: float
    high: float
    in_degrees: bool = False


def named_poses(
    in_rad: Mapping[str, list], in_degrees: Mapping[str, list], joints: Sequence[JointRange]
) -> dict[str, tuple[float, ...]]:
    """Poses in rad and m by name. Raises a refusal that names the field."""
    if problem := too_many(len(in_rad) + len(in_degrees), "named poses", MAX_POSES):
        raise refusal(problem, IN_RAD)
    for name in in_degrees:
        if name in in_rad:
            raise refusal(f"is also given in [{IN_RAD}]; give it only once", f"{IN_DEGREES}.{name}")
    written = ((IN_RAD, in_rad), (IN_DEGREES, in_degrees))
    return {name: _pose(table, name, values, joints) for table, poses in written for name, values in poses.items()}


def _pose(table: str, name: str, values: list, joints: Sequence[JointRange]) -> tuple[float, ...]:
    field = f"{table}.{name}"
    if name == "zero":
        raise refusal("is predefined with all joints at 0; choose another name", field)
    if len(values) != len(joints):
        raise refusal(f"has {len(values)} values, must have {len(joints)}, one per joint", field)
    pairs = zip(joints, values, strict=True)
    return tuple(_coordinate(field, i, joint, value, table == IN_DEGREES) for i, (joint, value) in enumerate(pairs))


def _coordinate(field: str, i: int, joint: JointRange, value: Any, degrees: bool) -> float:
    try:
        q = (number if joint.slides or degrees else angle)(value)
    except PydanticCustomError as error:
        raise refusal(error.message(), f"{field}[{i}]") from None
    if degrees and not joint.slides:
        q = math.radians(q)
    if not joint.low - 1e-9 <= q <= joint.high + 1e-9:
        turn, unit = (math.degrees, "°") if degrees and not joint.slides else (float, " m" if joint.slides else " rad")
        limits = f"limits {turn(joint.low):.6g} to {turn(joint.high):.6g}{unit}"
        problem = f"moves {joint.name} to {turn(q):.6g}{unit if unit == '°' else ''}, outside its {limits}"
        if joint.in_degrees and max(abs(joint.low), abs(joint.high)) <= math.radians(math.tau):
            limits = f"[{math.degrees(joint.low):.6g}, {math.degrees(joint.high):.6g}]"
            raise refusal(
                f"{limits} are probably radians; write degrees, or limits = {limits}. {field} {problem}",
                f"joints[{i}].limits_deg",
            )
        raise refusal(problem, field)
    return min(max(q, joint.low), joint.high)
