"""`LinkFrames`: poses of the links of a recorded arm, from joint positions and the tree in the metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
import numpy as np

from armature.engine.model.body import PRISMATIC, REVOLUTE
from armature.engine.recording.recording_metadata import WORLD
from armature.engine.rotations import quaternion_product, rotated

Placement = Annotated[list[float], msgspec.Meta(min_length=7, max_length=7)]
_IDENTITY = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]


class Link(msgspec.Struct, frozen=True):
    """One link, with the fields of `link_tree`."""

    name: str
    parent: str
    placement: Placement
    joint: str | None = None
    type: str = REVOLUTE
    multiplier: float = 1.0
    offset: float = 0.0
    stroke: tuple[float, float] | None = None
    frame: Placement = msgspec.field(default_factory=lambda: list(_IDENTITY))

    @property
    def slides(self) -> bool:
        """Whether its joint is prismatic."""
        return self.joint is not None and self.type == PRISMATIC


class Tool(msgspec.Struct, frozen=True):
    """The frame of the tool on the link that carries it."""

    parent: str
    placement: Placement


class LinkTree(msgspec.Struct, frozen=True):
    """The links of an arm, parents first."""

    reach: float
    tool: Tool
    links: list[Link]


def tree_of(metadata: Mapping[str, Any], joints: Sequence[str]) -> LinkTree | None:
    """The tree that the metadata of a recording describe, None where an older version wrote them; raises ValueError."""
    if metadata.get("tree") is None:
        return None
    try:
        tree = msgspec.convert(metadata["tree"], LinkTree)
    except msgspec.ValidationError as error:
        raise ValueError(f"its metadata contain the arm's links in an invalid form: {error}") from None
    known = {WORLD}
    for link in tree.links:
        if link.parent not in known or link.name in known or link.joint not in (None, *joints):
            raise ValueError(f"the arm's links in its metadata do not form a tree: {link.name[:60]!r} has no parent in it")
        known.add(link.name)
    if tree.tool.parent not in known:
        raise ValueError(f"the arm's links in its metadata do not include {tree.tool.parent[:60]!r}, the parent of the tool")
    return tree


def tool_frame(metadata: Mapping[str, Any], tree: LinkTree | None) -> str:
    """The name of the tool's frame, under which no link goes."""
    name = str(metadata.get("tool") or "tool")
    while tree is not None and name in (WORLD, *(link.name for link in tree.links)):
        name += "_in_world"
    return name


class LinkFrames:
    """Poses of all links in their parents, for many samples at once.

    With X_PJ = (p, a) and X_JL = (r, b), p, r origins and a, b quaternions, a joint that turns by θ and slides by s gives

        origin = p + R_a (0, 0, r_z + s) + cos θ R_a (r_x, r_y, 0) + sin θ R_a (−r_y, r_x, 0)
        quaternion = cos θ/2 · a b + sin θ/2 · a k b
    """

    def __init__(self, tree: LinkTree, joints: Sequence[str]):
        links = tree.links
        self._index = np.array([0 if link.joint is None else joints.index(link.joint) for link in links], dtype=int)
        self._moves = np.array([link.joint is not None for link in links], dtype=bool)
        self._slides = np.array([link.slides for link in links], dtype=bool)
        self._multiplier = np.array([link.multiplier for link in links])
        self._offset = np.array([link.offset for link in links])
        first = np.array([link.placement for link in links]).reshape(-1, 7)
        then = np.array([link.frame for link in links]).reshape(-1, 7)
        p, a, r, b = first[:, :3], first[:, 3:], then[:, :3], then[:, 3:]
        along, k = r * [0, 0, 1], np.array([0.0, 0, 0, 1])
        self._still = p + rotated(a, along)
        self._cos, self._sin = (
            rotated(a, r - along),
            rotated(a, np.stack([-r[:, 1], r[:, 0], 0 * r[:, 2]], axis=-1)),
        )
        self._axis = rotated(a, np.broadcast_to(k[1:], p.shape))
        self._half_cos, self._half_sin = quaternion_product(a, b), quaternion_product(quaternion_product(a, k), b)

    def poses(self, q: np.ndarray) -> np.ndarray:
        """X_PL as x y z in m and a quaternion w x y z `(N, links, 7)` at q `(N, n)`; not finite where q is not."""
        with np.errstate(invalid="ignore"):
            moved = np.where(self._moves, q[:, self._index] * self._multiplier + self._offset, 0.0)
            turn = np.where(self._slides, 0.0, moved)[..., None]
            slide = np.where(self._slides, moved, 0.0)[..., None]
            out = np.empty((*moved.shape, 7))
            out[..., :3] = self._still + np.cos(turn) * self._cos + np.sin(turn) * self._sin + slide * self._axis
            out[..., 3:] = np.cos(turn / 2) * self._half_cos + np.sin(turn / 2) * self._half_sin
        return out
