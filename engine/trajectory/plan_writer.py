"""Writes a `Plan` as a trajectory file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.model.payload import Payload
from armature.engine.rotations import quaternion
from armature.engine.trajectory.plan import Plan
from armature.engine.trajectory.waypoint import Waypoint
from armature.engine.whole_file import write_whole


def save_plan(plan: Plan, path: str | os.PathLike[str]) -> Path:
    """Write a trajectory file that `load_plan` reads as the same plan; an existing file is replaced atomically.

    Args:
        plan: plan to write.
        path: file to write, `.toml`.

    Returns:
        The path written.

    Raises:
        TrajectoryError: another suffix than .toml, or a file that cannot be written.
    """
    place = Path(path)
    if place.suffix.lower() != ".toml":
        raise TrajectoryError(f"{place}: the suffix of a trajectory file must be .toml")
    try:
        write_whole(place, plan_text(plan))
    except OSError as error:
        raise TrajectoryError(f"{place}: cannot be written: {error.strerror or error}") from None
    return place


def plan_text(plan: Plan) -> str:
    """The plan as TOML."""
    lines = [f"name = {_text(plan.name)}"]
    if plan.robot_name:
        lines.append(f"robot = {_text(plan.robot_name)}")
    if plan.description:
        lines.append(f"description = {_text(plan.description)}")
    if plan.speed != 1.0:
        lines.append(f"speed = {plan.speed!r}")
    if plan.repeat != "once":
        lines.append(f"repeat = {_text(plan.repeat)}")
    limits = [f"{key} = {float(value)!r}" for key, value in asdict(plan.tool_limits).items() if value is not None]
    if limits:
        lines += ["", "[tool_limits]", *limits]
    for k, point in enumerate(plan.waypoints):
        lines += ["", f"[[waypoints]]  # {k + 1}", *_waypoint(point)]
    return "\n".join(lines) + "\n"


def _waypoint(point: Waypoint) -> list[str]:
    lines = []
    if point.q is not None:
        lines.append(f"q = {_numbers(point.q)}")
    elif point.pose is not None:
        lines.append(f"pose = {_text(point.pose)}")
    else:
        assert point.X_WT is not None
        lines.append(f"tool = {{ xyz = {_numbers(point.X_WT[:3, 3])}, quaternion = {_numbers(quaternion(point.X_WT[:3, :3]))} }}")
    if point.kind != "quintic":
        lines.append(f"kind = {_text(point.kind)}")
    if point.law != "quintic" and point.kind in ("line", "arc"):
        lines.append(f"law = {_text(point.law)}")
    if point.through is not None:
        lines.append(f"through = {_numbers(point.through)}")
    if point.duration is not None:
        lines.append(f"duration = {float(point.duration)!r}")
    if point.dwell:
        lines.append(f"dwell = {float(point.dwell)!r}")
    if point.grasp is not None:
        lines.append(f"grasp = {_payload(point.grasp)}")
    if point.release:
        lines.append("release = true")
    return lines


def _payload(payload: Payload) -> str:
    inertia = ", ".join(_numbers(row) for row in payload.inertia)
    return f"{{ mass = {float(payload.mass)!r}, com = {_numbers(payload.com)}, inertia = [{inertia}] }}"


def _numbers(values: np.ndarray) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
