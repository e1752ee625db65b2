"""`PointItem`: a point that goes with a link, and its coordinates as a way along the axes of a frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.labels.label import Label
from armature.app.state.units import number

FRONT = 0.011  # the part of the depths that is nearest to the eye: the arm does not hide it
CROSS = 7.0  # logical pixels that the mark reaches to either side
COLOURS = (palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z)


class CarriedPoint(NamedTuple):
    """The point `p_B` `(3,)` of a body, seen from the frame `X_SF` `(4, 4)` of body `seen_from`, -1 for the world."""

    body: int
    p_B: np.ndarray
    seen_from: int
    X_SF: np.ndarray
    symbol: str


class PointItem(PoseItem):
    """Shows nothing until it has a point."""

    def __init__(self):
        super().__init__(depth=33)
        self.point: CarriedPoint | None = None
        self.place, self.coordinates = np.zeros(3), np.zeros(3)
        self._corners = np.zeros((4, 3))
        self.setVisible(False)

    def clear(self) -> None:
        self.set_point(None)

    def set_point(self, point: CarriedPoint | None) -> None:
        """Show this one; None for none."""
        self.point = point
        self.setVisible(point is not None)
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        point = self.point
        if point is None:
            return
        X = pose.slots[point.body + 1]
        seen = pose.slots[point.seen_from + 1] @ point.X_SF
        self.place = X[:3, :3] @ point.p_B + X[:3, 3]
        self.coordinates = seen[:3, :3].T @ (self.place - seen[:3, 3])
        steps = seen[:3, :3].T * self.coordinates[:, None]
        self._corners = seen[:3, 3] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])

    def draw(self, frame: FrameState) -> None:
        if self.point is None:
            return
        reach = CROSS * frame.camera.metres_per_pixel(self.place)
        right, up = (reach * way for way in frame.camera.axes()[:2])
        marks = lines([self.place - right, self.place - up], [self.place + right, self.place + up], [frame.theme.text] * 2, 3.0)
        way = lines(self._corners[:-1], self._corners[1:], list(COLOURS), 3.0)
        straight = lines(self._corners[:1], self.place[None], [frame.theme.text], 1.6, 4.0)
        self.held("lines", LineBatch).draw_in_front(frame, np.concatenate([straight, way, marks]), FRONT)

    def labels(self, frame: FrameState) -> list[Label]:
        """Its name, and on the other side of it its coordinates, which are wide: above they would lie over the names of axes."""
        if self.point is None:
            return []
        decimals, factor = self.units.decimals(True), self.units.factor(True)
        said = " ".join(number(float(x) * factor, decimals) for x in self.coordinates)
        return [
            Label(self.point.symbol, frame.theme.text, self.place, (0.0, -19.0), size=1.1, rank=-2),
            Label(f"[{said} 1]", frame.theme.text, self.place, (0.0, 18.0), size=0.82, rank=-2, plain=True),
        ]
