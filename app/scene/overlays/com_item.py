"""`ComItem`: the centres of mass of the links and of the whole arm."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.basic_solids import cylinder, sphere
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh, place_bodies
from armature.app.scene.gl.line_batch import LineBatch, as_numbers, lines
from armature.app.scene.gl.mesh import Mesh, joined
from armature.app.scene.gl.scene_item import blended, opaque
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.state.units import significant
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

LARGEST, SMALLEST, TOTAL, TARGET = 0.030, 0.010, 0.036, 0.045  # radii, relative to the reach
HIDDEN = 0.75


class ComItem(PoseItem):
    """Quartered balls, the volume of a link's growing with its mass; below the arm's own, its place on the floor."""

    def __init__(self):
        super().__init__(depth=21)
        self.setVisible(False)
        self.total, self.mass, self.floor = np.zeros(3), 0.0, 0.0
        self.carrier, self.radii = np.zeros(0, int), np.zeros(0)
        self._bodies, self._X_SB, self._shares = np.zeros(0, BODY), np.zeros((0, 4, 4)), np.zeros((1, 4))
        self._drop = lines(np.zeros((1, 3)), np.zeros((1, 3)), [palette.COM_LINE], width=2.0, dash=5.0)
        self._labels: list[Label] = []
        self._labels_for: tuple[float, str] | None = None

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """The bodies of this robot that have a mass, over its floor."""
        heavy = [i for i, body in enumerate(robot.bodies) if body.mass > 0]
        masses = np.array([robot.bodies[i].mass for i in heavy])
        coms = np.array([(*robot.bodies[i].com, 1.0) for i in heavy]).reshape(-1, 4)
        self.carrier, self.mass, self.floor = np.array(heavy, int) + 1, float(masses.sum()), bones.floor
        relative = np.cbrt(masses / masses.max(initial=0.0)) if heavy else np.zeros(0)
        self.radii = robot.reach * np.maximum(LARGEST * relative, SMALLEST)
        self._X_SB = self.radii[:, None, None] * np.eye(4)
        self._X_SB[:, :, 3] = coms
        self._shares = np.zeros((len(robot.bodies) + 1, 4))  # c = Σ X_WS (m_S c_S, m_S) / m
        self._shares[self.carrier] = coms * masses[:, None] / self.mass if heavy else 0.0
        self._bodies = np.zeros(len(heavy) + 2 if heavy else 0, BODY)
        self._bodies["pose"] = np.eye(4)
        self._bodies["state"][:, 3] = 1.0
        sizes = np.array([*self.radii, TOTAL * robot.reach, TARGET * robot.reach])[: len(self._bodies)]
        self._bodies["pose"][:, [0, 1, 2], [0, 1, 2]] = sizes[:, None]
        self._marks = self._bodies["pose"][-2:, 3, :3]  # where the arm's own ball and its disc are
        self._lift = 2e-3 * robot.reach

    def follow(self, pose: Pose) -> None:
        if not len(self._bodies):
            return
        place_bodies(pose.slots, self.carrier, self._X_SB, self._bodies)
        self.total = np.einsum("sij,sj->i", pose.slots, self._shares)[:3]
        x, y, z = self.total.tolist()
        self._marks[:] = (x, y, z), (x, y, self.floor + self._lift)
        as_numbers(self._drop)[0, :6] = x, y, z, x, y, self.floor

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if len(self._bodies):
            self.on_card(_markers(len(self.carrier)), self._bodies)
            self.held("drop", LineBatch).upload(self._drop)

    def drawn_by(self) -> tuple:
        return (len(self._bodies),)

    def draw(self, frame: FrameState) -> None:
        if not len(self._bodies):
            return
        gpu, drop = self.held("mesh", GpuMesh), self.held("drop", LineBatch)
        program = self.shade_solids(frame, opacity=HIDDEN)
        blended()
        gl_state.depth_func(GL.GL_GREATER)  # what the links hide shines through them
        gl_state.enable(GL.GL_CULL_FACE)
        gl_state.cull_face(GL.GL_BACK)
        gpu.draw()
        gl_state.disable(GL.GL_CULL_FACE)
        program.use(opacity=1.0)
        opaque()
        gpu.draw()
        blended()
        drop.draw(frame)

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """The mass of the arm beside its centre of mass, which shines through solids as that does."""
        if not (self.visible() and len(self._bodies)):
            return []
        surface = frame.nearer(self.total, float(self._bodies["pose"][-2, 0, 0]))
        made_for = self.mass, frame.theme.text
        if made_for != self._labels_for:
            text, shift = f"{significant(self.mass, 3)} kg", (0.0, -22.0)
            told = Label(text, made_for[1], np.zeros(3), shift, hidden_by_solids=True, shines_through=True)
            self._labels_for, self._labels = made_for, [told]
        return LabelGroup(self._labels, surface)


@lru_cache(maxsize=4)
def _markers(links: int) -> Mesh:
    """A ball per link, one for the whole arm and a disc for the floor, each of size 1 on a slot of its own."""
    ball = sphere(1.0, segments=24, bands=12)
    balls = [_quartered(ball, palette.COM_LIGHT, slot=k) for k in range(links)]
    balls.append(_quartered(ball, palette.COM_TOTAL, slot=links))
    # the rim keeps it round where the dark quarters are no darker than the floor
    rim = cylinder(1.0, -0.01, 0.01, segments=32).painted(palette.COM_TOTAL, slot=links + 1, gloss=0.5)
    return joined([*balls, rim, _quartered(cylinder(0.82, 0.01, 0.03, segments=32), palette.COM_TOTAL, slot=links + 1)])


def _quartered(mesh: Mesh, light: str, slot: int) -> Mesh:
    """The mesh in a light and a dark colour by turns from octant to octant, as drawings mark a centre of mass."""
    corners = mesh.vertices[mesh.faces.ravel()]
    middle = corners["position"].reshape(-1, 3, 3).mean(axis=1)
    sign = np.sign(middle[:, 0] * middle[:, 1]) * np.where(middle[:, 2] < -0.05, -1, 1)
    alone = Mesh(corners, np.arange(len(corners), dtype=np.uint32).reshape(-1, 3))
    dark = np.repeat(sign < 0, 3)
    painted = alone.painted(light, slot=slot, gloss=0.5)
    painted.vertices["colour"][dark] = alone.painted(palette.COM_DARK, gloss=0.5).vertices["colour"][dark]
    return painted
