"""Findings of the model check: place, proposed repair, and the numbers in their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ERROR, DOUBTFUL, NOTE = "error", "doubtful", "note"
GRADES = (ERROR, DOUBTFUL, NOTE)

Edit = tuple[tuple[str | int, ...], Any]


@dataclass(frozen=True)
class Place:
    """Place of a parameter: `part` is the joint or link, `file` and `line` (from 1) are given if known, `key` is its keys in
    the file, such as `("joints", 2, "com")` in TOML or `("link", "arm", "inertial", "mass", "value")` in URDF. `line` is a text
    with a file name if a macro of another file generated the parameter.
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
    """Proposed correction: `text` describes it, `edits` are pairs of keys and new value in the finding's file. `certain` if no
    other correction is possible; else it is the most likely one, and the user decides.
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
    """  # plain: names of grades

    rule: str
    grade: str
    where: Place
    figure: str
    cause: str
    repair: Repair | None = None

    def __str__(self) -> str:
        mend = f" {self.repair}." if self.repair else ""
        return f"{self.grade}: {self.where}: {self.rule}: {self.figure}. {self.cause}.{mend}"


def number(x: float) -> str:
    """Format with four significant digits and the sign −."""
    text = f"{x:.4g}"
    return (f"{float(text):.7g}" if 1e-4 <= abs(x) < 1e7 else text).replace("-", "−")


def vector(values: Sequence[float] | np.ndarray) -> str:
    """Format as [x, y, z]."""
    return f"[{', '.join(number(float(x)) for x in values)}]"


def reading_text(readings: Sequence[tuple[float, str]]) -> str:
    """Return "was probably entered in g" for one reading, "may have been entered in g or in t" for several.

    Each reading is a pair of factor and phrase.
    """
    *others, last = [phrase for _, phrase in readings]
    return f"may have been entered {', '.join(others)} or {last}" if others else f"was probably entered {last}"


def listed_moments(moments: Sequence[float] | np.ndarray) -> str:
    """Format principal moments as "a, b, c kg·m²"."""
    return ", ".join(number(float(x)) for x in moments) + " kg·m²"
