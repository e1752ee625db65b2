"""Drafts and the disk: saved in one step, never over a file that another program has changed."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from armature.engine.errors import ModelError
from armature.engine.files import atomic_file, shipped
from armature.engine.model.draft.draft_text import Parts, with_values
from armature.engine.model.draft.written_places import Placed, Where
from armature.engine.model.file_bytes import real_path
from armature.engine.model.toml.toml_assembly import mesh_name


def with_meshes_from(parts: Parts, table: Mapping[str, Any], old: Path | None, folder: Path) -> Parts:
    """The parts of a draft of the file `old` for a file in `folder`: names that lead to the same mesh files from there."""
    changes: list[Placed] = []
    for where, name in mesh_names(table):
        path = real_path((Path() if old is None else old.parent) / name)
        if path.is_file() and (new := mesh_name(path, folder)) != name:
            changes.append((where, new))
    return with_values(parts, changes)


def mesh_names(table: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    """Yield the place and the name of each mesh in the table of a robot file."""
    holders: list[tuple[Where, Mapping[str, Any]]] = [((), table)]
    holders += [(("joints", i), joint) for i, joint in enumerate(table["joints"])]
    for where, holder in holders:
        for k, shape in enumerate(holder.get("shapes", [])):
            if "mesh" in shape:
                yield (*where, "shapes", k, "mesh"), shape["mesh"]


class FileChangedError(ModelError):
    """The file on disk was changed by another program; `path` is its path."""

    def __init__(self, message: str, path: Path):
        super().__init__(message)
        self.path = path

    def __reduce__(self):
        return type(self), (self.args[0], self.path)


def hash_on_disk(path: Path) -> str:
    """SHA-256 of the file's bytes; "" for a missing or unreadable file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""


def write_draft(text: str, path: Path, known: str, overwrite: bool) -> str:
    """Write the text to `path` atomically and return the SHA-256 of the file.

    Args:
        known: SHA-256 that the existing file may have, "" for none.
        overwrite: replace another existing file.

    Raises:
        FileChangedError: another file exists.
        ModelError: an included robot, another suffix than .toml, or a disk error.
    """
    if path.suffix.lower() != ".toml":
        raise ModelError(f"{path}: the suffix must be .toml")
    if is_shipped(path):
        raise ModelError(f"{path}: is a robot included with Armature and cannot be changed; save under another name")
    if not overwrite and os.path.lexists(path) and hash_on_disk(path) != known:
        what = "the file has changed on disk since it was read" if known else "the file already exists"
        raise FileChangedError(f"{path}: {what}; nothing was written", path)
    data, path = text.encode(), led_to(path)
    try:
        with atomic_file(path) as part:
            with part.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            if path.exists():
                shutil.copymode(path, part)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise ModelError(f"{path}: cannot be written: {why or error}") from None
    return hashlib.sha256(data).hexdigest()


def led_to(path: Path) -> Path:
    """Target of a path with links. Raises ModelError for a broken link."""
    try:
        return real_path(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "is not a valid file name"
        raise ModelError(f"{path}: cannot be written: {why}") from None


def is_shipped(path: Path) -> bool:
    """Whether the file is one of the robots that ship."""
    return led_to(path).parent == led_to(shipped("robots"))
