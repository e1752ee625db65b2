"""The text of a robot file in the other Denavit–Hartenberg convention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import Body
from armature.engine.model.dh.dh_conversion import to_modified, to_standard
from armature.engine.model.dh_table import MODIFIED, STANDARD
from armature.engine.model.draft.draft_text import Parts, with_values
from armature.engine.model.draft.written_places import Placed, needed_changes, pose_changes
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_writer import body_shapes
from armature.engine.model.toml.written_values import short, short_inertia


def convert(parts: Parts, table: Mapping[str, Any], robot: Robot, convention: str) -> Parts:
    """The same arm in `convention`: rows, base, tool, and masses in the frames of the links, which are others then.

    I_L = R_LB I_B R_BL about the centre of mass,  com_L = R_LB (com_B − p_BL).
    """
    if convention not in (STANDARD, MODIFIED):
        raise ModelError(f'convention: must be "{STANDARD}" or "{MODIFIED}", got {convention!r}')
    if robot.dh is None:
        raise ModelError("convention: only a table without branches, from base to tool, can be converted")
    other = (to_standard if convention == STANDARD else to_modified)(robot)
    rows = other.dh
    assert rows is not None
    changes: list[Placed] = [(("convention",), convention)]
    for i, body in enumerate(other.bodies):
        changes += needed_changes(table, ("joints", i, "a"), float(rows.a[i]))
        changes += needed_changes(table, ("joints", i, "alpha"), float(rows.alpha[i]))
        if robot.has_dynamics:
            changes += _mass_changes(table, i, body, robot.dh.tail(i), rows.tail(i))
        changes += _shape_changes(table, other, i)
    changes += _shape_changes(table, other, -1)
    changes += pose_changes(table, "base", robot.base, other.base)
    tool = other.tool_frame.X_BF
    n = other.n - 1
    changes += pose_changes(table, "tool", np.linalg.inv(robot.dh.tail(n)) @ tool, np.linalg.inv(rows.tail(n)) @ tool)
    return with_values(parts, changes)


def _shape_changes(table: Mapping[str, Any], other: Robot, body: int) -> list[Placed]:
    """The shapes of a body, −1 for the base, in the frame of its link."""
    where, holder = (("joints", body, "shapes"), table["joints"][body]) if body >= 0 else (("shapes",), table)
    folder = None if other.source is None else other.source.parent
    return needed_changes(table, where, body_shapes(other, body, folder)) if "shapes" in holder else []


def _mass_changes(table: Mapping[str, Any], i: int, body: Body, old: np.ndarray, new: np.ndarray) -> list[Placed]:
    """Centre of mass and inertia of link i where its frame is another one."""
    if np.array_equal(old, new):
        return []
    R, p = new[:3, :3], new[:3, 3]
    com = R.T @ (body.com - p) if body.mass or body.com.any() else np.zeros(3)
    changes = needed_changes(table, ("joints", i, "com"), short(com)) if com.any() or "com" in table["joints"][i] else []
    if body.inertia.any():
        changes += needed_changes(table, ("joints", i, "inertia"), short_inertia(R.T @ body.inertia @ R))
    return changes
