"""Whose a recording is: the robot that it names, where that is at hand, or else those that have as many joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from armature import engine
from armature.engine.model.load_robot import SUFFIXES
from armature.engine.model.xacro.xacro_place import file_of


@dataclass(frozen=True)
class Owner:
    """`robot` is a name or file to open, "" for the open robot, None where the user chooses; `why`, and which ones `fit`."""

    robot: str | None
    why: str = ""
    fit: tuple[tuple[str, str], ...] = ()
    """Pairs of what is shown and what is opened, the most likely first."""


def owner_of(recording, path: Path, robot, recent: Iterable[str] = (), of_open_robot: bool = False) -> Owner:
    """Whose a recording from `path` is.

    Args:
        recording: an `armature.Recording`.
        robot: the open one.
        recent: files that were opened of late; robots among them may be meant.
        of_open_robot: whether it was said that the recording is the open robot's; then the number of joints decides.
    """
    if of_open_robot:
        return Owner("") if robot.n == len(recording.joint_names) else Owner(None, f"{robot.name} has {joints(robot.n)}")
    maker = recording.robot_name or named_in(path)
    if not maker:
        return Owner(None, "it does not name its robot", _fitting(recording, robot, recent))
    if _is(robot, maker, recording):
        return Owner("")
    source = str(recording.metadata.get("source") or "")
    why = "which is not available"
    for place in (maker if maker in engine.shipped_robots() else "", source if file_of(Path(source)).is_file() else ""):
        try:
            if place and _is(engine.load_robot(place), maker, recording):
                return Owner(place)
            why = "whose joints have changed" if place else why
        except engine.EngineError:
            why = "whose file cannot be read"
    return Owner(None, f"it was recorded with {maker}, {why}", _fitting(recording, robot, recent))


def named_in(path: Path) -> str:
    """The shipped robot that a file is named after, as Armature names its recordings; plain CSV cannot say it inside."""
    word = path.name.split(" ")[0]
    return word if word in engine.shipped_robots() else ""


def joints(n: int) -> str:
    """So many joints in words."""
    return f"{n} joint{'s' * (n != 1)}"


def _is(robot, maker: str, recording) -> bool:
    return robot.name == maker and tuple(recording.joint_names) == tuple(robot.joint_names)


def _fitting(recording, robot, recent: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Robots with as many joints: those whose joints have the same names first, and of either kind the open one first."""
    wanted, found = tuple(recording.joint_names), []
    if robot.n == len(wanted):
        found.append((f"{robot.name} (open)", "", tuple(robot.joint_names) == wanted))
    own = ((file, file_of(Path(file))) for file in recent)
    files = [file for file, place in own if place.suffix.lower() in SUFFIXES and place.is_file()]
    for place in (*files, *(name for name in engine.shipped_robots() if name != robot.name)):
        try:
            one = engine.load_robot(place)
        except engine.EngineError:
            continue
        if one.n == len(wanted) and (robot.source is None or one.source != robot.source):
            shown = f"{one.name} ({Path(place).name})" if place in files else one.name
            found.append((shown, place, tuple(one.joint_names) == wanted))
    found.sort(key=lambda item: (not item[2], item[1] != ""))  # stable: otherwise in the order of the menus
    return tuple((shown, place) for shown, place, _ in found)
