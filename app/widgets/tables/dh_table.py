"""A live DH table in either convention, in the user's units."""

from __future__ import annotations

import numpy as np

from armature.app.state.units import Units
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.dh.dh_moves import ALPHA, THETA, A, D
from armature.engine.model.dh_table import MODIFIED, STANDARD, DHTable

COLUMNS = {STANDARD: (THETA, D, A, ALPHA), MODIFIED: (A, ALPHA, D, THETA)}
RULES = {
    STANDARD: "Standard: Rot z(θ) Trans z(d) Trans x(a) Rot x(α).",
    MODIFIED: "Modified: Rot x(αᵢ₋₁) Trans x(aᵢ₋₁) Rot z(θᵢ) Trans z(dᵢ).",
}


class DHTableView(NumberTable):
    """One row per joint; the cells of the joint variables are tinted."""

    _table: DHTable  # from `set_table` on

    def __init__(self):
        super().__init__("DH table", "dh", decimals=4, whole=3)
        self._units = Units()

    @property
    def rule(self) -> str:
        """The convention in one line."""
        return RULES[self._table.convention]

    def set_table(self, table: DHTable, units: Units):
        """Names and size of this table, its numbers in these units."""
        self._table, self._units = table, units
        names = [self._name(quantity) for quantity in self._quantities()]
        marked = [self.cell(i, D if slides else THETA) for i, slides in enumerate(table.prismatic)]
        turn = 3 if units.symbol(False) == "°" else units.decimals(False)
        self.numbers.decimals = tuple(turn if q in (THETA, ALPHA) else units.decimals(True) for q in self._quantities())
        self.set_shape([str(i + 1) for i in range(table.n)], names, marked)

    def cell(self, row: int, quantity: str) -> tuple[int, int]:
        """Where a quantity of a row stands."""
        return row, self._quantities().index(quantity)

    def show_q(self, q: np.ndarray):
        """The rows at joint positions q `(n,)` in rad or m."""
        columns = dict(zip((THETA, D, A, ALPHA), self._table.rows(q).T, strict=True))
        values = [columns[quantity] * self._units.factor(quantity in (A, D)) for quantity in self._quantities()]
        self.numbers.set_values(np.column_stack(values))

    def _quantities(self) -> tuple[str, ...]:
        return COLUMNS[self._table.convention]

    def _name(self, quantity: str) -> str:
        symbol = {THETA: "θ", D: "d", A: "a", ALPHA: "α"}[quantity]
        if self._table.convention != STANDARD:
            symbol += "ᵢ₋₁" if quantity in (A, ALPHA) else "ᵢ"
        return f"{symbol} {self._units.symbol(quantity in (A, D))}"
