"""Boxes, cylinders and spheres of URDF files, and the boxes that stand for meshes that are not there."""

from __future__ import annotations

from itertools import product

import numpy as np

from armature.app.robots.meshes.mesh_smoothing import smooth
from armature.app.scene.gl.basic_solids import cylinder, sphere
from armature.app.scene.gl.mesh import Mesh
from armature.engine import Robot
from armature.engine.model.link_outline import stand_in_box
from armature.engine.model.visual import Visual

CORNERS = np.array(list(product((-0.5, 0.5), repeat=3)))
SIDES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
BOX_FACES = np.concatenate([SIDES[:, [0, 1, 2]], SIDES[:, [0, 2, 3]]])
THINNEST = 1e-6  # m; what is thinner would have no area to show


def primitive(shape: Visual) -> Mesh:
    """The box, cylinder or sphere of `shape`, without a colour, in its own axes."""
    size = np.maximum(shape.size, THINNEST)
    if shape.shape == "box":
        return box_mesh(size, np.zeros(3))
    solid = sphere(size[0]) if shape.shape == "sphere" else cylinder(size[0], -size[1] / 2, size[1] / 2)
    solid.vertices["colour"] = 0
    return solid


def stand_in(robot: Robot, body: int, origin: np.ndarray) -> Mesh:
    """A box in a body's axes from a link's origin `(3,)` to the joints that the body carries."""
    return box_mesh(*stand_in_box(robot, body, origin))


def box_mesh(size: np.ndarray, centre: np.ndarray) -> Mesh:
    """Return a box with edges `size` `(3,)` around `centre` `(3,)`, m, without a colour."""
    positions, normals, faces, _ = smooth(CORNERS * size + centre, BOX_FACES, np.zeros(len(BOX_FACES), np.int64))
    mesh = Mesh.of(positions, normals, faces)
    mesh.vertices["colour"] = 0
    return mesh
