"""Trajectory files: from TOML to a `Plan`, or to one line about what is wrong."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from armature.engine.errors import EngineError, TrajectoryError, one_line
from armature.engine.model.file_bytes import Unreadable
from armature.engine.model.file_entries import Entry, PoseEntry, ToolLimitsEntry
from armature.engine.model.file_values import angle, number
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import complaint, refused, toml_table
from armature.engine.model.toml.toml_assembly import pose
from armature.engine.model.toml.toml_kind import TRAJECTORY, expect_kind
from armature.engine.resources import names_instead, shipped_or_path
from armature.engine.trajectory.plan import Plan
from armature.engine.trajectory.plan_schema import PayloadEntry, PlanFile, WaypointEntry
from armature.engine.trajectory.trajectory import Trajectory
from armature.engine.trajectory.waypoint import Waypoint

_FOLDER = ("assets", "trajectories")
_REQUIRED = {
    "name": 'give the trajectory a name, such as name = "pick_and_place"',
    "waypoints": "give one table headed [[waypoints]] per target",
    "mass": "a grasped payload needs a mass in kg",
}


def load_plan(path: str | os.PathLike[str], robot: Robot) -> Plan:
    """Read a trajectory file for a robot.

    Args:
        path: a `.toml` file: name, and per [[waypoints]] a motion type and a target: `q` (rad or m), `q_deg` (degrees or m),
            `pose` (a named pose) or `tool` (a tool pose in the world); or the bare name of an included trajectory, such as
            `"pick_place_puma560"`.
        robot: robot whose joints and named poses the file refers to.

    Returns:
        A `Plan`; `plan.trajectory(robot)` is its motion.

    Raises:
        TrajectoryError: one line with the file, the field, the mistake and the valid values.
    """
    if names := names_instead(path, *_FOLDER):
        raise TrajectoryError(one_line(f"{path}: no trajectory of this name is included; valid are {names}"))
    place = shipped_or_path(path, *_FOLDER)
    try:
        table = toml_table(place, "trajectory file", "name and [[waypoints]]")
        file = PlanFile.model_validate(expect_kind(table, TRAJECTORY, place))
        if file.robot is not None and file.robot != robot.name:
            raise Unreadable(f"robot: the trajectory is for {file.robot}, not for {robot.name}")
        points = tuple(_waypoint(robot, k, entry) for k, entry in enumerate(file.waypoints))
        limits = file.tool_limits.limits()
        return Plan(points, file.speed, file.repeat, file.name, file.description, file.robot or "", limits)
    except ValidationError as error:
        raise TrajectoryError(refused(place, complaint(error, _table_at, _REQUIRED))) from None
    except (Unreadable, EngineError) as error:
        raise TrajectoryError(refused(place, str(error))) from None


def load_trajectory(path: str | os.PathLike[str], robot: Robot) -> Trajectory:
    """Read a trajectory file and return the trajectory of a robot.

    Args:
        path: a `.toml` file, as for `load_plan`.
        robot: robot whose joints move.

    Returns:
        A `Trajectory` of the robot's joints.

    Raises:
        TrajectoryError: one line with the file and the field, or the waypoint that cannot be reached.
    """
    plan = load_plan(path, robot)
    try:
        return plan.trajectory(robot)
    except TrajectoryError as error:
        raise TrajectoryError(refused(Path(path), str(error))) from None


def _table_at(loc: list[Any]) -> type[Entry]:
    if loc[:1] != ["waypoints"]:
        return ToolLimitsEntry if loc[:1] == ["tool_limits"] else PlanFile
    tables: dict[Any, type[Entry]] = {"tool": PoseEntry, "grasp": PayloadEntry}
    return tables[loc[2]] if len(loc) > 2 else WaypointEntry


def _waypoint(robot: Robot, k: int, entry: WaypointEntry) -> Waypoint:
    if entry.pose is not None and entry.pose not in robot.configurations:
        known = ", ".join(robot.configurations)
        raise Unreadable(f"waypoints[{k}].pose: {robot.name} has no pose {entry.pose!r}; valid are {known}")
    grasp = entry.grasp
    return Waypoint(
        q=_values(robot, k, entry),
        pose=entry.pose,
        X_WT=None if entry.tool is None else pose(entry.tool),
        kind=entry.kind,
        law=entry.law,
        through=None if entry.through is None else np.array(entry.through),
        duration=entry.duration,
        dwell=entry.dwell,
        grasp=None if grasp is None else Payload(grasp.mass, np.array(grasp.com), np.array(grasp.inertia)),
        release=entry.release,
    )


def _values(robot: Robot, k: int, entry: WaypointEntry) -> np.ndarray | None:
    """q `(n,)` of a waypoint given by its joints."""
    field, values = ("q", entry.q) if entry.q is not None else ("q_deg", entry.q_deg)
    if values is None:
        return None
    field = f"waypoints[{k}].{field}"
    if len(values) != robot.n:
        joints = ", ".join(robot.joint_names)
        raise Unreadable(f"{field}: has {len(values)} values, must have {robot.n}, one for each of {joints}")
    q = np.empty(robot.n)
    for i, value in enumerate(values):
        degrees = entry.q is None
        try:
            q[i] = (number if degrees or robot.prismatic[i] else angle)(value)
        except PydanticCustomError as error:
            raise Unreadable(f"{field}[{i}]: {error.message()}") from None
        if degrees and not robot.prismatic[i]:
            q[i] = math.radians(q[i])
        low, high = robot.q_min[i], robot.q_max[i]
        if not low - 1e-9 <= q[i] <= high + 1e-9:
            unit = "m" if robot.prismatic[i] else "rad"
            raise Unreadable(
                f"{field}: moves {robot.joint_names[i]} to {q[i]:.6g}, outside its limits {low:.6g} to {high:.6g} {unit}"
            )
    return np.clip(q, robot.q_min, robot.q_max)
