"""What a link is made of: a shape along it and a material, and the draft whose link has their mass and inertia."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from armature.engine.model.draft.link_bodies import MATERIALS, SHAPES, Shape, along_link, link_span

if TYPE_CHECKING:
    from armature.engine import Robot, RobotDraft

ALONG = {"link": "the link", "x": "x axis", "y": "y axis", "z": "z axis"}
SHORTEST = 0.02  # m: a link of no length is a short piece along its joint's axis


@dataclass(frozen=True)
class ShapeChoice:
    """A `kind` of shape with `lengths` in m by their names, without a "length" where it is as long as the link; what it lies
    `along`, and its `material`."""

    kind: str
    lengths: Mapping[str, float]
    along: str = "link"
    material: str = "aluminium"

    @property
    def density(self) -> float:
        """kg/m³."""
        return MATERIALS[self.material]

    def shape(self, robot: Robot, i: int) -> Shape:
        """Of link i. Raises ModelError."""
        named = dict(self.lengths)
        if "length" in SHAPES[self.kind] and "length" not in named:
            named["length"] = usual_length(robot, i)
        return Shape(self.kind, **named)

    def place(self, robot: Robot, i: int) -> np.ndarray:
        """X_LS `(4, 4)`: where it lies in the frame of link i."""
        X = along_link(robot, i)
        if self.along != "link":
            k = "xyz".index(self.along)
            X[:3, :3] = np.eye(3)[:, [(k + 1) % 3, (k + 2) % 3, k]]
        return X

    def put(self, draft: RobotDraft, i: int) -> RobotDraft:
        """The draft whose link i is made of it. Raises ModelError."""
        return draft.with_body(i, self.shape(draft.robot, i), self.density, X_LS=self.place(draft.robot, i))

    def put_everywhere(self, draft: RobotDraft) -> RobotDraft:
        """The draft whose links all are made of it, each as long as it is. Raises ModelError."""
        own = replace(self, lengths={name: x for name, x in self.lengths.items() if name != "length"}, along="link")
        for i in range(draft.robot.n):
            draft = own.put(draft, i)
        return draft


def usual_length(robot: Robot, i: int) -> float:
    """How long link i is, m."""
    start, end = link_span(robot, i)
    return max(round(float(np.linalg.norm(end - start)), 4), SHORTEST)
