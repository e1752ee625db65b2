"""`NAME.srdf` next to `NAME.urdf`: pairs of links whose contact does not count, as MoveIt writes them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import Unreadable, UrdfError, file_bytes
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_kind import SUFFIX, companion_of
from armature.engine.model.urdf.urdf_xml import Node, parse

MAX_BYTES = 10_000_000
_SHOWN = 5  # names


def srdf_of(urdf: Path) -> Path:
    """Path of the SRDF of a URDF or xacro file, which may be missing."""
    companion = companion_of(urdf)
    return companion.with_name(companion.name[: -len(SUFFIX)] + ".srdf")


def with_srdf(robot: Robot, urdf: Path) -> Robot:
    """Return the robot of a URDF file with the `<disable_collisions>` of its SRDF, if there is one. Raises ModelError."""
    path = srdf_of(urdf)
    if not os.path.lexists(path):
        return robot
    try:
        nodes = parse(file_bytes(path, MAX_BYTES, "SRDF file")).children("disable_collisions")
        pairs = tuple(dict.fromkeys(map(_pair, nodes)))
    except (UrdfError, Unreadable) as error:
        raise ModelError(one_line(f"{one_line(str(path), 200)}: {error}", 700)) from None
    unknown = list(dict.fromkeys(name for pair in pairs for name in pair if name not in robot.links))
    remarks = robot.remarks
    if unknown:
        names = ", ".join(unknown[:_SHOWN]) + ", …" * (len(unknown) > _SHOWN)
        remarks = (*remarks, f"{path.name} names links that the URDF does not have: {names}.")
    known = tuple(pair for pair in pairs if robot.links.keys() >= set(pair))
    return replace(robot, ignored_contacts=(*robot.ignored_contacts, *known), remarks=remarks)


def _pair(node: Node) -> tuple[str, str]:
    """The two links of an element."""
    one, other = node.name("link1"), node.name("link2")
    if one == other:
        raise node.error(f"names link {one!r} twice; give two links")
    return one, other
