"""What the companion of a URDF file is called: `NAME.armature.toml` beside `NAME.urdf`, `NAME.xacro` or `NAME.urdf.xacro`."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".armature.toml"
_COMPLETED = (".urdf", ".urdf.xacro", ".xacro")


def companion_of(urdf: Path) -> Path:
    """Where the companion of a URDF or xacro file lies, whether it is there or not."""
    name = urdf.name.partition("?")[0]
    ending = max((ending for ending in _COMPLETED if name.lower().endswith(ending)), key=len, default=urdf.suffix)
    return urdf.with_name(name[: len(name) - len(ending)] + SUFFIX)


def urdf_of(companion: Path) -> Path:
    """The file that a companion belongs to: of those beside it the first that is there, else where its URDF would lie."""
    stem = companion.name[: -len(SUFFIX)]
    places = [companion.with_name(stem + ending) for ending in _COMPLETED]
    return next((place for place in places if place.is_file()), places[0])
