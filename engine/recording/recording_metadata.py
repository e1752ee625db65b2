"""Metadata of a recording: plain JSON values, from which the run can be simulated again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import described_model
from armature.engine.rotations import quaternion
from armature.engine.version import VERSION

WORLD = "world"
_DECIMALS = 15  # of m and of a unit quaternion: below them there is only rounding
SCHEMA = 2
UNCONTROLLED: Mapping[str, Any] = {"kind": "none"}
EVENTS = "events"
EXCERPT = "excerpt"
"""Which part of a longer recording this one is, where it is one."""
IMPORTED = "imported"
"""Key of the column mapping and the processing of an imported log."""
# Values of missing fields: recordings of older versions, or without metadata.
_UNKNOWN: dict[str, Any] = {
    "robot": "",
    "source": "",
    "file_sha256": "",
    "companion_sha256": "",
    "model_sha256": "",
    "changes": None,
    "gravity": None,
    "floor": None,
    "friction": None,
    "payload": None,
    "tool": "",
    "joints": None,
    "joint_types": None,
    "tree": None,
    "controller": None,
    "sensors": None,
    "disturbance": None,
    "trajectory": None,
    "cell": None,
    "seed": None,
    "integrator": "",
    "dt": None,
    "program": "",
    "version": "",
    "target": "",
    "started": "",
    EVENTS: None,
}


def link_tree(robot: Robot) -> dict[str, Any]:
    """Links of a robot, parents first; a placement is x y z in m and a quaternion w x y z.

    X_PL(q) = X_PJ X_J(multiplier · q + offset) X_JL

    Returns:
        `reach` in m; `tool`: `parent` and `placement` X_PT; `links`, each with `name`, `parent` ("world" for the root) and
        `placement` X_PJ, and a moving one with its `joint`, `type`, `multiplier`, `offset`, `stroke` (both ends of a slide in
        m, None if unlimited) and `frame` X_JL. A root link called "world" is omitted.
    """
    tool = robot.frames[robot.tool]
    carrier = next(name for name, frame in reversed(tuple(robot.links.items())) if frame.body == tool.body)
    return {
        "reach": robot.reach,
        "tool": {"parent": carrier, "placement": _plain(np.linalg.inv(robot.links[carrier].X_BF) @ tool.X_BF)},
        "links": [_link(robot, name) for name in robot.links if name != WORLD],
    }


def _link(robot: Robot, name: str) -> dict[str, Any]:
    frame, parent = robot.links[name], _parent(robot, name)
    carrier = robot.frames[parent]
    X_PB = np.linalg.inv(carrier.X_BF)
    if carrier.body == frame.body:
        return {"name": name, "parent": parent, "placement": _plain(X_PB @ frame.X_BF)}
    body, tree = robot.bodies[frame.body], robot.tree
    coupling = robot.coupling
    stroke = [float(end[frame.body]) for end in (tree.q_min, tree.q_max)]
    return {
        "name": name,
        "parent": parent,
        "placement": _plain(X_PB @ body.X_PJ),
        "joint": robot.joint_names[robot.body_joints[frame.body]],
        "type": body.joint_type,
        "multiplier": 1.0 if coupling is None else float(coupling.multiplier[frame.body]),
        "offset": 0.0 if coupling is None else float(coupling.offset[frame.body]),
        "stroke": stroke if body.joint_type == PRISMATIC and np.isfinite(stroke).all() else None,
        "frame": _plain(frame.X_BF),
    }


def _parent(robot: Robot, name: str) -> str:
    """Parent of a link: from the file, otherwise the link of the previous body."""
    if name in robot.link_parents:
        return robot.link_parents[name]
    body = robot.links[name].body
    if body < 0:
        return WORLD
    return next(other for other, frame in robot.links.items() if frame.body == robot.bodies[body].parent)


def _plain(X: np.ndarray) -> list[float]:
    placement = np.concatenate([X[:3, 3], quaternion(X[:3, :3])])
    return (np.round(placement, _DECIMALS) + 0.0).tolist()


def metadata_of(
    robot: Robot,
    dt: float,
    integrator: str,
    inputs: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the metadata of a recording that begins now.

    Args:
        robot: the arm, whose file, hash and changes are stored.
        dt: length of a step, s.
        integrator: its name.
        inputs: some of the following, as JSON values; None is the default of all but the controller.
            `controller`: source of the torque, `{"kind": "none"}` (the default: torques are events), or the kind of a controller
            and its gains; `trajectory`: the followed trajectory; `sensors`: sensors of the controller;
            `disturbance`: the user-defined disturbance; `cell`: name and hash of the cell.
        seed: of all random numbers.
    """
    from armature.engine.kernel_target import target_name  # imports numba, for which a window does not wait

    given = dict.fromkeys(("controller", "sensors", "disturbance", "trajectory", "cell")) | dict(inputs or {})
    payloads = [change["payload"] for change in robot.changes if "payload" in change]
    return {
        "schema": SCHEMA,
        "robot": robot.name,
        "source": Path(robot.source).absolute().as_posix() if robot.source else "",
        "file_sha256": robot.file_hash,
        "companion_sha256": robot.companion_hash,
        **described_model(robot),
        "joints": list(robot.joint_names),
        "joint_types": list(robot.joint_types),
        "tree": link_tree(robot),
        "tool": robot.tool,
        "gravity": robot.gravity.tolist(),
        "floor": robot.floor,
        "friction": any(f.viscous or any(f.coulomb) or f.stiction for f in (body.friction for body in robot.bodies)),
        "payload": payloads,
        **{name: None if value is None else dict(value) for name, value in given.items()},
        "controller": dict(given["controller"] or UNCONTROLLED),
        "seed": seed,
        "integrator": integrator,
        "dt": dt,
        "program": "armature",
        "version": VERSION,
        "target": target_name(),
        "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
        EVENTS: [],
    }


def as_text(metadata: Mapping[str, Any]) -> str:
    """JSON text; raises ValueError for what JSON cannot hold."""
    try:
        return json.dumps(dict(metadata), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"its metadata cannot be written as JSON: {error}") from None


def from_text(text: str | bytes) -> dict[str, Any]:
    """Metadata from JSON text, with what an older version did not write filled in; raises ValueError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise ValueError("its metadata cannot be read")
    return with_defaults(data)


def import_notes(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Notes of an import about processing and missing data, one line each; empty for other recordings."""
    imported = metadata.get(IMPORTED)
    notes = imported.get("notes") if isinstance(imported, dict) else None
    return tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()


def recorded_cell(metadata: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return name and hash of the cell in which a recording was made, None without one."""
    cell = metadata.get("cell")
    return (str(cell.get("name", "")), str(cell.get("sha256", ""))) if isinstance(cell, Mapping) else None


def with_defaults(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata of any version with every field of this one; unknown values are None or empty.

    `schema` is the version of the writer; version 1 had no such field.
    """
    schema = metadata.get("schema", 1)
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise ValueError(f"its metadata has the unknown schema {str(schema)[:40]!r}")
    return {"schema": schema, **_UNKNOWN, **metadata}
