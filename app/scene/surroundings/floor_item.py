"""`FloorItem`: a plate with a metre grid and the arm's shadow on it; the grid alone where the arm has no floor."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.gl import gl_state
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import EmptyArray
from armature.app.scene.gl.repeated_drawing import RepeatedDrawing
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.gl.shadow_map import BLURRED, FALL, ShadowMap
from armature.app.scene.labels.label import Label
from armature.app.state.units import number
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

_FALLING = np.vstack([np.eye(2), FALL])
ABOVE, BELOW = 0.72, 0.3  # opacity of the plate: the arm is seen through it from below
FROM_BELOW = "Seen from below the floor"
GRID_FROM_BELOW = "Seen from below the grid"
PATCH = 1.6  # reaches: half the side of the square that may lie in the shadow


class FloorItem(SceneItem):
    """The grid's step follows the robot's size: 1, 2 or 5 times a power of ten metres, with five fine lines in each."""

    draws_aside = True

    def __init__(self, arm: ArmItem):
        super().__init__(depth=20)
        self.arm = arm
        self.grid = True
        self.has_robot_floor = self.is_in_cell = True
        self._plate, self._fall = RepeatedDrawing(), RepeatedDrawing()
        self.set_size(np.zeros(2), 1.0, 0.0)

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self.set_size(robot.base[:2, 3], bones.scale, bones.floor)
        self.has_robot_floor = robot.floor is not None

    @property
    def is_plate(self) -> bool:
        """Whether the plate is drawn: the robot has a floor, and the cell has not lost it."""
        return self.has_robot_floor and self.is_in_cell

    def set_size(self, centre: np.ndarray, reach: float, height: float) -> None:
        """Lay the plate under a robot at `centre` (x, y) that reaches so many metres."""
        self.reach, self.height = reach, height
        self.step = grid_step(reach)
        self.half = self.step * np.ceil(1.75 * reach / self.step)
        self.centre = self.step * np.round(np.asarray(centre, float) / self.step)
        self._aside = height * np.array(FALL)
        self._shadow_of = -1
        self._labels_of: FrameState | None = None
        self._labels_for: tuple[str, bool, bool] | None = None
        self._labels: list[Label] = []
        self._pills: list[Label] = []
        self._dark: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)

    def prepare(self, frame: FrameState) -> None:
        if self._shadow_of != self.arm.pose_version:
            self._dark = self.shadowed()

    def draw_aside(self) -> None:
        """Draw the shadow into its own texture, if the arm has moved, before the frame's own target is begun."""
        if self._shadow_of != self.arm.pose_version:
            closed = self.arm.solids is not None and self.arm.solids.closed
            patch = (*self.centre, PATCH * self.reach)
            arm, shadow = self.arm.gpu_mesh(), self.held("shadow", ShadowMap)
            cause = *patch, self.height, self.reach, closed, arm.count
            self._fall.draw(cause, shadow.render, arm, patch, self.height, self.reach, closed)
            self._shadow_of = self.arm.pose_version

    def fallen(self) -> np.ndarray:
        """Points `(N, 2)` on the floor, x and y in W, between which the arm's shadow is, but for its soft edge."""
        if self.arm.solids is None:
            return np.zeros((0, 2))
        solids = self.arm.solids
        fall = (self.arm.bodies["pose"][:, :, :3] @ _FALLING)[solids.owners]  # poses transposed, fallen along z
        return (solids.extremes[:, None] @ fall[:, :3])[:, 0] + fall[:, 3] - self._aside

    def shadowed(self) -> tuple[float, ...]:
        """Return the part of the floor that the shadow covers: least x and y, greatest x and y, m."""
        fallen = self.fallen()
        if not len(fallen):
            return 0.0, 0.0, 0.0, 0.0
        half, blurred = PATCH * self.reach, 2.0 * BLURRED * PATCH * self.reach
        (x, y), (left, low), (right, high) = self.centre.tolist(), fallen.min(axis=0).tolist(), fallen.max(axis=0).tolist()
        return (
            max(left - blurred, x - half),
            max(low - blurred, y - half),
            min(right + blurred, x + half),
            min(high + blurred, y + half),
        )

    def draw(self, frame: FrameState) -> None:
        """The plate is mostly as it was, its shadow moves with the arm."""
        below = self._is_below(frame)
        cause = frame, self.reach, self.height, *self.centre.tolist(), self.grid, self.is_plate
        self._plate.draw(cause, self._draw_plate, frame, below)
        self._draw_shadow(frame, below)

    def _draw_plate(self, frame: FrameState, below: bool) -> None:
        blended(premultiplied=True)
        gl_state.enable(GL.GL_POLYGON_OFFSET_FILL)
        # What stands on the floor lies in its plane: seen from below the floor is before it.
        GL.glPolygonOffset(-1.0 if below else 1.0, -4.0 if below else 4.0)
        self.held("array", EmptyArray).bind()
        self.held("program", Program, "floor.vert", "floor.frag").use(
            clip=frame.clip,
            box=(*(self.centre - self.half), *(self.centre + self.half)),
            height=self.height,
            plate=(*self.centre, self.half),
            per_step=1.0 / self.step,
            grid=float(self.grid),
            scale=frame.scale,
            floor=rgb(frame.theme.floor_below if below else frame.theme.floor),
            line=rgb(frame.theme.line),
            opacity=0.0 if frame.transparent or not self.is_plate else BELOW if below else ABOVE,
        )
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)

    def _draw_shadow(self, frame: FrameState, below: bool) -> None:
        shadow = self.held("dark", Program, "floor.vert", "dark.frag")
        shadow.use(
            clip=frame.clip,
            box=self._dark,
            height=self.height,
            patch=(*self.centre, 0.5 / (PATCH * self.reach)),
            shadow=frame.theme.shadow * (0.4 if below else 1.0),
        )
        shadow.use_texture("image", 0, self.held("shadow", ShadowMap).texture)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        gl_state.disable(GL.GL_POLYGON_OFFSET_FILL)

    def labels(self, frame: FrameState) -> list[Label]:
        """Metres along the world's x and y axes, on the side of each that faces the eye; none without the grid."""
        if not self.grid:
            return []
        if frame is self._labels_of:
            return self._labels
        self._labels_of, toward = frame, frame.camera.axes()[2]
        made_for = (frame.theme.text, bool(toward[0] < 0), bool(toward[1] < 0))
        if made_for != self._labels_for:
            self._labels_for, self._labels = made_for, self._made_labels(*made_for)
        return self._labels

    def pills(self, frame: FrameState) -> list[Label]:
        """Caption of a view from below the floor, or from below the grid where the arm has no floor."""
        if not self._is_below(frame) or not (self.is_plate or self.grid):
            return []
        text, ink = FROM_BELOW if self.is_plate else GRID_FROM_BELOW, frame.theme.text
        if [pill[:2] for pill in self._pills] != [(text, ink)]:
            self._pills = [Label(text, ink, np.zeros(3), pill=True)]
        return self._pills

    def _is_below(self, frame: FrameState) -> bool:
        return bool(frame.eye[2] < self.height)

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
                    out.append(Label(text, colour, point, hidden_by_solids=True, stays=True, size=0.9, faint=True))
        return out

    def release(self) -> None:
        super().release()
        self._plate, self._fall = RepeatedDrawing(), RepeatedDrawing()
        self._shadow_of = -1


def grid_step(reach: float) -> float:
    """The 1-2-5 step in m nearest above a quarter of the reach."""
    power = 10.0 ** np.floor(np.log10(reach / 4.0))
    return float(next(k * power for k in (1, 2, 5, 10) if k * power >= reach / 4.0 * 0.999))


def metres(value: float, step: float) -> str:
    """A tick's number with as many decimals as the step needs, and a true minus sign."""
    decimals = max(0, int(np.ceil(-np.log10(step) - 1e-9)))
    return number(value, decimals) if abs(value) > step / 10 else "0"
