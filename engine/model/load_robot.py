"""`load_robot`: a robot from a file, or from the name of one that ships."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from armature.engine.errors import ModelError, one_line
from armature.engine.model.robot import Robot
from armature.engine.model.toml.companion_name import SUFFIX, urdf_of
from armature.engine.model.toml.robot_file import read_toml_robot
from armature.engine.resources import shipped

ROBOTS = shipped("robots")


def load_robot(path: str | os.PathLike[str]) -> Robot:
    """Read a robot.

    Args:
        path: a `.toml` robot file, a `.urdf` file, which a companion `.armature.toml` beside it completes, or the bare name of a
            shipped robot such as `"puma560"`.

    Returns:
        The `Robot`, frozen; `remarks` holds what to know before trusting its numbers.

    Raises:
        ModelError: with one line that names the file, the field or element, what is wrong and what is valid.
    """
    place = Path(path)
    if place.name.lower().endswith(SUFFIX):
        companion, place = place, urdf_of(place)
        if companion.is_file() and not place.exists():
            raise ModelError(one_line(f"{companion}: completes {place.name}, which belongs beside it and is not there"))
    suffix = place.suffix.lower()
    if suffix == ".toml":
        return read_toml_robot(place)
    if suffix == ".urdf":
        from armature.engine.model.urdf.urdf_reader import read_urdf_robot  # lxml, which only this needs

        return read_urdf_robot(place)
    if place.name and not suffix and len(place.parts) == 1:
        return read_toml_robot(_shipped(place.name))
    raise ModelError(one_line(f"{place}: a robot is a .toml or .urdf file or one of {', '.join(shipped_robots())}"))


def shipped_robots() -> tuple[str, ...]:
    """Names of the robots that ship, in alphabetical order; `load_robot` takes each."""
    return tuple(sorted(file.stem for file in ROBOTS.glob("*.toml")))


def _shipped(name: str) -> Path:
    names = shipped_robots()
    if name.lower() in names:
        return ROBOTS / f"{name.lower()}.toml"
    close = difflib.get_close_matches(name.lower(), names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise ModelError(one_line(f"{name}: no robot of this name ships; {hint}there are {', '.join(names)}"))
