"""`InertiaBoxItem`: each link as the homogeneous box of its mass and inertia, to be held against its mesh."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh, place_bodies
from armature.app.scene.gl.line_batch import LINE, LineBatch, as_numbers, lines
from armature.app.scene.gl.mesh import Mesh, joined
from armature.app.scene.gl.scene_item import blended, opaque
from armature.app.scene.overlays.inertia_item import principal_lengths, stretched
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

SHEER, EDGE = 0.22, 2.0  # opacity of the faces; width of the edges in logical pixels
THINNEST = 1e-3  # half edge in reaches
_CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
_EDGES = np.array([(i, j) for i, j in combinations(range(8), 2) if np.abs(_CORNERS[i] - _CORNERS[j]).sum() == 2])


class InertiaBoxItem(PoseItem):
    """At the centre of mass, along the principal axes, seen through the arm; links without inertia have none."""

    def __init__(self):
        super().__init__(depth=28)
        self.setVisible(False)
        self.carrier, self.half = np.zeros(0, int), np.zeros((0, 3))
        self._X_SB, self._bodies, self._edges = np.zeros((0, 4, 4)), np.zeros(0, BODY), np.zeros(0, LINE)

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """The boxes of this robot's bodies, in the axes of each."""
        heavy = [i for i, body in enumerate(robot.bodies) if body.mass > 0 and body.inertia.any()]
        self.carrier = np.array(heavy, int) + 1
        mass, inertia = np.array([robot.bodies[i].mass for i in heavy]), np.array([robot.bodies[i].inertia for i in heavy])
        axes, self.half = equivalent_box(mass, inertia.reshape(-1, 3, 3))
        self._X_SB = stretched(axes, self.half, THINNEST * robot.reach, [robot.bodies[i].com for i in heavy])
        self._bodies = np.zeros(len(heavy), BODY)
        self._bodies["state"][:, 3] = self._bodies["pose"][:, 3, 3] = 1.0
        none = np.zeros((len(heavy) * len(_EDGES), 3))
        self._edges = lines(none, none, [palette.INERTIA_EDGE] * len(none), width=EDGE)

    def follow(self, pose: Pose) -> None:
        place_bodies(pose.slots, self.carrier, self._X_SB, self._bodies)
        as_numbers(self._edges)[:, :6] = self.corners[:, _EDGES].reshape(-1, 6)

    @property
    def corners(self) -> np.ndarray:
        """The corners of every box `(k, 8, 3)` in W, m."""
        X = self._bodies["pose"]
        return X[:, None, 3, :3] + np.einsum("kji,cj->kci", X[:, :3, :3], _CORNERS)

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if len(self._bodies):
            self.on_card(_boxes(len(self.carrier)), self._bodies)
            self.held("edges", LineBatch).upload(self._edges)

    def drawn_by(self) -> tuple:
        return (len(self._bodies),)

    def draw(self, frame: FrameState) -> None:
        if not len(self._bodies):
            return
        self.shade_solids(frame, opacity=SHEER)
        blended(depth_test=False)
        gl_state.enable(GL.GL_CULL_FACE)
        gl_state.cull_face(GL.GL_BACK)
        self.held("mesh", GpuMesh).draw()
        gl_state.disable(GL.GL_CULL_FACE)
        self.held("edges", LineBatch).draw(frame, opacity=0.9)
        opaque()


def equivalent_box(mass: float | np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal axes as columns `(3, 3)` and half edges `(3,)` in m of the homogeneous box with `mass` (kg) and
    `inertia` `(3, 3)` (kg·m², about the CoM), or of several `(k,)`, `(k, 3, 3)`.

    I_1 = m (b² + c²) / 3 and so on round, hence a² = 3 (I_2 + I_3 − I_1) / 2 m; what no solid could have counts as 0.
    """
    return principal_lengths(1.5 / mass, inertia)


@lru_cache(maxsize=4)
def _boxes(count: int) -> Mesh:
    """Cubes with corners at ±1, each on a slot of its own."""
    positions: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    faces: list[np.ndarray] = []
    for axis, sign in product(range(3), (-1.0, 1.0)):
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        normal = sign * np.eye(3)[axis]
        ring = [normal - u - v, normal + u - v, normal + u + v, normal - u + v][:: int(sign)]
        faces += [np.array(turn) + 4 * len(normals) for turn in ((0, 1, 2), (0, 2, 3))]
        positions += ring
        normals.append(np.tile(normal, (4, 1)))
    cube = Mesh.of(np.array(positions), np.concatenate(normals), np.array(faces))
    return joined([cube.painted(palette.INERTIA, slot=slot, gloss=0.1) for slot in range(count)])
