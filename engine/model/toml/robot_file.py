"""Reading robot files: from bytes on a disk to a `Robot`, or to one line about what is wrong."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.robot import Robot
from armature.engine.model.toml.file_complaint import complaint
from armature.engine.model.toml.robot_schema import RobotFile
from armature.engine.model.toml.toml_assembly import assemble
from armature.engine.model.toml.toml_kind import ROBOT, expect_kind
from armature.engine.model.toml.toml_mistakes import mistake

MAX_BYTES = 1_000_000

# tomllib's memory grows with the square of the parts of a dotted key; no file needs more than three.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){20}""")


def read_toml_robot(path: Path) -> Robot:
    """The robot described by the TOML file at `path`.

    Raises:
        ModelError: with one line that names the file, the field, what is wrong and what is valid.
    """
    try:
        return robot_of_bytes(file_bytes(path, MAX_BYTES), path)[1]
    except ValidationError as error:
        raise ModelError(refused(path, complaint(error))) from None
    except Unreadable as error:
        raise ModelError(refused(path, str(error))) from None


def robot_of_bytes(data: bytes, path: Path | None) -> tuple[Mapping[str, Any], Robot]:
    """The table of a robot file and the robot it describes. Raises Unreadable and pydantic's ValidationError."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES / 1e6:.0f} MB, the maximum for a robot file")
    table = expect_kind(table_of(data, "robot file", "name, convention and [[joints]]"), ROBOT, path or Path("FILE"))
    robot = assemble(RobotFile.model_validate(table), source=path)
    return table, replace(robot, file_hash=hashlib.sha256(data).hexdigest())


def refused(path: Path, what: str) -> str:
    """One line that says `what` is wrong with the file."""
    return one_line(f"{one_line(str(path), 200)}: {what}", 700)


def toml_table(path: Path, kind: str, needs: str) -> dict[str, Any]:
    """What a TOML file of some `kind`, which `needs` certain keys, holds. Raises Unreadable."""
    return table_of(file_bytes(path, MAX_BYTES, kind), kind, needs)


def table_of(data: bytes, kind: str, needs: str) -> dict[str, Any]:
    """What the bytes of a TOML file of some `kind`, which `needs` certain keys, hold. Raises Unreadable."""
    return _parsed(_text(data, kind, needs), kind)


def _text(data: bytes, kind: str, needs: str) -> str:
    try:
        # Editors on Windows put a byte order mark in front.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not text: byte {error.start} is not UTF-8; a {kind} is a TOML text file") from None
    if not text.strip():
        raise Unreadable(f"is empty; a {kind} needs {needs}")
    return text


def _parsed(text: str, kind: str) -> dict[str, Any]:
    if _DEEP_KEY.search(text):
        raise Unreadable(f"is nested too deeply for a {kind}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable(f"is nested too deeply for a {kind}") from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"is not TOML: {mistake(text, error)}") from None
    except ValueError:
        # Python refuses to read integers of more than a few thousand digits.
        raise Unreadable("is not TOML: a number has too many digits") from None
