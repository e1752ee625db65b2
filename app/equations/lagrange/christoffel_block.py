"""The Christoffel symbols of one joint as a grid; a click on one lights up the slopes of M it is made of."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.equations.formula_names import subscript
from armature.app.equations.lagrange.christoffel_words import order_line, slopes_of, sum_line, symbol_line
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import choice, named, row
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.robot import Robot

DECIMALS = 4  # at least
Place = tuple[int, int, int]
ABOUT = "Row i, column j: coefficient of q̇ᵢ q̇ⱼ in the torque of joint k. Click an entry to mark its derivatives of M."


class ChristoffelBlock(QWidget):
    """Tells `clicked(k, i, j)`, counted from 0, and `hovered(joints)`."""

    clicked = Signal(tuple)
    hovered = Signal(tuple)

    def __init__(self):
        super().__init__()
        self.place: Place = (0, 0, 0)
        self._pairs: list[tuple[int, int]] = []
        self._values: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self.joint = choice("christoffel_joint", "Joint k of the Christoffel symbols", {})
        self.joint.activated.connect(self._on_joint)
        self.grid = named(NumberTable("Christoffel symbols of joint k", "c", DECIMALS, 1), "christoffel_grid")
        self.grid.setMouseTracking(True)
        self.grid.clicked.connect(self._on_click)
        self.grid.entered.connect(self._on_hover)
        self.grid.left.connect(lambda: self.hovered.emit(()))
        self.symbol, self.sum = (named(QLabel(), f"christoffel_{name}") for name in ("symbol", "sum"))
        for label in (self.symbol, self.sum):
            label.setWordWrap(True)
        self.order = named(note(), "christoffel_order")
        self.slopes = named(NumberTable("Derivatives of the mass matrix", "dM", DECIMALS, 1), "christoffel_slopes")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def making(self) -> Steps:
        """The symbols, and the slopes."""
        symbols, slopes = Section("Christoffel symbols of M"), Section("Derivatives ∂M/∂q")
        for part in (row(note("Joint k ="), self.joint, None), self.grid, self.symbol, self.order, self.sum, note(ABOUT)):
            symbols.add(part)
        slopes.add(self.slopes)
        for section in (symbols, slopes):
            self._column.addWidget(section)
            yield

    def set_robot(self, robot: Robot) -> None:
        """Another robot's joints, and as many decimals as it needs."""
        n, decimals = robot.n, decimals_for(sizes_of(robot).inertia, DECIMALS)
        self._values, self.place = None, (0, 0, 0)
        self.joint.clear()
        for k, name in enumerate(robot.joint_names):
            self.joint.addItem(f"{k + 1}  {name}", k)
        across = tuple(str(k + 1) for k in range(n))
        self.grid.set_shape(across, across, decimals=decimals)
        self._pairs = list(combinations_with_replacement(range(n), 2))
        rows, columns = [f"M{subscript(*pair)}" for pair in self._pairs], [f"∂/∂q{subscript(k)}" for k in range(n)]
        self.slopes.set_shape(rows, columns, decimals=decimals)
        self._mark()

    def show_state(self, symbols: np.ndarray, slopes: np.ndarray, qd: np.ndarray) -> None:
        """Christoffel symbols and slopes of M `(n, n, n)`, at these speeds."""
        self._values = symbols, slopes, qd
        self._write()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        for table in (self.grid, self.slopes):
            table.refit()
            table.set_theme(tokens)

    def choose(self, place: Place) -> None:
        """Another symbol."""
        self.place = place
        self.joint.setCurrentIndex(place[0])
        self._mark()
        self._write()

    def _on_joint(self, k: int) -> None:
        self.choose((k, *self.place[1:]))
        self.clicked.emit(self.place)

    def _on_click(self, at: QModelIndex) -> None:
        self.choose((self.place[0], at.row(), at.column()))
        self.clicked.emit(self.place)

    def _on_hover(self, at: QModelIndex) -> None:
        self.hovered.emit(tuple(dict.fromkeys((self.place[0], at.row(), at.column()))))

    def _mark(self) -> None:
        """Symbol and slopes stand out."""
        self.grid.set_active(self.place[1:])
        cells = [(self._pairs.index(pair), along) for pair, along in slopes_of(self.place)]
        self.slopes.numbers.marked = frozenset(cells)
        self.slopes.viewport().update()
        self.order.setText(order_line(self.place))

    def _write(self) -> None:
        if self._values is None:
            return
        symbols, slopes, qd = self._values
        k, _, j = self.place
        self.grid.numbers.set_values(symbols[k])
        self.slopes.numbers.set_values(np.array([slopes[pair] for pair in self._pairs]))
        self.symbol.setText(symbol_line(self.place, slopes))
        self.sum.setText(sum_line(k, j, symbols[k, :, j], qd))
