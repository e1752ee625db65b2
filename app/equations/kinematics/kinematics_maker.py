"""The matrices of one frame in symbols and the formula of one of their entries, made in the background."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armature import engine
from armature.app.equations.kinematics.arm_frames import ArmFrames
from armature.app.equations.kinematics.row_symbols import motion_matrix, row_matrix
from armature.app.equations.symbolic.symbol_maker import Cells, Style, SymbolMaker
from armature.app.equations.symbols import Symbol
from armature.app.equations.typesetter import Piece
from armature.engine.errors import EngineError
from armature.engine.formulas.formula import Formula

if TYPE_CHECKING:
    from armature.engine.formulas.equations import Equations

STEP, PRODUCT = "step", "product"


@dataclass(frozen=True)
class Wanted:
    """Frame `k` of these frames, and of its `matrix`, STEP or PRODUCT, the entry at `place`."""

    frames: ArmFrames
    k: int
    matrix: str
    place: tuple[int, int]
    style: Style


@dataclass(frozen=True, eq=False)
class Made:
    """The matrices typeset, and the entry; `why_not` says why there are no formulas, where only `row` is typeset."""

    wanted: Wanted
    row: Cells
    step: Cells | None
    product: Cells | None
    formula: Formula | None
    symbols: list[Symbol]
    pieces: list[Piece]
    why_not: str = ""


class KinematicsMaker:
    """Keeps the formulas of the arm that was requested last."""

    def __init__(self):
        self._symbols = SymbolMaker()
        self._equations: dict[str, Equations] = {}
        self._of: ArmFrames | None = None
        self._one_at_a_time = threading.Lock()

    def make(self, wanted: Wanted) -> Made:
        """All of it."""
        frames, k, maker = wanted.frames, wanted.k, self._symbols
        dh = frames.robot.dh
        kind = motion_matrix(False if frames.is_tool(k) else frames.slides(k)) if dh is None else row_matrix(dh.convention)
        row = maker.texts(kind, wanted.style)
        try:
            step = None if frames.is_tool(k) else self.formula(frames, k, STEP)
            product = self.formula(frames, k, PRODUCT)
        except EngineError as error:
            return Made(wanted, row, None, None, None, [], [], str(error))
        formula = product if wanted.matrix == PRODUCT or step is None else step
        symbols, pieces = maker.line(formula[wanted.place], wanted.style)
        cells = None if step is None else maker.matrix(step, wanted.style)
        return Made(wanted, row, cells, maker.matrix(product, wanted.style), formula, symbols, pieces)

    def formula(self, frames: ArmFrames, k: int, matrix: str) -> Formula:
        """A_k, or its product with those before it. Raises EngineError where there are none."""
        with self._one_at_a_time:
            if self._of is not frames:
                self._of, self._equations = frames, {}
            return self._found(frames, "").A[k - 1] if matrix == STEP else self._found(frames, frames.frames[k].name).fk

    def _found(self, frames: ArmFrames, tool: str) -> Equations:
        if tool not in self._equations:
            tree = frames.robot.tree
            self._equations[tool] = engine.equations(tree.with_tool(tool) if tool else tree)
        return self._equations[tool]
