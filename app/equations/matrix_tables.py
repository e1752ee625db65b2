"""M, C and g as tables of numbers, one below the other."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature import engine
from armature.app.state.posed_motion import PosedMotion
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.number_table import NumberTable
from armature.app.widgets.section import Section
from armature.engine.model.robot import Robot

TITLES = {"M": "M(q), mass matrix", "C": "C(q, q̇), Coriolis matrix", "g": "g(q), gravity torque"}

Entry = tuple[str, tuple[int, ...]]
"""The matrix, and the place in it."""


class MatrixTables(QWidget):
    """The engine's numbers at the pose; tells `clicked(entry)`, and `hovered(entry)`, None beside all entries."""

    clicked = Signal(object)
    hovered = Signal(object)

    def __init__(self):
        super().__init__()
        self.tables: dict[str, NumberTable] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for name, title in TITLES.items():
            section, table = Section(title), NumberTable(title, name, decimals=3, whole=1)
            table.setObjectName(f"equations_{name}")
            table.setMouseTracking(True)
            table.clicked.connect(lambda at, name=name: self.clicked.emit(_entry(name, at)))
            table.entered.connect(lambda at, name=name: self.hovered.emit(_entry(name, at)))
            table.viewport().installEventFilter(self)
            self.tables[name] = section.add(table)
            column.addWidget(section)

    def set_robot(self, robot: Robot) -> None:
        """As many rows and columns as joints."""
        across = tuple(str(k + 1) for k in range(robot.n))
        for name, table in self.tables.items():
            table.set_shape(("",) if name == "g" else across, across)

    def show_state(self, robot: Robot, q: np.ndarray, motion: PosedMotion) -> None:
        """The matrices at q, moving so."""
        self.tables["M"].numbers.set_values(engine.mass_matrix(robot, q))
        self.tables["C"].numbers.set_values(engine.coriolis_matrix(robot, q, motion.qd))
        self.tables["g"].numbers.set_values(engine.gravity_torque(robot, q)[None])

    def value(self, entry: Entry) -> float:
        """The engine's number of an entry."""
        name, place = entry
        return float(self.tables[name].numbers.values[0 if name == "g" else place[0], place[-1]])

    def mark(self, entry: Entry) -> None:
        """This entry stands out."""
        name, place = entry
        for other, table in self.tables.items():
            table.set_active((0 if name == "g" else place[0], place[-1]) if other == name else None)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        for table in self.tables.values():
            table.refit()
            table.set_theme(tokens)

    def eventFilter(self, watched, event):
        """The mouse left a table."""
        if event.type() == QEvent.Type.Leave:
            self.hovered.emit(None)
        return super().eventFilter(watched, event)


def _entry(name: str, at) -> Entry:
    return name, (at.column(),) if name == "g" else (at.row(), at.column())
