"""`PathItem`: the planned way of the tool, with a numbered handle at every waypoint."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from app.scene import palette
from app.scene.frame_state import FrameState
from app.scene.label import Label
from app.scene.line_batch import LineBatch, lines
from app.scene.point_buffer import Attribute, PointBuffer
from app.scene.program import Program
from app.scene.scene_item import SceneItem, blended

SAME = 1e-3  # m
WIDTH, DOT = 2.2, 11.0  # logical pixels
RECORD = np.dtype([("position", "f4", 3), ("colour", "u1", 4)])


class PathItem(SceneItem):
    """Shows nothing until it has a path; the chosen waypoint stands out."""

    def __init__(self):
        super().__init__(depth=27)
        self.path, self.places, self.chosen = np.zeros((0, 3)), np.zeros((0, 3)), -1
        self._is_new = False

    def set_path(self, path: np.ndarray, places: np.ndarray, chosen: int = -1) -> None:
        """Points of the way `(N, 3)` and of the waypoints `(k, 3)` in W, and which of these is chosen."""
        self.path, self.places, self.chosen, self._is_new = path, places, chosen, True

    def draw(self, frame: FrameState) -> None:
        if not len(self.path):
            return
        batch = self.held("lines", LineBatch)
        attributes = (Attribute(0, 3, 0), Attribute(1, 4, 12, GL.GL_UNSIGNED_BYTE, True))
        dots = self.held("dots", PointBuffer, RECORD.itemsize, attributes)
        if self._is_new:
            self._is_new = False
            count = max(len(self.path) - 1, 0)
            batch.upload(lines(self.path[:-1], self.path[1:], [palette.PATH] * count, WIDTH))
            dots.upload(self._dots())
        blended()
        batch.draw(frame)
        blended(depth_test=False)
        GL.glEnable(GL.GL_PROGRAM_POINT_SIZE)
        program = self.held("program", Program, "cloud.vert", "cloud.frag")
        program.use(clip=frame.clip, size=0.0, least=DOT * frame.scale, opacity=1.0)
        dots.bind()
        GL.glDrawArrays(GL.GL_POINTS, 0, dots.count)
        GL.glDisable(GL.GL_PROGRAM_POINT_SIZE)

    def labels(self, frame: FrameState) -> list[Label]:
        """The number of every waypoint; those at the same place share one label."""
        together: list[tuple[np.ndarray, list[str]]] = []
        for k, place in enumerate(self.places):
            near = next((names for other, names in together if np.abs(other - place).max() < SAME), None)
            if near is None:
                together.append((place, near := []))
            near.append(str(k + 1))
        colour = frame.theme.text
        return [Label(", ".join(names), colour, place, shift=(0.0, -14.0), rank=1) for place, names in together]

    def _dots(self) -> np.ndarray:
        records = np.zeros(len(self.places), RECORD)
        records["position"] = self.places
        records["colour"] = (*bytes.fromhex(palette.PATH[1:]), 255)
        if 0 <= self.chosen < len(records):
            records["colour"][self.chosen] = (*bytes.fromhex(palette.SELECTED[1:]), 255)
            records[[self.chosen, -1]] = records[[-1, self.chosen]]  # drawn last
        return records

    def release(self) -> None:
        super().release()
        self._is_new = True
