"""`PathItem`: the planned way of the tool, with a numbered handle at every waypoint and at the points that arcs go through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label

SAME = 1e-3  # m
WIDTH, DOT, SMALL, LIT = 2.2, 12.0, 8.0, 5.0  # logical pixels: the line, dots, dots on arcs, and how much a lit one is larger
RIM = 1.5  # logical pixels around a dot
RECORD = np.dtype([("position", "f4", 3), ("colour", "u1", 4), ("size", "f4")])


@dataclass(frozen=True, eq=False)
class Handle:
    """A waypoint, or the point `through` which the arc to it goes: its row, its pose X_WH `(4, 4)`, and words about it."""

    row: int
    through: bool
    X_WH: np.ndarray
    words: str

    @property
    def key(self) -> tuple[int, bool]:
        """Tells handles apart."""
        return self.row, self.through


class PathItem(SceneItem):
    """Shows nothing until it has a path or handles; the one `chosen` and the one `hovered`, by their keys, stand out. `hides`:
    there are waypoints that a person has hidden, which have no handle."""

    def __init__(self):
        super().__init__(depth=27)
        self.path = np.zeros((0, 3))
        self.handles: tuple[Handle, ...] = ()
        self.chosen = self.hovered = None
        self.hides = False
        self.contact: np.ndarray | None = None  # (3,) in W, m: the tool at the first contact
        self.contact_name = ""

    @property
    def places(self) -> np.ndarray:
        """Where the handles are, `(k, 3)` in W."""
        return np.array([handle.X_WH[:3, 3] for handle in self.handles]).reshape(-1, 3)

    def clear(self) -> None:
        self.set_path(np.zeros((0, 3)))
        self.set_handles((), None)

    def set_path(self, path: np.ndarray) -> None:
        """Points of the way `(N, 3)` in W."""
        self.path = path
        self._lines = lines(path[:-1], path[1:], [palette.PATH] * max(len(path) - 1, 0), WIDTH)

    def set_handles(self, handles: tuple[Handle, ...], chosen: tuple[int, bool] | None) -> None:
        """Other handles."""
        self.handles, self.chosen = handles, chosen

    def drawn_by(self) -> tuple | None:
        return () if not len(self.path) and not self.handles and self.contact is None else None

    def draw(self, frame: FrameState) -> None:
        if len(self.path):
            batch = self.held("lines", LineBatch)
            batch.upload(self._lines)
            blended()
            batch.draw(frame)
        if self.handles or self.contact is not None:
            self._draw_handles(frame)

    def _draw_handles(self, frame: FrameState) -> None:
        """Small ones first and what stands out last, each with a rim in the colour of the ground."""
        attributes = (Attribute(0, 3, 0), Attribute(1, 4, 12, GL.GL_UNSIGNED_BYTE, True), Attribute(2, 1, 16))
        dots = self.held("dots", PointBuffer, RECORD.itemsize, attributes)
        dots.upload(self._records(), GL.GL_STREAM_DRAW)
        blended(depth_test=False)
        gl_state.enable(GL.GL_PROGRAM_POINT_SIZE)
        program = self.held("program", Program, "handle.vert", "handle.frag")
        program.use(clip=frame.clip, scale=frame.scale, rim=RIM, ground=rgb(frame.theme.halo))
        dots.bind()
        GL.glDrawArrays(GL.GL_POINTS, 0, dots.count)
        gl_state.disable(GL.GL_PROGRAM_POINT_SIZE)

    def _records(self) -> np.ndarray:
        order = sorted(self.handles, key=lambda h: (h.key == self.hovered, h.key == self.chosen, not h.through, -h.row))
        records = np.zeros(len(order) + (self.contact is not None), RECORD)
        if self.contact is not None:
            records[-1] = self.contact, (*bytes.fromhex(palette.CONTACT[1:]), 255), DOT
        for record, handle in zip(records, order, strict=False):
            colour = palette.SELECTED if handle.key == self.chosen else palette.PATH
            record["position"], record["colour"] = handle.X_WH[:3, 3], (*bytes.fromhex(colour[1:]), 255)
            record["size"] = (SMALL if handle.through else DOT) + (LIT if handle.key == self.hovered else 0.0)
        return records

    def labels(self, frame: FrameState) -> list[Label]:
        """The number of every waypoint, those at the same place in one label, and the name of the first contact."""
        together: list[tuple[np.ndarray, list[str]]] = []
        for handle in self.handles:
            if handle.through:
                continue
            place = handle.X_WH[:3, 3]
            near = next((names for other, names in together if np.abs(other - place).max() < SAME), None)
            if near is None:
                together.append((place, near := []))
            near.append(str(handle.row + 1))
        colour = frame.theme.text
        result = [Label(", ".join(names), colour, place, shift=(0.0, -16.0), rank=1) for place, names in together]
        if self.contact is not None:
            ink = palette.WARNING_TEXT[frame.theme is palette.DARK][2]
            result.append(Label(self.contact_name, ink, self.contact, shift=(0.0, 18.0), rank=1))
        return result
