"""Numbers and poses as XML files hold them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.model.body import PRISMATIC, Frame
from armature.engine.model.file_bytes import real_path
from armature.engine.model.robot import Robot
from armature.engine.model.toml.written_values import as_fraction, short, short_lengths
from armature.engine.model.visual import Visual
from armature.engine.rotations import exact_roll_pitch_yaw, quaternion

_SHOWN = 3
WORLD = "world"
_ON_AXIS = 1e-13  # m
_NONE = "0 0 0"


class MeshNames:
    """Names of the mesh files of a written file in `folder`; `packages`, `outside` and `lost` collect what a reader may miss."""

    def __init__(self, folder: Path):
        self._folder = real_path(folder.absolute())
        self.outside: dict[str, None] = {}
        self.lost: dict[str, None] = {}
        self.packages: dict[str, None] = {}

    def name(self, shape: Visual) -> str:
        """The name a URDF gives a mesh: as it was written where it is of a package, else relative to the folder."""
        if shape.file.startswith("package://"):
            self.packages[shape.file.removeprefix("package://").partition("/")[0]] = None
            return shape.file
        return self.relative(shape) or shape.file

    def relative(self, shape: Visual) -> str:
        """Path relative to the folder, or absolute if it is outside; empty for a missing mesh."""
        if shape.path is None:
            self.lost[shape.file] = None
            return ""
        place = real_path(shape.path)
        if place.is_relative_to(self._folder):
            return place.relative_to(self._folder).as_posix()
        self.outside[place.name] = None
        try:
            return Path(os.path.relpath(place, self._folder)).as_posix()
        except ValueError:  # another drive
            return place.as_posix()

    def messages(self) -> list[str]:
        """Messages about packages, paths and missing meshes."""
        lines = []
        if self.packages:
            lines.append(
                f"Meshes are named by package; the program that reads the file must find the package: {some(self.packages)}."
            )
        if self.outside:
            where = "which Armature reads only if the file is in their package or robot folder"
            lines.append(f"Meshes are outside the file's folder, {where}: {some(self.outside)}.")
        if self.lost:
            lines.append(f"Missing meshes keep their previous path: {some(self.lost)}.")
        return lines


def some(names: Iterable[str]) -> str:
    """The first few of them."""
    listed = list(dict.fromkeys(names))
    return f"{', '.join(listed[:_SHOWN])}{f' and {len(listed) - _SHOWN} more' if len(listed) > _SHOWN else ''}"


@dataclass(frozen=True, eq=False)
class Carrier:
    """The link `name` at `X_BL` on a body (-1 for the world), and the further frames there, by name."""

    body: int
    name: str
    X_BL: np.ndarray
    others: dict[str, np.ndarray]


def carriers(robot: Robot, tool: str, on_axis: bool) -> list[Carrier]:
    """Return one carrier per body, the world first; `tool` is the name of the tool.

    `on_axis`: the link of a revolute body needs its origin on the joint's axis, as in URDF; otherwise a link is added at the
    joint.
    """
    frames = _named_frames(robot, tool)
    taken, found = set(frames), list[Carrier]()
    for i in range(-1, len(robot.bodies)):
        own = {name: frame.X_BF for name, frame in frames.items() if frame.body == i}
        fitting = [name for name, X in own.items() if name in robot.links and _fits(robot, i, X, on_axis)]
        if fitting:
            name = fitting[0]
        else:
            name = WORLD if i < 0 else free_name(f"{_joint_name(robot, i)}_body", taken)
            taken.add(name)
        X = own.pop(name, np.eye(4))
        found.append(Carrier(i, name, X, own))
    return found


def tool_link(robot: Robot) -> str:
    """Link that coincides with the tool, or else the name of the tool."""
    same = (name for name, link in robot.links.items() if _same(link, robot.tool_frame))
    return next(same, robot.tool)


def _named_frames(robot: Robot, tool: str) -> dict[str, Frame]:
    """Every frame of the robot that a file can name, links first, and its tool as `tool`."""
    frames = {name: frame for name, frame in robot.frames.items() if name not in {*robot.links, WORLD, "tool"}}
    return {**robot.links, **frames} | {tool: robot.tool_frame}


def joint_order(robot: Robot) -> list[int]:
    """Bodies as a file lists them, each branch to its end before the next."""
    order: list[int] = []
    todo = [i for i, body in enumerate(robot.bodies) if body.parent < 0][::-1]
    while todo:
        order.append(todo.pop())
        todo += [i for i, body in enumerate(robot.bodies) if body.parent == order[-1]][::-1]
    return order


def order_messages(robot: Robot) -> list[str]:
    """Message about a changed order of joints."""
    order = [i for i in joint_order(robot) if i in robot.joint_bodies]
    if order == sorted(order):
        return []
    names = [robot.joint_names[robot.joint_bodies.index(i)] for i in order]
    return [f"Joints are written branch by branch, so their order changes: {', '.join(names)}."]


def _fits(robot: Robot, i: int, X: np.ndarray, on_axis: bool) -> bool:
    if i < 0:
        return bool(np.array_equal(X, np.eye(4))) if on_axis else True
    slides = robot.bodies[i].joint_type == PRISMATIC
    return not on_axis or slides or bool(np.abs(X[:2, 3]).max() <= _ON_AXIS)


def _same(one: Frame, other: Frame) -> bool:
    return one.body == other.body and bool(np.array_equal(one.X_BF, other.X_BF))


def _joint_name(robot: Robot, i: int) -> str:
    return robot.joint_names[i] if robot.coupling is None else robot.coupling.names[i]


@dataclass(frozen=True)
class Written:
    """Exported files: `texts` by path, the robot's own first; `losses` are messages."""

    texts: Mapping[Path, str]
    losses: tuple[str, ...]


def numbers(values: Any) -> str:
    """One or several numbers with blanks between, read back to the last bit."""
    return " ".join(repr(float(x) + 0.0).removesuffix(".0") for x in np.ravel(values))


def lengths(p: Iterable[float]) -> str:
    """Lengths in m, or components of a unit vector, with few digits and without rounding errors relative to 1."""
    return numbers(short_lengths(p))


def figure(x: float) -> str:
    """One number with few digits."""
    return numbers(short([x]))


def origin(parent: Any, X: np.ndarray) -> None:
    """An `<origin>` of a URDF, left out for the identity."""
    xyz, rpy = lengths(X[:3, 3]), _angles(exact_roll_pitch_yaw(X[:3, :3]))
    if (xyz, rpy) != (_NONE, _NONE):
        etree.SubElement(parent, "origin", xyz=xyz, rpy=rpy)


def _angles(values: Iterable[float]) -> str:
    """Angles in rad with few digits, fractions of pi with all."""
    return numbers([x if as_fraction(x) else short_lengths([x])[0] for x in values])


def place(X: np.ndarray) -> dict[str, str]:
    """Attributes `pos` and `quat` of an element of a MuJoCo model, without identity values."""
    figures = {"pos": (lengths(X[:3, 3]), _NONE), "quat": (lengths(quaternion(X[:3, :3])), "1 0 0 0")}
    found = {key: text for key, (text, usual) in figures.items() if text != usual}
    return found


def as_text(root: Any, about: Iterable[str]) -> str:
    """Return the XML file: a comment with the description, then the elements."""
    lines = [line.replace("--", "– ") for line in about if line]
    comment = "<!--\n" + "".join(f"  {line}\n" for line in lines) + "-->\n" if lines else ""
    etree.indent(root, "  ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comment}{etree.tostring(root, encoding="unicode")}\n'


def free_name(wanted: str, taken: Sequence[str] | set[str]) -> str:
    """The name, with a number behind it where it is taken."""
    name, k = wanted, 2
    while name in taken:
        name, k = f"{wanted}{k}", k + 1
    return name
