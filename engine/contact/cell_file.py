"""Files of cells: reading, checking and writing without loss of comments."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from armature.engine.contact.cell import Cell, CellObject
from armature.engine.contact.cell_schema import REQUIRED, CellFile, ObjectEntry, cell_table
from armature.engine.errors import ModelError, one_line
from armature.engine.files import atomic_write, names_instead, shipped_or_path
from armature.engine.model.draft.draft_text import changed_part, with_blank_line
from armature.engine.model.draft.text_parts import HEAD, ROW, Part, split
from armature.engine.model.file_bytes import Unreadable, file_bytes, real_path
from armature.engine.model.toml.robot_file import MAX_BYTES, complaint, error_line, table_of
from armature.engine.model.toml.robot_writer import toml_value
from armature.engine.model.toml.toml_assembly import mesh_name
from armature.engine.model.toml.toml_kind import CELL, expect_kind
from armature.engine.model.toml.written_values import plain

_FOLDER = ("assets", "cells")
_KIND, _NEEDS = "cell file", "[[objects]]"
_OPTIONAL = {"normal": (0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0), "xyz": (0.0, 0.0, 0.0), "rpy_deg": (0.0, 0.0, 0.0)}
_KEYS = tuple(ObjectEntry.model_fields)


def load_cell(path: str | os.PathLike[str]) -> Cell:
    """Read a cell file.

    Args:
        path: a `.toml` file with one table `[[objects]]` per object: `name`, `shape`, the sizes of the shape in m, `xyz` in m,
            `rpy_deg` in degrees and `color`; meshes are relative to the file. Or the bare name of an included cell, such as
            `"table"`.

    Returns:
        A `Cell`.

    Raises:
        ModelError: one line with the file, the line, the field, the mistake and the valid values.
    """
    if names := names_instead(path, *_FOLDER):
        raise ModelError(one_line(f"{path}: no cell of this name is included; valid are {names}"))
    place = shipped_or_path(path, *_FOLDER)
    try:
        data = file_bytes(place, MAX_BYTES, _KIND)
        table = expect_kind(table_of(data, _KIND, _NEEDS), CELL, place)
        text = data.decode("utf-8-sig")
        file = CellFile.model_validate(table)
        objects = tuple(_object(entry, k, place, text) for k, entry in enumerate(file.objects))
    except ValidationError as error:
        line = _line(text, _place(error))
        raise ModelError(error_line(place, f"line {line}: {complaint(error, cell_table, REQUIRED)}")) from None
    except Unreadable as error:
        raise ModelError(error_line(place, str(error))) from None
    return Cell(objects, file.name or _name(place), file.description, place.absolute(), text)


def _object(entry: ObjectEntry, k: int, place: Path, text: str) -> CellObject:
    try:
        return _placed(entry, place.parent)
    except ModelError as error:
        what = str(error).removeprefix(f"object {entry.name}: file: ")
        raise Unreadable(f"line {_line(text, ['objects', k, 'file'])}: objects[{k}].file: {what}") from None


def _placed(entry: ObjectEntry, folder: Path) -> CellObject:
    """The object of a table in a file in `folder`."""
    values = dict(entry)
    if entry.file is not None and "://" not in entry.file and not entry.file.startswith(("//", "\\\\")):
        values["file"] = folder.absolute() / entry.file
    return CellObject(**values)


def _name(place: Path) -> str:
    """Name of a cell whose file has none: that of the file, in the characters of a name."""
    name = re.sub(r"[^\w-]+", "_", place.stem)[:64]
    return name if re.match(r"[^\W\d]", name) else "cell"


def _place(error: ValidationError) -> list[Any]:
    """Place of the fault that `complaint` reports, as keys and indices."""
    fault = sorted(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")[0]
    inner = re.findall(r"\w+", fault.get("ctx", {}).get("field", ""))
    return [*fault["loc"], *(int(part) if part.isdigit() else part for part in inner)]


def _line(text: str, loc: list[Any]) -> int:
    """Line, from 1, of the value at `loc` in a valid TOML text, or else of its table."""
    parts = split(text)
    row, key, at = None, str(loc[0]) if loc else "", 1
    if loc[:1] == ["objects"] and len(loc) > 1:
        row, key = int(loc[1]), str(loc[2]) if len(loc) > 2 else ""
        if not any(part.kind == ROW for part in parts):  # inline tables
            row, key = None, "objects"
    for part in parts:
        if part.kind == ROW:
            row = None if row is None else row - 1
        if row in (None, -1):
            first = at + part.lead.count("\n")
            for k, line in enumerate(part.core.split("\n")):
                if key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
                    return first + k
            if row == -1:
                return first
        at += part.text.count("\n")
    return 1


def save_cell(cell: Cell, path: str | os.PathLike[str]) -> Path:
    """Write a cell file that `load_cell` reads as the same cell; an existing file is replaced atomically.

    Comments and notation of the file that the cell was read from are retained, except for objects that no longer exist.

    Args:
        cell: cell to write.
        path: file to write, `.toml`; meshes are written relative to it.

    Returns:
        The path written.

    Raises:
        ModelError: another suffix than .toml, or a file that cannot be written.
    """
    place = Path(path)
    if place.suffix.lower() != ".toml":
        raise ModelError(f"{place}: the suffix of a cell file must be .toml")
    try:
        atomic_write(place, cell_text(cell, place.parent))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise ModelError(f"{place}: cannot be written: {why or error}") from None
    return place


def cell_text(cell: Cell, folder: Path) -> str:
    """Return the cell as TOML for a file in `folder`."""
    parts = split(cell.text)
    old = {_raw(part)["name"]: part for part in parts if part.kind == ROW}
    free = [part for name, part in old.items() if name not in cell.names]
    written = [_head(cell, next(part for part in parts if part.kind == HEAD))]
    for thing in cell.objects:
        part = old.get(thing.name) or _renamed(thing, free) or Part(ROW, "objects", "", "", "")
        written = [*written[:-1], with_blank_line(written[-1], "\n"), _table(part, thing, folder)]
    return "".join(part.text for part in written)


def _raw(part: Part) -> dict[str, Any]:
    """Values of the table of one object as written."""
    return tomllib.loads(part.core)["objects"][0]


def _renamed(thing: CellObject, free: list[Part]) -> Part | None:
    """The table of an object that has another name now: the first with its shape, which is removed from `free`."""
    part = next((part for part in free if _raw(part)["shape"] == thing.shape), None)
    if part is not None:
        free.remove(part)
    return part


def _head(cell: Cell, head: Part) -> Part:
    """The part above the objects, with name and description."""
    table = tomllib.loads(head.core)
    values: dict[str, Any] = {"name": cell.name, "description": cell.description or None, "objects": None if cell.objects else []}
    changes: list[Any] = [((key,), value) for key, value in values.items() if table.get(key) != value]
    head = head if head.core else Part(HEAD, "", head.lead + head.tail, "", "")  # below the comments at the top
    return changed_part(head, changes)


def _table(part: Part, thing: CellObject, folder: Path) -> Part:
    """The table of an object: the part with the values that differ, or a new one."""
    values: dict[str, Any] = {
        key: None if value == _OPTIONAL.get(key) else value for key, value in vars(thing).items() if key in _KEYS
    }
    if thing.file is not None:
        values["file"] = mesh_name(Path(thing.file), folder)
    if not part.core:
        lines = [f"{key} = {toml_value(plain(value))}\n" for key, value in values.items() if value is not None]
        return replace(part, core="[[objects]]\n" + "".join(lines))
    old = ObjectEntry.model_validate(_raw(part))
    if old.file is not None and thing.file == real_path(folder / old.file):
        values["file"] = old.file
    same = {
        key for key, value in dict(old).items() if value == values[key] or (values[key] is None and value == _OPTIONAL.get(key))
    }
    return changed_part(part, [((key,), plain(value)) for key, value in values.items() if key not in same])
