"""Random convex shapes, and their distances by the engine, by coal and by MuJoCo."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from armature import engine
from armature.engine.contact.contact_model import ContactGroup, ContactModel, Distances
from armature.engine.contact.shapes import Shape
from tests.peers import depth_first_order

KINDS = ("sphere", "capsule", "cylinder", "box", "hull")
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3}
_VERTICES = (4, 8, 20, 100, 400)
coal: Any = import_module("coal")
PENDULUM = engine.load_robot("pendulum")


def pose(x: float = 0.0, y: float = 0.0, z: float = 0.0, R=None) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = np.eye(3) if R is None else R, (x, y, z)
    return X


def random_pose(rng: np.random.Generator, far: float) -> np.ndarray:
    x, y, z = rng.uniform(-far, far, 3)
    return pose(x, y, z, Rotation.random(rng=rng).as_matrix())


def random_shape(kind: str, rng: np.random.Generator, far: float) -> Shape:
    X = random_pose(rng, far)
    if kind == "hull":
        points = rng.normal(size=(int(rng.choice(_VERTICES)), 3))
        return Shape(kind, (), X, points / np.linalg.norm(points, axis=1)[:, None] * rng.uniform(0.05, 0.5, 3))
    return Shape(kind, tuple(rng.uniform(0.05, 0.5, _SIZES[kind])), X)


def separation(a: Shape, b: Shape) -> Distances:
    """Distance of two shapes in the world."""
    groups = (ContactGroup("a", -1, (a,)), ContactGroup("b", -1, (b,)))
    return ContactModel(PENDULUM, groups, np.array([[0, 1]])).nearest(np.zeros(1))


def to_coal(shape: Shape):
    """The shape as coal's geometry; a mesh counts as its convex hull."""
    if shape.kind == "halfspace":
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if shape.kind != "hull":
        return getattr(coal, shape.kind.capitalize())(*shape.size)
    hull = ConvexHull(shape.vertices)
    names = np.zeros(len(shape.vertices), int)
    names[hull.vertices] = range(len(hull.vertices))
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in shape.vertices[hull.vertices]:
        points.append(point)
    for i, j, k in names[hull.simplices].tolist():
        triangles.append(coal.Triangle(i, j, k))
    return coal.Convex(points, triangles)


def coal_distance(a: Shape, b: Shape, shift=(0.0, 0.0, 0.0)) -> float:
    """Signed distance by coal; `shift` `(3,)` m moves a."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance, request.epa_tolerance, request.gjk_max_iterations = 1e-10, 1e-8, 1000
    at = [coal.Transform3s(s.X_BS[:3, :3].copy(), s.X_BS[:3, 3] + d) for s, d in ((a, shift), (b, (0, 0, 0)))]
    return coal.distance(to_coal(a), at[0], to_coal(b), at[1], request, result)


def mujoco_distance(a: Shape, b: Shape) -> float:
    """Signed distance by MuJoCo."""
    mujoco = import_module("mujoco")
    spec = mujoco.MjSpec()
    for shape in (a, b):
        size = np.zeros(3)
        half = np.array(shape.size) if shape.kind == "sphere" else np.array(shape.size) / (2 if shape.kind == "box" else (1, 2))
        size[: len(half)] = half
        quaternion = np.roll(Rotation.from_matrix(shape.X_BS[:3, :3]).as_quat(), 1)
        kind = getattr(mujoco.mjtGeom, f"mjGEOM_{shape.kind.upper()}")
        spec.worldbody.add_geom(type=kind, size=size, pos=shape.X_BS[:3, 3], quat=quaternion)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return mujoco.mj_geomDistance(model, data, 0, 1, 100.0, None)


def pinocchio_geometry(model: ContactModel):
    """The groups of a contact model as geometry for Pinocchio's model of its tree, and the group pair of each pair of shapes."""
    pin: Any = import_module("pinocchio")
    order, geometry = depth_first_order(model.robot.tree), pin.GeometryModel()
    places: list[list[int]] = []
    for group in model.groups:
        joint = 0 if group.body < 0 else 1 + order.index(group.body)
        parts = []
        for k, shape in enumerate(group.shapes):
            part = pin.GeometryObject(f"{group.name} {k}", joint, pin.SE3(np.array(shape.X_BS)), to_coal(shape))
            parts.append(geometry.addGeometryObject(part))
        places.append(parts)
    owners = []
    for pair, (g, h) in enumerate(model.pairs):
        for i in places[g]:
            for j in places[h]:
                geometry.addCollisionPair(pin.CollisionPair(i, j))
                owners.append(pair)
    return geometry, np.array(owners)
