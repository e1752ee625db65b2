"""An arm without a robot file of its own, written as one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from armature.engine.model.dh.dh_rows import in_dh_frames
from armature.engine.model.draft.draft_text import with_values
from armature.engine.model.draft.places import Placed
from armature.engine.model.draft.text_parts import split
from armature.engine.model.draft.written_poses import POSES, pose_changes
from armature.engine.model.draft.written_values import angle_like, short, short_inertia
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import table_of
from armature.engine.model.toml.robot_writer import robot_text


def written_robot(robot: Robot) -> str:
    """The text of a robot file that describes the arm, angles as fractions of pi where they are, names as robot files take them.

    Raises:
        ModelError: mimic joints, a tool that is not on the last link, branches that no DH rows describe.
    """
    arm, rows = in_dh_frames(_named(robot))
    if robot.dh is None and robot.source is not None:
        arm = replace(arm, sources=(*arm.sources, f"{robot.source.name}; DH rows found by Armature"))
    text = robot_text(arm, rows=rows)
    table = table_of(text.encode(), "robot file", "joints")
    changes: list[Placed] = [((key,), None) for key in ("sources", "remarks") if not table.get(key)]
    for i, joint in enumerate(table["joints"]):
        changes += [(("joints", i, key), value) for key, value in _tidy(joint).items()]
    for name in POSES:
        changes += [((name,), None), *pose_changes({}, name, np.eye(4), np.array(table[name]["matrix"]))]
    parts = with_values(split(text), [change for change in changes if change[1] is None])
    parts = with_values(parts, [change for change in changes if change[1] is not None])
    return "".join(part.text for part in parts)


def _tidy(joint: dict[str, Any]) -> dict[str, Any]:
    """The figures of a joint that were computed, without the dust of that."""
    told: dict[str, Any] = {key: angle_like(joint[key], None) for key in ("alpha", "theta")}
    told |= {key: short([joint[key], 1.0])[0] for key in ("a", "d")}
    if "com" in joint:
        told |= {"com": short(joint["com"]), "inertia": short_inertia(np.array(joint["inertia"]))}
    return told


def _named(robot: Robot) -> Robot:
    """With letters, digits, `_` and `-` in its name and those of its joints."""
    names: list[str] = []
    for i, name in enumerate(robot.joint_names):
        usable = _usable(name, "joint_")
        names.append(usable if usable not in names else f"joint{i + 1}_{usable}"[:64])
    return replace(robot, name=_usable(robot.name, "arm_"), joint_names=tuple(names))


def _usable(name: str, front: str) -> str:
    word = re.sub(r"[^\w-]", "_", name)
    return (word if re.match(r"[^\W\d]", word) else front + word)[:64]
