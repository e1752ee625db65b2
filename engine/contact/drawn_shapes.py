"""Shapes of an arm that has none in its file: the solids that the window draws for its joints and links."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from armature.engine.contact.shapes import Shape
from armature.engine.model.drawn_hand import drawn_hand
from armature.engine.model.robot import Robot
from armature.engine.model.skeleton import KNOB, RIM, TINY, UP, Skeleton, Tube, clean_route, skeleton
from armature.engine.rotations import pose_along

Part = tuple[int, Shape]


def drawn_shapes(robot: Robot) -> list[Part]:
    """Convex shapes of the drawn solids, each with the body (-1: the world) that carries it; X_BS in the axes of that body.

    Housings are cylinders, tubes capsules, carriages, rails and the gripper boxes, with sharp edges and corners.
    """
    bones = skeleton(robot.tree)
    parts: list[Part] = []
    for i in range(len(robot.bodies)):
        if i in bones.jaws:
            continue
        parts += _joint(bones, i)
        for tube in bones.tubes_of(i):
            parts += _capsules(bones, tube)
            if bones.is_free_end(i):
                parts.append((i, Shape("sphere", (KNOB * float(tube.first),), pose_along(UP, tube.route[-1]))))
        parts += _mass(bones, i)
    for i in bones.children(-1):
        parts += _pedestal(bones, i)
    return parts + _hand(bones)


def _cylinder(radius: float, low: float, high: float, X: np.ndarray) -> Shape:
    """Cylinder about the z axis of the pose X `(4, 4)`, from z = `low` to `high` m."""
    return Shape("cylinder", (float(radius), float(high - low)), _raised(X, (low + high) / 2))


def _box(size: tuple[float, float], low: float, high: float, X: np.ndarray) -> Shape:
    """Box with edges `size` along x and y of the pose X `(4, 4)`, from z = `low` to `high` m."""
    return Shape("box", (float(size[0]), float(size[1]), float(high - low)), _raised(X, (low + high) / 2))


def _raised(X: np.ndarray, height: float) -> np.ndarray:
    """Pose X `(4, 4)`, moved by `height` m along its own z axis."""
    out = X.copy()
    out[:3, 3] += height * X[:3, 2]
    return out


def _capsules(bones: Skeleton, tube: Tube) -> list[Part]:
    """Capsules along the straight pieces of a tube, each with the larger of its two radii."""
    points = clean_route(tube.route, TINY * bones.scale)
    if len(points) < 2:
        return []
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    at = np.r_[0.0, np.cumsum(lengths)] / lengths.sum()
    radii = tube.first + (tube.last - tube.first) * at
    out = []
    for (a, b), ends, length in zip(pairwise(points), pairwise(radii), lengths, strict=True):
        out.append((tube.body, Shape("capsule", (float(max(ends)), float(length)), pose_along(b - a, (a + b) / 2))))
    return out


def _joint(bones: Skeleton, i: int) -> list[Part]:
    """Housing of a revolute joint; carriage and rail of a prismatic one."""
    h, X_BB = bones.housings[i], np.eye(4)
    if not bones.robot.prismatic[i]:
        return [(i, _cylinder(h.radius, h.shift - h.half, h.shift + h.half, X_BB))]
    low, high = bones.travel(i)
    before, X = bones.robot.bodies[i].parent, bones.robot.bodies[i].X_PJ
    side, bar = 2.2 * h.radius, 1.15 * bones.tubes[i + 1]
    carriage = _box((side, side), h.shift - 1.25 * h.half, h.shift + 1.25 * h.half, X_BB if before < 0 else X)
    if before < 0:
        return [(before, _box((bar, bar), low - h.half, high + h.half, X)), (i, carriage)]
    return [(before, carriage), (i, _box((bar, bar), -(high - h.shift + 1.6 * h.half), 0.2 * bar, X_BB))]


def _mass(bones: Skeleton, i: int) -> list[Part]:
    """Ball and rod of a point mass, or rim and hub of a wheel, which is filled between its spokes."""
    body, thin = bones.robot.bodies[i], bones.tubes[i + 1]
    if bones.is_wheel(i):
        X, radius = pose_along(UP, body.com), bones.wheel_radius(i)
        rim = 1.5 * RIM * radius  # with the knob on it
        return [
            (i, _cylinder(radius + rim, -rim, rim, X)),
            (i, _cylinder(2.6 * thin, -2 * thin, 2 * thin, X)),
        ]
    if not bones.is_point_mass(i):
        return []
    ball = (i, Shape("sphere", (bones.mass_radius(i),), pose_along(UP, body.com)))
    rod = [] if bones.robot.prismatic[i] else _capsules(bones, Tube(i, [np.zeros(3), body.com], 0.9 * thin, 0.9 * thin))
    return [ball, *rod]


def _pedestal(bones: Skeleton, i: int) -> list[Part]:
    """Column and foot of a first joint; a bent column starts above the floor, so that its round end is not below it."""
    column, radius, height = bones.column(i), bones.tubes[0], bones.plate_height(i)
    foot, *corners = column.route
    X = pose_along(UP, foot)
    plate = [(-1, _cylinder(2.5 * radius, 0.0, height, X)), (-1, _cylinder(1.9 * radius, height, 1.3 * height, X))]
    if len(corners) == 1:
        return [(-1, _cylinder(column.first, 0.0, corners[0][2] - foot[2], X)), *plate]
    start = foot + min(column.first, corners[0][2] - foot[2]) * UP
    return _capsules(bones, Tube(-1, [start, *corners], column.first, column.last)) + plate


def _hand(bones: Skeleton) -> list[Part]:
    """Palm, wrist and fingers of the gripper."""
    hand = drawn_hand(bones)
    if hand is None:
        return []
    r, length, X = hand.radius, hand.length, hand.X_BH
    palm = _box((hand.width, 1.5 * r), 0.12 * length, 0.52 * length, X)
    wrist = _cylinder(1.05 * r, -0.02 * length, 0.16 * length, X)
    fingers = [(body, _box((0.42 * r, r), 0.5 * length, length, X_BF)) for body, X_BF in hand.fingers]
    return [(hand.body, palm), (hand.body, wrist), *fingers]
