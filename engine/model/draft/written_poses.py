"""The poses of base and tool, as a robot file has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from armature.engine.model.draft.places import Placed
from armature.engine.model.file_entries import PoseEntry
from armature.engine.model.toml.toml_assembly import pose
from armature.engine.model.toml.written_values import angle_like, in_degrees, is_number, number_of, short
from armature.engine.rotations import quaternion, roll_pitch_yaw, rot_rpy

POSES = ("base", "tool")

_DUST = 1e-15


def pose_changes(table: Mapping[str, Any], name: str, X_old: np.ndarray, X: np.ndarray) -> list[Placed]:
    """What to write for base or tool to have the pose X `(4, 4)` instead of X_old, in the manner of the file.

    A pose that becomes that of the frame itself goes out of the file.
    """
    if np.abs(X - X_old).max() <= _DUST:
        return []
    if np.abs(X - np.eye(4)).max() <= _DUST:
        return [((name,), None)]
    entry = table.get(name, {})
    if "matrix" in entry:
        return [((name, "matrix"), [short(row) for row in X])]
    changes: list[Placed] = [((name, "xyz"), _lengths(X[:3, 3]))] if X[:3, 3].any() or "xyz" in entry else []
    turned = np.abs(X[:3, :3] - X_old[:3, :3]).max() > _DUST
    return changes + [((name, key), value) for key, value in _rotation(entry, X[:3, :3]).items() if turned]


def _lengths(p: np.ndarray) -> list[float]:
    """Without dust, which a metre tells from lengths."""
    return short([*p, 1.0])[:3]


def _rotation(entry: Mapping[str, Any], R: np.ndarray) -> dict[str, Any]:
    """The one key of a pose's rotation."""
    if "quaternion" in entry:
        return {"quaternion": short(quaternion(R))}
    angles = short([*roll_pitch_yaw(R), 1.0])[:3]
    if "rpy_deg" in entry:
        return {"rpy_deg": [in_degrees(x) for x in angles]}
    return {"rpy": [angle_like(x, None) for x in angles]}


def pose_value(entry: Mapping[str, Any], key: str) -> Any:
    """xyz, rpy or rpy_deg of a pose that is written another way or, where it says nothing, is at the origin."""
    X = pose(PoseEntry.model_validate(dict(entry)))
    if key == "xyz":
        return X[:3, 3].tolist()
    if key not in ("rpy", "rpy_deg"):
        return None
    angles = roll_pitch_yaw(X[:3, :3]).tolist()
    if other := entry.get("rpy" if key == "rpy_deg" else "rpy_deg"):
        angles = [math.radians(x) for x in other] if key == "rpy" else [number_of(x) for x in other]
    return angles if key == "rpy" else [in_degrees(x) for x in angles]


def pose_written(entry: Mapping[str, Any], key: str, value: Any) -> dict[str, Any] | None:
    """Keys of a pose to set where it has a matrix or a quaternion; None where `key` itself is the one."""
    if key not in ("xyz", "rpy", "rpy_deg") or not isinstance(value, list) or len(value) != 3:
        return None
    if not ("matrix" in entry or ("quaternion" in entry and key != "xyz")) or not all(map(is_number, value)):
        return None
    X = pose(PoseEntry.model_validate(dict(entry)))
    if key == "xyz":
        X[:3, 3] = value
    else:
        X[:3, :3] = rot_rpy(*(np.radians(value) if key == "rpy_deg" else value))[:3, :3]
    return {"matrix": X.tolist()} if "matrix" in entry else {"quaternion": quaternion(X[:3, :3]).tolist()}
