"""The DH dock: the frames of an arm built move by move, with table, matrices and a sentence for each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from armature.app.scene.overlays.dh_walk import DHStep, DHWalk
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import choice, named, row
from armature.app.widgets.playing.step_transport import StepTransport
from armature.app.widgets.section import note, page
from armature.app.widgets.tables.dh_table import DHTableView
from armature.app.widgets.tables.matrix_view import MatrixView
from armature.engine.model.dh_table import MODIFIED, STANDARD

CONVENTIONS = {STANDARD: "Standard DH (Spong)", MODIFIED: "Modified DH (Craig)"}


class DHStepsPanel(QWidget):
    """Tells what a person wants: `requested(name)` of a button or key, a point of the way, a speed, another convention."""

    requested = Signal(str)
    seek_requested = Signal(float)
    speed_chosen = Signal(float)
    loop_chosen = Signal(bool)
    convention_chosen = Signal(str)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._tokens: Tokens | None = None
        self._walk: DHWalk | None = None
        self._step: DHStep | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        content = page(self, "DH steps")
        content.addWidget(self._head())
        self._sentence = named(QLabel(), "dh_sentence")
        self._sentence.setProperty("role", "section")
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        content.addWidget(self._sentence)
        tip = "All steps from base to tool; drag to go to any step"
        self._transport = StepTransport("dh", "Previous frame", "Next frame", tip)
        self._transport.requested.connect(self.requested)
        self._transport.seek_requested.connect(self.seek_requested)
        self._transport.speed_chosen.connect(self.speed_chosen)
        self._transport.loop_chosen.connect(self.loop_chosen)
        content.addWidget(self._transport)
        self._table = named(DHTableView(), "dh_table")
        self._elementary = named(MatrixView("Matrix of this step"), "dh_elementary")
        self._accumulated = named(MatrixView("Product of all steps so far"), "dh_accumulated")
        self._remark = named(note(), "dh_remark")
        for part in (self._table, self._elementary, self._accumulated, self._remark):
            content.addWidget(part)
        content.addStretch(1)
        self._transport.take_keys_of(self)

    def _head(self) -> QWidget:
        tip = "Use the standard or the modified DH convention"
        self._convention = choice("dh_convention", "DH convention", CONVENTIONS, tip)
        self._convention.activated.connect(lambda _: self.convention_chosen.emit(self._convention.currentData()))
        self._counter = named(QLabel(), "dh_counter")
        self._counter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return row(self._convention, None, self._counter, spacing=4)

    def set_walk(self, walk: DHWalk):
        """Another table and another number of moves."""
        self._walk, self._step = walk, None
        self._enable(True)
        self._convention.setCurrentIndex(self._convention.findData(walk.convention))
        self._table.set_table(walk.chain.table, self._units)
        self._table.show_q(walk.q)
        self._transport.set_count(walk.count)
        self._remark.setText(walk.remark())

    def show_nothing(self, why: str):
        """There is no chain to walk along."""
        self._walk = self._step = None
        self._enable(False)
        self._sentence.setText(why)

    def _enable(self, on: bool):
        self._transport.setEnabled(on)
        self._convention.setEnabled(on)
        for part in (self._table, self._elementary, self._accumulated, self._remark, self._counter):
            part.setVisible(on)

    def show_time(self, p: float, playing: bool):
        """Where the walk is, and whether it goes on by itself."""
        self._transport.show_time(p, playing)

    def show_step(self, step: DHStep):
        """Sentence, cell and matrices of this moment."""
        self._step = step
        started = step.number > 1 or step.s > 0.0
        self._counter.setText(f"Step {step.number if started else 0} of {step.count}")
        self._sentence.setText(step.sentence(self._units))
        if self._walk is not None:
            self._table.show_q(self._walk.q)
        self._table.set_active(self._table.cell(step.move.row, step.move.quantity) if started and step.move.row >= 0 else None)
        own, product = step.touched()
        self._elementary.show_matrix(step.matrix_title(), step.elementary, own & started)
        self._accumulated.show_matrix(step.accumulated_title(), step.now, product & started)

    def set_units(self, units: Units):
        """Angles and lengths in other units."""
        self._units = units
        self._elementary.set_units(units)
        self._accumulated.set_units(units)
        if self._walk is not None:
            self._table.set_table(self._walk.chain.table, units)
            if self._step is not None:
                self.show_step(self._step)

    def set_theme(self, tokens: Tokens):
        """Colours and fonts."""
        self._tokens = tokens
        for part in (self._table, self._elementary, self._accumulated):
            part.set_theme(tokens)
        self._table.refit()
        self._counter.setFont(fixed_font(0.9))
        self._sentence.setMinimumHeight(2 * self._sentence.fontMetrics().lineSpacing() + 2)
        self._transport.set_theme(tokens)
