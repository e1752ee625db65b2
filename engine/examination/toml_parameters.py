"""Parameters of a TOML robot file as written there, and their line numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.examination.finding import Finding, Place
from armature.engine.examination.parameters import (
    TOML,
    JointParameters,
    LinkParameters,
    Parameters,
    WrittenAngle,
    WrittenLength,
    deeper,
)
from armature.engine.model.body import PRISMATIC
from armature.engine.model.draft.draft_text import line_of
from armature.engine.model.draft.text_parts import split
from armature.engine.model.file_entries import JointEntry
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import table_of
from armature.engine.model.toml.robot_schema import RobotFile

LENGTHS, ANGLES = ("a", "d"), ("alpha", "theta")


def toml_parameters(robot: Robot, data: bytes, path: Path | None) -> Parameters:
    """Return the parameters of a robot as its file `data` has them."""
    table = table_of(data, "robot file", "joints")
    file = RobotFile.model_validate(table)
    whole = Place(robot.name, path)
    names = file.joint_names()
    rows = [Place(_part("joint", i, names[i]), path, None, ("joints", i)) for i in range(len(names))]
    links = [_link(robot, i, joint, rows[i]) for i, joint in enumerate(file.joints) if joint.mass is not None]
    joints = [_joint(i, names[i], joint, rows[i]) for i, joint in enumerate(file.joints)]
    angles = [angle for i, joint in enumerate(file.joints) for angle in _angles(joint, rows[i])]
    lengths = [
        WrittenLength(getattr(joint, key), deeper(rows[i], key))
        for i, joint in enumerate(file.joints)
        for key in LENGTHS
        if key in joint.model_fields_set
    ]
    for name, entry in (("base", file.base), ("tool", file.tool)):
        place = Place(name, path, None, (name,))
        in_degrees = entry.rpy_deg is not None
        turns = tuple(map(float, entry.rpy if entry.rpy_deg is None else map(math.radians, entry.rpy_deg)))
        key = "rpy_deg" if in_degrees else "rpy"
        written = table.get(name, {}).get(key, [])
        angles += [
            WrittenAngle(turns[k], deeper(place, key), in_degrees or isinstance(text, str), turns, k)
            for k, text in enumerate(written)
        ]
        if "xyz" in entry.model_fields_set:
            lengths += [WrittenLength(x, deeper(place, "xyz"), entry.xyz, name == "tool") for x in entry.xyz]
    return Parameters(
        robot, TOML, whole, tuple(links), tuple(joints), tuple(angles), tuple(lengths), text=data.decode("utf-8-sig"), table=table
    )


def _part(kind: str, i: int, name: str) -> str:
    return f"{kind} {i + 1}" + (f" ({name})" if name != f"joint{i + 1}" else "")


def _link(robot: Robot, i: int, joint: JointEntry, row: Place) -> LinkParameters:
    where = Place(f"link {i + 1}", row.file, None, row.key)
    X_BL = robot.links[f"link{i + 1}"].X_BF
    inertia = np.array(joint.inertia)
    return LinkParameters(
        f"link{i + 1}",
        i,
        X_BL,
        joint.mass or 0.0,
        np.array(joint.com),
        (inertia + inertia.T) / 2,
        mass_at=deeper(where, "mass"),
        com_at=deeper(where, "com"),
        inertia_at=deeper(where, "inertia"),
        published=joint.inertia_as_published is not None,
    )


def _joint(i: int, name: str, joint: JointEntry, row: Place) -> JointParameters:
    lower, upper = joint.range or (-math.inf, math.inf)
    N = abs(joint.gear_ratio) if joint.friction.at == "motor" else 1.0
    written = {"limits": joint.limits_deg, "velocity": joint.velocity_limit_deg}
    return JointParameters(
        name,
        i,
        joint.type == PRISMATIC,
        lower,
        upper,
        joint.speed or math.inf,
        joint.torque_limit or math.inf,
        row,
        row,
        viscous=joint.friction.viscous * N**2,
        coulomb=max(joint.friction.coulomb) * N,
        stiction=joint.friction.stiction * N,
        friction_at=joint.friction.at,
        rotor_inertia=joint.rotor_inertia,
        gear_ratio=joint.gear_ratio,
        in_degrees=frozenset(key for key, value in written.items() if value is not None),
    )


def _angles(joint: JointEntry, row: Place) -> list[WrittenAngle]:
    """Return the angles of a DH row; text and degrees are exact."""
    out = []
    for key in ANGLES:
        value, written = joint.turns[key]
        if value:
            out.append(WrittenAngle(value, deeper(row, written), written != key))
    return out


def with_lines(findings: list[Finding], text: str, table: Mapping[str, Any]) -> list[Finding]:
    """Return the findings with line numbers of the text; `table` is its parsed content."""
    parts = split(text)
    return [
        replace(finding, where=replace(finding.where, line=line_of(parts, table, finding.where.key)))
        if finding.where.key
        else finding
        for finding in findings
    ]
