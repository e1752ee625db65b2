"""M, C and g as tables of numbers, one below the other."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature import engine
from armature.app.equations.formula_names import Entry
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.posed_motion import PosedMotion
from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.section import Section
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.robot import Robot

DECIMALS = 3  # at least
MOST = 6  # columns that the dock has room for
TITLES = {
    "M": "M(q), mass matrix",
    "C": "C(q, q̇), Coriolis matrix",
    "parts": "C(q, q̇) q̇, centripetal and Coriolis terms",
    "g": "g(q), gravity torque",
}
TORQUES = ("N·m", "N")
UNITS = {"M": ("kg·m²", "kg·m", "kg"), "C": ("N·m·s", "N·s", "N·s/m"), "parts": TORQUES, "g": TORQUES}
"""Where joints turn, where one of the two slides, where they slide."""
PARTS = {"centripetal": "q̇ᵢ²  centripetal", "coriolis": "q̇ᵢ q̇ⱼ  Coriolis", "c": "sum"}
PART_NAMES = tuple(PARTS)
PARTS_TIP = "Centripetal terms contain the square of one joint speed, Coriolis terms the product of two"


class MatrixTables(QWidget):
    """The engine's numbers at the pose; tells `clicked(entry)`, and `hovered(entry)`, None beside all entries."""

    clicked = Signal(object)
    hovered = Signal(object)

    def __init__(self):
        super().__init__()
        self.tables: dict[str, NumberTable] = {}
        self._sections: dict[str, Section] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def making(self) -> Steps:
        """One after the other."""
        for name, title in TITLES.items():
            section, table = Section(title), NumberTable(title, name, DECIMALS, whole=1, most=MOST)
            table.setObjectName(f"equations_{name}")
            table.setMouseTracking(True)
            table.clicked.connect(partial(self._on_click, name))
            table.entered.connect(partial(self._on_hover, name))
            table.left.connect(lambda: self.hovered.emit(None))
            self.tables[name], self._sections[name] = section.add(table), section
            self._column.addWidget(section)
            yield
        self.tables["parts"].setToolTip(PARTS_TIP)

    def set_robot(self, robot: Robot) -> None:
        """As many rows and columns as joints."""
        across, sizes = tuple(str(k + 1) for k in range(robot.n)), sizes_of(robot)
        for name, table in self.tables.items():
            decimals = decimals_for(sizes.torque if name == "g" else sizes.inertia, DECIMALS)
            table.set_shape({"g": ("",), "parts": tuple(PARTS.values())}.get(name, across), across, decimals=decimals)
            turning, *between, sliding = UNITS[name]
            slides = set(robot.prismatic)
            units = (turning, *between, sliding) if len(slides) == 2 else (sliding,) if True in slides else (turning,)
            self._sections[name].header.setText(f"{TITLES[name]}  [{', '.join(units)}]")

    def show_state(self, robot: Robot, q: np.ndarray, motion: PosedMotion) -> None:
        """The matrices at q, moving so."""
        self.tables["M"].numbers.set_values(engine.mass_matrix(robot, q))
        self.tables["C"].numbers.set_values(engine.coriolis_matrix(robot, q, motion.qd))
        squares, whole = velocity_torques(engine.christoffel(robot, q), motion.qd)
        self.tables["parts"].numbers.set_values(np.array([squares, whole - squares, whole]))
        self.tables["g"].numbers.set_values(engine.gravity_torque(robot, q)[None])

    def value(self, entry: Entry) -> float:
        """The engine's number of an entry."""
        name, cell = _cell(entry)
        return float(self.tables[name].numbers.values[cell])

    def mark(self, entry: Entry) -> None:
        """This entry stands out."""
        name, cell = _cell(entry)
        for other, table in self.tables.items():
            table.set_active(cell if other == name else None)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        for table in self.tables.values():
            table.refit()
            table.set_theme(tokens)

    def _on_click(self, name: str, at: QModelIndex) -> None:
        self.clicked.emit(_entry(name, at))

    def _on_hover(self, name: str, at: QModelIndex) -> None:
        self.hovered.emit(_entry(name, at))


def velocity_torques(symbols: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From the Christoffel symbols `(n, n, n)`: Σ_i c_kii qd_i², and all of C qd, `(n,)` each."""
    return np.einsum("kii,i->k", symbols, qd**2), np.einsum("kij,i,j->k", symbols, qd, qd)


def _entry(name: str, at: QModelIndex) -> Entry:
    """What a cell is."""
    if name == "parts":
        return PART_NAMES[at.row()], (at.column(),)
    return name, (at.column(),) if name == "g" else (at.row(), at.column())


def _cell(entry: Entry) -> tuple[str, tuple[int, int]]:
    """The table and the cell where an entry stands."""
    name, place = entry
    if name in PARTS:
        return "parts", (PART_NAMES.index(name), place[0])
    return name, (0 if name == "g" else place[0], place[-1])
