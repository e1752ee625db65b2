"""Figures of an arm as a person writes them: few digits, no dust, degrees and fractions of pi; read back the same to 1e-14."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from armature.engine.model.body import Friction
from armature.engine.model.file_values import angle
from armature.engine.model.toml.named_poses import IN_DEGREES, IN_RAD
from armature.engine.model.toml.written_values import as_fraction, short
from armature.engine.rotations import quaternion, roll_pitch_yaw, rot_rpy

_DUST = 1e-15  # m or rad
_SAME = 1e-14  # of a rotation's entries
_DECIMALS = 6  # of an angle in degrees that the user wrote


def short_lengths(p: Iterable[float]) -> list[float]:
    """Lengths in m, or angles in rad, without dust beside 1."""
    return short([*p, 1.0], _DUST)[:-1]


def written_angle(x: float) -> float | str:
    """x rad as a fraction of pi where it is one, else with few digits."""
    return as_fraction(x) or short_lengths([x])[0]


def written_pose(X: np.ndarray) -> dict[str, Any]:
    """`xyz` and `rpy`, or `quaternion` where angles would lose digits, of a pose `(4, 4)`; without what says nothing."""
    told: dict[str, Any] = {}
    if any(xyz := short_lengths(X[:3, 3])):
        told["xyz"] = xyz
    angles = roll_pitch_yaw(X[:3, :3])
    if np.abs(rot_rpy(*angles)[:3, :3] - X[:3, :3]).max() > _SAME:
        return told | {"quaternion": short(quaternion(X[:3, :3]))}
    rpy = [written_angle(x) for x in angles]
    return told | ({"rpy": rpy} if any(rpy) else {})


def written_range(low: float, high: float, slides: bool) -> dict[str, Any]:
    """`limits_deg` where both are round in degrees, else `limits`; the same to the last bit."""
    degrees = None if slides else _in_degrees([low, high])
    return {"limits": [low, high]} if degrees is None else {"limits_deg": degrees}


def written_configurations(poses: Mapping[str, np.ndarray], slides: Sequence[bool]) -> dict[str, dict[str, Any]]:
    """The table of named poses by its name: in degrees where all are round so, else in rad; the same to the last bit."""
    named = {name: q for name, q in poses.items() if name != "zero"}
    if not named:
        return {}
    in_degrees: dict[str, Any] = {}
    for name, q in named.items():
        turns = _in_degrees([0.0 if slide else x for x, slide in zip(q, slides, strict=True)])
        if turns is None:
            return {IN_RAD: {name: [_exactly(x, slide) for x, slide in zip(q, slides, strict=True)] for name, q in named.items()}}
        in_degrees[name] = [float(x) if slide else turn for x, turn, slide in zip(q, turns, slides, strict=True)]
    return {IN_DEGREES: in_degrees}


def written_friction(friction: Friction) -> dict[str, Any]:
    """Viscous, Coulomb and stiction figures with few digits."""
    (viscous,), (stiction,) = short([friction.viscous]), short([friction.stiction])
    return {"viscous": viscous, "coulomb": [short([x])[0] for x in friction.coulomb], "stiction": stiction}


def written_limit(key: str, limit: float, slides: bool) -> dict[str, Any]:
    """The limit under `key`, or under `key`_deg where it is round in degrees; the same to the last bit."""
    degrees = None if slides else _in_degrees([limit])
    return {key: limit} if degrees is None else {f"{key}_deg": degrees[0]}


def _exactly(x: float, slides: bool) -> float | str:
    """A joint's value, as a fraction of pi where it is one to the last bit."""
    text = None if slides else as_fraction(x)
    return text if text is not None and angle(text) == x else float(x)


def _in_degrees(angles: Iterable[float]) -> list[float | int] | None:
    """Round numbers of degrees that are read as exactly these angles; None where there are none."""
    told: list[float | int] = []
    for x in angles:
        tries = (round(math.degrees(x), digits) for digits in range(_DECIMALS))
        found = next((degrees for degrees in tries if math.radians(degrees) == x), None)
        if found is None:
            return None
        told.append(int(found) if found == int(found) else found)
    return told
