"""The page *Assign frames*: the rules, ticked as they are followed, what each leaves open, and the table that comes of it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from armature.app.dh.frames.frame_walk import RULES, TITLES, FrameWalk
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.playing.step_transport import StepTransport
from armature.app.widgets.radio_list import RadioList
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, page
from armature.app.widgets.tables.dh_table import DHTableView

ALWAYS = "Every choice gives the same tool pose: error at most {} m and {} rad in 64 random poses."


class AssignPage(QWidget):
    """Tells `option_chosen(k, option)` of frame k, and `build_wanted()` where its moves are to be walked."""

    option_chosen = Signal(int, int)
    build_wanted = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._walk: FrameWalk | None = None
        self._frame = -1
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        content = page(self, "Assign frames")
        self._obstacle = named(note(), "frames_obstacle")
        self._obstacle.hide()
        content.addWidget(self._obstacle)
        self._rules = {rule: named(QLabel(), f"frames_rule_{rule}") for rule in RULES}
        for rule in self._rules.values():
            rule.setWordWrap(True)
        self._counter = named(QLabel(), "frames_counter")
        self._counter.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.transport = StepTransport("frames", "Previous rule", "Next rule", "All steps of all rules; drag to go to any step")
        self._sentence = named(QLabel(), "frames_sentence")
        self._sentence.setProperty("role", "section")
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._free = named(note(), "frames_free")
        self.options = RadioList("frames_option")
        self.options.chosen.connect(lambda k: self.option_chosen.emit(self._frame, k))
        self._table = named(DHTableView(), "frames_table")
        self._error = named(note(), "frames_error")
        self.build = button("frames_build", "Build step by step", "Build these frames step by step", "Open in DH steps")
        self.build.clicked.connect(lambda _: self.build_wanted.emit())
        self._whole = (*self._rules.values(), self._counter, self.transport, self._sentence, self._free, self.options)
        self._whole += (self._table, self._error, row(self.build, None))
        for part in self._whole:
            content.addWidget(part)
        content.addStretch(1)
        self.transport.take_keys_of(self)

    def show_obstacle(self, why: str) -> None:
        """There is nothing to lay, and why; "" where there is."""
        self._obstacle.setText(why)
        self._obstacle.setVisible(bool(why))
        for part in self._whole:
            part.setVisible(not why)

    def set_walk(self, walk: FrameWalk) -> None:
        """Other frames."""
        self._walk = walk
        self.show_obstacle("")
        self.transport.set_count(walk.count)
        self._table.set_table(walk.laid.description.table, self._units)
        far, turned = (significant(error, 2) for error in walk.laid.description.error)
        self._error.setText(ALWAYS.format(far, turned))

    def show_moment(self, p: float, q: np.ndarray) -> None:
        """Ticks, words and free choices of this moment, the table at the chain's q."""
        walk = self._walk
        if walk is None:
            return
        step = walk.step(p)
        for number, (rule, label) in enumerate(self._rules.items(), 1):
            made, all_ = walk.done(rule, p)
            tick = "✓" if made == all_ else "○"
            label.setText(f"{tick} {number}. {TITLES[rule]}" + (f" ({made} of {all_})" if all_ > 1 else ""))
            set_style_property(label, "level", "0" if made == all_ else "")
            set_style_property(label, "selected", "true" if step is not None and step.rule == rule and made < all_ else "")
        self._counter.setText(f"Step {int(np.ceil(p))} of {walk.count}")
        self._sentence.setText(walk.sentence(p, self._units))
        self._frame = step.k if step is not None and step.rule in ("normal", "x") else -1
        words = walk.option_words(self._frame) if self._frame >= 0 else ()
        free = len(words) > 1
        self._free.setText(f"Frame {self._frame}, free choice:" if free else "No free choice in this step." if step else "")
        self.options.set_texts(words if free else ())
        if free:
            self.options.choose(walk.laid.options[self._frame].index(walk.laid.chosen[self._frame]))
        self._table.show_q(q)

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self._units = units
        if self._walk is not None:
            self._table.set_table(self._walk.laid.description.table, units)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        self.transport.set_theme(tokens)
        self._table.set_theme(tokens)
        self._table.refit()
        self._counter.setFont(fixed_font(0.9))
        self._sentence.setMinimumHeight(2 * self._sentence.fontMetrics().lineSpacing() + 2)
