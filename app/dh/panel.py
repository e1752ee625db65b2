"""The DH dock: the frames of an arm built move by move, with table, matrices and a sentence for each."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QToolButton, QWidget

from armature.app.scene.overlays.dh_walk import DHStep, DHWalk
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import choice, named, row, speeds
from armature.app.widgets.dh_table import DHTableView
from armature.app.widgets.matrix_view import MatrixView
from armature.app.widgets.section import note, page
from armature.app.widgets.timeline import Timeline
from armature.engine.model.dh_table import MODIFIED, STANDARD

FINE = 100  # positions of the timeline per move
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
CONVENTIONS = {STANDARD: "Standard DH (Spong)", MODIFIED: "Modified DH (Craig)"}
BUTTONS = (
    ("previous_joint", "Back to the frame before", "Ctrl+←"),
    ("previous_move", "Take the last move back", "←"),
    ("play", "Play or pause", "Space"),
    ("next_move", "Make the next move", "→"),
    ("next_joint", "On to the next frame", "Ctrl+→"),
    ("loop", "Start over at the end", ""),
)
KEYS = {
    (Qt.Key.Key_Right, False): "next_move",
    (Qt.Key.Key_Left, False): "previous_move",
    (Qt.Key.Key_Right, True): "next_joint",
    (Qt.Key.Key_Left, True): "previous_joint",
    (Qt.Key.Key_Home, False): "start",
    (Qt.Key.Key_End, False): "end",
    (Qt.Key.Key_Space, False): "play",
}
OWN_KEYS = {QComboBox: ("start", "end", "play"), QAbstractButton: ("play",)}  # what these do themselves with such a key


class DHStepsPanel(QWidget):
    """Tells what a person wants: `asked(name)` of a button or key, a point of the way, a speed, another convention."""

    asked = Signal(str)
    seek_asked = Signal(float)
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
        content.addWidget(self._transport())
        tip = "All moves from the base to the tool; drag to any moment"
        self._timeline = named(Timeline(FINE), "dh_timeline", "Moves", tip)
        self._timeline.valueChanged.connect(lambda position: self.seek_asked.emit(position / FINE))
        content.addWidget(self._timeline)
        self._table = named(DHTableView(), "dh_table")
        self._elementary = named(MatrixView("Matrix of this move"), "dh_elementary")
        self._accumulated = named(MatrixView("Product of all moves so far"), "dh_accumulated")
        self._remark = named(note(), "dh_remark")
        for part in (self._table, self._elementary, self._accumulated, self._remark):
            content.addWidget(part)
        content.addStretch(1)
        for child in (self, *self.findChildren(QWidget)):
            child.installEventFilter(self)

    def _head(self) -> QWidget:
        tip = "Build the same arm in the standard or in the modified convention"
        self._convention = choice("dh_convention", "DH convention", CONVENTIONS, tip)
        self._convention.activated.connect(lambda _: self.convention_chosen.emit(self._convention.currentData()))
        self._counter = named(QLabel(), "dh_counter")
        self._counter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return row(self._convention, None, self._counter, spacing=4)

    def _transport(self) -> QWidget:
        self.buttons: dict[str, QToolButton] = {}
        for name, text, keys in BUTTONS:
            step = self.buttons[name] = named(QToolButton(), f"dh_{name}", text, f"{text}  ({keys})" if keys else text)
            step.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            if name == "loop":
                step.setCheckable(True)
                step.toggled.connect(self.loop_chosen)
            else:
                step.clicked.connect(lambda _=False, name=name: self.asked.emit(name))
        self._speed = speeds("dh_speed", "Speed of the moves", SPEEDS, "How fast the frame moves")
        self._speed.currentIndexChanged.connect(lambda i: self.speed_chosen.emit(SPEEDS[i]))
        self._bar = row(*self.buttons.values(), None, self._speed, spacing=4)
        return self._bar

    def set_walk(self, walk: DHWalk):
        """Another table and another number of moves."""
        self._walk, self._step = walk, None
        self._enable(True)
        self._convention.setCurrentIndex(self._convention.findData(walk.convention))
        self._table.set_table(walk.chain.table, self._units)
        self._table.show_q(walk.q)
        with QSignalBlocker(self._timeline):
            self._timeline.setRange(0, walk.count * FINE)
            self._timeline.setPageStep(4 * FINE)
        self._remark.setText(walk.remark())

    def show_nothing(self, why: str):
        """There is no chain to walk along."""
        self._walk = self._step = None
        self._enable(False)
        self._sentence.setText(why)

    def _enable(self, on: bool):
        for part in (self._bar, self._timeline, self._convention):
            part.setEnabled(on)
        for part in (self._table, self._elementary, self._accumulated, self._remark, self._counter):
            part.setVisible(on)

    def show_time(self, p: float, playing: bool):
        """Where the walk is, and whether it goes on by itself."""
        with QSignalBlocker(self._timeline):
            if not self._timeline.isSliderDown():
                self._timeline.setValue(round(p * FINE))
        if self.buttons["play"].property("playing") != playing:
            self.buttons["play"].setProperty("playing", playing)
            self._draw_icons()

    def show_step(self, step: DHStep):
        """Sentence, cell and matrices of this moment."""
        self._step = step
        started = step.number > 1 or step.s > 0.0
        self._counter.setText(f"Move {step.number if started else 0} of {step.count}")
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
        self._draw_icons()

    def _draw_icons(self):
        if self._tokens is None:
            return
        for name, button in self.buttons.items():
            picture = ("pause" if button.property("playing") else "run") if name == "play" else name
            button.setIcon(icon(picture, self._tokens.text))

    def eventFilter(self, watched, event):
        """Keys of the walk work wherever in the panel the focus is, before any shortcut of the window."""
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return super().eventFilter(watched, event)
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        name = KEYS.get((event.key(), control)) if control or not modifiers else None
        if name is None or self._walk is None or not watched.isEnabled():
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if any(isinstance(watched, kind) and name in own for kind, own in OWN_KEYS.items()):
            return super().eventFilter(watched, event)
        self.asked.emit(name)
        return True
