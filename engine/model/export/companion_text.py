"""The companion of a written URDF: task, tool, named poses, motors and friction that URDF has no words for."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from armature.engine.model.body import Body
from armature.engine.model.export.link_carriers import tool_link
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_writer import toml_key, toml_value
from armature.engine.model.toml.written_figures import written_configurations, written_friction
from armature.engine.model.toml.written_values import short

_USUAL_GRAVITY = (0.0, 0.0, -9.81)


def companion_text(robot: Robot) -> tuple[str, str]:
    """The file, and in words what of the dynamics only it holds, "" for nothing."""
    head: dict[str, Any] = {"title": robot.title, "description": robot.description, "sources": list(robot.sources)}
    head["remarks"] = list(robot.remarks) if robot.source is not None and robot.source.suffix == ".toml" else []
    head = {key: value for key, value in head.items() if value}
    if robot.floor is not None:
        head["floor"] = robot.floor
    if not robot.task_reason:
        head["task"] = list(robot.task)
    if robot.task_axes != "world":
        head["task_axes"] = robot.task_axes
    if not np.array_equal(robot.gravity, _USUAL_GRAVITY):
        head["gravity"] = robot.gravity
    head["tool"] = {"link": tool_link(robot)}
    limits = {key: value for key, value in asdict(robot.tool_limits).items() if value is not None}
    if limits:
        head["tool_limits"] = limits
    lines = [f"{key} = {toml_value(value)}" for key, value in head.items()]
    for table, poses in written_configurations(robot.configurations, robot.prismatic.tolist()).items():
        lines += ["", f"[{table}]", *(f"{toml_key(name)} = {toml_value(q)}" for name, q in poses.items())]
    accelerations = robot.qdd_max.tolist()
    each = zip(robot.joint_names, robot.joint_bodies, accelerations, strict=True)
    joints = {name: _joint(robot.bodies[i], limit) for name, i, limit in each}
    for name, figures in joints.items():
        if figures:
            lines += ["", f"[joints.{toml_value(name)}]", *(f"{key} = {toml_value(value)}" for key, value in figures.items())]
    return "\n".join(lines) + "\n", _words(head, joints)


def _joint(body: Body, acceleration: float) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if body.rotor_inertia:
        figures["rotor_inertia"] = short([body.rotor_inertia])[0]
    friction = body.friction
    plus, minus = friction.coulomb
    if plus != minus or friction.stiction > plus:
        figures["friction"] = written_friction(friction)
    if body.restitution:
        figures["restitution"] = body.restitution
    if np.isfinite(acceleration):
        figures["acceleration_limit"] = acceleration
    return figures


def _words(head: dict[str, Any], joints: dict[str, dict[str, Any]]) -> str:
    found = {key for figures in joints.values() for key in figures}
    words = {
        "rotor_inertia": "rotor inertias",
        "friction": "direction-dependent and static friction",
        "restitution": "restitution",
        "acceleration_limit": "acceleration limits",
    }
    said = [text for key, text in words.items() if key in found]
    said += [text for key, text in {"gravity": "gravity", "task": "the task", "floor": "the floor"}.items() if key in head]
    said.append("named poses")
    text = ", ".join(said)
    return text[0].upper() + text[1:]
