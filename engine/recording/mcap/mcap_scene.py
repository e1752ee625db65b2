"""The arm's shape in a `.mcap` recording: one `foxglove.SceneUpdate`, whose solids move with the link frames of `/tf`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from armature.engine.recording.mcap.link_frames import LinkTree
from armature.engine.recording.mcap.link_shapes import Solid, shapes
from armature.engine.recording.mcap.mcap_schemas import QUATERNION, TIME, VECTOR, array, described, number, text

SCENE_TOPIC = "/robot"
_DECIMALS = 6  # m
_KINDS = ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models")
_POSE = described("foxglove.Pose", "Centre of a solid in the frame of its link", position=VECTOR, orientation=QUATERNION)
_COLOUR = described("foxglove.Color", "0 to 1", r=number("Red"), g=number("Green"), b=number("Blue"), a=number("Opacity"))
_SIZE = {**VECTOR, "description": "Extent along its own axes, m"}
_CUBE = described("foxglove.CubePrimitive", "A box", pose=_POSE, size=_SIZE, color=_COLOUR)
_CYLINDER = described(
    "foxglove.CylinderPrimitive",
    "A cylinder or cone along its own z",
    pose=_POSE,
    size=_SIZE,
    bottom_scale=number("Lower end, relative to its size"),
    top_scale=number("Upper end, relative to its size"),
    color=_COLOUR,
)
_LASTS = described(
    "duration",
    "Duration of display; 0: permanent",
    (),
    sec={"type": "integer", "description": "Whole seconds"},
    nsec={"type": "integer", "minimum": 0, "maximum": 999_999_999, "description": "Remaining nanoseconds"},
)
_NONE = described("Nothing", "Not used")
_SOLIDS: dict[str, Any] = {kind: array(_NONE, "None") for kind in _KINDS} | {
    "cubes": array(_CUBE, "Tubes of prismatic joints"),
    "cylinders": array(_CYLINDER, "Tubes, joints and the tool"),
}
_ENTITY = described(
    "foxglove.SceneEntity",
    "The solids of one link",
    timestamp=TIME,
    frame_id=text("The link they are attached to"),
    id=text("The same"),
    lifetime=_LASTS,
    frame_locked={"type": "boolean", "description": "True: they move with that link"},
    metadata=array(_NONE, "Nothing"),
    **_SOLIDS,
)
SCENE_UPDATE = described(
    "foxglove.SceneUpdate",
    "The arm",
    deletions=array(_NONE, "Nothing"),
    entities=array(_ENTITY, "One for each moving link, and one for the base"),
)


def scene_text(tree: LinkTree, at: int) -> str:
    """The message that shows an arm from `at` ns on."""
    stamp = {"sec": at // 1_000_000_000, "nsec": at % 1_000_000_000}
    entities = [_entity(name, solids, stamp) for name, solids in shapes(tree).items()]
    return json.dumps({"deletions": [], "entities": entities}, separators=(",", ":"))


def _entity(name: str, solids: list[Solid], stamp: dict[str, int]) -> dict[str, Any]:
    parts: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _KINDS}
    for solid in solids:
        parts["cubes" if solid.square else "cylinders"].append(_primitive(solid))
    fixed = {"lifetime": {"sec": 0, "nsec": 0}, "frame_locked": True, "metadata": []}
    return {"timestamp": stamp, "frame_id": name, "id": name, **fixed, **parts}


def _primitive(solid: Solid) -> dict[str, Any]:
    length = float(np.linalg.norm(solid.end - solid.start))
    place = {"position": _named("xyz", (solid.start + solid.end) / 2), "orientation": _along(solid.end - solid.start)}
    size = _named("xyz", [2 * solid.radius, 2 * solid.radius, length])
    ends = {} if solid.square else {"bottom_scale": 1.0, "top_scale": solid.top}
    rgb = [int(solid.colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return {"pose": place, "size": size, **ends, "color": _named("rgba", [*rgb, 1.0])}


def _along(v: np.ndarray) -> dict[str, float]:
    """The shortest turn that brings z to the direction of v."""
    x, y, z = v / np.linalg.norm(v)
    if z < -1 + 1e-9:
        return _named("xyzw", [1.0, 0.0, 0.0, 0.0])
    turn = np.array([-y, x, 0.0, 1 + z])
    return _named("xyzw", turn / np.linalg.norm(turn))


def _named(names: str, values: Any) -> dict[str, float]:
    return dict(zip(names, (np.round(values, _DECIMALS) + 0.0).tolist(), strict=True))
