"""Kinds of TOML files: robot, trajectory, scenario, question or cell; names of companion files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armature.engine.model.file_bytes import Unreadable

SUFFIX = ".armature.toml"
_COMPLETED = (".urdf", ".urdf.xacro", ".xacro")
ROBOT, TRAJECTORY, SCENARIO, QUESTION, CELL = "robot", "trajectory", "scenario", "question", "cell"
# Arrays of tables that only this kind has.
_SIGNS = {ROBOT: "joints", TRAJECTORY: "waypoints", SCENARIO: "runs", QUESTION: "answers", CELL: "objects"}
_USES = {
    ROBOT: "open it with armature FILE",
    TRAJECTORY: "open it in the window: armature FILE; or run it: armature simulate ROBOT --trajectory FILE",
    SCENARIO: "run it with armature scenario FILE",
    QUESTION: "open it in the window, or check it with armature check FILE",
    CELL: "open it in the window: armature FILE; or use it in a command: armature collide ROBOT --cell FILE",
}


def companion_of(urdf: Path) -> Path:
    """Path of the companion of a URDF or xacro file, which may be missing."""
    name = urdf.name.partition("?")[0]
    ending = max((ending for ending in _COMPLETED if name.lower().endswith(ending)), key=len, default=urdf.suffix)
    return urdf.with_name(name[: len(name) - len(ending)] + SUFFIX)


def urdf_of(companion: Path) -> Path:
    """File of a companion: the first existing one in its folder, or else the path of a URDF."""
    stem = companion.name[: -len(SUFFIX)]
    places = [companion.with_name(stem + ending) for ending in _COMPLETED]
    return next((place for place in places if place.is_file()), places[0])


def kind_of(table: Mapping[str, Any]) -> str:
    """Kind of a file by the tables in it; empty if unknown."""
    found = [kind for kind, sign in _SIGNS.items() if isinstance(table.get(sign), list)]
    return found[0] if len(found) == 1 else ""


def expect_kind(table: Mapping[str, Any], wanted: str, path: Path) -> Mapping[str, Any]:
    """Return the table if it can be of the kind `wanted`. Raises Unreadable with the actual kind and its command."""
    kind = kind_of(table)
    if kind in ("", wanted):
        return table
    raise Unreadable(f"is a {kind} file (it has [[{_SIGNS[kind]}]]), not a {wanted} file; {use_of(kind, path)}")


def use_of(kind: str, path: str | os.PathLike[str]) -> str:
    """The command that a file of this kind is for."""
    return _USES[kind].replace("FILE", str(path))
