"""Reading xacro files: expanded to a URDF, which is read as any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from armature.engine.model.robot import Robot
from armature.engine.model.urdf.urdf_reader import robot_of_urdf
from armature.engine.model.xacro.expansion import expand
from armature.engine.model.xacro.xacro_place import arguments_of, file_of, with_arguments


def read_xacro_robot(path: Path, arguments: Mapping[str, object] | None = None) -> Robot:
    """The robot described by the xacro file at `path`, behind which its arguments may stand; its hash is that of the URDF.

    Raises:
        ModelError: with one line that names the file, the line, what is wrong and what is valid.
    """
    file, given = file_of(path), arguments_of(path, arguments)
    expanded = expand(file, given)
    robot = robot_of_urdf(expanded.text, file, expanded.lines)
    return replace(robot, source=with_arguments(file, given))
