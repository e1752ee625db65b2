"""Edits of the text of a robot file, part by part."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import tomlkit
from tomlkit.container import Container, OutOfOrderTableProxy
from tomlkit.items import Array, InlineTable, SingleKey

from armature.engine.errors import LARGEST, ModelError, shown
from armature.engine.model.draft.text_parts import HEAD, INLINE, ROW, TABLE, Part
from armature.engine.model.draft.written_places import POSES, Placed, Where, in_other_unit, place_name, raw_value

Change = tuple[tuple[str | int, ...], Any]
Parts = tuple[Part, ...]
_TABLES = ("base", "tool", "tool_limits", "collision", "configurations", "configurations_deg")  # in the order of the manual
_MARK = "\N{REPLACEMENT CHARACTER} here"
_OTHER_WAYS = {"xyz": ("matrix",), "rpy": ("rpy_deg", "quaternion", "matrix"), "rpy_deg": ("rpy", "quaternion", "matrix")}


def changed_part(part: Part, changes: list[Change]) -> Part:
    """The part with values set by where they are below it: ("friction", "viscous"); None removes the key."""
    document = tomlkit.parse(f"x = {part.core}" if part.kind == INLINE else part.core)
    for path, value in changes:
        _put(*_opened(document, part), path, value)
    text = document.as_string()
    if "\r\n" in part.core:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return replace(part, core=text.removeprefix("x = ") if part.kind == INLINE else text)


def _opened(document: Any, part: Part) -> tuple[Any, Any]:
    """Owner of the part's table, and its key or index."""
    if part.kind == HEAD:
        return {"": document}, ""
    if part.kind == INLINE:
        return document, "x"
    table = document[part.root]
    return (table, len(table) - 1) if isinstance(table, list) else (document, part.root)


def _put(owner: Any, name: Any, path: tuple[str | int, ...], value: Any) -> None:
    """Sets owner[name][path]; tables on the way are made, and removed when they become empty."""
    if not path:
        _merge(owner, name, value)
    elif isinstance(owner[name], InlineTable):
        text = owner[name].as_string()
        table = tomlkit.value("{" + text[1:-1].strip() + "}")
        _put_in(table, path, value)
        air = " " if not text[1:-1].strip() or text[1].isspace() else ""
        inner = table.as_string()[1:-1].strip()
        if value is None and ",  " not in text:  # blanks around the removed key
            inner = inner.replace(",  ", ", ")
        owner[name] = tomlkit.value("{" + air + inner + air + "}")
    else:
        _put_in(owner[name], path, value)


def _put_in(table: Any, path: tuple[str | int, ...], value: Any) -> None:
    key, *deeper = path
    if not _has(table, key) and not isinstance(key, str):
        raise ModelError(f"[{key}]: no item at this index")
    if deeper and (value is not None or _has(table, key)):
        if not _has(table, key):
            _add(table, key, tomlkit.inline_table())
        _put(table, key, tuple(deeper), value)
        if isinstance(table[key], InlineTable) and not table[key]:
            del table[key]
    elif value is None:
        if _has(table, key):
            del table[key]
    elif _has(table, key):
        _merge(table, key, value)
    else:
        _add(table, key, _item(value))


def _has(table: Any, key: Any) -> bool:
    return key in table if isinstance(table, dict) else 0 <= key < len(table)


def _merge(table: Any, key: Any, value: Any) -> None:
    """Sets table[key] in as few places as differ."""
    old = table[key]
    if isinstance(old, dict) and isinstance(value, Mapping):
        for name in [*(name for name in list(old) if name not in value), *value]:
            _put(table, key, (name,), value.get(name))
    elif isinstance(old, Array) and isinstance(value, list) and len(old) == len(value):
        for i, item in enumerate(value):
            _merge(old, i, item)
    elif isinstance(old, Array) and isinstance(value, list) and abs(len(old) - len(value)) == 1:
        _resize(old, value)
    elif not _same(old, value):
        whole = isinstance(old, float) and isinstance(value, int) and abs(value) <= LARGEST
        table[key] = float(value) if whole else _item(value)


def _resize(old: Array, value: list) -> None:
    """Insert or remove one item of an array, and set the other items that differ."""
    k = next((i for i, (a, b) in enumerate(zip(old, value)) if not _same(a, b)), min(len(old), len(value)))
    if len(value) > len(old):
        old.insert(k, _item(value[k]))
    else:
        del old[k]
    for i, item in enumerate(value):
        _merge(old, i, item)


def _same(old: Any, value: Any) -> bool:
    return old == value and isinstance(old, str) == isinstance(value, str)


def _add(table: Any, key: Any, item: Any) -> None:
    """A new key behind the others, its value in their column."""
    columns = {} if isinstance(table, InlineTable) else _columns(table)
    wide = len(columns) == 1 and len(key) < next(iter(columns))
    if isinstance(table, OutOfOrderTableProxy):  # of dotted keys
        table[key] = item
        return
    table.append(SingleKey(key, sep=" " * (next(iter(columns)) - len(key)) + "= ") if wide else key, item)


def _columns(table: Any) -> set[int]:
    """Columns of the equals signs in a table."""
    container = table if isinstance(table, Container) else table.value
    body = container.body if isinstance(container, Container) else []  # dotted keys have no lines of their own
    return {len(key.as_string()) + key.sep.index("=") for key, _ in body if key is not None and "=" in key.sep}


def _item(value: Any) -> Any:
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        for key, item in value.items():
            inline.append(key, _item(item))
        return tomlkit.value("{ " + inline.as_string()[1:-1].strip() + " }")
    return tomlkit.item(value)


def joint_places(parts: Parts) -> list[int]:
    """Which of the parts are the joints, base first."""
    return [k for k, part in enumerate(parts) if part.is_joint]


def with_values(parts: Parts, changes: Iterable[Placed]) -> Parts:
    """Return the parts with new values, in the notation to be written; None removes a key. Raises ModelError for values that
    TOML cannot hold.
    """
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
    return (*parts[: k - 1], with_blank_line(parts[k - 1], end), room, *parts[k:])


def with_blank_line(part: Part, end: str) -> Part:
    """The part with an empty line behind it."""
    text = part.text
    missing = end if text.endswith("\n") else end + end
    return part if text.endswith((end + end, "\n\n")) or not text else replace(part, tail=part.tail + missing)


def _check_writable(where: Where, value: Any) -> None:
    if any(isinstance(step, str) and not _is_text(step) for step in where):
        raise ModelError("a key contains characters that a robot file cannot store")
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
    """True if UTF-8 can encode the text: it has no surrogates."""
    return not any(0xD800 <= ord(c) < 0xE000 for c in value)


def line_of(parts: Parts, table: Mapping[str, Any], where: Where) -> int:
    """Line, from 1, of a value in any notation, or else the line of its table."""
    where = _written(table, where)
    while where and raw_value(table, where) is None:
        where = where[:-1]
    if not where:
        return 1
    if where == ("joints",):
        where = ("joints", 0)
    place = place_of(parts, where)
    if place is None:
        return 1
    k, path = place
    above = sum(part.text.count("\n") for part in parts[:k]) + parts[k].lead.count("\n") + 1
    if not path:
        return above
    core = changed_part(parts[k], [(path, _MARK)]).core
    return above + core[: max(core.find(_MARK), 0)].count("\n")


def _written(table: Mapping[str, Any], where: Where) -> Where:
    """Place of a value in the notation of the file."""
    if raw_value(table, where) is not None:
        return where
    ways = [in_other_unit(where)]
    if where[0] in POSES and len(where) == 2:
        ways += [(where[0], key) for key in _OTHER_WAYS.get(str(where[1]), ())]
    return next((way for way in ways if way is not None and raw_value(table, way) is not None), where)
