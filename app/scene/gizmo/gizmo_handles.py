"""The handles of the gizmo: their names, and which of them make sense for a task."""

from __future__ import annotations

import numpy as np

ARROWS = ("x", "y", "z")
RINGS = ("rx", "ry", "rz")
PLANES = ("yz", "zx", "xy")
BALL, KNOB = "ball", "self"
HANDLES = (*ARROWS, *RINGS, *PLANES, BALL, KNOB)
NAMES = {
    **{name: f"move along {name}" for name in ARROWS},
    **{name: f"rotate about {name[1]}" for name in RINGS},
    **{name: f"move in the {name[0]} {name[1]} plane" for name in PLANES},
    BALL: "move freely",
    KNOB: "move the elbow, tool fixed",
}
_IN_SPAN = 1e-6


def axis_index(handle: str) -> int:
    """0, 1, 2: the axis of an arrow or a ring, the normal of a plane."""
    for family in (ARROWS, RINGS, PLANES):
        if handle in family:
            return family.index(handle)
    raise ValueError(f"handle {handle!r} has no axis")


def offered(task: tuple[str, ...], R_WG: np.ndarray) -> tuple[str, ...]:
    """The handles whose motions lie within `task` (components in world axes) for gizmo axes R_WG `(3, 3)`."""
    out = _spanned(R_WG, [task.count(axis) for axis in ARROWS])
    handles = [name for name, inside in zip(ARROWS, out, strict=True) if inside]
    handles += [name for k, name in enumerate(PLANES) if out[(k + 1) % 3] and out[(k + 2) % 3]]
    if all(axis in task for axis in ARROWS):
        handles.append(BALL)
    turns = _spanned(R_WG, [task.count(axis) for axis in RINGS])
    handles += [name for name, inside in zip(RINGS, turns, strict=True) if inside]
    return tuple(name for name in HANDLES if name in handles)


def _spanned(R_WG: np.ndarray, wanted: list[int]) -> np.ndarray:
    """Which columns of R_WG have no component along the world axes that are not wanted."""
    outside = 1.0 - np.array(wanted, float)
    return np.linalg.norm(outside[:, None] * R_WG, axis=0) < _IN_SPAN
