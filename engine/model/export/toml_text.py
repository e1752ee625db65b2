"""Any robot that DH rows describe as a robot file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.model.dh.dh_rows import in_dh_frames
from armature.engine.model.export.export_parts import Written, free_name, some
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_writer import robot_text

_MOST = 64  # characters of a name


def toml_file(robot: Robot, path: Path) -> Written:
    """The robot file at `path`. Raises ModelError for an arm that no DH rows describe."""
    text, losses = toml_text(robot, folder=path.parent)
    return Written({path: text}, losses)


def toml_text(
    robot: Robot, identification: Mapping[str, Any] | None = None, folder: Path | None = None
) -> tuple[str, tuple[str, ...]]:
    """Return the robot as TOML, with computed DH rows if it has none, and messages about losses. Raises ModelError.

    `identification` is the table of that name, as plain values; `folder` the folder of the file.
    """
    arm, rows = in_dh_frames(robot)
    losses = list(_left_out(robot))
    arm, renamed = _named(arm)
    arm, unlimited = _limited(arm)
    return robot_text(arm, identification, rows, folder), (*losses, *renamed, *unlimited)


def _left_out(robot: Robot) -> Iterable[str]:
    if any(shape.texture for shape in robot.visuals):
        yield "Textures are omitted: a robot file has only colours."
    usual = {"world", "tool", "base", *(f"link{i + 1}" for i in range(robot.n))}
    other = [name for name in robot.frames if name not in usual]
    if other:
        yield f"A robot file has the frames base, link1, … and tool; others are omitted: {some(other)}."


def _named(robot: Robot) -> tuple[Robot, list[str]]:
    """With names that a robot file takes, and which were changed."""
    taken, names = set[str](), list[str]()
    for name in robot.joint_names:
        names.append(free_name(_identifier(name), taken))
        taken.add(names[-1])
    poses: dict[str, np.ndarray] = {}
    changed = [(old, new) for old, new in zip(robot.joint_names, names, strict=True) if old != new]
    for name, q in robot.configurations.items():
        new = free_name(_identifier(name), set(poses))
        poses[new] = q
        changed += [(name, new)] * (name != new)
    own = _identifier(robot.name)
    changed += [(robot.name, own)] * (own != robot.name)
    message = f"Names may contain only letters, digits, _ and -: {some(f'{old} becomes {new}' for old, new in changed)}."
    return replace(robot, name=own, joint_names=tuple(names), configurations=poses), [message] if changed else []


def _identifier(name: str) -> str:
    found = re.sub(r"[^\w-]", "_", name)[:_MOST] or "_"
    return found if re.match(r"[^\W\d]", found) else f"_{found}"[:_MOST]


def _limited(robot: Robot) -> tuple[Robot, list[str]]:
    """Limits of a robot file have two different ends; others are left out."""
    half = np.isfinite(robot.q_min) ^ np.isfinite(robot.q_max)
    still = robot.q_min == robot.q_max
    odd = [name for name, bad in zip(robot.joint_names, half | still, strict=True) if bad]
    if not odd:
        return robot, []
    low, high = np.where(half | still, -np.inf, robot.q_min), np.where(half | still, np.inf, robot.q_max)
    message = f"One-sided limits, and limits with equal ends, are omitted; these joints are then unlimited: {', '.join(odd)}."
    return replace(robot, q_min=low, q_max=high), [message]
