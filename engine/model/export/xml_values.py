"""Numbers and poses as XML files hold them: every digit that a double has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.rotations import quaternion, rot_rpy


def numbers(values: Any) -> str:
    """One or several numbers with blanks between, read back to the last bit."""
    return " ".join(repr(float(x) + 0.0).removesuffix(".0") for x in np.ravel(values))


def roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """(roll, pitch, yaw) of R = Rot_z(yaw) Rot_y(pitch) Rot_x(roll), exact near pitch ±90°, too.

    There roll and yaw are hardly told apart; roll is taken from what is left of R once yaw is undone, so that their product is R.
    """
    yaw = np.arctan2(R[1, 0], R[0, 0])
    s, c = np.sin(yaw), np.cos(yaw)
    pitch = np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    angles = np.array([roll, pitch, yaw])
    nice = np.round(angles / (np.pi / 2)) * (np.pi / 2)  # quarter turns without the dust of the last bit
    near = np.where(np.abs(angles - nice) < 1e-15, nice, angles)
    return near if np.abs(rot_rpy(*near)[:3, :3] - R).max() <= np.abs(rot_rpy(*angles)[:3, :3] - R).max() + 1e-16 else angles


def origin(parent: Any, X: np.ndarray) -> None:
    """An `<origin>` of a URDF, left out for the identity."""
    if not np.array_equal(X, np.eye(4)):
        etree.SubElement(parent, "origin", xyz=numbers(X[:3, 3]), rpy=numbers(roll_pitch_yaw(X[:3, :3])))


def place(X: np.ndarray) -> dict[str, str]:
    """`pos` and `quat` of an element of a MuJoCo model, each left out where it is none."""
    found = {}
    if X[:3, 3].any():
        found["pos"] = numbers(X[:3, 3])
    if not np.array_equal(X[:3, :3], np.eye(3)):
        found["quat"] = numbers(quaternion(X[:3, :3]))
    return found


def as_text(root: Any, about: Iterable[str]) -> str:
    """The file: what it is about as a comment, then the elements."""
    lines = [line.replace("--", "– ") for line in about if line]
    comment = "<!--\n" + "".join(f"  {line}\n" for line in lines) + "-->\n" if lines else ""
    etree.indent(root, "  ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comment}{etree.tostring(root, encoding="unicode")}\n'


def free_name(wanted: str, taken: Sequence[str] | set[str]) -> str:
    """The name, with a number behind it where it is taken."""
    name, k = wanted, 2
    while name in taken:
        name, k = f"{wanted}{k}", k + 1
    return name
