"""Links that are bodies: six coordinates each, and what their joints take of them, measured at the poses that are drawn."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot
from armature.engine.rotations import roll_pitch_yaw, rotation_vector

TAKEN = 5  # of six coordinates; a joint that copies another one takes the sixth, too


def link_names(robot: Robot) -> list[str]:
    """One per body."""
    return [robot.link_names[k] for k in _first_links(robot)]


def joint_words(robot: Robot) -> list[str]:
    """Name and type of each joint of the tree."""
    words = ("prismatic" if body.joint_type == PRISMATIC else "revolute" for body in robot.bodies)
    return [f"{name} ({word})" for name, word in zip(robot.tree.joint_names, words, strict=True)]


def taken(robot: Robot) -> np.ndarray:
    """How many coordinates each joint takes from its link `(N,)`; their sum is 6N − n."""
    own = np.isin(np.arange(len(robot.bodies)), robot.joint_bodies)
    return np.where(own, TAKEN, TAKEN + 1)


def body_poses(robot: Robot, link_poses: np.ndarray) -> np.ndarray:
    """X_WB = X_WL X_BL⁻¹ `(N, 4, 4)` from the poses of all links."""
    first = _first_links(robot)
    return link_poses[first] @ np.linalg.inv(robot.link_table[1][first])


def six_numbers(robot: Robot, link_poses: np.ndarray) -> np.ndarray:
    """x, y, z in m and roll, pitch, yaw in rad of the frame of one link per body `(N, 6)`."""
    X = link_poses[_first_links(robot)]
    return np.column_stack([X[:, :3, 3], roll_pitch_yaw(X[:, :3, :3])])


def off(robot: Robot, X: np.ndarray) -> np.ndarray:
    """By how much each joint is apart, m, and twisted, rad `(N, 2)`; 0 where its constraints hold.

    A turning joint keeps the origin of its link on that of the joint, and one z axis on the other; a slide keeps the origin on
    the axis, and all three axes.
    """
    found = np.empty((len(X), 2))
    for i, body in enumerate(robot.bodies):
        J = body.X_PJ if body.parent < 0 else X[body.parent] @ body.X_PJ
        d, z = X[i, :3, 3] - J[:3, 3], J[:3, 2]
        if body.joint_type == PRISMATIC:
            found[i] = np.linalg.norm(d - (d @ z) * z), np.linalg.norm(rotation_vector(J[:3, :3].T @ X[i, :3, :3]))
        else:
            found[i] = np.linalg.norm(d), np.arctan2(np.linalg.norm(np.cross(z, X[i, :3, 2])), z @ X[i, :3, 2])
    return found


def _first_links(robot: Robot) -> list[int]:
    owners = [int(body) for body in robot.link_table[0]]
    return [owners.index(body) for body in range(len(robot.bodies))]
