"""The joint that is inserted where nothing is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armature.engine.model.dh_table import STANDARD

LENGTH, RADIUS, MASS = 0.25, 0.04, 2.0


def usual_joint(table: Mapping[str, Any], index: int) -> dict[str, Any]:
    """A revolute joint with a round bar of 0.25 m along x, ±180°; with masses where the other joints have some."""
    joints = table["joints"]
    row: dict[str, Any] = {}
    names = {joint.get("name") or f"joint{i + 1}" for i, joint in enumerate(joints)}
    if any("name" in joint for joint in joints):
        row["name"] = next(name for k in range(index + 1, len(joints) + 66) if (name := f"joint{k}") not in names)
    row |= {"type": "revolute", "theta": 0.0, "d": 0.0, "a": LENGTH, "alpha": 0.0, "limits_deg": [-180, 180]}
    return row | bar(str(table["convention"])) if joints and "mass" in joints[0] else row


def bar(convention: str) -> dict[str, Any]:
    """Mass, centre and inertia of a round bar from the joint to the next one.

    I_x = m r²/2,  I_y = I_z = m (3 r² + l²)/12.
    """
    centre = -LENGTH / 2 if convention == STANDARD else LENGTH / 2
    along, across = MASS * RADIUS**2 / 2, MASS * (3 * RADIUS**2 + LENGTH**2) / 12
    return {"mass": MASS, "com": [centre, 0.0, 0.0], "inertia": [round(x, 6) for x in (along, across, across)]}
