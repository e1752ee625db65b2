"""Formulas and numbers as parts of a derivation sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

import numpy as np

from armature.app.equations.sheet.blocks import Display, Equation, Line, Math, Matrix
from armature.app.state.units import significant
from armature.engine import Robot
from armature.engine.formulas.formula import Formula
from armature.engine.formulas.typeset import sum_parts
from armature.engine.rounding import cleared

DIGITS = 4
LONG, ROOM = 8, 56  # terms of an entry, and letters across, up to which a matrix is written as one
UNSEEN = re.compile(r"\\[a-z,]+|[{}\\_^ ]")


def plain(text: str) -> str:
    """Words from a file, in which nothing is markup."""
    return escape(text, quote=False)


def index(*joints: int) -> str:
    """Joints counted from 0 as an index in LaTeX, counted from 1."""
    return "_{" + ("," if max(joints) > 8 else "").join(str(k + 1) for k in joints) + "}"


def sum_line(formula: Formula, place: tuple[int, ...]) -> Line:
    """The entry as a line that breaks between its terms."""
    parts = sum_parts(formula.terms(place), DIGITS)
    signed = [part if not k or part.startswith("-") else f"+ {part}" for k, part in enumerate(parts)]
    return tuple(Math(_spaced(part) if k else part) for k, part in enumerate(signed)) or (Math("0"),)


def equation(
    left: str, formula: Formula, place: tuple[int, ...], value: float, unit: str = "", shortened: bool = False
) -> Equation:
    """The entry, and its number now; both are all but those of a formula that is shortened."""
    tail = f"{'≈' if shortened else '='} <b>{significant(value, DIGITS, 1.0)}</b> {unit}"
    tail = tail.rstrip().replace(" ", "\N{NO-BREAK SPACE}")
    return Equation((Math(left),), (Math(r"\approx" if shortened else "="), *sum_line(formula, place), tail))


def numbers(values: np.ndarray, digits: int = DIGITS) -> Matrix:
    """A matrix of numbers, a vector as a column."""
    rows = np.asarray(values).reshape(len(values), -1)
    scale = max(1.0, float(np.abs(rows).max(initial=0.0)))
    return Matrix(tuple(tuple((significant(float(x), digits, scale),) for x in row) for row in rows))


def symbols(formula: Formula, rows: int | None = None) -> Matrix:
    """A matrix of formulas, its first rows only where so many are given."""
    shape = formula.shape if len(formula.shape) > 1 else (*formula.shape, 1)
    places = [[(i, j)[: len(formula.shape)] for j in range(shape[1])] for i in range(rows or shape[0])]
    return Matrix(tuple(tuple(sum_line(formula, place) for place in row) for row in places))


def is_short(formula: Formula, places: Iterable[tuple[int, ...]]) -> bool:
    """Whether a matrix with these entries finds room on a line."""
    widths: dict[tuple[int, ...], int] = {}
    for place in places:
        if len(formula.terms(place)) > LONG:
            return False
        width = sum(len(UNSEEN.sub("", part)) for part in sum_parts(formula.terms(place), DIGITS))
        widths[place[1:]] = max(widths.get(place[1:], 1), width)
    return sum(widths.values()) <= ROOM


def display(*items: str | Matrix) -> Display:
    """Left sides in LaTeX, each with the matrix behind it."""
    pairs = zip(items[::2], items[1::2], strict=True)
    return Display(tuple(((Math(str(left)),), matrix) for left, matrix in pairs if isinstance(matrix, Matrix)))


def letter(name: str) -> Math:
    """m1 as m with an index."""
    return Math(f"{name[0]}_{{{name[1:]}}}" if name[1:] else name)


def letter_unit(name: str) -> str:
    """The unit of a letter of an arm."""
    return {"m": "kg", "I": "kg·m²", "g": "m/s²"}.get(name[0], "m")


def letter_rows(values: Mapping[str, float]) -> tuple[tuple[Line, ...], ...]:
    """Letters, four in a row, with their numbers."""
    cells = [((letter(name),), (f"{significant(x)} {letter_unit(name)}",)) for name, x in values.items()]
    rows = [sum(cells[k : k + 4], ()) for k in range(0, len(cells), 4)]
    return tuple(row + ((),) * (len(rows[0]) - len(row)) for row in rows)


def torque_unit(robot: Robot, joint: int) -> str:
    """N·m, of a slide N."""
    return "N" if robot.prismatic[joint] else "N·m"


def degrees_or_metres(value: float, slides: bool, scale: float) -> str:
    """A joint position, or a length of the DH table."""
    if slides:
        return f"{significant(cleared(value, scale))} m"
    return f"{significant(cleared(float(np.degrees(value)), 180.0))}°"


def _spaced(part: str) -> str:
    """A sign with room behind it."""
    return rf"- \, {part[1:]}" if part.startswith("-") else part.replace("+ ", r"+ \, ", 1)
