"""`DHStepItem`: one DH move in the scene: dotted frames left behind, the moving frame, its path and the value."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, cylinder
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.line_batch import LINE, LineBatch, lines
from armature.app.scene.gl.mesh import Mesh, joined
from armature.app.scene.gl.point_buffer import EmptyArray
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.dh_path import arc_radius, arc_spokes, heading, label_point, path
from armature.app.scene.overlays.dh_walk import DHStep
from armature.app.scene.overlays.frame_item import AXES, FrameItem, readable, triad
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

SIZE, SHAFT = 0.17, 0.046  # of a frame relative to the reach, of its arrows relative to the frame
FAN = 60  # triangles of the sector
MOVING, HEAD = 0, 1
FRONT = 0.02  # the part of the depths that is nearest to the eye: what is explained is never hidden by the arm


class DHStepItem(SceneItem):
    """Shows nothing until it has a step; x red, y green, z blue, the path in a colour of its own."""

    def __init__(self, frames: FrameItem):
        super().__init__(depth=29)
        self.step: DHStep | None = None
        self.text = ""
        self.size = 0.1
        self._frames, self._reach, self._magnification = frames, 1.0, 1.0
        self.bodies = np.zeros(2, BODY)
        self.bodies["state"][:, 3] = 1.0
        self._dark = False
        self.setVisible(False)

    def clear(self) -> None:
        self.set_step(None, "")

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self._reach = robot.reach
        self._resize()

    def _resize(self) -> None:
        """Follow the user's size of frames."""
        self._magnification = self._frames.magnification
        self.size = SIZE * self._reach * self._magnification

    def set_step(self, step: DHStep | None, text: str) -> None:
        """Show this moment with the value in words; None for nothing."""
        self.step, self.text = step, text
        self.setVisible(step is not None)
        if step is None:
            return
        self.bodies["pose"][MOVING] = step.now.T
        tip = heading(step, self.size)
        head = np.zeros((4, 4)) if tip is None else aligned(tip[1], tip[0])
        self.bodies["pose"][HEAD] = head.T

    def draw(self, frame: FrameState) -> None:
        if self.step is None:
            return
        if self._magnification != self._frames.magnification:
            self._resize()
            self.set_step(self.step, self.text)
        self._dark = frame.theme is palette.DARK
        gpu, batch = self.on_card(_solids(self.size, self._colour), self.bodies), self.held("lines", LineBatch)
        batch.upload(self._lines(self.step))
        GL.glDepthRange(0.0, FRONT)
        blended()
        self._draw_sector(frame, self.step)
        batch.draw(frame)
        opaque()
        self.shade_solids(frame)
        gpu.draw()
        GL.glDepthRange(0.0, 1.0)

    def labels(self, frame: FrameState) -> list[Label]:
        """The value beside the path, the moving frame's x and z, and those of the frame the joint starts from."""
        if self.step is None:
            return []
        step, dark = self.step, frame.theme is palette.DARK
        out = [Label(self.text, self._colour, label_point(step, self.size), shift=(0.0, -24.0), size=1.15)]
        if not (step.complete and self._frames.names_frame_at(step.now)):
            out += self._axis_labels(step.now, _moving_name(step), dark)
        start = step.trail[0]
        if not self._frames.names_frame_at(start) and np.abs(start - step.now).max() > 1e-9:
            name = "W" if step.from_world and step.move.quantity == "base" else str(step.frame)
            out += self._axis_labels(start, name, dark, faint=True)
        return out

    def _axis_labels(self, X: np.ndarray, name: str, dark: bool, faint: bool = False) -> list[Label]:
        out = []
        for axis, letter, colour in ((0, "x", palette.AXIS_X), (2, "z", palette.AXIS_Z)):
            tip = X[:3, 3] + 1.14 * self.size * X[:3, axis]
            out.append(Label(f"{letter}_{name}" if name else letter, readable(colour, dark), tip, faint=faint))
        return out

    @property
    def _colour(self) -> str:
        return palette.MOVE_DARK if self._dark else palette.MOVE_LIGHT

    def _lines(self, step: DHStep) -> np.ndarray:
        """Dotted frames, older ones fainter; the way ahead dotted, the way made full; for a turn its axis."""
        parts = [np.zeros(0, LINE)]
        frames = _distinct(step.trail)
        for age, X in enumerate(reversed(frames)):
            tips = X[:3, 3] + self.size * X[:3, :3].T
            dotted = lines(np.tile(X[:3, 3], (3, 1)), tips, [colour for _, colour in AXES], width=3.2, dash=2.6)
            dotted["colour"][:, 3] = 245 if age in (0, len(frames) - 1) else 150
            parts.append(dotted)
        if step.move.still:
            return np.concatenate(parts)
        ahead, made = path(step, self.size, step.s, 1.0), path(step, self.size, 0.0, step.s)
        every = slice(None, None, 2 if step.move.turns else 1)  # of an arc every other piece is a dot
        parts.append(self._path_lines(ahead[:-1][every], ahead[1:][every], 2.4, 0.0 if step.move.turns else 2.6))
        parts.append(self._path_lines(made[:-1], made[1:], 4.4))
        if step.move.turns:
            centre, axis = step.before[:3, 3], step.before[:3, step.move.axis]
            ends = centre + np.outer([-0.45, 1.45], self.size * axis)
            parts.append(self._path_lines(ends[:1], ends[1:], 1.6))
        return np.concatenate(parts)

    def _path_lines(self, starts: np.ndarray, ends: np.ndarray, width: float, dash: float = 0.0) -> np.ndarray:
        return lines(starts, ends, [self._colour] * len(starts), width, dash) if len(starts) else np.zeros(0, LINE)

    def _draw_sector(self, frame: FrameState, step: DHStep) -> None:
        """The angle made so far as a faint fan."""
        if not step.move.turns or step.move.still or step.s <= 0.0:
            return
        radius, (start, side) = arc_radius(step, self.size), arc_spokes(step)
        program = self.held("sector", Program, "sector.vert", "flat.frag")
        angle = float(np.clip(step.s * step.move.value, -2 * np.pi, 2 * np.pi))
        program.use(clip=frame.clip, colour=(*rgb(self._colour), 0.20), angle=angle, pieces=float(FAN))
        program.use(centre=step.before[:3, 3], **{"from": radius * start, "side": radius * side})
        self.held("fan", EmptyArray).bind()
        GL.glDrawArrays(GL.GL_TRIANGLE_FAN, 0, FAN + 2)


@lru_cache(maxsize=4)
def _solids(size: float, colour: str) -> Mesh:
    """The moving frame, and an arrow head that ends at its slot's origin."""
    length, radius = 0.14 * size, 0.05 * size
    head = cylinder(radius, -length, 0.0, top=0.02 * radius, segments=20).painted(colour, slot=HEAD, gloss=0.2)
    return joined([triad(size, SHAFT * size, MOVING), head])


def _moving_name(step: DHStep) -> str:
    """What the frame is called that it becomes, "" before it is there."""
    if step.move.row < 0:
        whole = "0" if step.move.quantity == "base" else "tool"
        return whole if step.s >= 1.0 else ""
    return str(step.frame + 1) if step.complete else ""


def _distinct(poses: np.ndarray) -> list[np.ndarray]:
    """The poses without those equal to the one before."""
    kept = [poses[0]]
    for X in poses[1:]:
        if np.abs(X - kept[-1]).max() > 1e-9:
            kept.append(X)
    return kept
