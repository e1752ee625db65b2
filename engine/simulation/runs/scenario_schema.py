"""The scenario file as pydantic models: keys and their values."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from armature.engine.errors import shown
from armature.engine.model.file_entries import Entry
from armature.engine.model.file_values import Identifier, NotNegative, Number, Positive, Sentence, Vector, number, refusal
from armature.engine.trajectory.plan_file import PayloadEntry

MAX_RUNS = 10_000


def _start(value: Any) -> Any:
    if not isinstance(value, (str, list)):
        raise refusal(f"must be the name of a pose or an array of one value per joint, got {shown(value)}")
    return [number(one) for one in value] if isinstance(value, list) else value


def _controller(value: Any) -> Any:
    if not isinstance(value, (str, dict)):
        raise refusal(f"must be the name of a controller, or a table with its kind and gains, got {shown(value)}")
    return value


def _sensors(value: Any) -> Any:
    if not isinstance(value, dict):
        raise refusal(f"must be a table such as {{counts = 4096, delay = 0.002}}, got {shown(value)}")
    return value


def _seed(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise refusal(f"must be a whole number, 0 or more, got {shown(value)}")
    return value


def _runs(value: Any) -> Any:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_RUNS:
        raise refusal(f"must be 1 to {MAX_RUNS} tables, each headed [[runs]], got {shown(value)}")
    return value


class LoadEntry(PayloadEntry):
    """Payload of a run; a sweep may begin with mass 0 for none."""

    mass: NotNegative


class ChangeEntry(Entry):
    """Change of the arm at a time: its payload, of mass 0 for none, or `wear` times the friction of its file."""

    at: NotNegative
    payload: LoadEntry | None = None
    wear: NotNegative | None = None


class RunEntry(Entry):
    """One run."""

    name: Identifier
    robot: str
    duration: Positive | None = None
    q0: Annotated[Any, BeforeValidator(_start)] = "home"
    qd0: list | None = None
    dt: Positive = 1e-3
    integrator: str = "rk4"
    floor: Number | None = None
    gravity: Vector | None = None
    friction: bool = True
    payload: LoadEntry | None = None
    controller: Annotated[Any, BeforeValidator(_controller)] = "none"
    frequency: Positive | None = None
    knows_payload: bool = True
    knows_friction: bool = True
    changes: list[ChangeEntry] = Field(default_factory=list)
    trajectory: str | None = None
    cell: str | None = None
    stop_at_contact: bool = False
    sensors: Annotated[Any, BeforeValidator(_sensors)] = None
    spread: NotNegative = 0.0
    seed: Annotated[int | None, BeforeValidator(_seed)] = None
    record: str | None = None


class ScenarioFile(Entry):
    """A whole scenario file."""

    name: Identifier = "scenario"
    description: Sentence = ""
    defaults: dict[str, Any] = Field(default_factory=dict)
    runs: Annotated[list[dict[str, Any]], BeforeValidator(_runs)]
