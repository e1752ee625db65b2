"""The formula of an entry of a Jacobian, and the factors of det J, typeset in the background."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armature import engine
from armature.app.equations.jacobian.jacobian_point import JacobianPoint
from armature.app.equations.symbolic.symbol_maker import Cells, Style, SymbolMaker
from armature.app.equations.symbols import Symbol
from armature.app.equations.typesetter import Piece
from armature.engine.errors import EngineError
from armature.engine.formulas.formula import Formula

if TYPE_CHECKING:
    from armature.engine.formulas.determinant import Determinant
    from armature.engine.model.robot import Robot

RATES = (
    (r"c_\psi / c_\theta", r"s_\psi / c_\theta", "0"),
    (r"-s_\psi", r"c_\psi", "0"),
    (r"c_\psi \, t_\theta", r"s_\psi \, t_\theta", "1"),
)
"""E of roll, pitch θ and yaw ψ; c, s and t are cosine, sine and tangent."""

LONGEST = 12  # terms of a factor that is written out


@dataclass(frozen=True)
class Wanted:
    """The entry `place` of the Jacobian of a point; `robot` is the arm, whose tool det J is of."""

    robot: Robot
    point: JacobianPoint
    place: tuple[int, int]
    style: Style


@dataclass(frozen=True, eq=False)
class Made:
    """Typeset: the entry's `formula` or `why_not`, `rates` for E, and of `det` its factors, None for one that is too long."""

    wanted: Wanted
    formula: Formula | None
    symbols: list[Symbol]
    pieces: list[Piece]
    why_not: str
    rates: Cells
    det: Determinant | None
    factors: list[Piece | None]
    no_det: str


class JacobianMaker:
    """Keeps the formulas of the point and the arm that were requested last."""

    def __init__(self):
        self._symbols = SymbolMaker()
        self._formula: tuple[JacobianPoint, Formula] | None = None
        self._det: tuple[Robot, Determinant | None, str] | None = None
        self._one_at_a_time = threading.Lock()

    def make(self, wanted: Wanted) -> Made:
        """All of it."""
        maker, style = self._symbols, wanted.style
        with self._one_at_a_time:
            det, no_det = self._determinant(wanted.robot)
            formula, why_not = self._jacobian(wanted.point)
        symbols, pieces = ([], []) if formula is None else maker.line(formula[wanted.place], style)
        factors = []
        for factor in () if det is None else det.factors:
            terms = len(factor.formula.terms())
            latex = factor.formula.latex() if factor.power == 1 or terms == 1 else rf"\left({factor.formula.latex()}\right)"
            power = f"^{{{factor.power}}}" if factor.power > 1 else ""
            factors.append(maker.picture(latex + power, style) if terms <= LONGEST else None)
        return Made(wanted, formula, symbols, pieces, why_not, maker.texts(RATES, style), det, factors, no_det)

    def _jacobian(self, point: JacobianPoint) -> tuple[Formula | None, str]:
        if self._formula is None or self._formula[0] is not point:
            try:
                self._formula = point, point.formula()
            except EngineError as error:
                return None, str(error)
        return self._formula[1], ""

    def _determinant(self, robot: Robot) -> tuple[Determinant | None, str]:
        if self._det is None or self._det[0] is not robot:
            try:
                self._det = robot, engine.equations(robot).det_J, ""
            except EngineError as error:
                self._det = robot, None, str(error)
        return self._det[1:]
