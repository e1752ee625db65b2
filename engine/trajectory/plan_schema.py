"""The trajectory file as pydantic models: which keys there are, and what each may hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from armature.engine.errors import shown
from armature.engine.model.file_entries import Entry, PoseEntry, ToolLimitsEntry
from armature.engine.model.file_values import Identifier, Inertia, NotNegative, Positive, Sentence, Vector, number, refusal
from armature.engine.model.inertia_rules import inertia_fault, triangle_fault

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
        raise refusal(f"must be a share of the limits from 0.01 to 1, got {shown(value)}")
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
    """What a gripper closes on: a body in the tool frame."""

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
    """One place and the way to it."""

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
    """A whole trajectory file."""

    name: Identifier
    robot: Identifier | None = None
    description: Sentence = ""
    speed: Annotated[float, BeforeValidator(_speed)] = 1.0
    repeat: Literal["once", "loop", "back-and-forth"] = "once"
    tool_limits: ToolLimitsEntry = ToolLimitsEntry()
    waypoints: Annotated[list[WaypointEntry], BeforeValidator(_waypoints)] = Field()
