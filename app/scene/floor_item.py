"""`FloorItem`: a plate with a metre grid and the arm's shadow on it."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from app.scene.arm_item import ArmItem
from app.scene.frame_state import FrameState, rgb
from app.scene.label import Label
from app.scene.point_buffer import EmptyArray
from app.scene.program import Program
from app.scene.scene_item import SceneItem, blended
from app.scene.shadow_map import ShadowMap


class FloorItem(SceneItem):
    """The grid's step follows the robot's size: 1, 2 or 5 times a power of ten metres, with five fine lines in each."""

    def __init__(self, arm: ArmItem):
        super().__init__(depth=20)
        self.arm = arm
        self.grid = True
        self.set_size(np.zeros(2), 1.0, 0.0)

    def set_size(self, centre: np.ndarray, reach: float, height: float) -> None:
        """Lay the plate under a robot at `centre` (x, y) that reaches so many metres."""
        self.reach, self.height = reach, height
        self.step = grid_step(reach)
        self.half = self.step * np.ceil(1.75 * reach / self.step)
        self.centre = self.step * np.round(np.asarray(centre, float) / self.step)
        self._shadow_of, self._labels_for, self._labels = -1, None, []

    def prepare(self) -> None:
        """Draw the shadow into its own texture, if the arm has moved, before the frame's own target is begun."""
        if self._shadow_of != self.arm.pose_version:
            closed = self.arm.solids is not None and self.arm.solids.closed
            self.held("shadow", ShadowMap).render(self.arm.gpu_mesh(), self._patch(), self.height, self.reach, closed)
            self._shadow_of = self.arm.pose_version

    def _patch(self) -> tuple[float, float, float]:
        return (*self.centre, 1.6 * self.reach)

    def draw(self, frame: FrameState) -> None:
        blended(premultiplied=True)
        below = frame.eye[2] < self.height
        program = self.held("program", Program, "floor.vert", "floor.frag")
        program.use(
            clip=frame.clip,
            plate=(*self.centre, self.half, self.height),
            patch=self._patch(),
            step=self.step,
            grid=float(self.grid),
            scale=frame.scale,
            floor=rgb(frame.theme.floor),
            line=rgb(frame.theme.line),
            opacity=0.0 if frame.transparent else 0.12 if below else 0.72,
            shadow=frame.theme.shadow * (0.4 if below else 1.0),
        )
        program.use_texture("image", 0, self.held("shadow", ShadowMap).texture)
        self.held("array", EmptyArray).bind()
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)

    def labels(self, frame: FrameState) -> list[Label]:
        """Metres along the world's x and y axes, on the side of each that faces the eye."""
        toward = frame.camera.axes()[2]
        made_for = (frame.theme.text, toward[0] < 0, toward[1] < 0)
        if made_for != self._labels_for:
            self._labels_for, self._labels = made_for, self._made_labels(*made_for)
        return self._labels

    def _made_labels(self, colour: str, *eye_is_below_zero: bool) -> list[Label]:
        out, count = [], int(0.72 * self.half / self.step)
        for axis in (0, 1):
            aside = -1.0 if eye_is_below_zero[1 - axis] else 1.0
            for tick in range(-count, count + 1):
                point = np.array([*self.centre, self.height])
                point[axis] += tick * self.step
                value = float(point[axis])
                point[1 - axis] = 0.13 * self.step * aside
                if abs(value) > 0.5 * self.step:
                    end = f" {'xy'[axis]} / m" if tick == count else ""
                    text = metres(value, self.step) + end
                    out.append(Label(text, colour, point, hidden_by_solids=True, size=0.9, faint=True))
        return out

    def release(self) -> None:
        super().release()
        self._shadow_of = -1


def grid_step(reach: float) -> float:
    """The 1-2-5 step in m nearest above a quarter of the reach."""
    power = 10.0 ** np.floor(np.log10(reach / 4.0))
    return float(next(k * power for k in (1, 2, 5, 10) if k * power >= reach / 4.0 * 0.999))


def metres(value: float, step: float) -> str:
    """A tick's number with as many decimals as the step needs, and a true minus sign."""
    decimals = max(0, int(np.ceil(-np.log10(step) - 1e-9)))
    return f"{value:.{decimals}f}".replace("-", "−") if abs(value) > step / 10 else "0"
