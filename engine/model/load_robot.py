"""`load_robot`: a robot from a file, or from the name of one that ships."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path

from armature.engine.errors import ModelError, one_line
from armature.engine.files import shipped
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import read_toml_robot
from armature.engine.model.toml.toml_kind import SUFFIX, urdf_of
from armature.engine.model.xacro.xacro_place import is_xacro

ROBOTS = shipped("robots")
MJCF_SUFFIXES = (".xml", ".mjcf")
SUFFIXES = (".toml", ".urdf", ".xacro", *MJCF_SUFFIXES)


def load_robot(path: str | os.PathLike[str], arguments: Mapping[str, object] | None = None) -> Robot:
    """Read a robot file, URDF, xacro file or MuJoCo model.

    Args:
        path: a `.toml` robot file, a `.urdf` or `.xacro` file, a MuJoCo model (`.xml` or `.mjcf`), or the bare name of an
            included robot such as `"puma560"`. If the folder of a `.urdf` or `.xacro` file contains its companion file
            `NAME.armature.toml`, the values there are added. The arguments of a xacro file may follow its name:
            `"ur.urdf.xacro?ur_type=ur5e&name=left"`.
        arguments: values for the arguments of a xacro file, by name.

    Returns:
        An immutable `Robot` in m, kg and rad; its `remarks` list assumptions made while reading, so read them before you rely on
        its numbers.

    Raises:
        ModelError: one line with the file, the field or element, the mistake and the valid values.
    """
    try:
        place = Path(path)
    except TypeError:
        expected = 'a path or the name of a robot such as "puma560"'
        raise ModelError(f"load_robot: path must be {expected}, got {one_line(repr(path), 80)}") from None
    if place.name.lower().endswith(SUFFIX):
        companion, place = place, urdf_of(place)
        if companion.is_file() and not place.exists():
            raise ModelError(one_line(f"{companion}: needs {place.name} in the same folder; that file does not exist"))
    if is_xacro(place):
        from armature.engine.model.xacro.xacro_reader import read_xacro_robot

        return read_xacro_robot(place, arguments)
    if arguments:
        raise ModelError(one_line(f"{place}: only xacro files have arguments"))
    suffix = place.suffix.lower()
    if suffix == ".toml":
        return read_toml_robot(place)
    if suffix == ".urdf":
        from armature.engine.model.urdf.urdf_reader import read_urdf_robot  # lxml, which only this needs

        return read_urdf_robot(place)
    if suffix in MJCF_SUFFIXES:
        from armature.engine.model.mjcf.mjcf_reader import read_mjcf_robot  # mujoco, an extra

        return read_mjcf_robot(place)
    if place.name and not suffix and len(place.parts) == 1:
        return read_toml_robot(_shipped(place.name))
    kinds = f"a robot must be a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file"
    raise ModelError(one_line(f"{place}: {kinds} or one of {', '.join(shipped_robots())}"))


def shipped_robots() -> tuple[str, ...]:
    """Return the names of the included robots in alphabetical order; `load_robot` accepts each of them."""
    return tuple(sorted(file.stem for file in ROBOTS.glob("*.toml")))


def _shipped(name: str) -> Path:
    names = shipped_robots()
    if name.lower() in names:
        return ROBOTS / f"{name.lower()}.toml"
    close = difflib.get_close_matches(name.lower(), names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise ModelError(one_line(f"{name}: no robot of this name is included; {hint}valid are {', '.join(names)}"))
