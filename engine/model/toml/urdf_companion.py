"""`NAME.armature.toml` for `NAME.urdf`: parameters that URDF does not have, such as task, rotor inertias and named poses.

`robots/README.md` documents its contents.
"""

from __future__ import annotations

import difflib
import hashlib
import math
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field, ValidationError, ValidationInfo, model_validator

from armature.engine.errors import ModelError
from armature.engine.model.body import Frame
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.file_entries import CollisionEntry, Entry, FrictionEntry, ToolEntry, ToolLimitsEntry
from armature.engine.model.file_values import Identifier, NotNegative, Number, Positive, Sentence, Share, Vector, refusal
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import MAX_BYTES, complaint, error_line, table_of
from armature.engine.model.toml.robot_schema import JointRange, Task, check_task, named_poses
from armature.engine.model.toml.toml_assembly import joint_friction, pose
from armature.engine.model.toml.toml_kind import companion_of

_KIND, _NEEDS = "companion file", "one or more of task, tool, gravity, collision, configurations and joints"


class CompanionJoint(Entry):
    """Additional parameters of a joint of the URDF."""

    rotor_inertia: NotNegative = 0.0
    gear_ratio: Number = 1.0
    friction: FrictionEntry | None = None
    restitution: Share = 0.0
    acceleration_limit: Positive | None = None

    @model_validator(mode="after")
    def _has_gears(self) -> Self:
        if self.gear_ratio == 0:
            raise refusal("must not be 0; omit it for a direct drive", "gear_ratio")
        return self


class CompanionFile(Entry):
    """A whole companion file, checked against the robot of the URDF, which is `robot` in the context."""

    title: Sentence = ""
    description: Sentence = ""
    sources: list[Sentence] = Field(default_factory=list)
    remarks: list[Sentence] = Field(default_factory=list)
    floor: Number | None = None
    gravity: Vector | None = None
    task: Task | None = None
    task_axes: Literal["world", "base", "arm", "tool"] = "world"
    tool: ToolEntry | None = None
    tool_limits: ToolLimitsEntry = ToolLimitsEntry()
    collision: CollisionEntry = CollisionEntry()
    configurations: dict[Identifier, list] = Field(default_factory=dict)
    configurations_deg: dict[Identifier, list] = Field(default_factory=dict)
    joints: dict[str, CompanionJoint] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self, info: ValidationInfo) -> Self:
        check_task(self)
        robot: Robot = (info.context or {})["robot"]
        self.poses(robot)
        for name in self.joints:
            if name not in robot.joint_names:
                copies = name in robot.tree.joint_names
                what = "is a mimic joint (it copies another joint) without a motor" if copies else "is not a joint of the URDF"
                raise refusal(f"{what}; valid are {_listed(name, robot.joint_names)}", f"joints.{name}")
        link = None if self.tool is None else self.tool.link
        if link is not None and link not in robot.links:
            raise refusal(f"{link!r} is not a link of the URDF; valid are {_listed(link, robot.link_names)}", "tool.link")
        self.collision.check(robot.link_names)
        return self

    def poses(self, robot: Robot) -> dict[str, tuple[float, ...]]:
        """The named configurations, in rad and m."""
        figures = zip(robot.joint_names, robot.prismatic, robot.q_min, robot.q_max, strict=True)
        ranges = [JointRange(name, bool(slides), float(low), float(high)) for name, slides, low, high in figures]
        return named_poses(self.configurations, self.configurations_deg, ranges)


def with_companion(robot: Robot, urdf: Path) -> Robot:
    """Return the robot of a URDF file with its companion file, if there is one. Raises ModelError."""
    path = companion_of(urdf)
    if not os.path.lexists(path):
        return robot
    try:
        data = file_bytes(path, MAX_BYTES, _KIND)
        file = CompanionFile.model_validate(table_of(data, _KIND, _NEEDS), context={"robot": robot})
    except ValidationError as error:
        raise ModelError(error_line(path, complaint(error, _table_at, {}))) from None
    except Unreadable as error:
        raise ModelError(error_line(path, str(error))) from None
    return replace(_told(robot, file), companion_hash=hashlib.sha256(data).hexdigest())


def _told(robot: Robot, file: CompanionFile) -> Robot:
    bodies = list(robot.bodies)
    for name, joint in file.joints.items():
        i = robot.joint_bodies[robot.joint_names.index(name)]
        bodies[i] = replace(
            bodies[i],
            rotor_inertia=joint.rotor_inertia * joint.gear_ratio**2,
            friction=bodies[i].friction if joint.friction is None else joint_friction(joint.friction, joint.gear_ratio),
            restitution=joint.restitution,
        )
    accelerations = [vars(file.joints.get(name, CompanionJoint()))["acceleration_limit"] for name in robot.joint_names]
    robot = robot if file.tool is None else _with_tool(robot, file.tool)
    return replace(
        robot,
        bodies=tuple(bodies),
        qdd_max=np.array([math.inf if limit is None else limit for limit in accelerations]),
        gravity=robot.gravity if file.gravity is None else np.array(file.gravity),
        task=file.task or robot.task,
        task_axes=file.task_axes,
        task_named=file.task is not None,
        tool_limits=file.tool_limits.limits(),
        ignored_contacts=(*robot.ignored_contacts, *file.collision.ignore),
        configurations={**robot.configurations, **{name: np.array(q) for name, q in file.poses(robot).items()}},
        title=file.title or robot.title,
        floor=file.floor,
        description=file.description,
        sources=tuple(file.sources),
        remarks=(*robot.remarks, *file.remarks),
    )


def _with_tool(robot: Robot, tool: ToolEntry) -> Robot:
    flange = tool.link or robot.flange
    frame = robot.links[flange]
    return replace(robot, flange=flange, frames={**robot.frames, "tool": Frame(frame.body, frame.X_BF @ pose(tool))})


def _table_at(loc: list[Any]) -> type[Entry]:
    if loc[:1] == ["joints"]:
        return FrictionEntry if loc[2:] == ["friction"] else CompanionJoint
    tables: dict[Any, type[Entry]] = {"tool": ToolEntry, "tool_limits": ToolLimitsEntry, "collision": CollisionEntry}
    return tables.get(loc[0], CompanionFile) if loc else CompanionFile


def _listed(name: str, valid: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, valid, n=1)
    return f"{', '.join(valid)}; did you mean {close[0]}?" if close else ", ".join(valid)
