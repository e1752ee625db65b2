"""An arm without a robot file of its own, written as one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from armature.engine.model.draft.draft_text import with_values
from armature.engine.model.draft.places import Placed
from armature.engine.model.draft.text_parts import split
from armature.engine.model.draft.written_poses import POSES, pose_changes
from armature.engine.model.draft.written_values import angle_like, short, short_inertia
from armature.engine.model.export.toml_text import toml_text
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import table_of


def written_robot(robot: Robot) -> str:
    """The text of a robot file that describes the arm, angles as fractions of pi where they are; remarks say what is lost.

    Raises:
        ModelError: mimic joints, a tool that is not on the last link, branches that no DH rows describe.
    """
    if robot.dh is None and robot.source is not None:
        robot = replace(robot, sources=(*robot.sources, f"{robot.source.name}; DH rows found by Armature"))
    text, losses = toml_text(robot)
    table = table_of(text.encode(), "robot file", "joints")
    changes: list[Placed] = [(("remarks",), [*table["remarks"], *losses] or None)]
    changes += [(("sources",), None)] if not table["sources"] else []
    changes += [(("shapes",), list(map(_tidy_shape, table["shapes"])))] if table.get("shapes") else []
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
    if "shapes" in joint:
        told["shapes"] = list(map(_tidy_shape, joint["shapes"]))
    return told


def _tidy_shape(shape: dict[str, Any]) -> dict[str, Any]:
    """A shape where it is, beside a metre and a radian; a place that is nothing but dust is left out."""
    places = {key: short([*shape[key], 1.0])[:3] for key in ("xyz", "rpy") if key in shape}
    told: dict[str, Any] = {key: at for key, at in places.items() if any(at)}
    if "rpy" in told:
        told["rpy"] = [angle_like(x, None) for x in told["rpy"]]
    return {key: told.get(key, value) for key, value in shape.items() if key in told or key not in ("xyz", "rpy")}
