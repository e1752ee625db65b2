"""The Frames dock: *Assign frames* and *Rotations*."""

from __future__ import annotations

from math import degrees, pi, radians

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.dh.frames.frame_walk import RULES, TITLES, FrameWalk
from armature.app.dh.frames.rotation_text import ANGLES, AXES, check_text, equation, product_text
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.playing.step_transport import StepTransport
from armature.app.widgets.radio_list import RadioList
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, page
from armature.app.widgets.steady import Steady
from armature.app.widgets.tables.dh_table import DHTableView
from armature.app.widgets.value_field import ValueField

ORDER = "R = R_z(γ) R_y(β) R_x(α): about the fixed axes x, y, z in this order, or about the moving axes z, y, x."


class RotationsPage(QWidget):
    """Tells `turned()` where an angle is another one."""

    turned = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self.angles = np.zeros(3)
        self._units = units
        content = page(self, "Rotations")
        content.addWidget(note("The view shows the rotated frame at the world origin; c: cos, s: sin."))
        self.sliders: list[JointSlider] = []
        self.fields: list[ValueField] = []
        self.texts: list[QLabel] = []
        for axis, angle in zip(AXES, ANGLES):
            slider = named(JointSlider(-pi, pi, False, pi / 180), f"rotation_slider_{axis}", f"Angle {angle} about {axis}")
            field = ValueField(units.decimals(False), units.step(False), units.suffix(False))
            text = named(QLabel(), f"rotation_{axis}", f"Rotation about {axis}")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            k = len(self.sliders)
            slider.moved.connect(lambda value, _, k=k: self._set(k, radians(round(degrees(value)))))
            field.entered.connect(lambda shown, _, k=k: self._set(k, shown / self._units.factor(False)))
            self.sliders.append(slider)
            self.fields.append(named(field, f"rotation_angle_{axis}", f"Angle {angle} about {axis}"))
            self.texts.append(text)
            content.addWidget(row(QLabel(f"{angle} about {axis}"), slider, field, stretch=slider))
            content.addWidget(text)
        self.product = named(QLabel(), "rotation_product", "Product of the three rotations")
        self.product.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.check = named(note(), "rotation_check")
        self.back = button("rotation_back", "Reset angles", "Reset angles", "Set all three angles to 0")
        self.back.clicked.connect(self._turn_back)
        for part in (note(ORDER), self.product, Steady(2, self.check), row(self.back, None)):
            content.addWidget(part)
        content.addStretch(1)
        self.set_units(units)

    def _turn_back(self) -> None:
        self.angles = np.zeros(3)
        self._show()
        self.turned.emit()

    def _set(self, axis: int, angle: float) -> None:
        self.angles[axis] = angle
        self._show()
        self.turned.emit()

    def _show(self) -> None:
        for k, (slider, field, text) in enumerate(zip(self.sliders, self.fields, self.texts)):
            angle = float(self.angles[k])
            slider.show_value(angle)
            field.show_value(angle * self._units.factor(False))
            text.setText(equation(k, angle))
        self.product.setText(product_text(self.angles))
        self.check.setText(check_text(self.angles, self._units))

    def set_units(self, units: Units) -> None:
        """Degrees or radians."""
        self._units = units
        for field in self.fields:
            field.set_format(units.decimals(False), units.step(False), units.suffix(False))
        self._show()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the sliders, and the present size of text."""
        for slider in self.sliders:
            slider.set_theme(tokens)
        for text in (*self.texts, self.product):
            text.setFont(fixed_font(0.88))
        for field in self.fields:
            field.refit()


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


class FramesPanel(QWidget):
    """Tells `turned_over()` where the other page is seen."""

    turned_over = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self.assign, self.rotations = AssignPage(units), RotationsPage(units)
        self.bar = named(QTabBar(), "frames_tabs", "Frames")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        pages = QStackedWidget()
        for title, one in (("Assign frames", self.assign), ("Rotations", self.rotations)):
            self.bar.addTab(title)
            pages.addWidget(one)
        self.bar.currentChanged.connect(pages.setCurrentIndex)
        self.bar.currentChanged.connect(lambda _: self.turned_over.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(pages, 1)

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self.assign.set_units(units)
        self.rotations.set_units(units)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of both pages."""
        self.assign.set_theme(tokens)
        self.rotations.set_theme(tokens)
