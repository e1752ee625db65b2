"""What is typed about the arm as a whole: what it is called, where it stands, what it carries at its end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.builder.arm_file import file_of
from armature.app.builder.entries import Entry, LinesEntry, NumberEntry, PartEntry
from armature.app.builder.typed_quantity import Kind
from armature.engine.model.toml.toml_assembly import pose
from armature.engine.rotations import roll_pitch_yaw

if TYPE_CHECKING:
    from armature.engine import RobotDraft
    from armature.engine.model.toml.robot_schema import RobotFile

AXES = ("x", "y", "z")
TURNS = ("roll", "pitch", "yaw")


@dataclass(frozen=True)
class PoseEntryPart(NumberEntry):
    """A coordinate of a pose, 0 to 2, or one of its angles roll, pitch and yaw, 3 to 5."""

    part: int = 0

    def put(self, draft: RobotDraft, value: float) -> RobotDraft:
        """The pose with that number, written in the file's own manner."""
        table = str(self.where[0])
        six = pose_numbers(table, file_of(draft))
        six[self.part] = value
        place, numbers = ("xyz", six[:3]) if self.part < 3 else ("rpy", six[3:])
        return draft.with_value((table, place), numbers.tolist())


def arm_entries() -> dict[str, Entry]:
    """By the names of their fields."""
    entries: dict[str, Entry] = {
        "name": Entry(("name",), "name", lambda file: file.name),
        "title": Entry(("title",), "title", lambda file: file.title or None, True),
        "description": Entry(("description",), "description", lambda file: file.description or None, True),
        "sources": LinesEntry(("sources",), "sources", lambda file: file.sources or None, True),
        "remarks": LinesEntry(("remarks",), "remarks", lambda file: file.remarks or None, True),
        "floor": NumberEntry(("floor",), "floor", lambda file: file.floor, True, Kind.LENGTH),
    }
    for k, axis in enumerate(AXES):
        entries[f"gravity_{axis}"] = PartEntry(("gravity",), "gravity", lambda file: file.gravity, False, Kind.ACCELERATION, (k,))
    for table in ("base", "tool"):
        for k, what in enumerate((*AXES, *TURNS)):
            kind = Kind.LENGTH if k < 3 else Kind.ANGLE
            read = partial(_number, table, k)
            entries[f"{table}_{what}"] = PoseEntryPart((table, what), f"{what} of the {table}", read, False, kind, k)
    return entries


def pose_numbers(table: str, file: RobotFile) -> np.ndarray:
    """x, y, z in m and roll, pitch, yaw in rad of the base or the tool, as near to what is written as it can be told."""
    written = getattr(file, table)
    X = pose(written)
    if written.matrix is not None or written.quaternion is not None:
        turned = roll_pitch_yaw(X[:3, :3])
    else:
        turned = np.array(written.rpy if written.rpy_deg is None else np.radians(written.rpy_deg), float)
    return np.concatenate([X[:3, 3], turned])


def _number(table: str, k: int, file: RobotFile) -> float:
    return float(pose_numbers(table, file)[k])
