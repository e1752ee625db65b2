"""`LengthItem`: the lengths a and d of a DH table, drawn and named at the arm."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LINE, LineBatch, lines
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.frame_item import readable
from armature.engine.model.dh_table import STANDARD

FRONT = 0.012  # the part of the depths that is nearest to the eye: the arm does not hide them
WIDTH, TICK = 3.0, 0.012  # of a line in logical pixels; of the marks at its ends in reaches
SMALLEST = 1e-6  # m: a length that is none


class LengthItem(PoseItem):
    """d along z in blue, a along x in red; in the texts' sketches a is r and d is h."""

    def __init__(self):
        super().__init__(depth=32)
        self.named: list[tuple[str, str, float, np.ndarray]] = []  # symbol, colour, m, where
        self._lines = np.zeros(0, LINE)
        self.setVisible(False)

    def clear(self) -> None:
        self.setVisible(False)

    def follow(self, pose: Pose) -> None:
        self.named = []
        parts: list[np.ndarray] = []
        dh, reach = pose.robot.dh, pose.robot.reach
        if dh is not None:
            X, standard = frames_of_rows(pose), dh.convention == STANDARD
            for i, (_, d, a, _) in enumerate(dh.rows(pose.q)):
                start, end = X[i], X[i + 1]
                across = (start if standard else end)[:3, 0], (end if standard else start)[:3, 2]
                corner = start[:3, 3] + (d * start[:3, 2] if standard else a * start[:3, 0])
                first, second = (start[:3, 3], corner), (corner, end[:3, 3])
                along_z, along_x = (first, second) if standard else (second, first)
                own, index = subscript(i + 1), subscript(i + standard)
                if abs(d) > SMALLEST:
                    parts.append(_dimension(*along_z, across[0], palette.AXIS_Z, TICK * reach))
                    symbol = _moving(own, dh.d[i]) if dh.prismatic[i] else f"d{own} = h{own}"
                    self.named.append((symbol, palette.AXIS_Z, float(d), np.mean(along_z, axis=0)))
                if abs(a) > SMALLEST:
                    parts.append(_dimension(*along_x, across[1], palette.AXIS_X, TICK * reach))
                    self.named.append((f"a{index} = r{index}", palette.AXIS_X, float(a), np.mean(along_x, axis=0)))
        self._lines = np.concatenate([np.zeros(0, LINE), *parts])

    def draw(self, frame: FrameState) -> None:
        if len(self._lines):
            self.held("lines", LineBatch).draw_in_front(frame, self._lines, FRONT)

    def labels(self, frame: FrameState) -> list[Label]:
        """At the middle of each length its letter and how long it is, in one text: two would part where there is little room."""
        if not self.visible():
            return []
        out, dark = [], frame.theme is palette.DARK
        for symbol, colour, value, middle in self.named:
            text = f"{symbol} = {self.units.text(value, True)}"
            out.append(Label(text, readable(colour, dark), middle, (0.0, -12.0), rank=-1, plain=True))
        return out


def frames_of_rows(pose: Pose) -> np.ndarray:
    """X_WF of frames 0 … n of the DH table, `(n + 1, 4, 4)`."""
    first: dict[int, np.ndarray] = {}
    for link in pose.robot.links.values():
        first.setdefault(link.body, link.X_BF)
    return np.array([pose.slots[body + 1] @ first[body] for body in range(-1, len(pose.robot.bodies))])


def _moving(own: str, constant: float) -> str:
    """The length that a slide gives, as the formulas have it."""
    return f"d{own} + q{own}" if abs(constant) > SMALLEST else f"q{own}"


def _dimension(start: np.ndarray, end: np.ndarray, across: np.ndarray, colour: str, tick: float) -> np.ndarray:
    """The length and a mark at each of its ends."""
    starts, ends = [start, start - tick * across, end - tick * across], [end, start + tick * across, end + tick * across]
    return lines(starts, ends, [colour] * 3, WIDTH)
