"""Pydantic model of the robot file: its keys, their values, and how they depend on each other.

`robots/README.md` documents the same for users.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from armature.engine.errors import shown
from armature.engine.model.body import PRISMATIC
from armature.engine.model.file_bytes import MAX_POSES, MAX_SHAPES, too_many
from armature.engine.model.file_entries import (
    CollisionEntry,
    Entry,
    JointEntry,
    PoseEntry,
    ShapeEntry,
    ToolEntry,
    ToolLimitsEntry,
)
from armature.engine.model.file_values import Identifier, Number, Sentence, Vector, angle, number, refusal
from armature.engine.model.robot import TASK_AXES

IN_RAD, IN_DEGREES = "configurations", "configurations_deg"
MAX_JOINTS = 64


@dataclass(frozen=True)
class JointRange:
    """Name of a joint, whether it is prismatic, and its limits in rad or m, ±inf if unlimited; `in_degrees` if the file has
    degrees.
    """

    name: str
    slides: bool
    low: float
    high: float
    in_degrees: bool = False


def named_poses(
    in_rad: Mapping[str, list], in_degrees: Mapping[str, list], joints: Sequence[JointRange]
) -> dict[str, tuple[float, ...]]:
    """Poses in rad and m by name. Raises a refusal that names the field."""
    if problem := too_many(len(in_rad) + len(in_degrees), "named poses", MAX_POSES):
        raise refusal(problem, IN_RAD)
    for name in in_degrees:
        if name in in_rad:
            raise refusal(f"is also given in [{IN_RAD}]; give it only once", f"{IN_DEGREES}.{name}")
    written = ((IN_RAD, in_rad), (IN_DEGREES, in_degrees))
    return {name: _pose(table, name, values, joints) for table, poses in written for name, values in poses.items()}


def _pose(table: str, name: str, values: list, joints: Sequence[JointRange]) -> tuple[float, ...]:
    field = f"{table}.{name}"
    if name == "zero":
        raise refusal("is predefined with all joints at 0; choose another name", field)
    if len(values) != len(joints):
        raise refusal(f"has {len(values)} values, must have {len(joints)}, one per joint", field)
    pairs = zip(joints, values, strict=True)
    return tuple(_coordinate(field, i, joint, value, table == IN_DEGREES) for i, (joint, value) in enumerate(pairs))


def _coordinate(field: str, i: int, joint: JointRange, value: Any, degrees: bool) -> float:
    try:
        q = (number if joint.slides or degrees else angle)(value)
    except PydanticCustomError as error:
        raise refusal(error.message(), f"{field}[{i}]") from None
    if degrees and not joint.slides:
        q = math.radians(q)
    if not joint.low - 1e-9 <= q <= joint.high + 1e-9:
        turn, unit = (math.degrees, "°") if degrees and not joint.slides else (float, " m" if joint.slides else " rad")
        limits = f"limits {turn(joint.low):.6g} to {turn(joint.high):.6g}{unit}"
        problem = f"moves {joint.name} to {turn(q):.6g}{unit if unit == '°' else ''}, outside its {limits}"
        if joint.in_degrees and max(abs(joint.low), abs(joint.high)) <= math.radians(math.tau):
            limits = f"[{math.degrees(joint.low):.6g}, {math.degrees(joint.high):.6g}]"
            raise refusal(
                f"{limits} are probably radians; write degrees, or limits = {limits}. {field} {problem}",
                f"joints[{i}].limits_deg",
            )
        raise refusal(problem, field)
    return min(max(q, joint.low), joint.high)


def _task(value: Any) -> tuple[str, ...]:
    strange = isinstance(value, list) and [axis for axis in value if axis not in TASK_AXES]
    if not isinstance(value, list) or not value or strange or len(set(value)) < len(value):
        got = f"{shown(strange[0])} in it" if strange else shown(value)
        raise refusal(f"must be an array of names from {', '.join(TASK_AXES)}, none repeated, got {got}")
    return tuple(axis for axis in TASK_AXES if axis in value)


Task = Annotated[tuple[str, ...], BeforeValidator(_task)]


def check_task(file: Entry) -> None:
    """Raise a refusal for task axes without a task."""
    if "task_axes" in file.model_fields_set and "task" not in file.model_fields_set:
        raise refusal('needs a task that names its coordinates; add one, such as task = ["x", "y", "z"]', "task_axes")


def _tables(value: Any) -> Any:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_JOINTS:
        raise refusal(f"must be 1 to {MAX_JOINTS} tables, each headed [[joints]], got {shown(value)}")
    shapes = [row["shapes"] for row in value if isinstance(row, dict) and isinstance(row.get("shapes"), list)]
    if problem := too_many(sum(map(len, shapes)), "shapes", MAX_SHAPES):
        raise refusal(problem)
    return value


class RobotFile(Entry):
    """A whole robot file."""

    name: Identifier
    title: Sentence = ""
    group: Literal["textbook", "industrial"] | None = None
    description: Sentence = ""
    sources: list[Sentence] = Field(default_factory=list)
    remarks: list[Sentence] = Field(default_factory=list)
    convention: Literal["standard", "modified"]
    gravity: Vector = (0.0, 0.0, -9.81)
    task: Task = TASK_AXES
    task_axes: Literal["world", "base", "arm", "tool"] = "world"
    floor: Number | None = None
    base: PoseEntry = PoseEntry()
    tool: ToolEntry = ToolEntry()
    tool_limits: ToolLimitsEntry = ToolLimitsEntry()
    collision: CollisionEntry = CollisionEntry()
    configurations: dict[Identifier, list] = Field(default_factory=dict)
    configurations_deg: dict[Identifier, list] = Field(default_factory=dict)
    identification: dict[str, Any] = Field(default_factory=dict)
    shapes: list[ShapeEntry] = Field(default_factory=list, max_length=MAX_SHAPES)
    joints: Annotated[list[JointEntry], BeforeValidator(_tables)]

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        check_task(self)
        self._check_names()
        self._check_masses()
        self.parents()
        self.tool_row()
        self.poses()
        self.collision.check(["base", *(f"link{i + 1}" for i in range(len(self.joints)))])
        return self

    def _check_names(self) -> None:
        names = self.joint_names()
        for i, name in enumerate(names):
            if name in names[:i]:
                raise refusal(f"{name!r} is already the name of joint {names.index(name) + 1}", f"joints[{i}].name")

    def _check_masses(self) -> None:
        given = [joint.mass is not None for joint in self.joints]
        if any(given) and not all(given):
            problem = "missing, though other joints have one; give all joints a mass (0 is allowed), or none for kinematics only"
            raise refusal(problem, f"joints[{given.index(False)}].mass")

    def joint_names(self) -> list[str]:
        """Name of each joint; "joint1", "joint2", ... where the file gives none."""
        return [joint.name or f"joint{i + 1}" for i, joint in enumerate(self.joints)]

    def parents(self) -> list[int]:
        """Index of the row whose link each joint hangs on, -1 for the base: the row before, where the file names none."""
        found = []
        for i, joint in enumerate(self.joints):
            known = ["base", *(f"link{k + 1}" for k in range(i))]
            if joint.parent is not None and joint.parent not in known:
                raise refusal(f"must be one of {', '.join(known)}, got {shown(joint.parent)}", f"joints[{i}].parent")
            found.append(i - 1 if joint.parent is None else known.index(joint.parent) - 1)
        return found

    def tool_row(self) -> int:
        """Index of the row whose link carries the tool: the last, where the file names none."""
        links = [f"link{i + 1}" for i in range(len(self.joints))]
        if self.tool.link is None:
            return len(links) - 1
        if self.tool.link not in links:
            raise refusal(f"must be one of {', '.join(links)}, got {shown(self.tool.link)}", "tool.link")
        return links.index(self.tool.link)

    def poses(self) -> dict[str, tuple[float, ...]]:
        """The named configurations, in rad and m."""
        joints = [
            JointRange(name, joint.type == PRISMATIC, *(joint.range or (-math.inf, math.inf)), joint.limits_deg is not None)
            for name, joint in zip(self.joint_names(), self.joints, strict=True)
        ]
        return named_poses(self.configurations, self.configurations_deg, joints)
