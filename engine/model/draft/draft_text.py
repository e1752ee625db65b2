"""Edits of the text of a robot file, part by part."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from armature.engine.errors import ModelError
from armature.engine.model.draft.table_edit import changed_part
from armature.engine.model.draft.text_parts import HEAD, ROW, TABLE, Part
from armature.engine.model.draft.written_places import Placed, Where, place_name

Parts = tuple[Part, ...]


def joint_places(parts: Parts) -> list[int]:
    """Which of the parts are the joints, base first."""
    return [k for k, part in enumerate(parts) if part.is_joint]


def with_values(parts: Parts, changes: Iterable[Placed]) -> Parts:
    """The parts with values set as they are to be written; None removes a key. Raises ModelError for what TOML cannot hold."""
    made, todo = list(parts), {}
    for where, value in changes:
        _check_writable(where, value)
        k, path = _place(made, where, value)
        if k is not None:
            todo.setdefault(k, []).append((path, value))
    for k, several in todo.items():
        whole = [value for path, value in several if not path]
        made[k] = replace(made[k], core="", tail="") if whole and whole[-1] is None else changed_part(made[k], several)
    return tuple(part for part in made if part.core or part.kind != TABLE)


def _place(parts: list[Part], where: Where, value: Any) -> tuple[int | None, tuple[str | int, ...]]:
    """The part that has or gets the value, and where in it; None for a removal of what is not there."""
    root = where[0]
    if root == "joints":
        return joint_places(tuple(parts))[int(where[1])], where[2:]
    tables = [k for k, part in enumerate(parts) if part.root == root]
    if tables:
        return tables[0], where[1:]
    heads = [k for k, part in enumerate(parts) if part.kind == HEAD]
    for k in heads:
        if root in tomllib.loads(parts[k].core):
            return k, where
    if value is None:
        return None, ()
    if len(where) == 1 and not isinstance(value, dict):
        return heads[0], where
    return _new_table(parts, str(root)), where[1:]


def _new_table(parts: list[Part], root: str) -> int:
    """Makes room for a table in front of the joints, or at the end where these are written inline."""
    rows = [k for k, part in enumerate(parts) if part.kind == ROW and part.is_joint]
    k = rows[0] if rows else len(parts)
    end = "\r\n" if any("\r\n" in part.core for part in parts) else "\n"
    if k:
        parts[k - 1] = spaced(parts[k - 1], end)
    parts.insert(k, Part(TABLE, root, "", f"[{root}]{end}", end if rows else ""))
    return k


def spaced(part: Part, end: str) -> Part:
    """The part with an empty line behind it."""
    text = part.text
    missing = end if text.endswith("\n") else end + end
    return part if text.endswith((end + end, "\n\n")) or not text else replace(part, tail=part.tail + missing)


def _check_writable(where: Where, value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _check_writable((*where, key), item)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            _check_writable((*where, i), "" if item is None else item)
            if item is None:
                raise ModelError(f"{place_name(where)}: [{i}] is empty; give a value")
    elif isinstance(value, str):
        if any(0xD800 <= ord(c) < 0xE000 for c in value):
            raise ModelError(f"{place_name(where)}: holds characters that are no text")
    elif value is not None and not isinstance(value, (bool, int, float)):
        raise ModelError(f"{place_name(where)}: a robot file holds numbers, texts, arrays and tables, not {type(value).__name__}")
