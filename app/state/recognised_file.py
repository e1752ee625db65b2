"""The kind of a file that is opened, such as robot, trajectory, cell or recording, by its suffix and its content."""

from __future__ import annotations

from pathlib import Path

from armature.engine.model.file_bytes import Unreadable
from armature.engine.model.load_robot import SUFFIXES as ROBOT_SUFFIXES
from armature.engine.model.toml.robot_file import toml_table
from armature.engine.model.toml.toml_kind import CELL, QUESTION, ROBOT, SCENARIO, SUFFIX, TRAJECTORY, kind_of
from armature.engine.recording.measured.read_log import TEXTS, is_log
from armature.engine.recording.recording_formats import SUFFIXES

RECORDING, LOG, SESSION, UNKNOWN = "recording", "log", "session", ""
SESSIONS = (".armature",)
RECORDINGS = (*SUFFIXES, ".part")
ROBOTS = ROBOT_SUFFIXES
LOGS = tuple(suffix for suffix in TEXTS if suffix not in SUFFIXES)
"""What only a log can be called."""
__all__ = [
    "CELL",
    "LOG",
    "LOGS",
    "QUESTION",
    "RECORDING",
    "RECORDINGS",
    "ROBOT",
    "ROBOTS",
    "SCENARIO",
    "SESSION",
    "SESSIONS",
    "TRAJECTORY",
    "UNKNOWN",
    "kind_of_file",
    "robot_named_in",
]


def kind_of_file(path: str | Path) -> str:
    """One of the kinds; a name without suffix is a robot's, and so is a file of the right suffix that says nothing else."""
    place = Path(path)
    suffix = place.suffix.lower()
    if suffix in SESSIONS:
        return SESSION
    if is_log(place):
        return LOG
    if suffix in RECORDINGS:
        return RECORDING
    if suffix == ".toml" and not place.name.lower().endswith(SUFFIX):
        return kind_of(_table(place)) or ROBOT
    return UNKNOWN if place.is_file() and suffix not in ROBOTS else ROBOT


def robot_named_in(trajectory: str | Path) -> str:
    """The robot that a trajectory file is for, empty where it names none."""
    name = _table(Path(trajectory)).get("robot")
    return name if isinstance(name, str) else ""


def _table(place: Path) -> dict:
    try:
        return toml_table(place, "file", "something in it")
    except Unreadable:  # whoever opens it says why
        return {}
