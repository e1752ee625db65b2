"""Writes a `Robot` as a robot file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import Body
from armature.engine.model.dh_table import DHTable
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_shapes import shape_entries
from armature.engine.whole_file import write_whole


def write_robot_file(text: str, path: Path) -> Path:
    """Writes the text of a robot file; a file of that name is replaced in one step.

    Raises:
        ModelError: another suffix than .toml, or the file cannot be written.
    """
    if path.suffix.lower() != ".toml":
        raise ModelError(f"{path}: robots are written as .toml")
    try:
        write_whole(path, text)
    except OSError as error:
        raise ModelError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def robot_text(robot: Robot, identification: Mapping[str, Any] | None = None, rows: DHTable | None = None) -> str:
    """The robot as TOML, by its DH table or by `rows`, one per joint, that a tree is made of (`in_dh_frames`)."""
    table = rows or robot.dh
    if table is None or robot.coupling is not None:
        raise ModelError(f"{robot.name}: a robot file describes arms by a DH table, which this one has not")
    lines = [f"{key} = {toml_value(value)}" for key, value in _head(robot, table).items()]
    lines += ["", "[base]", f"matrix = {toml_value(robot.base)}"]
    tail = table.tail(robot.n - 1)
    tool = robot.tool_frame
    if tool.body != robot.n - 1:
        raise ModelError(f"{robot.name}: a robot file has its tool on the last link")
    lines += ["", "[tool]", f"matrix = {toml_value(np.linalg.inv(tail) @ tool.X_BF)}"]
    limits = {key: value for key, value in asdict(robot.tool_limits).items() if value is not None}
    if limits:
        lines += ["", "[tool_limits]", *(f"{key} = {toml_value(value)}" for key, value in limits.items())]
    lines += [
        "",
        "[configurations]",
        *(f"{json.dumps(key)} = {toml_value(q)}" for key, q in robot.configurations.items() if key != "zero"),
    ]
    for i in range(robot.n):
        lines += [
            "",
            f"[[joints]]  # {i + 1}",
            *(f"{key} = {toml_value(value)}" for key, value in _joint(robot, table, i).items()),
        ]
    if identification is not None:
        lines += ["", "[identification]", *(f"{key} = {toml_value(value)}" for key, value in identification.items())]
    return "\n".join(lines) + "\n"


def _head(robot: Robot, table: DHTable) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": robot.name,
        "title": robot.title,
        "group": robot.group,
        "description": robot.description,
        "sources": list(robot.sources),
        "remarks": list(robot.remarks),
        "convention": table.convention,
        "gravity": robot.gravity,
        "task": list(robot.task),
        "floor": robot.floor,
    }
    told["shapes"] = body_shapes(robot, -1)
    return {
        key: value
        for key, value in told.items()
        if value is not None and (key in ("name", "task") or len(np.shape(value)) or value)
    }


def _joint(robot: Robot, table: DHTable, i: int) -> dict[str, Any]:
    """The row of joint i, its masses in the frame of the link."""
    body = robot.bodies[i]
    entry: dict[str, Any] = {"name": robot.joint_names[i], "type": body.joint_type}
    if body.parent != i - 1:
        entry["parent"] = "base" if body.parent < 0 else f"link{body.parent + 1}"
    entry |= {key: float(vars(table)[key][i]) for key in ("alpha", "a", "d", "theta")}
    if np.isfinite([robot.q_min[i], robot.q_max[i]]).all():
        entry["limits"] = [robot.q_min[i], robot.q_max[i]]
    for key, value in (("velocity_limit", robot.qd_max[i]), ("torque_limit", robot.tau_max[i])):
        if np.isfinite(value):
            entry[key] = value
    if body.restitution:
        entry["restitution"] = body.restitution
    if shapes := body_shapes(robot, i):
        entry["shapes"] = shapes
    return entry | _masses(body, table.tail(i)) if robot.has_dynamics else entry


def body_shapes(robot: Robot, body: int) -> list[dict[str, Any]]:
    """The shapes of a body, −1 for the base."""
    entries: list[dict[str, Any]] = []
    for shapes, collision in ((robot.visuals, False), (robot.collisions, True)):
        entries += shape_entries([shape for shape in shapes if robot.links[shape.link].body == body], collision)
    return entries


def _masses(body: Body, X_BL: np.ndarray) -> dict[str, Any]:
    R, p = X_BL[:3, :3], X_BL[:3, 3]
    inertia = R.T @ body.inertia @ R
    inertia = (inertia + inertia.T) / 2
    entry = {"mass": body.mass, "com": R.T @ (body.com - p), "inertia": inertia}
    if triangle_fault(inertia):
        entry["inertia_as_published"] = "as in the file that this one was made of"
    friction = body.friction
    if friction.viscous or any(friction.coulomb) or friction.stiction:
        entry["friction"] = {"viscous": friction.viscous, "coulomb": list(friction.coulomb), "stiction": friction.stiction}
    return entry | ({"rotor_inertia": body.rotor_inertia} if body.rotor_inertia else {})


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key)


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
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    return "[" + ", ".join(toml_value(item) for item in value) + "]"
