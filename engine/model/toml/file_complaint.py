"""One line about what is wrong in a file: which field, what it holds, what it may hold."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from armature.engine.errors import one_line
from armature.engine.model.file_entries import Entry, FrictionEntry, JointEntry, PoseEntry, ToolLimitsEntry
from armature.engine.model.file_values import shown
from armature.engine.model.toml.robot_schema import RobotFile

REQUIRED = {
    "type": 'it must be "revolute" or "prismatic"',
    "convention": 'it must be "standard" or "modified" (Denavit-Hartenberg)',
    "name": 'give the robot a name, such as name = "my_arm"',
    "joints": "give one table headed [[joints]] per joint",
}


def robot_table(loc: list[Any]) -> type[Entry]:
    """The table of a robot file that `loc` leads to."""
    if loc[:1] == ["joints"]:
        return FrictionEntry if loc[2:] == ["friction"] else JointEntry
    tables: dict[Any, type[Entry]] = {"tool_limits": ToolLimitsEntry}
    return tables.get(loc[0], PoseEntry) if loc else RobotFile


def complaint(
    error: ValidationError,
    table_at: Callable[[list[Any]], type[Entry]] = robot_table,
    required: Mapping[str, str] = REQUIRED,
) -> str:
    """The first fault pydantic found, as "field: what is wrong", and where further ones are.

    Unknown keys come first, because a misspelt key also makes the right one missing. `table_at` finds the table at a place in the
    file, `required` says what to write for a key that is missing.
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
    """`joints[2].mass` for ("joints", 2, "mass"); pydantic marks keys of mappings with "[key]", which says nothing here."""
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
