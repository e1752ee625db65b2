"""The page of the recursion: transport, sentence, the equations with their numbers, and Lagrange's sum beside them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from armature.app.equations.force_table import ForceTable
from armature.app.equations.recursion_text import KINDS, equations, symbols
from armature.app.scene.gl import palette
from armature.app.scene.overlays.newton_euler.rnea_walk import RneaWalk
from armature.app.scene.overlays.newton_euler.rnea_words import Axes, lines, sentence, title
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.state.slices import Steps
from armature.app.state.units import significant
from armature.app.style.colour_tokens import DARK, Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import choice, named, row
from armature.app.widgets.playing.step_transport import StepTransport
from armature.app.widgets.section import note, page
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine.model.robot import Robot

AXES: dict[Axes, str] = {"world": "World axes", "link": "Link axes"}
AXIS_NAMES = tuple(AXES)
COLUMNS = ("M q̈", "C q̇", "g", "sum", "τ RNEA")
DECIMALS = 4  # at least


class RecursionPage(QWidget):
    """Shows one moment of a walk; `axes_chosen` tells that its vectors are to be seen in other axes."""

    axes_chosen = Signal()

    def __init__(self):
        super().__init__()
        self._tokens: Tokens | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.transport = StepTransport(
            "recursion",
            "Previous phase",
            "Next phase, in the order outward, forces, inward",
            "All steps; drag to go to any step",
        )
        self._counter = named(QLabel(), "recursion_counter")
        self._axes = choice("recursion_axes", "Vector axes", AXES, "Axes in which the vectors are expressed")
        self._axes.activated.connect(lambda _: self.axes_chosen.emit())
        self._title = named(QLabel(), "recursion_title")
        self._title.setProperty("role", "section")
        self._sentence, self._source = named(note(), "recursion_sentence"), named(note(), "recursion_source")
        self._equations = named(QLabel(), "recursion_equations", "Equations of this step")
        self._equations.setTextFormat(Qt.TextFormat.RichText)
        self._equations.setWordWrap(True)
        self._equations.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._table = named(NumberTable("Lagrange and recursion compared, per joint", "tau", DECIMALS), "recursion_table")
        self._equal, self._forces = named(note(), "recursion_equal"), ForceTable()
        self._obstacle = named(note(), "recursion_obstacle")
        content = page(self, "Recursion")
        content.addWidget(self._obstacle)
        self._whole = QWidget()
        content.addWidget(self._whole)
        content.addStretch(1)
        self._column = QVBoxLayout(self._whole)
        self._column.setContentsMargins(0, 0, 0, 0)

    def making(self) -> Steps:
        """From above to below."""
        self._column.addWidget(row(self._axes, None, self._counter, spacing=4))
        self._column.addWidget(self.transport)
        for words in (self._title, self._sentence, self._equations):
            self._column.addWidget(words)
        yield
        self._column.addWidget(self._table)
        for words in (self._equal, self._source):
            self._column.addWidget(words)
        yield
        self._column.addWidget(self._forces)
        self.transport.take_keys_of(self)
        yield

    @property
    def axes(self) -> Axes:
        """In which axes the vectors are written."""
        return AXIS_NAMES[self._axes.currentIndex()]

    def set_robot(self, robot: Robot) -> None:
        """Another robot's joints, and as many decimals as it needs."""
        self._table.set_shape(robot.joint_names, COLUMNS, decimals=decimals_for(sizes_of(robot).torque, DECIMALS))
        self._forces.set_robot(robot)

    def show_obstacle(self, why: str) -> None:
        """Nothing to walk, and why; "" where there is."""
        self._obstacle.setText(why)
        self._obstacle.setVisible(bool(why))
        self._whole.setVisible(not why)

    def show_moment(self, walk: RneaWalk, p: float, source: str) -> None:
        """Words and numbers of this moment."""
        if self._tokens is None:
            return
        move = walk.move(p)
        self._counter.setText(f"Step {move.number} of {walk.count}")
        self._title.setText(title(walk, move))
        self._sentence.setText(symbols(sentence(walk, move)))
        dark = self._tokens is DARK
        colours = [palette.RNEA[kind][dark] for kind in KINDS[move.phase]]
        self._equations.setText(equations(lines(walk, move, self.axes), colours, self._tokens.muted))
        found = np.where(_reached(walk, move.number), walk.steps.tau, np.nan)
        self._table.numbers.set_values(np.column_stack([walk.lagrange, walk.lagrange.sum(axis=1), found]))
        self._equal.setText(_comparison(walk, found))
        self._forces.show_body(walk, move.body, self.axes == "link")
        self._source.setText(
            f"Values for {source}. M and τ include rotor inertia; friction, external forces and joint stops are not included."
        )

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        self._tokens = tokens
        self.transport.set_theme(tokens)
        self._table.set_theme(tokens)
        self._forces.set_theme(tokens)
        self._table.refit()
        self._counter.setFont(fixed_font(0.9))


def _reached(walk: RneaWalk, number: int) -> np.ndarray:
    """Of every joint, whether the moves made so far have found its torque, `(n,)`."""
    done = np.array([number > 3 * walk.n - 1 - body for body in range(walk.n)])
    owners = np.array(walk.robot.body_joints)
    return np.array([done[owners == joint].all() for joint in range(walk.robot.n)])


def _comparison(walk: RneaWalk, found: np.ndarray) -> str:
    """How far the recursion and Lagrange are apart, as soon as there is something to compare."""
    if np.isnan(found).all():
        return "Lagrange: M q̈ + C q̇ + g per joint. The inward steps of Newton–Euler give the same τ."
    apart = float(np.nanmax(np.abs(found - walk.lagrange.sum(axis=1))))
    largest = max(float(np.abs(walk.lagrange).max()), 1e-9)
    word = "agree within" if apart <= 1e-9 * largest else "differ by up to"
    copied = " The torque of a mimic joint is added to the joint it follows." if walk.robot.coupling is not None else ""
    return f"Lagrange and the recursion {word} {significant(apart, 2)} N·m or N.{copied}"
