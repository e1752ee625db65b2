"""`LinkOutline`: the links of an arm as balls, by which it touches a floor."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual

THICK, TAPER = 0.050, 0.021  # radius of the first link and what the last one has less, relative to the reach
SLIM = 0.62  # arms of point masses
HOUSING = 1.28  # radius of the housing of a joint, in that of its link
PAD = 0.05  # of the reach, around the box that is drawn for a missing mesh
_ROUND = 12  # points on the rim of a cylinder


@dataclass(frozen=True, eq=False)
class LinkOutline(Frozen):
    """Balls: `bodies` `(k,)` index of the body, `points` `(k, 3)` centre in the body's axes, `radii` `(k,)` in m.

    A link reaches from joint to joint and to the tool, with its drawn thickness; a link with boxes, cylinders or spheres in its
    URDF has their shape. Points that can never change their height are omitted, because they cannot touch the floor.
    """

    bodies: np.ndarray
    points: np.ndarray
    radii: np.ndarray


def link_radii(robot: Robot) -> np.ndarray:
    """Radius in m that each body of a robot without mimic joints is drawn with, that of its stand first `(n + 1,)`."""
    depth = np.zeros(robot.n + 1)
    for i, body in enumerate(robot.bodies):
        depth[i + 1] = depth[body.parent + 1] + 1
    slim = SLIM if any(b.mass > 0 and not b.inertia.any() for b in robot.bodies) else 1.0
    return slim * robot.reach * (THICK - TAPER * depth / max(depth.max(), 1))


def link_outline(robot: Robot) -> LinkOutline:
    """The outline of any robot."""
    radii, moving = link_radii(robot.tree), _changes_height(robot)
    shapes = [shape for shape in robot.collisions or robot.visuals if shape.shape != "mesh"]
    shaped = {robot.links[shape.link].body for shape in shapes}
    balls: list[tuple[int, np.ndarray, float]] = []
    for i, body in enumerate(robot.bodies):
        if body.parent >= 0 and body.parent not in shaped:
            balls.append((body.parent, body.X_PJ[:3, 3], HOUSING * radii[i + 1]))
    balls += [(frame.body, frame.X_BF[:3, 3], 0.0) for frame in robot.frames.values() if frame.body not in shaped]
    for shape in shapes:
        frame = robot.links[shape.link]
        balls += [(frame.body, *ball) for ball in _shape_balls(shape, frame.X_BF @ shape.X_LG)]
    balls = [ball for ball in balls if ball[0] >= 0 and moving[ball[0]]]
    bodies, points, sizes = zip(*balls, strict=True) if balls else ((), np.zeros((0, 3)), ())
    return LinkOutline(np.array(bodies, int), np.array(points, float).reshape(-1, 3), np.array(sizes, float))


def _changes_height(robot: Robot) -> list[bool]:
    """Per body, whether any joint before it can lift it: all but those that turn about a vertical."""
    tree, out, placed = robot.tree, list[bool](), list[np.ndarray]()
    for body in tree.bodies:
        X = (placed[body.parent] if body.parent >= 0 else np.eye(4)) @ body.X_PJ
        placed.append(X)
        lifts = body.joint_type == PRISMATIC or abs(X[2, 2]) < 1 - 1e-9
        out.append(lifts or (body.parent >= 0 and out[body.parent]))
    return out


def _shape_balls(shape: Visual, X_BG: np.ndarray) -> list[tuple[np.ndarray, float]]:
    if shape.shape == "sphere":
        return [(X_BG[:3, 3], float(shape.size[0]))]
    if shape.shape == "box":
        corners = np.array(list(product((-0.5, 0.5), repeat=3))) * shape.size
    else:
        turn = 2 * np.pi * np.arange(_ROUND) / _ROUND
        rim = np.column_stack([shape.size[0] * np.cos(turn), shape.size[0] * np.sin(turn), np.full(_ROUND, 0.5 * shape.size[1])])
        corners = np.concatenate([rim, rim * [1, 1, -1]])
    return [(X_BG[:3, :3] @ corner + X_BG[:3, 3], 0.0) for corner in corners]


def stand_in_box(robot: Robot, body: int, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return edges and centre `(3,)` in m of the box for a missing mesh, from a link's `origin` `(3,)` to the next joints.

    All are in the axes of the body.
    """
    ends = np.array([origin, *(b.X_PJ[:3, 3] for b in robot.bodies if b.parent == body)])
    pad = PAD * robot.reach
    low, high = ends.min(axis=0) - pad, ends.max(axis=0) + pad
    return high - low, (low + high) / 2
