"""`SketchItem`: a sketch in the scene, in front of the arm."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.line_batch import LINE, LineBatch, lines
from armature.app.scene.gl.mesh import linear
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.frame_item import readable
from armature.app.scene.overlays.newton_euler.arrow_mesh import PARTS, ArrowMesh
from armature.app.scene.overlays.newton_euler.arrow_parts import frames
from armature.app.scene.overlays.sketch.sketch import Sketch
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

SHAFT, HEAD, THIN = 0.0065, 0.036, 0.6  # radius and length of an arrow's parts in reaches; of that has a thin one
FRONT = 0.013  # the part of the depths that is nearest to the eye: the arm does not hide it
SHORTEST = 1e-9


class SketchItem(SceneItem):
    """Shows nothing until it has a sketch."""

    def __init__(self):
        super().__init__(depth=31)
        self.sketch: Sketch | None = None
        self.bodies, self._lines = np.zeros(0, BODY), np.zeros(0, LINE)
        self._reach = 1.0
        self.setVisible(False)

    def clear(self) -> None:
        self.set_sketch(None)

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self._reach = robot.reach

    def set_sketch(self, sketch: Sketch | None) -> None:
        """Show this; None for nothing."""
        self.sketch = sketch
        self.setVisible(sketch is not None)
        if sketch is not None:
            self._place(sketch)
            parts = [
                lines(s.points[:-1], s.points[1:], [s.colour] * (len(s.points) - 1), s.width, s.dash) for s in sketch.strokes
            ]
            self._lines = np.concatenate([np.zeros(0, LINE), *parts])

    def _place(self, sketch: Sketch) -> None:
        """Poses and colours of all parts of the arrows."""
        self.bodies = np.zeros(PARTS * len(sketch.arrows), BODY)
        if not sketch.arrows:
            return
        vectors = np.array([arrow.tip - arrow.start for arrow in sketch.arrows])
        lengths = np.linalg.norm(vectors, axis=1)
        for k, (arrow, R, length) in enumerate(zip(sketch.arrows, frames(vectors, lengths), lengths)):
            pose, state = (self.bodies[name][PARTS * k : PARTS * (k + 1)] for name in ("pose", "state"))
            state[:, :3], state[:, 3] = linear(arrow.colour), 0.2
            pose[:, 3, 3], pose[:, 3, :3] = 1.0, arrow.start
            if length < SHORTEST:
                continue
            thick = THIN if arrow.thin else 1.0
            head = min(HEAD * self._reach * thick, length)
            radius = SHAFT * self._reach * thick * head / (HEAD * self._reach * thick)
            pose[0, :3, :3] = R * np.array([radius, radius, max(length - 0.98 * head, 0.0)])[:, None]
            pose[1, :3, :3] = R * head
            pose[1, 3, :3] += R[2] * (length - head)

    def draw(self, frame: FrameState) -> None:
        if self.sketch is None:
            return
        if len(self._lines):
            self.held("lines", LineBatch).draw_in_front(frame, self._lines, FRONT)
        if len(self.bodies):
            self.held("arrows", ArrowMesh).draw(frame, self.bodies)

    def labels(self, frame: FrameState) -> list[Label]:
        """Names at the tips, and captions."""
        if self.sketch is None:
            return []
        dark = frame.theme is palette.DARK
        out = []
        for arrow in self.sketch.arrows:
            if arrow.name:
                tip = arrow.tip + 0.12 * (arrow.tip - arrow.start)
                out.append(Label(arrow.name, readable(arrow.colour, dark), tip, faint=arrow.thin, rank=-1))
        for text, colour, point in self.sketch.captions:
            out.append(Label(text, readable(colour, dark), point, (0.0, -18.0), rank=-1))
        return out
