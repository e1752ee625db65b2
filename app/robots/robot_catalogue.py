"""The robots that can be chosen, by group: those that ship, a person's own files, and those of the package example-robot-data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from armature import engine
from armature.engine import Robot
from armature.engine.files import shipped
from armature.engine.model.load_robot import SUFFIXES
from armature.engine.model.xacro.xacro_place import file_of

PACKAGE = "example-robot-data"
TEXTBOOK, INDUSTRIAL, OWN, EXAMPLES = "Textbook", "Industrial", "Your files", f"Examples ({PACKAGE})"
GROUPS = (TEXTBOOK, INDUSTRIAL, OWN, EXAMPLES)


@dataclass(frozen=True)
class Place:
    """Where a robot's file lies; `name` is what the program opens, a path or the name of a robot that ships."""

    file: Path
    name: str
    group: str = ""


@dataclass(frozen=True)
class Entry:
    """A robot's file that was read: its robot, or why it is refused."""

    place: Place
    robot: Robot | None = None
    refusal: str = ""

    @property
    def group(self) -> str:
        """Under which heading it stands."""
        if self.place.group:
            return self.place.group
        return TEXTBOOK if self.robot is not None and self.robot.group == "textbook" else INDUSTRIAL

    @property
    def title(self) -> str:
        """What people call it; the package's robots are called as their files, since several of them have one name."""
        if self.robot is None or self.group == EXAMPLES:
            return file_of(self.place.file).stem
        return self.robot.title

    @property
    def subtitle(self) -> str:
        """How many joints it has, and what it lacks."""
        if self.robot is None:
            return "cannot be opened"
        joints = "1 joint" if self.robot.n == 1 else f"{self.robot.n} joints"
        return joints if self.robot.has_dynamics else f"{joints}, no masses"

    def fits(self, words: str) -> bool:
        """Whether every one of the words is in its names or its description."""
        about = () if self.robot is None else (self.robot.name, self.robot.description, self.subtitle)
        text = " ".join((self.title, self.place.name, self.group, *about)).lower()
        return all(word in text for word in words.lower().split())


def places(own: Sequence[str]) -> list[Place]:
    """All robots' files, `own` being those that a person opened, newest first."""
    folder = shipped("robots")
    out = [Place(folder / f"{name}.toml", name) for name in engine.shipped_robots()]
    known = {place.file.resolve() for place in out}
    for path in map(Path, own):
        file = file_of(path)
        if file.suffix.lower() in SUFFIXES and file.is_file() and path.resolve() not in known:
            known.add(path.resolve())
            out.append(Place(path, str(path), OWN))
    return out + [Place(path, str(path), EXAMPLES) for path in urdf_files() if path.resolve() not in known]


def read(place: Place) -> Entry:
    """What a file holds."""
    try:
        return Entry(place, engine.load_robot(place.name))
    except engine.EngineError as error:
        return Entry(place, refusal=str(error))


def urdf_files() -> list[Path]:
    """The package's robots, a family beside the other; none where it is not installed."""
    try:
        folder = Path(str(distribution(PACKAGE).locate_file(f"cmeel.prefix/share/{PACKAGE}/robots")))
    except PackageNotFoundError:
        return []
    files = [path for place in ("urdf", "robots") for path in folder.glob(f"*/{place}/*.urdf")]
    return sorted(files, key=lambda path: (path.parents[1].name.lower(), path.stem.lower()))
