"""One key of a table in the text of a robot file set or removed, everything else kept: comments, blanks and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import tomlkit
from tomlkit.container import Container, OutOfOrderTableProxy
from tomlkit.items import Array, InlineTable, SingleKey

from armature.engine.errors import ModelError
from armature.engine.model.draft.text_parts import HEAD, INLINE, Part
from armature.engine.model.file_values import LARGEST

Change = tuple[tuple[str | int, ...], Any]


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
    """What has the part's table, and under which key or index."""
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
        if value is None and ",  " not in text:  # the blanks around what is gone
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
    """Puts one item into an array, or takes one out, and sets what else differs."""
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
    """Where the signs of equality stand in a table."""
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
