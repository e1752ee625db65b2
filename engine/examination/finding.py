"""`Finding`: something about a robot's figures that its user should know, where it stands, and what repairs it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

ERROR, DOUBTFUL, NOTE = "error", "doubtful", "note"
GRADES = (ERROR, DOUBTFUL, NOTE)

Edit = tuple[tuple[str | int, ...], Any]


@dataclass(frozen=True)
class Place:
    """Where a figure stands: `part` is the joint or link, `file` and `line` (from 1) where they are known, `key` its keys in
    the file, such as `("joints", 2, "com")` in TOML or `("link", "arm", "inertial", "mass", "value")` in URDF. The line of a
    figure that a macro of another file wrote is a text with that file's name.
    """

    part: str
    file: Path | None = None
    line: int | str | None = None
    key: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        file = "" if self.file is None else self.file.name
        line = "" if self.line is None else f"line {self.line}"
        return ", ".join(word for word in (file, line, self.part) if word)


@dataclass(frozen=True)
class Repair:
    """What to write instead: `text` says it to people, `edits` are pairs of keys and new value in the finding's file. It is
    `certain` where the figures leave no other answer; else it is the likeliest, and for a person to decide.
    """

    text: str
    edits: tuple[Edit, ...]
    certain: bool = False

    def __str__(self) -> str:
        return f"{'Repair' if self.certain else 'Likely repair'}: {self.text}"


@dataclass(frozen=True)
class Finding:
    """Finding of `armature.examine` about one parameter of a robot.

    `rule` is the name of the check. `grade` is "error" (certainly wrong, wrong by orders of magnitude, or not possible to
    simulate), "doubtful" (a warning: not physical, but it can be computed) or "note". `where` is the place: `part` (joint or
    link), `file`, `line` and `key`. `figure` is a text with the numbers that show the mistake, `cause` its likely cause; `repair`
    is the proposed correction, with `text`, `edits` and `certain`, or None if unknown.
    """  # plain: names of grades  # plain: names of grades

    rule: str
    grade: str
    where: Place
    figure: str
    cause: str
    repair: Repair | None = None

    def __str__(self) -> str:
        mend = f" {self.repair}." if self.repair else ""
        return f"{self.grade}: {self.where}: {self.rule}: {self.figure}. {self.cause}.{mend}"
