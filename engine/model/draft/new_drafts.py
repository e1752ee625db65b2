"""New drafts: empty, from a text, from a file, or of an open arm."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.dh_table import STANDARD
from armature.engine.model.draft.draft_files import FileChangedError, hash_on_disk
from armature.engine.model.draft.draft_text import with_values
from armature.engine.model.draft.joint_edits import LENGTH
from armature.engine.model.draft.robot_draft import RobotDraft, draft_of_text
from armature.engine.model.draft.text_parts import split
from armature.engine.model.export.toml_text import toml_text
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import fingerprint
from armature.engine.model.toml.robot_file import MAX_BYTES, error_line, table_of

_EMPTY = """\
name       = "my_arm"
convention = "standard"
floor      = 0.0

[configurations_deg]
home = [30]

[[joints]]  # 1
type       = "revolute"
theta      = 0.0
d          = 0.3
a          = {length}
alpha      = 0.0
limits_deg = [-180, 180]
"""


def written_robot(robot: Robot) -> str:
    """Text of a robot file that describes the arm, angles as fractions of pi if possible; remarks list the losses.

    Raises:
        ModelError: mimic joints, a tool on the base, branches that no DH rows describe.
    """
    if robot.dh is None and robot.source is not None:
        robot = replace(robot, sources=(*robot.sources, f"{robot.source.name}; DH rows computed by Armature"))
    text, losses = toml_text(robot)
    if not losses:
        return text
    remarks = [*table_of(text.encode(), "robot file", "joints").get("remarks", []), *losses]
    return "".join(part.text for part in with_values(split(text), [(("remarks",), remarks)]))


def empty_draft(name: str = "my_arm", convention: str = STANDARD) -> RobotDraft:
    """Return a draft of a new robot with one revolute joint about a vertical axis, one link, and a floor.

    The link is 0.25 m long and 0.3 m above the floor; the joint limits are ±180°.

    Args:
        name: robot name: letters, digits, `_` and `-`.
        convention: "standard" or "modified" Denavit–Hartenberg. In the modified convention the length of the last link is part of
            the tool transform.

    Returns:
        A `RobotDraft` without masses that is not saved in a file.

    Raises:
        ModelError: invalid name or convention.
    """
    draft = draft_of_text(_EMPTY.format(length=LENGTH), None)
    draft = draft.with_value(("name",), name).converted(convention)
    return replace(draft, saved_text=draft.text)


def open_draft(path: str | os.PathLike[str]) -> RobotDraft:
    """Read a robot file (`.toml`) and return it as a draft, which can be edited.

    Returns:
        A `RobotDraft` with the text of the file.

    Raises:
        ModelError: as `load_robot`, with file, field and reason.
    """
    place = Path(path)
    try:
        data = file_bytes(place, MAX_BYTES)
    except Unreadable as error:
        raise ModelError(error_line(place, str(error))) from None
    try:
        draft = draft_of_text(_decoded(data), place)
    except ModelError as error:
        raise ModelError(error_line(place, str(error))) from None
    return replace(draft, disk_hash=hashlib.sha256(data).hexdigest())


def draft_from_text(text: str, path: str | os.PathLike[str] | None = None) -> RobotDraft:
    """The draft of a text that is saved nowhere yet, meant for the file at `path` if any. Raises ModelError."""
    return replace(draft_of_text(text, None if path is None else Path(path)), saved_text="")


def draft_of(robot: Robot) -> RobotDraft:
    """Return the draft of an arm: the text of its file with comments, or new text for an arm without a file or with changes.

    Args:
        robot: the arm to edit. If it has no DH table, for example because it comes from a URDF file, DH rows are computed, and
            masses, joint limits and friction refer to these rows. Properties that a robot file cannot store, such as textures,
            are listed in `remarks` of the draft's robot.

    Returns:
        A `RobotDraft`.

    Raises:
        ModelError: mimic joints, a tool on the base, branches that DH rows cannot describe, or, for an arm without changes, a
            file that has changed on disk since it was read.
    """
    if robot.source is not None and robot.source.suffix.lower() == ".toml":
        now = hash_on_disk(robot.source)
        if now == robot.file_hash and now:
            draft = open_draft(robot.source)
            if not robot.changes and _same_arm(robot, draft.robot):
                return draft
        elif now and not robot.changes:
            raise FileChangedError(
                f"{robot.source}: the file has changed on disk since it was opened; open it again", robot.source
            )
    return draft_of_text(written_robot(robot), None)


def _same_arm(robot: Robot, other: Robot) -> bool:
    poses = robot.configurations.keys() == other.configurations.keys() and all(
        np.array_equal(q, other.configurations[name]) for name, q in robot.configurations.items()
    )
    limits = all(np.array_equal(vars(robot)[name], vars(other)[name]) for name in ("qd_max", "qdd_max", "tau_max"))
    parts = ("name", "task", "task_axes", "floor", "tool_limits", "remarks", "ignored_contacts")
    words = [[vars(one)[part] for part in parts] for one in (robot, other)]
    return poses and limits and words[0] == words[1] and fingerprint(robot) == fingerprint(other)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ModelError(f"is not text: byte {error.start} is not UTF-8; a robot file is a TOML text file") from None
