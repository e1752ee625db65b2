"""Argument types of the command line; every error is one line."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np

from armature.engine.errors import LARGEST
from armature.engine.model.robot import Robot
from armature.engine.recording.recording_files import part_path


class UsageError(Exception):
    """Something on the command line that cannot be; one line for the user."""


class _Once(argparse._StoreAction):
    """Keeps the value of an option, of which there may be one."""

    _filled: argparse.Namespace | None = None

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string is not None and self._filled is namespace:
            raise argparse.ArgumentError(self, "may be given only once")
        self._filled = namespace
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line and leaves the exit code to the caller; no option counts twice."""

    def __init__(self, **options):
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


LISTS = ("--q", "--q0", "--qd", "--qd0", "--qdd", "--view")


def join_lists(arguments: list[str]) -> list[str]:
    """`--q -1,2` as `--q=-1,2`: a list may begin with a minus sign and still not be an option."""
    joined, rest = [], iter(arguments)
    for argument in rest:
        value = next(rest, None) if argument in LISTS else None
        joined.append(argument if value is None else f"{argument}={value}")
    return joined


def joint_values(robot: Robot, option: str, text: str) -> np.ndarray:
    """Numbers `(n,)` from "0, 0.5 1" in rad and m (per s); raises UsageError naming the joints."""
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    joints = ", ".join(robot.joint_names)
    if len(words) != robot.n:
        raise UsageError(f"{option}: {robot.name} has {robot.n} joints ({joints}), got {len(words)} values")
    values = np.empty(robot.n)
    for k, word in enumerate(words):
        try:
            values[k] = float(word)
        except ValueError:
            raise UsageError(f"{option}: {robot.joint_names[k]} is {word!r}, not a number in {unit(robot, k)}") from None
    if not np.isfinite(values).all():
        raise UsageError(f"{option}: the values of {joints} must be finite numbers")
    k = int(np.argmax(np.abs(values)))
    if abs(values[k]) > LARGEST:
        raise UsageError(f"{option}: {robot.joint_names[k]} is {words[k]!r}, outside ±1e9 {unit(robot, k)}")
    return values


def joint_pose(robot: Robot, option: str, text: str) -> np.ndarray:
    """A pose `(n,)` by its name, or as `joint_values`."""
    if text in robot.configurations:
        return robot.configurations[text].copy()
    if re.search(r"[A-Za-z_]{2}", text) and not re.search(r"\b(inf|nan)\b", text, re.IGNORECASE) and len(text.split()) == 1:
        raise UsageError(f"{option}: {robot.name} has no pose {text!r}; it has {', '.join(robot.configurations)}")
    return joint_values(robot, option, text)


def unit(robot: Robot, joint: int) -> str:
    """ "rad" or "m"."""
    return "m" if robot.prismatic[joint] else "rad"


def above_0(what: str, most: float = math.inf) -> Callable[[str], float]:
    """An argparse type: a finite number of `what` above 0 and at most `most`."""
    bound = f" and at most {most:.0f}" if math.isfinite(most) else ""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (0 < value <= most and math.isfinite(value)):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of {what} above 0{bound}")
        return value

    return number


positive_seconds = above_0("seconds")


def finite(what: str) -> Callable[[str], float]:
    """An argparse type: any finite number, called `what`."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
        return value

    return number


def whole_number(what: str, least: int, most: float = math.inf) -> Callable[[str], int]:
    """An argparse type: a whole number, called `what`, from `least` to `most`."""
    bound = f" to {most:,}" if math.isfinite(most) else ""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not {what} from {least}{bound}")
        return int(text)

    return number


seed = whole_number("a whole number", 0)


def image_size(text: str) -> tuple[int, int]:
    """An argparse type: "1280x800"."""
    match = re.fullmatch(r"(\d{1,5})[xX×](\d{1,5})", text.strip())
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(16 <= side <= 16384 for side in size):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x800, from 16 to 16384 pixels each way")
    return size


def drag_of_hand(text: str) -> tuple[str, float]:
    """An argparse type: "z=0.1" in m or "ry=30" in degrees; gives the axis and m or rad."""
    match = re.fullmatch(r"(r?[xyz])=([-+.\deE]+)", text.strip())
    try:
        amount = float(match[2]) if match else math.nan
    except ValueError:
        amount = math.nan
    if match is None or not math.isfinite(amount):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a displacement; valid: x, y, z in m or rx, ry, rz in degrees, as z=0.1"
        )
    return match[1], math.radians(amount) if match[1].startswith("r") else amount


def look_of_workspace(text: str) -> tuple[str, int, float]:
    """An argparse type: "voxels" or "voxels,y,0.5"; gives the style, the axis of the cut or -1, and its share."""
    match = re.fullmatch(r"(points|voxels|boundary)(?:,([xyz])(?:,(0?\.\d+|0|1|1\.0*|0\.))?)?", text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a workspace style; valid: points, voxels or boundary, optionally ,AXIS,FRACTION such as ,y,0.5"
        )
    return match[1], "xyz".index(match[2]) if match[2] else -1, float(match[3] or 0.5)


def view_angles(names: dict[str, tuple[float, float]]):
    """An argparse type: one of `names`, or "azimuth,elevation[,distance]"; gives azimuth, elevation, distance or None."""

    def read(text: str) -> tuple[float, float, float | None]:
        if text in names:
            return *names[text], None
        words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            numbers = []
        fits = len(numbers) in (2, 3) and all(map(math.isfinite, numbers))
        if not (fits and abs(numbers[1]) <= 90 and min(numbers[2:], default=1) > 0):
            valid = f"{', '.join(names)} or azimuth,elevation[,distance] in degrees and m, with an elevation from -90 to 90"
            raise argparse.ArgumentTypeError(f"{text!r} is not a view; valid: {valid}")
        return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else None

    return read


def choices_list(valid: tuple[str, ...]):
    """An argparse type: names of `valid` with commas between them."""

    def read(text: str) -> tuple[str, ...]:
        names = tuple(name.strip() for name in text.split(",") if name.strip())
        for name in names:
            if name not in valid:
                raise argparse.ArgumentTypeError(f"unknown name {name!r}; valid: {', '.join(valid)}")
        return names

    return read


def robot_of(text: str) -> Robot:
    """The robot of that name or file; raises UsageError or ModelError, which say what a file is that is no robot."""
    from armature.app.state.recognised_file import (
        LOG,
        RECORDING,
        kind_of_file,
    )  # with all the readers, which --help does not need
    from armature.engine import load_robot
    from armature.engine.recording.recording_reader import open_recording

    kind = kind_of_file(text) if Path(text).is_file() else ""
    if kind in (LOG, RECORDING):
        with open_recording(text) as file:  # which tells what any other table seems to be
            of = f" of {file.metadata['robot']}" if file.metadata.get("robot") else ""
        raise UsageError(f"{text}: is a recording{of}, not a robot; to play it: armature replay {text}")
    return load_robot(text)


def robot_beside(trajectory: Path, robot: str) -> str:
    """Return the file named after the robot in the trajectory's folder, for a robot that does not ship; raise UsageError."""
    beside = (trajectory.parent / f"{robot}{suffix}" for suffix in (".toml", ".urdf", ".xacro", ".xml"))
    found = next((path for path in beside if path.is_file()), None)
    if found is None:
        raise UsageError(
            f"{trajectory}: its robot {robot} is not a shipped one, and {robot}.toml, .urdf or .xml is not in the same folder; "
            "open the robot first, then the trajectory"
        )
    return str(found)


def robot_of_trajectory(file: Path, given: str | None) -> Robot:
    """Return the given robot, or the one that a trajectory file names; raises UsageError or ModelError."""
    from armature.app.state.recognised_file import robot_named_in
    from armature.engine import shipped_robots

    name = given or robot_named_in(file)
    if not name:
        if not file.is_file():
            raise UsageError(f"{file}: file not found; give a trajectory file or the name of an included trajectory")
        raise UsageError(f"{file}: names no robot; give --robot")
    return robot_of(name if given or name in shipped_robots() else robot_beside(file, name))


def check_writable(path: Path) -> None:
    """Raises UsageError where no file can be written, before anything is worked out."""
    folder = path.absolute().parent
    if path.is_dir():
        raise UsageError(f"{path}: is a folder, not a file")
    if not folder.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError(f"{path}: no permission to write this file")


def require_file(recording: Path) -> None:
    """Raises UsageError where neither the recording nor its .part exists."""
    if not recording.exists() and not part_path(recording).is_file():
        raise UsageError(f"{recording}: no such file")


def refuse_existing(path: Path, overwrite: bool) -> None:
    """Raises UsageError where a file is in the way of another one, or it cannot be written."""
    check_writable(path)
    if path.exists() and not overwrite:
        raise UsageError(f"{path} already exists; use --overwrite to replace it")


def note(text: str) -> None:
    """One line on stderr."""
    print(f"armature: {text}", file=sys.stderr, flush=True)


def note_remarks(name: str, remarks: tuple[str, ...]) -> None:
    """What is worth knowing about a recording, a line each."""
    for remark in remarks:
        note(f"{name}: {remark}")
