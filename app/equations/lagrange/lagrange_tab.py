"""Tab *Lagrange*: energies per mass, the slopes of L per joint, and the Christoffel symbols, with their numbers now."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, log10
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature import engine
from armature.app.equations.entry_formula import EntryFormula
from armature.app.equations.formula_names import Entry
from armature.app.equations.lagrange.christoffel_block import ChristoffelBlock, Place
from armature.app.equations.recursion_motion import RecursionMotion, Walked
from armature.app.equations.tab import EquationTab, above_formula
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.shared_sentences import no_masses
from armature.app.state.slices import Steps
from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
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


FIRST: Entry = ("T", (0,))
SYMBOL = "christoffel"


class LagrangeTab(EquationTab):
    """L = K − P, its slopes, and the torque they give, beside that of the recursion; a click on a number shows its formula."""

    title = "Lagrange"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._walked: Walked | None = None
        self._symbols = np.zeros((0, 0, 0))
        self._typeset: object = None  # whose numbers are shown
        self._lit: tuple[int, ...] = (-1,)  # joints
        self.formula = EntryFormula("lagrange", FIRST, bench.parent)
        self.tables, self.symbols = LagrangeTables(), ChristoffelBlock()
        self._obstacle: QLabel = named(note(), "lagrange_obstacle")
        self._source: QLabel = named(note(), "lagrange_source")

    def making(self) -> Steps:
        """The formula, the tables of energies and slopes, and the symbols."""
        content = above_formula(self.column, "Lagrange", self.formula.pane)
        for part in (self._obstacle, self._source, self.tables, self.symbols):
            content.addWidget(part)
        content.addStretch(1)
        yield
        yield from self.tables.making()
        yield from self.symbols.making()

    def connect_bench(self) -> None:
        """Wire tables, formula and their threads."""
        self._motion = RecursionMotion(self.bench)
        self.formula.wire()
        self.tables.clicked.connect(self._choose)
        self.tables.hovered.connect(self._on_hover)
        self.symbols.clicked.connect(self._on_symbol)
        self.symbols.hovered.connect(lambda joints: self._light_up(joints or (-1,)))

    def set_robot(self, robot: Robot) -> None:
        """Tables of its size, or why there are none."""
        self._robot, self._walked, self._typeset = robot, None, None
        self.formula.reset()
        self.tables.set_robot(robot)
        self.symbols.set_robot(robot)
        self._show_obstacle("" if robot.has_dynamics else no_masses(robot.name))
        self._choose(FIRST)

    def follow(self) -> None:
        """The numbers now, and the formula if it is not there yet."""
        if self._robot is None or not self._robot.has_dynamics:
            return
        walked, formula = self._motion.now(), self.formula
        if isinstance(walked, str):
            self._walked = None
            self._show_obstacle(walked)
            return
        if len(walked.q) != self._robot.n:
            return
        formula.want(walked.robot)
        other = not walked.equals(self._walked)
        if other:
            self._show_motion(walked)
        if formula.typeset is not None and (other or formula.typeset is not self._typeset or any(formula.pane.view.lit)):
            self._typeset = formula.typeset
            formula.show(walked.q, walked.qd, walked.qdd, self._value(formula.typeset.wanted.entry))

    def leave(self) -> None:
        """Nothing is lit up by what is no longer seen."""
        self._light_up((-1,))

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.formula.stop()
        self._motion.stop()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of tables and formula."""
        self.tables.set_theme(tokens)
        self.symbols.set_theme(tokens)
        self.formula.set_theme(tokens)

    def _show_motion(self, walked: Walked) -> None:
        """Numbers of this motion."""
        if self._walked is None:
            self._show_obstacle("")
        self._walked = walked
        robot, q, qd, qdd, source = walked
        steps = engine.lagrange_steps(robot, q, qd, qdd)
        self._symbols = steps.symbols
        self.tables.show_state(steps, engine.rnea(robot, q, qd, qdd), bool(robot.prismatic.any()))
        self.symbols.show_state(self._symbols, steps.slopes, qd)
        self._source.setText(f"Values for {source}.")

    def _show_obstacle(self, why: str) -> None:
        self._obstacle.setText(why)
        self._obstacle.setVisible(bool(why))
        for part in (self._source, self.tables, self.symbols, self.formula.pane):
            part.setVisible(not why)

    def _value(self, entry: Entry) -> float:
        """The engine's number of an entry."""
        name, place = entry
        return float(self._symbols[place]) if name == SYMBOL else self.tables.value(entry)

    def _choose(self, entry: Entry) -> None:
        self.formula.choose(entry)
        self.tables.mark(entry)

    def _on_symbol(self, place: Place) -> None:
        self._choose((SYMBOL, place))

    def _on_hover(self, entry: Entry | None) -> None:
        """The joint of a torque, or of a mass."""
        if entry is None or self._robot is None:
            self._light_up((-1,))
            return
        name, (place, *_) = entry
        self._light_up((int(self._robot.body_joints[place]) if name in ENERGIES else place,))

    def _light_up(self, joints: tuple[int, ...]) -> None:
        """The links of these joints, in the view."""
        if joints != self._lit:
            self._lit = joints
            self.bench.scene.highlight_joint(*joints)
