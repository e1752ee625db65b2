"""Writes a `Robot` as a robot file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.files import atomic_write
from armature.engine.model.body import Body
from armature.engine.model.dh_table import DHTable
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_assembly import shape_entries
from armature.engine.model.toml.written_values import (
    short,
    short_inertia,
    short_lengths,
    written_angle,
    written_configurations,
    written_friction,
    written_limit,
    written_pose,
    written_range,
)


def write_robot_file(text: str, path: Path) -> Path:
    """Writes the text of a robot file; a file of that name is replaced in one step.

    Raises:
        ModelError: another suffix than .toml, or the file cannot be written.
    """
    if path.suffix.lower() != ".toml":
        raise ModelError(f"{path}: the suffix must be .toml")
    try:
        atomic_write(path, text)
    except OSError as error:
        raise ModelError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def robot_text(
    robot: Robot,
    identification: Mapping[str, Any] | None = None,
    rows: DHTable | None = None,
    folder: Path | None = None,
) -> str:
    """The robot as TOML for a file in `folder`, by its DH table or by `rows`, one per joint, that a tree is made of
    (`in_dh_frames`).
    """
    table = rows or robot.dh
    if table is None or robot.coupling is not None:
        raise ModelError(f"{robot.name}: a .toml robot file needs a DH table, which this robot does not have")
    tool = robot.tool_frame
    if tool.body < 0:
        raise ModelError(f"{robot.name}: in a robot file, the tool must be on a moving link")
    lines = _lines(_head(robot, table, folder))
    lines += _table("base", written_pose(robot.base))
    link = {} if tool.body == robot.n - 1 else {"link": f"link{tool.body + 1}"}
    lines += _table("tool", link | written_pose(np.linalg.inv(table.tail(tool.body)) @ tool.X_BF))
    lines += _table("tool_limits", {key: value for key, value in asdict(robot.tool_limits).items() if value is not None})
    lines += _table("collision", {"ignore": [list(pair) for pair in robot.ignored_contacts]} if robot.ignored_contacts else {})
    for name, poses in written_configurations(robot.configurations, robot.prismatic.tolist()).items():
        lines += _table(name, poses)
    for i in range(robot.n):
        lines += ["", f"[[joints]]  # {i + 1}", *_lines(_joint(robot, table, i, folder))]
    lines += _table("identification", identification or {})
    return "\n".join(lines) + "\n"


def _table(name: str, entries: Mapping[str, Any]) -> list[str]:
    """Lines of a table, below an empty line; none for an empty table."""
    return ["", f"[{name}]", *_lines(entries)] if entries else []


def _lines(entries: Mapping[str, Any]) -> list[str]:
    return [f"{toml_key(key)} = {_several(value) if key == 'shapes' else toml_value(value)}" for key, value in entries.items()]


def _several(tables: Sequence[Mapping[str, Any]]) -> str:
    """An array of tables, a line each."""
    return "[\n" + "".join(f"  {toml_value(table)},\n" for table in tables) + "]"


def _head(robot: Robot, table: DHTable, folder: Path | None) -> dict[str, Any]:
    entries: dict[str, Any] = {
        "name": robot.name,
        "title": robot.title,
        "group": robot.group,
        "description": robot.description,
        "sources": list(robot.sources),
        "remarks": list(robot.remarks),
        "convention": table.convention,
        "gravity": robot.gravity.tolist(),
        "task": [] if robot.task_reason else list(robot.task),
        "task_axes": "" if robot.task_axes == "world" else robot.task_axes,
        "floor": robot.floor,
    }
    entries["shapes"] = body_shapes(robot, -1, folder)
    return {key: value for key, value in entries.items() if not (value is None or value in ("", []))}


def _joint(robot: Robot, table: DHTable, i: int, folder: Path | None) -> dict[str, Any]:
    """The row of joint i, its masses in the frame of the link."""
    body, slides = robot.bodies[i], bool(robot.prismatic[i])
    entry: dict[str, Any] = {"name": robot.joint_names[i], "type": body.joint_type}
    if body.parent != i - 1:
        entry["parent"] = "base" if body.parent < 0 else f"link{body.parent + 1}"
    row = {key: float(vars(table)[key][i]) for key in ("alpha", "a", "d", "theta")}
    entry |= {key: written_angle(x) if key in ("alpha", "theta") else short_lengths([x])[0] for key, x in row.items()}
    if np.isfinite([robot.q_min[i], robot.q_max[i]]).all():
        entry |= written_range(float(robot.q_min[i]), float(robot.q_max[i]), slides)
    for key, limits in (("velocity_limit", robot.qd_max), ("acceleration_limit", robot.qdd_max)):
        if np.isfinite(limits[i]):
            entry |= written_limit(key, float(limits[i]), slides)
    if np.isfinite(robot.tau_max[i]):
        entry["torque_limit"] = robot.tau_max[i]
    if body.restitution:
        entry["restitution"] = body.restitution
    if shapes := body_shapes(robot, i, folder):
        entry["shapes"] = shapes
    return entry | _masses(body, table.tail(i)) if robot.has_dynamics else entry


def body_shapes(robot: Robot, body: int, folder: Path | None) -> list[dict[str, Any]]:
    """The shapes of a body, −1 for the base, as a robot file in `folder` has them."""
    entries: list[dict[str, Any]] = []
    for shapes, collision in ((robot.visuals, False), (robot.collisions, True)):
        entries += shape_entries([shape for shape in shapes if robot.links[shape.link].body == body], collision, folder)
    return entries


def _masses(body: Body, X_BL: np.ndarray) -> dict[str, Any]:
    R, p = X_BL[:3, :3], X_BL[:3, 3]
    inertia = R.T @ body.inertia @ R
    inertia = (inertia + inertia.T) / 2
    entry: dict[str, Any] = {"mass": short([body.mass])[0], "com": short_lengths(R.T @ (body.com - p))}
    entry["inertia"] = short_inertia(inertia)
    if triangle_fault(inertia):
        entry["inertia_as_published"] = "as in the original file"
    friction = body.friction
    if friction.viscous or any(friction.coulomb) or friction.stiction:
        entry["friction"] = written_friction(friction)
    return entry | ({"rotor_inertia": short([body.rotor_inertia])[0]} if body.rotor_inertia else {})


def toml_key(key: str) -> str:
    """A key as TOML writes it: bare where that may be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def toml_value(value: Any) -> str:
    """A plain value as TOML writes it."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    return "[" + ", ".join(toml_value(item) for item in value) + "]"
