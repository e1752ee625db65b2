"""`MeasureItem`: a line between two anchors on the arm, and its parts along the axes of the base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.gl.scene_item import blended
from armature.engine.rotations import rotation_vector

CROSS = 6.0  # logical pixels that a mark reaches to either side
_AXES = [palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z]


@dataclass(frozen=True)
class Anchor:
    """A frame, or a point in the axes of what carries it: `X_SA` `(4, 4)` on a slot, 0 for the world, i + 1 for body i."""

    name: str
    slot: int
    X_SA: np.ndarray
    is_frame: bool


@dataclass(frozen=True)
class Measurement:
    """From the first anchor to the second: `distance` m, `parts` `(3,)` m along the base's axes, `angle` rad between two frames,
    None where one of them is a point."""

    distance: float
    parts: np.ndarray
    angle: float | None


class MeasureItem(PoseItem):
    """Marks on at most two anchors, which go with the arm; nothing while there is none."""

    def __init__(self):
        super().__init__(depth=82)
        self.anchors: tuple[Anchor, ...] = ()
        self._places = np.zeros((0, 3))

    def clear(self) -> None:
        self.set_anchors(())

    def set_anchors(self, anchors: tuple[Anchor, ...]) -> None:
        """Mark these from now on."""
        self.anchors = anchors
        self.follow_again()

    def measured(self) -> Measurement | None:
        """What is between the anchors at the pose that is shown, None with fewer than two."""
        if self._pose is None or len(self.anchors) < 2:
            return None
        X_WA, X_WC = (self._pose.slots[anchor.slot] @ anchor.X_SA for anchor in self.anchors)
        way = X_WC[:3, 3] - X_WA[:3, 3]
        both = all(anchor.is_frame for anchor in self.anchors)
        turn = float(np.linalg.norm(rotation_vector(X_WA[:3, :3].T @ X_WC[:3, :3]))) if both else None
        return Measurement(float(np.linalg.norm(way)), self._pose.robot.base[:3, :3].T @ way, turn)

    def follow(self, pose: Pose) -> None:
        if not self.anchors and not len(self._places):
            return
        self._places = np.array([(pose.slots[a.slot] @ a.X_SA)[:3, 3] for a in self.anchors]).reshape(-1, 3)
        self._base = pose.robot.base[:3, :3]

    def drawn_by(self) -> tuple | None:
        return () if not len(self._places) else None

    def draw(self, frame: FrameState) -> None:
        if not len(self._places):
            return
        batch, marks = self.held("lines", LineBatch), []
        for place in self._places:
            reach = CROSS * frame.camera.metres_per_pixel(place)
            right, up = frame.camera.axes()[:2]
            marks += [(place - reach * way, place + reach * way, frame.theme.text) for way in (right, up)]
        records = [lines(*_columns(marks), width=2.5)]
        if len(self._places) == 2:
            corners = [self._places[0]]
            for axis, part in zip(self._base.T, self._base.T @ (self._places[1] - self._places[0]), strict=True):
                corners.append(corners[-1] + part * axis)
            records.append(lines(corners[:3], corners[1:], _AXES, width=2.0, dash=5.0))
            records.append(lines(self._places[:1], self._places[1:], [frame.theme.text], width=2.0))
        batch.upload(np.concatenate(records))
        blended(depth_test=False)
        batch.draw(frame)


def _columns(marks: list[tuple[np.ndarray, np.ndarray, str]]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    starts, ends, colours = zip(*marks, strict=True)
    return np.array(starts), np.array(ends), list(colours)
