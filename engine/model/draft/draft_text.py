"""Edits of the text of a robot file, part by part."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tomlkit.items import SingleKey

from armature.engine.errors import ModelError
from armature.engine.model.draft.places import Placed, Where, place_name
from armature.engine.model.draft.table_edit import changed_part
from armature.engine.model.draft.text_parts import HEAD, ROW, TABLE, Part
from armature.engine.model.file_values import shown

Parts = tuple[Part, ...]

_TABLES = ("base", "tool", "tool_limits", "configurations", "configurations_deg")  # in the order of the manual


def joint_places(parts: Parts) -> list[int]:
    """Which of the parts are the joints, base first."""
    return [k for k, part in enumerate(parts) if part.is_joint]


def with_values(parts: Parts, changes: Iterable[Placed]) -> Parts:
    """The parts with values set as they are to be written; None removes a key. Raises ModelError for what TOML cannot hold."""
    together: dict[Where, list[Placed]] = {}
    for where, value in changes:
        _check_writable(where, value)
        together.setdefault(where[:2] if where[0] == "joints" else where[:1], []).append((where, value))
    for several in together.values():
        parts = _with_several(parts, several)
    return parts


def place_of(parts: Parts, where: Where) -> tuple[int, Where] | None:
    """Which part has the joint, table or key that `where` begins with, and where in that part it leads; None where none has."""
    root = where[0]
    if root == "joints":
        return joint_places(parts)[int(where[1])], where[2:]
    for k, part in enumerate(parts):
        if part.root == root and part.kind in (TABLE, ROW):
            return k, where[1:]
        if part.kind == HEAD and root in tomllib.loads(part.core):
            return k, where
    return None


def _with_several(parts: Parts, several: list[Placed]) -> Parts:
    """The parts with values set that belong to one joint, one table, or one key of the file itself."""
    if place_of(parts, several[0][0]) is None:
        several = [(where, value) for where, value in several if value is not None]
        if not several:
            return parts
        parts = _with_room(parts, *several[0])
    places = [place_of(parts, where) for where, _ in several]
    k = next(place[0] for place in places if place is not None)
    below = [(place[1], value) for place, (_, value) in zip(places, several) if place is not None]
    whole = [value for path, value in below if not path]
    if parts[k].kind == TABLE and None in whole:
        return parts[:k] + parts[k + 1 :]
    if any(not isinstance(value, dict) for value in whole):
        raise ModelError(f"{place_name(several[0][0])}: must be a table, got {shown(whole[-1])}")
    return (*parts[:k], changed_part(parts[k], below), *parts[k + 1 :])


def _with_room(parts: Parts, where: Where, value: Any) -> Parts:
    """Room for a key of the file itself in its head, for a table among the tables."""
    root = str(where[0])
    if len(where) == 1 and not isinstance(value, dict):
        k = next(k for k, part in enumerate(parts) if part.kind == HEAD)
        return (*parts[:k], changed_part(parts[k], [((root,), value)]), *parts[k + 1 :])
    rank = _TABLES.index(root) if root in _TABLES else len(_TABLES)
    later = (k for k, part in enumerate(parts) if part.kind == ROW or (part.root in _TABLES and _TABLES.index(part.root) > rank))
    k = next(later, len(parts))
    end = "\r\n" if any("\r\n" in part.core for part in parts) else "\n"
    room = Part(TABLE, root, "", f"[{SingleKey(root).as_string()}]{end}", end if k < len(parts) else "")
    return (*parts[: k - 1], spaced(parts[k - 1], end), room, *parts[k:])


def spaced(part: Part, end: str) -> Part:
    """The part with an empty line behind it."""
    text = part.text
    missing = end if text.endswith("\n") else end + end
    return part if text.endswith((end + end, "\n\n")) or not text else replace(part, tail=part.tail + missing)


def _check_writable(where: Where, value: Any) -> None:
    if any(isinstance(step, str) and not _is_text(step) for step in where):
        raise ModelError("a key has invalid characters")
    if isinstance(value, dict):
        for key, item in value.items():
            _check_writable((*where, key), item)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            _check_writable((*where, i), "" if item is None else item)
            if item is None:
                raise ModelError(f"{place_name(where)}: [{i}] is empty; give a value")
    elif isinstance(value, str):
        if not _is_text(value):
            raise ModelError(f"{place_name(where)}: the text has invalid characters")
    elif value is not None and not isinstance(value, (bool, int, float)):
        raise ModelError(
            f"{place_name(where)}: a robot file can hold numbers, texts, arrays and tables, not {type(value).__name__}"
        )


def _is_text(value: str) -> bool:
    """Whether UTF-8 can hold it: halves of surrogate pairs are none."""
    return not any(0xD800 <= ord(c) < 0xE000 for c in value)
