"""The arm's shape in a `.mcap` recording: one `foxglove.SceneUpdate`, whose solids move with the link frames of `/tf`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from armature.engine.recording.mcap.link_frames import Link, LinkTree
from armature.engine.recording.mcap.mcap_schemas import (
    QUATERNION,
    TIME,
    VECTOR,
    array_schema,
    number_schema,
    object_schema,
    text_schema,
)
from armature.engine.recording.recording_metadata import WORLD
from armature.engine.rotations import quaternion_matrix

TUBES, JOINTS, HAND, BASE = ("#d9dee4", "#7fa8cc"), "#5a6675", "#46525f", "#aeb7c1"
_THICK, _THIN = 0.046, 0.026  # radius of the first and the last tube, of the reach
SCENE_TOPIC = "/robot"
_DECIMALS = 6  # m
_KINDS = ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models")
_POSE = object_schema("foxglove.Pose", "Centre of a solid in the frame of its link", position=VECTOR, orientation=QUATERNION)
_COLOUR = object_schema(
    "foxglove.Color",
    "0 to 1",
    r=number_schema("Red"),
    g=number_schema("Green"),
    b=number_schema("Blue"),
    a=number_schema("Opacity"),
)
_SIZE = {**VECTOR, "description": "Extent along the solid's own axes, m"}
_CUBE = object_schema("foxglove.CubePrimitive", "A box", pose=_POSE, size=_SIZE, color=_COLOUR)
_CYLINDER = object_schema(
    "foxglove.CylinderPrimitive",
    "A cylinder or cone along its own z axis",
    pose=_POSE,
    size=_SIZE,
    bottom_scale=number_schema("Width of the lower end as a fraction of the size"),
    top_scale=number_schema("Width of the upper end as a fraction of the size"),
    color=_COLOUR,
)
_LASTS = object_schema(
    "duration",
    "Duration of display; 0: permanent",
    (),
    sec={"type": "integer", "description": "Whole seconds"},
    nsec={"type": "integer", "minimum": 0, "maximum": 999_999_999, "description": "Remaining nanoseconds"},
)
_NONE = object_schema("Nothing", "Not used")
_SOLIDS: dict[str, Any] = {kind: array_schema(_NONE, "Always empty") for kind in _KINDS} | {
    "cubes": array_schema(_CUBE, "Tubes of prismatic joints"),
    "cylinders": array_schema(_CYLINDER, "The arm: links as tubes, joints and tool"),
}
_ENTITY = object_schema(
    "foxglove.SceneEntity",
    "The solids of one link",
    timestamp=TIME,
    frame_id=text_schema("Link that the solids are attached to"),
    id=text_schema("Name of this link"),
    lifetime=_LASTS,
    frame_locked={"type": "boolean", "description": "True: the solids move with that link"},
    metadata=array_schema(_NONE, "Always empty"),
    **_SOLIDS,
)
SCENE_UPDATE = object_schema(
    "foxglove.SceneUpdate",
    "The arm",
    deletions=array_schema(_NONE, "Always empty"),
    entities=array_schema(_ENTITY, "One for each moving link, and one for the base"),
)


@dataclass(frozen=True)
class Solid:
    """A cylinder, or a box as wide, from `start` to `end` `(3,)`, m; `radius` at its start, `top` times that at its end."""

    start: np.ndarray
    end: np.ndarray
    radius: float
    colour: str
    top: float = 1.0
    square: bool = False


@dataclass(frozen=True)
class Axis:
    """A line through `point` along the unit vector `along` `(3,)`, and the pose of what turns or slides there."""

    X: np.ndarray

    @property
    def point(self) -> np.ndarray:
        """Origin of the axis."""
        return self.X[:3, 3]

    @property
    def along(self) -> np.ndarray:
        """Direction of the axis."""
        return self.X[:3, 2]


@dataclass
class Group:
    """Links that move together, in the frame of the first: their own axis, the axes of the joints they carry, and the tool."""

    name: str
    link: Link | None
    depth: int
    own: Axis
    exits: list[tuple[Link | None, Axis]] = field(default_factory=list)


def shapes(tree: LinkTree) -> dict[str, list[Solid]]:
    """The solids of an arm by the link in whose frame they are."""
    groups = _groups(tree)
    deepest = max(group.depth for group in groups.values()) or 1
    radii = {name: tree.reach * (_THICK - (_THICK - _THIN) * group.depth / deepest) for name, group in groups.items()}
    solids = {name: [*_tubes(group, radii[name], tree.reach)] for name, group in groups.items()}
    for name, group in groups.items():
        for link, axis in group.exits:
            if link is not None:
                solids[name].append(_housing(group, groups[link.name], axis, radii[link.name]))
    return {name: found for name, found in solids.items() if found}


def _groups(tree: LinkTree) -> dict[str, Group]:
    groups = {WORLD: Group(WORLD, None, 0, Axis(np.eye(4)))}
    place: dict[str, tuple[str, np.ndarray]] = {WORLD: (WORLD, np.eye(4))}  # of every link: its group, and where it is in that
    for link in tree.links:
        before, X = place[link.parent]
        X = X @ matrix(link.placement)
        if link.joint is not None:
            groups[before].exits.append((link, Axis(X)))
            groups[link.name] = Group(link.name, link, groups[before].depth + 1, Axis(np.linalg.inv(matrix(link.frame))))
        elif link.parent == WORLD:
            groups[link.name] = Group(link.name, link, 0, Axis(np.eye(4)))
        place[link.name] = (link.name, np.eye(4)) if link.name in groups else (before, X)
    carrier, X = place[tree.tool.parent]
    groups[carrier].exits.append((None, Axis(X @ matrix(tree.tool.placement))))
    return groups


def _tubes(group: Group, radius: float, reach: float) -> Iterator[Solid]:
    colour = TUBES[group.depth % 2]
    if group.link is not None and group.link.joint is None:
        yield from _pedestal(matrix(group.link.placement), radius)
    if group.link is not None and group.link.slides:
        low, high = group.link.stroke or (0.0, 0.3 * reach)
        ends = [group.own.point - max(high, 0.0) * group.own.along, group.own.point - min(low, 0.0) * group.own.along]
        yield Solid(ends[0], ends[1], 0.8 * radius, colour)
    for link, axis in group.exits:
        points = _route(group.own, axis)
        for k, (start, end) in enumerate(pairwise(points)):
            last = link is None and k == len(points) - 2
            yield Solid(start, end, 0.9 * radius if last else radius, HAND if last else colour, top=0.55 if last else 1.0)


def _pedestal(X_WR: np.ndarray, radius: float) -> Iterator[Solid]:
    """Foot under the base, with a column if the base is above the ground."""
    down = -X_WR[2, :3]
    height = max(float(X_WR[2, 3]), 0.0)
    if height > radius:
        yield Solid(np.zeros(3), height * down, 1.15 * radius, BASE)
    yield Solid((height - 0.4 * radius) * down, (height + 0.1 * radius) * down, 2.4 * radius, BASE)


def _housing(group: Group, carried: Group, axis: Axis, radius: float) -> Solid:
    """The drum of a joint, clear of the bend in which the link before comes to its axis; the carriage of a slide."""
    half, width = 1.4 * radius, 1.3 * radius
    if carried.link is not None and carried.link.slides:
        return Solid(axis.point - half * axis.along, axis.point + half * axis.along, width, JOINTS, square=True)
    arrives = float((_route(group.own, axis)[-2:][0] - axis.point) @ axis.along)
    leaves = 0.0
    if carried.exits:
        start = _route(carried.own, carried.exits[0][1])[:2][-1]
        on_axis = np.linalg.norm(np.cross(start - carried.own.point, carried.own.along)) < 1e-6
        leaves = float((start - carried.own.point) @ carried.own.along) if on_axis else 0.0
    room = leaves - arrives
    shift = arrives + (np.sign(room) * (width + half) if abs(room) > 2 * (width + half) else room / 2)
    centre = axis.point + shift * axis.along
    return Solid(centre - half * axis.along, centre + half * axis.along, width, JOINTS)


def _route(own: Axis, axis: Axis) -> list[np.ndarray]:
    """Points from one axis to the next: along the first to the common normal, over it, along the second, as DH tables go.

    Nearly parallel axes have their common normal far away; the way between them then goes straight.
    """
    a, u, b, w = own.point, own.along, axis.point, axis.along
    across = np.cross(u, w)
    if across @ across < 1e-8:
        start, foot = a, b - ((b - a) @ w) * w
    else:
        start = a + (np.cross(b - a, w) @ across / (across @ across)) * u
        foot = b + (np.cross(b - a, u) @ across / (across @ across)) * w
    if max(np.linalg.norm(start - a), np.linalg.norm(foot - b)) > 1.5 * np.linalg.norm(b - a):
        start, foot = a, b
    points = [a]
    for point in (start, foot, b):
        if np.linalg.norm(point - points[-1]) > 1e-6:
            points.append(point)
    return points


def matrix(placement: list[float]) -> np.ndarray:
    """The 4×4 pose of x y z and a quaternion w x y z."""
    X = np.eye(4)
    X[:3, 3] = placement[:3]
    X[:3, :3] = quaternion_matrix(np.array(placement[3:]))
    return X


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
