"""The file of an arm under edit, read: what stands in it, by its places."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from armature.engine.model.toml.robot_schema import RobotFile

if TYPE_CHECKING:
    from armature.engine import RobotDraft


def file_of(draft: RobotDraft) -> RobotFile:
    """All of it, checked, with angles in rad."""
    return _read(draft)


@lru_cache(maxsize=4)
def _read(draft: RobotDraft) -> RobotFile:
    return RobotFile.model_validate(draft.table)
