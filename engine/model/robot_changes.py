"""Changes of a robot since its file was read, as data that repeat them, and a fingerprint of the resulting parameters."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from armature.engine.errors import EngineError, ModelError
from armature.engine.model.body import Friction
from armature.engine.model.robot import Robot

KINDS = ("payload", "gravity", "floor", "tool", "friction", "stops")


def with_changes(robot: Robot, changes: Iterable[Mapping[str, Any]]) -> Robot:
    """Return a robot with the `changes` of another one.

    Args:
        robot: as read from its file.
        changes: in their order, each one of `{"payload": {"mass", "com", "inertia"}}`, `{"gravity": [x, y, z]}`,
            `{"floor": z or None}`, `{"tool": name or 4×4}`, `{"friction": False, names of joints without it, or coefficients by
            joint}` and `{"stops": False}`.

    Raises:
        ModelError: an unknown change, or one that is impossible for this robot.
    """
    for change in changes:
        try:
            ((kind, value),) = change.items()
            robot = _changed(robot, kind, value)
        except (EngineError, LookupError, TypeError, ValueError, AttributeError) as error:
            why = f": {error}" if isinstance(error, EngineError) else ""
            raise ModelError(f"{robot.name}: {str(change)[:80]} is not a valid change of {', '.join(KINDS)}{why}") from None
    return robot


def _changed(robot: Robot, kind: str, value: Any) -> Robot:
    if kind == "payload":
        return robot.with_payload(**value)
    if kind == "gravity":
        return robot.with_gravity(value)
    if kind == "floor":
        return robot.with_floor(value)
    if kind == "tool":
        return robot.with_tool(value)
    if kind == "friction" and (value is False or isinstance(value, list)):
        return robot.without_friction(None if value is False else value)
    if kind == "friction" and isinstance(value, dict):
        return robot.with_friction({name: _friction(**figures) for name, figures in value.items()})
    if kind == "stops" and value is False:
        return robot.without_stops()
    raise ValueError


def _friction(viscous: float, coulomb: list[float], stiction: float) -> Friction:
    plus, minus = coulomb
    return Friction(viscous, (plus, minus), stiction)


def described_model(robot: Robot) -> dict[str, Any]:
    """Changes and fingerprint of a robot, which distinguish it from others of the same file."""
    return {"changes": [dict(change) for change in robot.changes], "model_sha256": fingerprint(robot)}


def fingerprint(robot: Robot) -> str:
    """SHA-256 over every figure that motion and recordings depend on: bodies, friction, limits, couplings, gravity and tool."""
    tool, tree = robot.frames[robot.tool], robot.tree
    digest = hashlib.sha256("\n".join((*robot.joint_names, *tree.joint_names)).encode())
    figures = [tree.packed, robot.q_min, robot.q_max, np.array([float(tool.body)]), tool.X_BF]
    if robot.coupling is not None:
        figures += [robot.coupling.G, robot.coupling.offset]
    for array in figures:
        digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return digest.hexdigest()
