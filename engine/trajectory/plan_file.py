"""Files of plans: reading, checking and writing."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from armature.engine.errors import EngineError, TrajectoryError, one_line, shown
from armature.engine.files import atomic_write, names_instead, shipped_or_path
from armature.engine.model.file_bytes import Unreadable
from armature.engine.model.file_entries import Entry, PoseEntry, ToolLimitsEntry
from armature.engine.model.file_values import (
    Identifier,
    Inertia,
    NotNegative,
    Positive,
    Sentence,
    Vector,
    angle,
    number,
    refusal,
)
from armature.engine.model.inertia_rules import inertia_fault, triangle_fault
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import complaint, error_line, toml_table
from armature.engine.model.toml.toml_assembly import pose
from armature.engine.model.toml.toml_kind import TRAJECTORY, expect_kind
from armature.engine.rotations import quaternion
from armature.engine.trajectory.plan import Plan
from armature.engine.trajectory.trajectory import Trajectory
from armature.engine.trajectory.waypoint import Waypoint

MAX_WAYPOINTS = 1000
_LONGEST = 1e5  # s


def _seconds(value: Any) -> float:
    if not 0 < (x := number(value)) <= _LONGEST:
        raise refusal(f"must be a time of more than 0 and at most 1e5 s, got {shown(value)}")
    return x


def _pause(value: Any) -> float:
    if not 0 <= (x := number(value)) <= _LONGEST:
        raise refusal(f"must be a time of 0 to 1e5 s, got {shown(value)}")
    return x


def _speed(value: Any) -> float:
    if not 0.01 <= (x := number(value)) <= 1:
        raise refusal(f"must be a fraction of the limits, 0.01 to 1, got {shown(value)}")
    return x


def _waypoints(value: Any) -> Any:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_WAYPOINTS:
        raise refusal(f"must be 1 to {MAX_WAYPOINTS} tables, each headed [[waypoints]], got {shown(value)}")
    return value


def _joints(value: Any) -> Any:
    if not isinstance(value, list):
        raise refusal(f"must be an array of one value per joint, got {shown(value)}")
    return value


class PayloadEntry(Entry):
    """Payload of the tool: a body in the tool frame."""

    mass: Positive
    com: Vector = (0.0, 0.0, 0.0)
    inertia: Inertia = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    @model_validator(mode="after")
    def _is_a_body(self) -> Self:
        I_c = np.array(self.inertia)
        if fault := inertia_fault(I_c) or triangle_fault(I_c):
            raise refusal(fault, "inertia")
        return self


class WaypointEntry(Entry):
    """Target and motion of one waypoint."""

    q: Annotated[list | None, BeforeValidator(_joints)] = None
    q_deg: Annotated[list | None, BeforeValidator(_joints)] = None
    pose: Identifier | None = None
    tool: PoseEntry | None = None
    kind: Literal["cubic", "quintic", "trapezoidal", "time-optimal", "spline", "minimum-jerk", "line", "arc"] = "quintic"
    law: Literal["quintic", "trapezoidal"] = "quintic"
    through: Vector | None = None
    duration: Annotated[float | None, BeforeValidator(_seconds)] = None
    dwell: Annotated[NotNegative, BeforeValidator(_pause)] = 0.0
    grasp: PayloadEntry | None = None
    release: bool = False

    @model_validator(mode="after")
    def _is_a_waypoint(self) -> Self:
        places = ("q", "q_deg", "pose", "tool")
        self.only_one_of(*places)
        if not self.model_fields_set.intersection(places):
            raise refusal("has no target: give one of q, q_deg, pose, tool")
        if self.kind == "arc" and self.through is None:
            raise refusal("missing; an arc needs a point on the way, such as through = [0.4, 0.1, 0.3]", "through")
        if self.kind != "arc" and self.through is not None:
            raise refusal('is for kind = "arc" only', "through")
        if self.kind not in ("line", "arc") and "law" in self.model_fields_set:
            raise refusal('is for kind = "line" and "arc" only', "law")
        if self.grasp is not None and self.release:
            raise refusal("contradicts grasp; use two waypoints", "release")
        return self


class PlanFile(Entry):
    """Keys of a trajectory file."""

    name: Identifier
    robot: Identifier | None = None
    description: Sentence = ""
    speed: Annotated[float, BeforeValidator(_speed)] = 1.0
    repeat: Literal["once", "loop", "back-and-forth"] = "once"
    tool_limits: ToolLimitsEntry = ToolLimitsEntry()
    waypoints: Annotated[list[WaypointEntry], BeforeValidator(_waypoints)] = Field()


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
            `pose` (a named pose) or `tool` (pose in the world: `xyz` in m,
            `rpy_deg` in degrees); or the bare name of an included trajectory, such as `"pick_place_puma560"`.
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
        raise TrajectoryError(error_line(place, complaint(error, _table_at, _REQUIRED))) from None
    except (Unreadable, EngineError) as error:
        raise TrajectoryError(error_line(place, str(error))) from None


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
        raise TrajectoryError(error_line(Path(path), str(error))) from None


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
    """Return q `(n,)` of a waypoint with joint positions, else None."""
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


def save_plan(plan: Plan, path: str | os.PathLike[str]) -> Path:
    """Write a trajectory file that `load_plan` reads as the same plan; an existing file is replaced atomically.

    Args:
        plan: plan to write.
        path: file to write, `.toml`.

    Returns:
        The path written.

    Raises:
        TrajectoryError: another suffix than .toml, or a file that cannot be written.
    """
    place = Path(path)
    if place.suffix.lower() != ".toml":
        raise TrajectoryError(f"{place}: the suffix of a trajectory file must be .toml")
    try:
        atomic_write(place, plan_text(plan))
    except OSError as error:
        raise TrajectoryError(f"{place}: cannot be written: {error.strerror or error}") from None
    return place


def plan_text(plan: Plan) -> str:
    """Return the plan as TOML."""
    lines = [f"name = {_text(plan.name)}"]
    if plan.robot_name:
        lines.append(f"robot = {_text(plan.robot_name)}")
    if plan.description:
        lines.append(f"description = {_text(plan.description)}")
    if plan.speed != 1.0:
        lines.append(f"speed = {plan.speed!r}")
    if plan.repeat != "once":
        lines.append(f"repeat = {_text(plan.repeat)}")
    limits = [f"{key} = {float(value)!r}" for key, value in asdict(plan.tool_limits).items() if value is not None]
    if limits:
        lines += ["", "[tool_limits]", *limits]
    for k, point in enumerate(plan.waypoints):
        lines += ["", f"[[waypoints]]  # {k + 1}", *_waypoint_table(point)]
    return "\n".join(lines) + "\n"


def _waypoint_table(point: Waypoint) -> list[str]:
    lines = []
    if point.q is not None:
        lines.append(f"q = {_numbers(point.q)}")
    elif point.pose is not None:
        lines.append(f"pose = {_text(point.pose)}")
    else:
        assert point.X_WT is not None
        lines.append(f"tool = {{ xyz = {_numbers(point.X_WT[:3, 3])}, quaternion = {_numbers(quaternion(point.X_WT[:3, :3]))} }}")
    if point.kind != "quintic":
        lines.append(f"kind = {_text(point.kind)}")
    if point.law != "quintic" and point.kind in ("line", "arc"):
        lines.append(f"law = {_text(point.law)}")
    if point.through is not None:
        lines.append(f"through = {_numbers(point.through)}")
    if point.duration is not None:
        lines.append(f"duration = {float(point.duration)!r}")
    if point.dwell:
        lines.append(f"dwell = {float(point.dwell)!r}")
    if point.grasp is not None:
        lines.append(f"grasp = {_payload(point.grasp)}")
    if point.release:
        lines.append("release = true")
    return lines


def _payload(payload: Payload) -> str:
    inertia = ", ".join(_numbers(row) for row in payload.inertia)
    return f"{{ mass = {float(payload.mass)!r}, com = {_numbers(payload.com)}, inertia = [{inertia}] }}"


def _numbers(values: np.ndarray) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
