"""`ContactItem`: where links are below the floor that they went through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.state.units import number
from armature.engine import Robot
from armature.engine.model.link_outline import LinkOutline, link_outline
from armature.engine.model.skeleton import Skeleton

RING = 28  # pieces of a ring
_LEAST = 0.03  # radius of a ring in m, where the link ends in a point
_RED = palette.WARNING[2]
_TURN = 2 * np.pi * np.arange(RING + 1) / RING
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN), np.zeros(RING + 1)])


@dataclass(frozen=True)
class Sunk:
    """A link below the floor: its lowest point's place on the floor `(3,)`, how deep that is, and how wide it is there, m."""

    link: str
    place: np.ndarray
    depth: float
    radius: float


class ContactItem(PoseItem):
    """A ring on the floor over the lowest point of every link that is below it, with its depth; nothing without a floor."""

    def __init__(self):
        super().__init__(depth=70)
        self.sunk: tuple[Sunk, ...] = ()
        self.is_explained: Callable[[FrameState], bool] = lambda frame: False
        self._outline: LinkOutline | None = None
        self._labels: list[Label] = []

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """Another robot, on its own floor if it has one."""
        self.sunk = ()
        self._outline = None if robot.floor is None else link_outline(robot)
        self._height = robot.floor or 0.0
        self._carriers = np.zeros(0, int) if self._outline is None else self._outline.bodies + 1
        carrier, _ = robot.link_table
        names = [robot.link_names[int(np.flatnonzero(carrier == body)[0])] for body in range(len(robot.bodies))]
        self._links = [] if self._outline is None else [names[body] for body in self._outline.bodies]

    def follow(self, pose: Pose) -> None:
        outline = self._outline
        if outline is None or not len(outline.bodies):
            return
        X_WB = pose.slots[self._carriers]
        centres = (X_WB[:, :3, :3] @ outline.points[:, :, None])[:, :, 0] + X_WB[:, :3, 3]
        depths = self._height + outline.radii - centres[:, 2]
        if not self.sunk and max(depths.tolist()) <= 0.0:
            return
        deepest: dict[str, int] = {}
        for k in np.flatnonzero(depths > 0.0).tolist():
            if self._links[k] not in deepest or depths[k] > depths[deepest[self._links[k]]]:
                deepest[self._links[k]] = k
        if pose is self._told or not self.sunk:
            self.write_again()
        self.sunk = tuple(
            Sunk(link, np.array([*centres[k, :2], self._height]), float(depths[k]), max(float(outline.radii[k]), _LEAST))
            for link, k in deepest.items()
        )

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if self.sunk:
            starts, ends = zip(*(_marks(sunk) for sunk in self.sunk), strict=True)
            records = lines(np.concatenate(starts), np.concatenate(ends), [_RED] * (len(self.sunk) * (RING + 1)), width=2.5)
            self.held("lines", LineBatch).upload(records)

    def drawn_by(self) -> tuple:
        return (len(self.sunk),)

    def draw(self, frame: FrameState) -> None:
        if not self.sunk:
            return
        blended(depth_test=False)
        self.held("lines", LineBatch).draw(frame)

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """How deep the deepest of them is, unless a caption explains a contact."""
        if not self.sunk or self.is_explained(frame):
            return []
        colour = palette.WARNING_TEXT[frame.theme is palette.DARK][2]
        if not self._labels or self._labels[0].colour != colour:
            self._labels = [Label("", colour, np.zeros(3), (0.0, 22.0), rank=-1, plain=True)]
        return LabelGroup(self._labels, self._deepest.place[None], self.figures(self._text))

    @property
    def _deepest(self) -> Sunk:
        return max(self.sunk, key=lambda sunk: sunk.depth)

    def _text(self, _: Pose) -> list[str]:
        factor, unit, more = self.units.factor(prismatic=True), self.units.symbol(prismatic=True), len(self.sunk) - 1
        deepest = self._deepest
        depth = number(deepest.depth * factor, 0 if unit == "mm" else 3)
        return [f"{deepest.link}: {depth} {unit} below the floor" + (f", {more} more" if more else "")]


def _marks(sunk: Sunk) -> tuple[np.ndarray, np.ndarray]:
    """A ring on the floor, and a line down to the lowest point."""
    ring = sunk.place + sunk.radius * _CIRCLE
    lowest = sunk.place - [0.0, 0.0, sunk.depth]
    return np.vstack([ring[:-1], sunk.place]), np.vstack([ring[1:], lowest])
