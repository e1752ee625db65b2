"""Reading robot files: bytes to a `Robot`, or to one line about the mistake."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from armature.engine.errors import ModelError, one_line, shown
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.file_entries import CollisionEntry, Entry, FrictionEntry, JointEntry, PoseEntry, ToolLimitsEntry
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_schema import RobotFile
from armature.engine.model.toml.toml_assembly import assemble
from armature.engine.model.toml.toml_kind import ROBOT, expect_kind
from armature.engine.model.toml.toml_mistakes import mistake

REQUIRED = {
    "type": 'it must be "revolute" or "prismatic"',
    "convention": 'it must be "standard" or "modified" (Denavit-Hartenberg)',
    "name": 'give the robot a name, such as name = "my_arm"',
    "joints": "give one table headed [[joints]] per joint",
}
MAX_BYTES = 1_000_000
# tomllib's memory grows with the square of the parts of a dotted key; no file needs more than three.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){20}""")


def robot_table(loc: list[Any]) -> type[Entry]:
    """The table of a robot file that `loc` leads to."""
    if loc[:1] == ["joints"]:
        return FrictionEntry if loc[2:] == ["friction"] else JointEntry
    tables: dict[Any, type[Entry]] = {"tool_limits": ToolLimitsEntry, "collision": CollisionEntry}
    return tables.get(loc[0], PoseEntry) if loc else RobotFile


def complaint(
    error: ValidationError,
    table_at: Callable[[list[Any]], type[Entry]] = robot_table,
    required: Mapping[str, str] = REQUIRED,
) -> str:
    """Message about the first fault of pydantic, as "field: reason", and the places of further ones.

    Unknown keys are first, because a misspelt key is also reported as a missing one. `table_at` returns the table at a place in
    the file, `required` the hint for each required key.
    """
    faults = sorted(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
    loc, field = list(faults[0]["loc"]), _place(faults[0])
    what = _what(faults[0], loc, table_at, required)
    others = list(dict.fromkeys(_place(fault) for fault in faults[1:]))
    more = f"; also wrong: {', '.join(others)}" if others else ""
    return f"{field}: {what}{more}" if field else f"{what}{more}"


def _place(fault: Any) -> str:
    extra = fault.get("ctx", {}).get("field", "")
    return _path([*fault["loc"], extra] if extra else list(fault["loc"]))


def _path(loc: list[Any]) -> str:
    """`joints[2].mass` for ("joints", 2, "mass"); the "[key]" of pydantic is omitted."""
    path = ""
    for part in loc:
        if part == "[key]":
            continue
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    joint = re.match(r"joints\[(\d+)]", path)
    return one_line(path, 120) + (f" (joint {int(joint[1]) + 1})" if joint else "")


def _what(fault: Any, loc: list[Any], table_at: Callable[[list[Any]], type[Entry]], required: Mapping[str, str]) -> str:
    kind, value = fault["type"], fault.get("input")
    if kind == "robot_file":
        return fault["msg"]
    if kind == "extra_forbidden":
        return _unknown_key(str(loc[-1]), table_at(loc[:-1]))
    if kind == "missing":
        return f"missing; {required[loc[-1]]}"
    if kind == "literal_error":
        return f"must be {fault['ctx']['expected'].replace(chr(39), chr(34))}, got {shown(value)}"
    nouns = {"list_type": "an array", "dict_type": "a table", "model_type": "a table", "model_attributes_type": "a table"}
    return f"must be {nouns[kind]}, got {shown(value)}" if kind in nouns else fault["msg"]


def _unknown_key(key: str, table: type[Entry]) -> str:
    valid = list(table.model_fields)
    close = difflib.get_close_matches(key.lower(), valid, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"unknown key; {hint}valid are {', '.join(valid)}"


def read_toml_robot(path: Path) -> Robot:
    """Robot of the TOML file at `path`.

    Raises:
        ModelError: one line with the file, the field, the mistake and the valid values.
    """
    try:
        return robot_of_bytes(file_bytes(path, MAX_BYTES), path)[1]
    except ValidationError as error:
        raise ModelError(error_line(path, complaint(error))) from None
    except Unreadable as error:
        raise ModelError(error_line(path, str(error))) from None


def robot_of_bytes(data: bytes, path: Path | None) -> tuple[Mapping[str, Any], Robot]:
    """The table of a robot file and the robot it describes. Raises Unreadable and pydantic's ValidationError."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES / 1e6:.0f} MB, the maximum for a robot file")
    table = expect_kind(table_of(data, "robot file", "name, convention and [[joints]]"), ROBOT, path or Path("FILE"))
    robot = assemble(RobotFile.model_validate(table), source=path)
    return table, replace(robot, file_hash=hashlib.sha256(data).hexdigest())


def error_line(path: Path, what: str) -> str:
    """One line with the file and the mistake `what`."""
    return one_line(f"{one_line(str(path), 200)}: {what}", 700)


def toml_table(path: Path, kind: str, needs: str) -> dict[str, Any]:
    """Content of a TOML file of some `kind`, which `needs` certain keys. Raises Unreadable."""
    return table_of(file_bytes(path, MAX_BYTES, kind), kind, needs)


def table_of(data: bytes, kind: str, needs: str) -> dict[str, Any]:
    """Content of the bytes of a TOML file of some `kind`, which `needs` certain keys. Raises Unreadable."""
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
