"""What the tab *Jacobian* shows above the formula: J of a point, the point's motion, the rates of its angles, det J."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from armature import engine
from armature.app.equations.jacobian.jacobian_point import ANALYTIC, GEOMETRIC, LOCKED, JacobianPoint, moving_links, rates_words
from armature.app.equations.symbolic.symbol_matrix import SymbolMatrix
from armature.app.state.number_marks import said
from armature.app.state.slices import Steps
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, choice, named, row
from armature.app.widgets.section import Section, Strip, note, page
from armature.app.widgets.steady import Steady
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot
from armature.engine.rotations import rpy_rates

if TYPE_CHECKING:
    from armature.app.equations.jacobian.jacobian_maker import Made
    from armature.app.equations.typesetter import Piece
    from armature.engine.formulas.determinant import Determinant

GO = "Move the arm to a pose where this factor is 0"
BEYOND = "This factor has no zero within the joint limits"


class DeterminantSection(Section):
    """Tells `go_requested(q)`."""

    go_requested = Signal(object)

    def __init__(self):
        super().__init__("Determinant of the task Jacobian, factored")
        self._sentence = self.add(named(note(), "jacobian_det_sentence"))
        self._value = self.add(named(QLabel(), "jacobian_det", "det J"))
        self._value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rows: list[tuple[Strip, QLabel, QLabel, QPushButton]] = []
        self._grid = QGridLayout(self.add(QWidget()))
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._det: Determinant | None = None
        self._pieces: dict[QLabel, Piece] = {}  # of the factors that are typeset

    def _add_row(self) -> None:
        """A row that is empty; most arms have few factors, some none."""
        k = len(self._rows)
        picture = named(QLabel(), f"jacobian_factor_{k + 1}", f"Factor {k + 1}")
        value = named(QLabel(), f"jacobian_factor_value_{k + 1}", f"Value of factor {k + 1}")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setFont(fixed_font(0.9))
        go = button(f"jacobian_factor_go_{k + 1}", "Go to zero", f"Go to a zero of factor {k + 1}", GO)
        go.clicked.connect(lambda: self._on_go(k))
        strip = Strip(picture)  # a long factor scrolls
        for column, part in enumerate((strip, value, go)):
            self._grid.addWidget(part, k, column)
        self._rows.append((strip, picture, value, go))

    def _on_go(self, k: int) -> None:
        if self._det is not None and self._det.factors[k].q is not None:
            self.go_requested.emit(self._det.factors[k].q)

    def show_unmade(self) -> None:
        """Another arm, whose factors are on their way."""
        self._det, self._pieces = None, {}
        self._sentence.setText("Deriving…")
        self._value.hide()
        for strip, _, value, go in self._rows:
            for part in (strip, value, go):
                part.hide()

    def show_made(self, made: Made) -> None:
        """The factors, or why there are none."""
        self._det = det = made.det
        shown = [] if det is None or det.sentence.startswith("det J cannot") else made.factors
        self._sentence.setText(said(made.no_det if det is None else f"{det.sentence}."))
        self._value.setVisible(det is not None)
        self._pieces = {}
        while len(self._rows) < len(shown):
            self._add_row()
        for k, (strip, picture, value, go) in enumerate(self._rows):
            there = k < len(shown)
            for part in (strip, value, go):
                part.setVisible(there)
            if det is None or not there:
                continue
            piece, factor = shown[k], det.factors[k]
            if piece is None:
                picture.setText(f"sum of {len(factor.formula.terms())} terms")
            else:
                self._pieces[picture] = piece
                picture.setPixmap(QPixmap.fromImage(piece.image))
            picture.setAccessibleDescription(factor.formula.latex())
            go.setEnabled(factor.q is not None)
            go.setToolTip(GO if factor.q is not None else BEYOND)

    def show_values(self, q: np.ndarray, exact: float | None) -> None:
        """The values at q, and the engine's determinant."""
        det = self._det
        if det is None:
            return
        constant = significant(float(det.number(det.constant)))
        self._value.setText("det J" if exact is None else f"det J = {significant(exact)}; constant factor {constant}")
        for (_, _, value, _), factor in zip(self._rows, det.factors):
            number = float(factor.formula.evaluate(q)) ** factor.power
            value.setText(f"= {significant(number, scale=1.0)}")

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the factors, and the present size of text."""
        for picture, piece in self._pieces.items():
            picture.setPixmap(QPixmap.fromImage(piece.coloured(tokens.text).image))
        for _, _, value, _ in self._rows:
            value.setFont(fixed_font(0.9))


ROWS = {GEOMETRIC: ("vx", "vy", "vz", "ωx", "ωy", "ωz"), ANALYTIC: ("ẋ", "ẏ", "ż", "d roll/dt", "d pitch/dt", "d yaw/dt")}
KINDS = {GEOMETRIC: "Geometric: v and ω", ANALYTIC: "Analytic: roll-pitch-yaw rates"}
FRAME, MASS = "frame", "mass"
PLACES = {FRAME: "at link frame", MASS: "at centre of mass"}
MOTION = ("J q̇", "dJ/dt q̇", "J q̈", "sum")
IN_WORDS = {
    GEOMETRIC: "Upper rows J_v, lower rows J_ω, in world axes. Column i is the motion at q̇ᵢ = 1 rad/s or 1 m/s.",
    ANALYTIC: "J_A = diag(1, E) J: the lower rows give the roll, pitch and yaw rates. The upper rows equal J_v.",
}


class JacobianPage(QWidget):
    """Tells `chosen()` of another point or kind, `entry_clicked(row, column)` and `column_hovered(joint)`, -1 beside all."""

    chosen = Signal()
    entry_clicked = Signal(int, int)
    column_hovered = Signal(int)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._robot: Robot | None = None
        self._content = page(self, "Jacobian")
        self.link = choice("jacobian_link", "Jacobian of", {}, "Tool or link")
        self.place = choice("jacobian_place", "Point on the link", PLACES, "Point on the link")
        self.kind_choice = choice("jacobian_kind", "Geometric or analytic", KINDS, "Orientation rows")
        for box in (self.link, self.place, self.kind_choice):
            box.activated.connect(lambda _: self._on_chosen())
        self._freedom = named(note(), "jacobian_freedom")
        self._section = Section("")
        self.table = self._section.add(named(NumberTable("Jacobian", "J", decimals=3, whole=1), "jacobian_table"))
        self.table.setMouseTracking(True)
        self.table.clicked.connect(lambda at: self.entry_clicked.emit(at.row(), at.column()))
        self.table.entered.connect(lambda at: self.column_hovered.emit(at.column()))
        self.table.left.connect(lambda: self.column_hovered.emit(-1))
        self._about = self._section.add(named(note(), "jacobian_about"))
        self._motion_section = Section("Velocity ẋ = J q̇, acceleration ẍ = dJ/dt q̇ + J q̈")
        self.motion = self._motion_section.add(named(NumberTable("Motion of the point", "xdd", decimals=3), "jacobian_motion"))
        self._source, self._checked = named(note(), "jacobian_source"), named(note(), "jacobian_checked")
        for text in (self._source, self._checked):
            self._motion_section.add(Steady(2, text))
        self._rates_section = Section("Roll-pitch-yaw rates: d/dt (roll, pitch, yaw) = E ω")
        self.rates = self._rates_section.add(SymbolMatrix("Roll, pitch and yaw rates", "E", (3, 3)))
        self._rates_words = named(note(), "jacobian_rates")
        self._rates_section.add(Steady(4, self._rates_words))
        self.det = DeterminantSection()

    def making(self) -> Steps:
        """One section after the other."""
        self._content.addWidget(row(self.link, self.place, stretch=self.link, spacing=4))
        self._content.addWidget(self.kind_choice)
        self._content.addWidget(Steady(2, self._freedom))
        for section in (self._section, self._motion_section, self._rates_section, self.det):
            self._content.addWidget(section)
            yield
        self._content.addStretch(1)

    @property
    def kind(self) -> str:
        """GEOMETRIC or ANALYTIC."""
        return self.kind_choice.currentData()

    @property
    def chosen_link(self) -> str:
        """The link, "" for the tool."""
        return self.link.currentData() or ""

    @property
    def at_mass(self) -> bool:
        """Whether it is of the link's centre of mass."""
        return bool(self.chosen_link) and self.place.currentData() == MASS and self.place.isEnabled()

    def set_robot(self, robot: Robot) -> None:
        """Points of another arm to choose from, its tool first."""
        self._robot = robot
        self.link.clear()
        self.link.addItem(f"Tool: {robot.tool}" if robot.tool != "tool" else "Tool", "")
        for name in moving_links(robot):
            self.link.addItem(name, name)
        self._shape()

    def _on_chosen(self) -> None:
        self._shape()
        self.chosen.emit()

    def _shape(self) -> None:
        robot = self._robot
        if robot is None:
            return
        self.place.setEnabled(bool(self.chosen_link) and robot.has_dynamics)
        self.place.setToolTip("Point on the link" if robot.has_dynamics else f"{robot.title} has no mass data")
        rows = ROWS[self.kind]
        across = tuple(str(k + 1) for k in range(robot.n))
        self.table.set_shape(rows, across)
        self.motion.set_shape(rows, MOTION)
        self._about.setText(IN_WORDS[self.kind])

    def show_point(self, point: JacobianPoint) -> None:
        """Of what point it is, in words."""
        self._section.header.setText(f"J{'' if self.kind == GEOMETRIC else '_A'} of {point.name}")

    def show_freedom(self, robot: Robot, words: str) -> None:
        """Joints against coordinates."""
        joints = f"{robot.n} joint{'s' * (robot.n != 1)}"
        self._freedom.setText(
            words or f"{joints} for {len(robot.task)} task coordinate{'s' * (len(robot.task) != 1)}: not redundant."
        )

    def show_state(self, point: JacobianPoint, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> None:
        """All numbers at q, moving so."""
        pitch = self._show_rates(point, q)
        try:
            J, J_dot = point.jacobian(q, self.kind), point.jacobian_dot(q, qd, self.kind)
        except EngineError:  # the pitch is ±90°, as is told below
            nothing = np.full((6, point.robot.n), np.nan)
            J = J_dot = nothing
        self.table.numbers.set_values(J)
        drift, pushed = J_dot @ qd, J @ qdd
        self.motion.numbers.set_values(np.column_stack([J @ qd, drift, pushed, drift + pushed]))
        self._checked.setText(_comparison(point, q, qd, qdd))
        self._rates_words.setText(rates_words(pitch, self._units.text(pitch, False)))

    def _show_rates(self, point: JacobianPoint, q: np.ndarray) -> float:
        angles = point.angles(q)
        locked = np.cos(angles[1]) < LOCKED
        self.rates.show_values(None if locked else rpy_rates(angles))
        return float(angles[1])

    def show_source(self, words: str) -> None:
        """Where speeds and accelerations are from."""
        self._source.setText(words)

    def set_units(self, units: Units) -> None:
        """Angles in another unit."""
        self._units = units

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        for table in (self.table, self.motion):
            table.refit()
            table.set_theme(tokens)
        self.rates.set_theme(tokens)
        self.det.set_theme(tokens)


def _comparison(point: JacobianPoint, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> str:
    """How far velocity and acceleration by J and by differences of the pose are apart."""
    if not (qd.any() or qdd.any()):
        return ""
    J, drift = engine.jacobian(point.robot, q), engine.jacobian_dot(point.robot, q, qd) @ qd
    v, a = np.abs(point.by_differences(q, qd, qdd) - np.column_stack([J @ qd, drift + J @ qdd])).max(axis=0)
    return (
        f"Check by finite differences (±0.1 ms): velocity agrees within {significant(float(v), 2)} m/s or rad/s,"
        f" acceleration within {significant(float(a), 2)} m/s² or rad/s²."
    )
