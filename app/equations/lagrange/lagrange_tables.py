"""Lagrange's method in two tables: energies per mass, slopes and torque per joint."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, log10
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.equations.formula_names import Entry
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.slices import Steps
from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable

if TYPE_CHECKING:
    from armature.engine import LagrangeSteps, Robot

ENERGIES = {"T": "K", "V": "P", "L": "L = K − P"}
SLOPES = {"dL_dqd": "∂L/∂q̇", "dL_dqd_dt": "d/dt ∂L/∂q̇", "dL_dq": "∂L/∂q", "tau": "τ"}
RNEA = "τ by RNEA"
DECIMALS = 3  # at least
MOST = 6  # columns that the dock has room for
ABOUT_ENERGIES = "K = ½ m v·v + ½ ω·I ω, plus rotor energy; P = −m g·r, zero at the world origin. In J."
ABOUT_SLOPES = (
    "τ = d/dt ∂L/∂q̇ − ∂L/∂q, with L summed over all masses. Friction, external forces and joint stops are not included."
)


class LagrangeTables(QWidget):
    """Tells `clicked(entry)` and `hovered(entry)`, None beside all entries."""

    clicked = Signal(object)
    hovered = Signal(object)

    def __init__(self):
        super().__init__()
        self._bodies = 0
        self.energies = named(NumberTable("Energies of each mass", "energies", DECIMALS), "lagrange_energies")
        self.slopes = named(NumberTable("Lagrange's equation per joint", "lagrange", DECIMALS, most=MOST), "lagrange_slopes")
        self.equal: QLabel = named(note(), "lagrange_equal")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def making(self) -> Steps:
        """One after the other."""
        for title, table, entry, texts in (
            ("Energies of each mass", self.energies, self._energy, (note(ABOUT_ENERGIES),)),
            ("Lagrange's equation per joint", self.slopes, self._slope, (self.equal, note(ABOUT_SLOPES))),
        ):
            section = Section(title)
            table.setMouseTracking(True)
            table.clicked.connect(partial(self._on_click, entry))
            table.entered.connect(partial(self._on_hover, entry))
            table.left.connect(lambda: self.hovered.emit(None))
            section.add(table)
            for text in texts:
                section.add(text)
            self._column.addWidget(section)
            yield

    def set_robot(self, robot: Robot) -> None:
        """As many rows as masses and joints."""
        owners = [int(body) for body in robot.link_table[0]]
        links = [robot.link_names[owners.index(body)] for body in range(len(robot.bodies))]
        self._bodies, decimals = len(links), decimals_for(sizes_of(robot).torque, DECIMALS)
        self.energies.set_shape((*links, "total"), tuple(ENERGIES.values()), decimals=decimals)
        self.slopes.set_shape((*SLOPES.values(), RNEA), [str(k + 1) for k in range(robot.n)], decimals=decimals)

    def show_state(self, steps: LagrangeSteps, tau: np.ndarray, slides: bool) -> None:
        """The numbers of this motion, and the torque of the recursion."""
        energies = np.column_stack([steps.K, steps.P, steps.K - steps.P])
        self.energies.numbers.set_values(np.vstack([energies, energies.sum(axis=0)]))
        rows = np.array([steps.dL_dqd, steps.dL_dqd_dt, steps.dL_dq, steps.tau, tau])
        self.slopes.numbers.set_values(rows)
        apart, largest = float(np.abs(steps.tau - tau).max()), max(float(np.abs(rows).max()), 1e-9)
        word = "agree within" if apart <= 1e-9 * largest else "differ by up to"
        unit = "N·m or N" if slides else "N·m"
        bound = significant(10.0 ** ceil(log10(max(apart, 1e-16))), 2)  # that does not flicker
        self.equal.setText(f"Lagrange and Newton–Euler {word} {bound} {unit}.")

    def value(self, entry: Entry) -> float:
        """The number of an entry."""
        name, (place, *_) = entry
        if name in ENERGIES:
            return float(self.energies.numbers.values[place, tuple(ENERGIES).index(name)])
        return float(self.slopes.numbers.values[tuple(SLOPES).index(name), place])

    def mark(self, entry: Entry) -> None:
        """This entry stands out, if it is one of these."""
        name, (place, *_) = entry
        self.energies.set_active((place, tuple(ENERGIES).index(name)) if name in ENERGIES else None)
        self.slopes.set_active((tuple(SLOPES).index(name), place) if name in SLOPES else None)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        for table in (self.energies, self.slopes):
            table.refit()
            table.set_theme(tokens)

    def _on_click(self, entry: Callable[[QModelIndex], Entry | None], at: QModelIndex) -> None:
        if found := entry(at):
            self.clicked.emit(found)

    def _on_hover(self, entry: Callable[[QModelIndex], Entry | None], at: QModelIndex) -> None:
        self.hovered.emit(entry(at))

    def _energy(self, at: QModelIndex) -> Entry | None:
        """None for the sums over all masses."""
        return (tuple(ENERGIES)[at.column()], (at.row(),)) if at.row() < self._bodies else None

    def _slope(self, at: QModelIndex) -> Entry | None:
        """None for the recursion's torque."""
        return (tuple(SLOPES)[at.row()], (at.column(),)) if at.row() < len(SLOPES) else None
