"""Tab *M · C · g*: the matrices of the equation of motion, and the formula of each entry, with their numbers now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature import engine
from armature.app.equations.entry_formula import EntryFormula
from armature.app.equations.formula_names import Entry
from armature.app.equations.tab import EquationTab, above_formula
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.posed_motion import PosedMotion
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

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


FIRST: Entry = ("M", (0, 0))


class DynamicsTab(EquationTab):
    """tau = M qdd + C qd + g: the engine's numbers at the pose and motion on screen; a click on one shows its formula."""

    title = "M · C · g"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._shown: tuple = ()
        self._lit: tuple[tuple[int, ...], int] = (), -1  # joints, and the one that bears weights
        self.formula = EntryFormula("equations", FIRST, bench.parent)
        self._obstacle, self.tables = note(), MatrixTables()

    def making(self) -> Steps:
        """The formula, and one table after the other."""
        content = above_formula(self.column, "Matrices", self.formula.pane)
        content.addWidget(self._obstacle)
        content.addWidget(self.tables)
        content.addStretch(1)
        yield
        yield from self.tables.making()

    def connect_bench(self) -> None:
        """Wire tables, formula and their threads."""
        self.formula.wire()
        self.tables.clicked.connect(self._choose)
        self.tables.hovered.connect(self._light_up)

    def set_robot(self, robot: Robot) -> None:
        """Tables of its size, or why there are none."""
        self.formula.reset()
        self._robot, self._shown = robot, ()
        self.tables.set_robot(robot)
        for part in (self.tables, self.formula.pane):
            part.setVisible(robot.has_dynamics)
        self._obstacle.setVisible(not robot.has_dynamics)
        self._obstacle.setText("" if robot.has_dynamics else no_masses(robot.name))
        self._choose(FIRST)

    def follow(self) -> None:
        """The numbers now, and the formula if it is not there yet."""
        bench, robot, formula = self.bench, self._robot, self.formula
        if robot is None or not robot.has_dynamics:
            return
        robot = self._weighed(robot)
        formula.want(robot)
        q, motion = bench.document.q, shown_motion(bench.simulation, bench.replay, robot.n)
        shown = (robot, *q, *motion.qd, formula.typeset)
        if shown != self._shown or any(formula.pane.view.lit):
            self._shown = shown
            self.tables.show_state(robot, q, motion)
            if formula.typeset is not None:
                exact = self.tables.value(formula.typeset.wanted.entry)
                formula.show(np.asarray(q), np.asarray(motion.qd), np.asarray(motion.qdd), exact)

    def _weighed(self, robot: Robot) -> Robot:
        """The robot, with the gravity that is chosen for the simulation unless a recording is shown."""
        return robot if self.bench.replay.replaying else self.bench.simulation.in_gravity

    def leave(self) -> None:
        """Nothing is lit up by what is no longer seen."""
        self._light_up(None)

    def _light_up(self, entry: Entry | None) -> None:
        """The axes of an entry's joints in the view, the links that all of them move, and of a term of g weights and levers."""
        joints = () if entry is None else tuple(dict.fromkeys(entry[1]))
        lever = entry[1][0] if entry is not None and entry[0] == "g" else -1
        if (joints, lever) != self._lit and self._robot is not None:
            self._lit = joints, lever
            moved = _moved(self._robot, joints) if joints else ()
            self.bench.scene.highlight_joint(*(moved or (-1,)))
            self.bench.scene.show_axes(joints)
            self.bench.scene.show_levers(lever, self._weighed(self._robot).gravity)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.formula.stop()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of tables and formula."""
        self.tables.set_theme(tokens)
        self.formula.set_theme(tokens)

    def _choose(self, entry: Entry) -> None:
        self.formula.choose(entry)
        self.tables.mark(entry)


def _moved(robot: Robot, joints: tuple[int, ...]) -> tuple[int, ...]:
    """The joints whose links every one of `joints` moves, which are the links in the entry of these."""
    movers: list[set[int]] = []
    for body, joint in zip(robot.bodies, robot.body_joints):
        movers.append({joint} | (movers[body.parent] if body.parent >= 0 else set()))
    return tuple(k for k, body in enumerate(robot.joint_bodies) if movers[body] >= set(joints))
