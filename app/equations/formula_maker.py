"""Derives and typesets one entry, in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armature import engine
from armature.app.equations.formula_names import Entry
from armature.app.equations.symbols import Symbol, symbols_of
from armature.app.equations.typesetter import Piece, Typesetter
from armature.app.scene.overlays.dh_walk import SUBSCRIPTS, subscript
from armature.app.state.units import significant
from armature.engine.formulas.factor import COS, SIN
from armature.engine.formulas.formula import Formula
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine.formulas.equations import Equations

POINTS = 19.0  # px of a formula's text at zoom 1


@dataclass(frozen=True)
class Wanted:
    """What is to be typeset, and how large."""

    robot: Robot
    share: float
    entry: Entry
    size: float
    colour: str
    ratio: float


@dataclass(frozen=True)
class Typeset:
    """An entry's formula, typeset; `left_out` tells what its matrix leaves out."""

    wanted: Wanted
    formula: Formula
    symbols: list[Symbol]
    pieces: list[Piece]
    in_letters: bool
    left_out: str


class FormulaMaker:
    """Keeps the equations of the arm that was requested last."""

    def __init__(self):
        self._typesetter = Typesetter()
        self._equations: tuple[Robot, float, Equations] | None = None
        self._one_at_a_time = threading.Lock()

    def make(self, wanted: Wanted) -> Typeset:
        """The entry's formula. Raises EngineError where there is none."""
        with self._one_at_a_time:
            found = self.equations(wanted.robot, wanted.share)
            name, place = wanted.entry
            matrix = matrix_of(found, name)
            formula = matrix[place]
            symbols = symbols_of(formula)
            left_out = f"{_left_out(matrix, wanted.robot, found)} {index_words(symbols)}".rstrip()
        pieces = [self._typesetter.piece(s.latex, wanted.size, wanted.colour, wanted.ratio) for s in symbols]
        return Typeset(wanted, formula, symbols, pieces, found.in_letters, left_out)

    def equations(self, robot: Robot, share: float) -> Equations:
        """In letters where the arm is small, else in numbers."""
        if self._equations is None or self._equations[0] is not robot or self._equations[1] != share:
            found = engine.equations(robot)
            self._equations = robot, share, found if found.in_letters else engine.equations(robot, share)
        return self._equations[2]


def matrix_of(equations: Equations, name: str) -> Formula:
    """The matrix or vector of that name. Raises EngineError where there are no letters for it."""
    return _MATRICES[name](equations)


_MATRICES: dict[str, Callable[[Equations], Formula]] = {
    "M": lambda E: E.M,
    "C": lambda E: E.C,
    "g": lambda E: E.g,
    "centripetal": lambda E: E.centripetal,
    "coriolis": lambda E: E.coriolis,
    "c": lambda E: E.c,
    "christoffel": lambda E: E.christoffel,
    "T": lambda E: E.T,
    "V": lambda E: E.V,
    "L": lambda E: E.L,
    "dL_dqd": lambda E: E.dL_dqd,
    "dL_dqd_dt": lambda E: E.dL_dqd_dt,
    "dL_dq": lambda E: E.dL_dq,
    "tau": lambda E: E.tau,
}


def index_words(symbols: Sequence[Symbol]) -> str:
    """What the first index with a joint twice, or one taken off, means: s₂₂₃ = sin(2 q₂ + q₃). "" where there is none."""
    for factor in (symbol.factor for symbol in symbols):
        if factor is None or factor.kind not in (COS, SIN) or all(k in (0, 1) for k in factor.k):
            continue
        joints = [(i, k) for i, k in enumerate(factor.k) if k]
        terms = [
            f"{'−' if k < 0 else '+'} {abs(k) if abs(k) > 1 else ''} q{subscript(i + 1)}".replace("  ", " ") for i, k in joints
        ]
        index = factor.label.replace("m", "-").translate(SUBSCRIPTS)
        return f"{factor.kind[0]}{index} = {factor.kind}({' '.join(terms).removeprefix('+ ')})."
    return ""


def _left_out(matrix: Formula, robot: Robot, equations: Equations) -> str:
    if equations.in_letters:
        return "Symbolic, exact."
    if not equations.significance:
        return "All terms are shown."
    unit = "N·m or N" if robot.prismatic.any() else "N·m"
    share = f"{significant(100 * equations.significance, 3)} %"
    of = "g" if matrix.name == "g" else "M"
    return (
        f"Terms of {of} below {share} of its largest value are omitted; error at most {significant(matrix.error, 2)} {unit}"
        + ("." if matrix.name == "g" else " at 1 rad/s and 1 rad/s².")
    )
