"""`FrameItem`: the DH frames and the tool frame, x red, y green, z blue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.basic_solids import aligned, arrow, sphere
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import Mesh, joined
from armature.app.scene.gl.scene_item import blended, cull, opaque
from armature.app.scene.labels.label import Label, LabelGroup
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

AXES = (("x", palette.AXIS_X), ("y", palette.AXIS_Y), ("z", palette.AXIS_Z))
TURNED = [aligned(axis, np.zeros(3)) for axis in np.eye(3)]
NOTHING = np.zeros((0, 4, 4))
SAME_PLACE, SAME_WAY = 0.04, 0.9998  # of the frames' size, and the cosine of about a degree
SIZE, SHAFT = 0.13, 0.0062  # of the longest arrows and the radius of all, in reaches
FULL = 1.15  # size of the names of the frame in focus


class FrameItem(PoseItem):
    """One slot per frame, drawn at `magnification` times its usual size. What a housing hides is drawn faintly through it, and
    names in full are hidden by nothing but an opaque workspace, where the scene `is_walled`."""

    def __init__(self):
        super().__init__(depth=12)
        self.size, self.magnification, self._reach = 0.1, 1.0, 1.0
        self.with_labels = True
        self.withdrawn = False  # while something else draws frames
        self.bodies = np.zeros(0, BODY)
        self.names: list[str] = []
        self.hidden: frozenset[int] = frozenset()
        self.is_walled: Callable[[], bool] = lambda: False
        self._X_BF, self._carrier, self._lengths = NOTHING, np.zeros(0, int), np.zeros(0)
        self._poses, self._mesh = NOTHING, joined([])
        self._ends, self.same = np.zeros((3, 0, 3)), np.zeros((3, 0, 0), bool)  # tips of the axes, and which coincide
        self._stretches, self._beyond, self._same_if = np.zeros(0), np.zeros(0), (0.0, 1.0)
        self._focus, self._version = -1, 0
        self._labels_for: tuple | None = None
        self._grouped: tuple = ()
        self._named: list[Label] = []
        self._tips = np.zeros((2, 0), int)  # the axis and the frame at whose tip each name stands
        self._labels: Sequence[Label] = []

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """Frames 0…n of this robot, and its tool where that is another one."""
        frames = list(robot.links.values())
        self.hidden = frozenset()
        self.names = [str(k) for k in range(len(frames))]
        tool = robot.frames[robot.tool]
        if not any(f.body == tool.body and np.allclose(f.X_BF, tool.X_BF, atol=1e-9) for f in frames):
            frames.append(tool)
            self.names.append("tool")
        self.size = SIZE * robot.reach
        self._X_BF = np.array([f.X_BF for f in frames])
        self._carrier = np.array([f.body + 1 for f in frames])
        self._lengths, self._grouped = _lengths(self._X_BF, self._carrier, robot), ()
        self.bodies = np.zeros(len(frames), BODY)
        self.bodies["pose"][:, 3, 3] = self.bodies["state"][:, 3] = 1.0
        self._mesh, self._reach = _triads(tuple(self._lengths)), robot.reach
        many = len(frames)
        self._poses, self._ends = np.zeros((many, 4, 4)), np.zeros((3, many, 3))
        self.same = np.zeros((3, many, many), bool)
        self._size_up()

    @property
    def poses(self) -> np.ndarray:
        """Where the frames are drawn, `(k, 4, 4)` in W."""
        return self._poses.copy()

    def hide(self, frames: frozenset[int]) -> None:
        """Draw all but these."""
        self.hidden = frames
        self._size_up()

    def set_magnification(self, factor: float) -> None:
        """Draw the frames so many times as large as usual."""
        self.magnification = factor
        self._size_up()

    def _size_up(self) -> None:
        """As large as they are drawn, and as far from their origins as their names stand."""
        self._stretches = np.full(len(self.names), self.magnification * self._reach)
        self._stretches[list(self.hidden)] = 0.0
        self._beyond = self.size * (self.magnification * self._lengths + 0.16)
        self._same_if = SAME_PLACE * self.size, SAME_WAY
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        self._poses = X_WF = pose.slots[self._carrier] @ self._X_BF
        self.bodies["pose"] = X_WF.swapaxes(1, 2)  # as GLSL has it
        self.bodies["pose"][:, :3] *= self._stretches[:, None, None]
        origins, ways = X_WF[:, :3, 3], X_WF[:, :3, :3].transpose(2, 0, 1)
        self._ends = origins + self._beyond[:, None] * ways
        near, alike = self._same_if
        self.same = (np.abs(origins[:, None] - origins).max(axis=2) < near) & (ways @ ways.transpose(0, 2, 1) > alike)
        self._version += 1

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if len(self.bodies) and not self.withdrawn:
            self.on_card(self._mesh, self.bodies)

    def drawn_by(self) -> tuple:
        return self.withdrawn, len(self.bodies), len(self._mesh.faces)

    def draw(self, frame: FrameState) -> None:
        if not len(self.bodies) or self.withdrawn:
            return
        gpu, program = self.held("mesh", GpuMesh), self.shade_solids(frame, opacity=0.42)
        blended()
        gl_state.depth_func(GL.GL_GREATER)  # what is hidden, faintly
        cull(True)
        gpu.draw()
        program.use(opacity=1.0)
        opaque(closed=True)
        gpu.draw()

    def set_focus(self, hovered: int, selected: int) -> None:
        """Name the frames of these slots in full, of the hovered one or else of the selected one; −1 for none."""
        self._focus = hovered if hovered >= 0 else selected

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """x and z with the frame's number beyond the tips of the arrows; of axes that coincide one name, such as "x4,6"."""
        if not (self.with_labels and self.visible()) or self.withdrawn:
            return []
        made_for = (self._version, self._focus, self.magnification, frame.theme, self.is_walled())
        if made_for != self._labels_for:
            self._labels_for, self._labels = made_for, self._made_labels(frame.theme is palette.DARK, self.is_walled())
        return self._labels

    def _made_labels(self, dark: bool, walled: bool) -> LabelGroup:
        groups = self.same.tobytes(), self._focus, self.hidden, dark, walled
        if groups != self._grouped:
            in_full = (self._carrier == self._focus).tolist()
            self._grouped, named = groups, self._names(self.same, in_full, dark)
            self._tips = np.array([(axis, k) for *_, axis, k, _ in named], int).reshape(-1, 2).T
            self._named = [
                Label(
                    text,
                    shade,
                    np.zeros(3),
                    size=FULL if full else 1.0,
                    rank=-1 if full else 0,
                    hidden_by_solids=walled or not full,
                )
                for text, shade, _, _, full in named
            ]
        return LabelGroup(self._named, self._ends[*self._tips])

    def _names(self, same: np.ndarray, in_full: list[bool], dark: bool) -> list[tuple[str, str, int, int, bool]]:
        """Text and colour, the axis and the frame at whose tip it stands, and whether that frame is named in full."""
        out = []
        for axis, ((letter, colour), rows) in enumerate(zip(AXES, same.tolist(), strict=True)):
            shade, shown = readable(colour, dark), [k for k, full in enumerate(in_full) if full and k not in self.hidden]
            out += [(f"{letter}_{self.names[k]}", shade, axis, k, True) for k in shown]
            named = [full or k in self.hidden for k, full in enumerate(in_full)]
            for k, row in enumerate(rows if letter != "y" else []):
                if not named[k]:
                    group = [other for other in range(k, len(row)) if row[other] and not named[other]]
                    for other in group:
                        named[other] = True
                    longest = max(group, key=lambda other: self._lengths[other])
                    out.append((f"{letter}_{','.join(self.names[g] for g in group)}", shade, axis, longest, False))
        return out

    def names_frame_at(self, X: np.ndarray) -> bool:
        """Whether one of the frames, with its names shown, stands at X `(4, 4)`."""
        shown = self.with_labels and self.visible()
        return shown and bool((np.abs(self._poses - X).max(axis=(1, 2)) < 1e-9 + 1e-6 * self.size).any())


@cache
def readable(colour: str, dark: bool) -> str:
    """A darker shade on a light ground, a lighter one on a dark ground."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [round(0.62 * c + 0.38 * 255) if dark else round(0.78 * c) for c in parts]
    return "#" + "".join(f"{c:02x}" for c in mixed)


def triad(length: float, shaft: float, slot: int) -> Mesh:
    """Three arrows from a ball, for one slot: x red, y green, z blue; lengths in m."""
    return _triad(length, shaft).on_slot(slot)


@lru_cache(maxsize=8)
def _triads(lengths: tuple[float, ...]) -> Mesh:
    """One triad per slot with arrows of these relative lengths, for an arm of reach 1: it is drawn as large as the arm."""
    return joined([triad(length * SIZE, SHAFT, k) for k, length in enumerate(lengths)])


@lru_cache(maxsize=16)
def _triad(length: float, shaft: float) -> Mesh:
    """The frames of a robot have few lengths; on slot 0."""
    ball, one = sphere(1.7 * shaft, segments=14, bands=8), arrow(length, shaft)
    arrows = [one.moved(turned).painted(colour, gloss=0.25) for turned, (_, colour) in zip(TURNED, AXES, strict=True)]
    return joined([ball.painted("#8a94a0"), *arrows])


def _lengths(X_BF: np.ndarray, carrier: np.ndarray, robot: Robot) -> np.ndarray:
    """Relative arrow lengths: frames that share their origin get shorter and shorter, so that no tip hides another."""
    lengths = np.ones(len(X_BF))
    for k in range(1, len(X_BF)):
        body = robot.bodies[carrier[k] - 1] if carrier[k] > 0 else None
        same_body = carrier[k] == carrier[k - 1]
        step = X_BF[k][:3, 3] - X_BF[k - 1][:3, 3] if same_body else X_BF[k][:3, 3]
        if body is not None and not same_body:
            step = step + body.X_PJ[:3, 3] - X_BF[k - 1][:3, 3]
        if np.linalg.norm(step) < 0.02 * robot.reach and not (body is not None and robot.tree.prismatic[carrier[k] - 1]):
            lengths[k] = max(0.55, lengths[k - 1] - 0.18)
    return lengths
