"""`height_rates`: how much a joint can lift or lower a link, in any pose."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot

_UPRIGHT = 1 - 1e-9  # z of an axis that counts as vertical


def height_rates(robot: Robot, bodies: np.ndarray, far: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Upper bounds of |∂z/∂q| for the points of some links, in all poses.

    A point is lifted by a turning joint by no more than its distance from it, the placements between them added up; by one that
    stands upright whatever the joints before it do, not at all.

    Args:
        bodies: bodies of the links `(k,)`.
        far: how far m their points are from the origins of these bodies `(k,)`.
        out: how far m each joint slides at most `(n,)`; that of turning joints is not read.

    Returns:
        `(n, k)`, m per rad or m.
    """
    tree, upright = robot.tree, upright_axes(robot)
    slid = (
        out
        if robot.coupling is None
        else np.abs(robot.coupling.multiplier) * out[robot.coupling.driver] + np.abs(robot.coupling.offset)
    )
    rates, placed = np.zeros((len(tree.bodies), len(bodies))), [float(np.linalg.norm(body.X_PJ[:3, 3])) for body in tree.bodies]
    for k, (body, length) in enumerate(zip(bodies.tolist(), far.tolist(), strict=True)):
        while body >= 0:
            slides = tree.bodies[body].joint_type == PRISMATIC
            rates[body, k] = 1.0 if slides else 0.0 if upright[body] else length
            length += (slid[body] if slides else 0.0) + placed[body]
            body = tree.bodies[body].parent
    return rates if robot.coupling is None else np.abs(robot.coupling.G).T @ rates


def upright_axes(robot: Robot) -> list[bool]:
    """Per body, whether the axis of its joint is vertical in all poses."""
    out, placed = list[bool](), list[np.ndarray]()
    for body in robot.tree.bodies:
        X = (placed[body.parent] if body.parent >= 0 else np.eye(4)) @ body.X_PJ
        placed.append(X)
        before, held = body.parent, True
        while before >= 0:
            held = held and (out[before] or robot.tree.bodies[before].joint_type == PRISMATIC)
            before = robot.tree.bodies[before].parent
        out.append(held and abs(float(X[2, 2])) > _UPRIGHT)
    return out
