"""The robot file as a pydantic model: which keys there are, what each may hold, and how they bind each other.

`robots/README.md` documents the same for people who write such files.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from engine.model.body import PRISMATIC
from engine.model.entries import Entry, JointEntry, PoseEntry
from engine.model.robot import TASK_AXES
from engine.model.values import Identifier, Sentence, Vector, angle, number, refusal, shown

MAX_JOINTS = 64


def _task(value: Any) -> tuple[str, ...]:
    strange = isinstance(value, list) and [axis for axis in value if axis not in TASK_AXES]
    if not isinstance(value, list) or not value or strange or len(set(value)) < len(value):
        got = f"{shown(strange[0])} in it" if strange else shown(value)
        raise refusal(f"must be an array of some of {', '.join(TASK_AXES)}, each once, got {got}")
    return tuple(axis for axis in TASK_AXES if axis in value)


def _tables(value: Any) -> Any:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_JOINTS:
        raise refusal(f"must be 1 to {MAX_JOINTS} tables, each headed [[joints]], got {shown(value)}")
    return value


class RobotFile(Entry):
    """A whole robot file."""

    name: Identifier
    description: Sentence = ""
    sources: list[Sentence] = Field(default_factory=list)
    remarks: list[Sentence] = Field(default_factory=list)
    convention: Literal["standard", "modified"]
    gravity: Vector = (0.0, 0.0, -9.81)
    task: Annotated[tuple[str, ...], BeforeValidator(_task)] = TASK_AXES
    base: PoseEntry = PoseEntry()
    tool: PoseEntry = PoseEntry()
    configurations: dict[Identifier, list] = Field(default_factory=dict)
    configurations_deg: dict[Identifier, list] = Field(default_factory=dict)
    joints: Annotated[list[JointEntry], BeforeValidator(_tables)]

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        self._check_names()
        self._check_masses()
        for name in self.configurations_deg:
            if name in self.configurations:
                raise refusal("is given in [configurations] too; give it once", f"configurations_deg.{name}")
        self.poses()
        return self

    def _check_names(self) -> None:
        names = self.joint_names()
        for i, name in enumerate(names):
            if name in names[:i]:
                raise refusal(f"{name!r} is the name of joint {names.index(name) + 1} already", f"joints[{i}].name")

    def _check_masses(self) -> None:
        given = [joint.mass is not None for joint in self.joints]
        if any(given) and not all(given):
            problem = "missing, though other joints have one; give all joints a mass (0 is allowed), or none for kinematics only"
            raise refusal(problem, f"joints[{given.index(False)}].mass")

    def joint_names(self) -> list[str]:
        """Name of each joint; "joint1", "joint2", ... where the file gives none."""
        return [joint.name or f"joint{i + 1}" for i, joint in enumerate(self.joints)]

    def poses(self) -> dict[str, tuple[float, ...]]:
        """The named configurations, in rad and m."""
        written = [("configurations", self.configurations), ("configurations_deg", self.configurations_deg)]
        return {name: self._pose(table, name, values) for table, poses in written for name, values in poses.items()}

    def _pose(self, table: str, name: str, values: list) -> tuple[float, ...]:
        field = f"{table}.{name}"
        if name == "zero":
            raise refusal("is always there, all joints at 0; choose another name", field)
        if len(values) != len(self.joints):
            raise refusal(f"has {len(values)} values, must have {len(self.joints)}, one per joint", field)
        return tuple(self._coordinate(table, field, i, value) for i, value in enumerate(values))

    def _coordinate(self, table: str, field: str, i: int, value: Any) -> float:
        joint, degrees = self.joints[i], table == "configurations_deg"
        try:
            q = (angle if joint.type != PRISMATIC and not degrees else number)(value)
        except PydanticCustomError as error:
            raise refusal(error.message(), f"{field}[{i}]") from None
        if degrees and joint.type != PRISMATIC:
            q = math.radians(q)
        lower, upper = joint.range or (-math.inf, math.inf)
        if not lower - 1e-9 <= q <= upper + 1e-9:
            limits = f"limits {lower:.6g} to {upper:.6g} {'m' if joint.type == PRISMATIC else 'rad'}"
            raise refusal(f"puts {self.joint_names()[i]} at {q:.6g}, outside its {limits}", field)
        return min(max(q, lower), upper)
