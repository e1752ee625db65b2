"""The numbers of a waypoint, in the order of its fields: joints or tool pose, then the point an arc goes through."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature import engine
from armature.app.state.units import significant
from armature.engine.rotations import roll_pitch_yaw, rot_rpy

TOOL = (("x", True), ("y", True), ("z", True), ("roll", False), ("pitch", False), ("yaw", False))
ACTIONS = ("pass", "grasp", "release")
PICKED = 0.851  # kg
STAY = 0.5  # s, for grasping and releasing where no stay is given
THROUGH = (("through x", True), ("through y", True), ("through z", True))

Names = tuple[tuple[str, bool], ...]


def names(robot, waypoint) -> Names:
    """Name of every number, and whether it is a length."""
    joints = tuple((name, bool(slides)) for name, slides in zip(robot.joint_names, robot.prismatic))
    place = joints if waypoint.X_WT is None else TOOL
    return place if waypoint.through is None else (*place, *THROUGH)


def values(robot, waypoint) -> np.ndarray:
    """The numbers, in rad and m."""
    X = waypoint.X_WT
    place = waypoint.joints(robot, None) if X is None else np.concatenate([X[:3, 3], roll_pitch_yaw(X[:3, :3])])
    return place.copy() if waypoint.through is None else np.concatenate([place, waypoint.through])


def pose(robot, waypoint) -> np.ndarray:
    """Where the tool is wanted, X_WT `(4, 4)`."""
    return engine.frame_pose(robot, waypoint.joints(robot, None)) if waypoint.X_WT is None else waypoint.X_WT


def with_value(robot, waypoint, i: int, value: float):
    """The same waypoint with another number in place i; a named pose becomes joints."""
    numbers = values(robot, waypoint)
    numbers[i] = value
    through = None if waypoint.through is None else numbers[-3:]
    if waypoint.X_WT is None:
        return replace(waypoint, q=numbers[: robot.n], pose=None, through=through)
    X = rot_rpy(*numbers[3:6])
    X[:3, 3] = numbers[:3]
    return replace(waypoint, X_WT=X, through=through)


def at_pose(robot, waypoint, q: np.ndarray):
    """The same waypoint where the arm is at q `(n,)`, given as it was: by the tool's pose or by joints."""
    if waypoint.X_WT is not None:
        return replace(waypoint, X_WT=engine.frame_pose(robot, q))
    return replace(waypoint, q=q, pose=None)


def action_of(waypoint) -> str:
    """One of `ACTIONS`."""
    return "grasp" if waypoint.grasp is not None else "release" if waypoint.release else "pass"


def with_action(waypoint, action: str):
    """The same waypoint where the tool does one of `ACTIONS`."""
    load = (waypoint.grasp or engine.Payload(PICKED)) if action == "grasp" else None
    stay = waypoint.dwell or (0.0 if action == "pass" else STAY)
    return replace(waypoint, grasp=load, release=action == "release", dwell=stay)


def with_load(waypoint, i: int, value: float):
    """The same waypoint that grasps another mass, i = 0, or one with another centre, 1…3; its inertia goes with its mass."""
    load = waypoint.grasp
    if i == 0:
        return replace(waypoint, grasp=engine.Payload(value, load.com, load.inertia * (value / load.mass)))
    com = load.com.copy()
    com[i - 1] = value
    return replace(waypoint, grasp=engine.Payload(load.mass, com, load.inertia))


def place_words(waypoint) -> str:
    """What is done there, and how it is given."""
    words = waypoint.pose or ("joints" if waypoint.q is not None else "tool")
    if waypoint.grasp is not None:
        return f"grasp {significant(waypoint.grasp.mass, 3)} kg, {words}"
    return f"release, {words}" if waypoint.release else words
