"""The mesh files that a draft names, when it is saved in another place than it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from armature.engine.model.draft.draft_text import Parts, with_values
from armature.engine.model.draft.places import Placed, Where
from armature.engine.model.real_path import real_path
from armature.engine.model.toml.toml_shapes import mesh_name


def with_meshes_from(parts: Parts, table: Mapping[str, Any], old: Path | None, folder: Path) -> Parts:
    """The parts of a draft of the file `old` for a file in `folder`: names that lead to the same mesh files from there."""
    changes: list[Placed] = []
    for where, name in _mesh_names(table):
        path = real_path((Path() if old is None else old.parent) / name)
        if path.is_file() and (new := mesh_name(path, folder)) != name:
            changes.append((where, new))
    return with_values(parts, changes)


def _mesh_names(table: Mapping[str, Any]) -> Iterator[tuple[Where, str]]:
    holders: list[tuple[Where, Mapping[str, Any]]] = [((), table)]
    holders += [(("joints", i), joint) for i, joint in enumerate(table["joints"])]
    for where, holder in holders:
        for k, shape in enumerate(holder.get("shapes", [])):
            if "mesh" in shape:
                yield (*where, "shapes", k, "mesh"), shape["mesh"]
