"""What the tab *Kinematics* shows above the formula: a row's matrix, its product with those before it, a point carried along."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from armature.app.equations.kinematics.arm_frames import ArmFrames
from armature.app.equations.kinematics.kinematics_maker import Made
from armature.app.equations.kinematics.products import by_table, parts
from armature.app.equations.symbolic.symbol_maker import Cells
from armature.app.equations.symbolic.symbol_matrix import SymbolMatrix
from armature.app.state.slices import Steps
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, check, choice, named, row
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady
from armature.app.widgets.tables.dh_table import RULES
from armature.app.widgets.tables.matrix_view import MatrixView
from armature.app.widgets.tables.number_table import NumberTable
from armature.app.widgets.value_field import ValueField
from armature.engine.model.dh_table import DHTable

AXES = "xyz"


class PointSection(Section):
    """Tells `edited()` of another point, `row_chosen(i)` of a click on a line, `seen_changed(on)` of its place in the view."""

    edited = Signal()
    row_chosen = Signal(int)
    seen_changed = Signal(bool)

    def __init__(self, units: Units):
        super().__init__("Transform a point")
        self.p = np.zeros(3)
        self._units = units
        self._names: tuple[str, ...] = ()
        self._active = -1
        self.seen = self.add(
            check("kinematics_point_seen", "Show point", "Show the point and its position vector in the view", on=True)
        )
        self.seen.toggled.connect(self.seen_changed)
        self._label = named(QLabel(), "kinematics_point_frame")
        self._fields = [self._field(i) for i in range(3)]
        parts = []
        for axis, field in zip(AXES, self._fields):
            label = QLabel(axis)
            label.setBuddy(field)
            parts += [label, field]
        self.add(self._label)
        self.add(row(*parts, None, spacing=4))
        self.table = self.add(NumberTable("Homogeneous coordinates of the point after each matrix", "p", decimals=4))
        self.table.setObjectName("kinematics_point_table")
        self.table.clicked.connect(lambda at: self.row_chosen.emit(at.row()))
        self.add(note("The fourth coordinate is 1, so one product rotates and translates. Click a row to show p in that frame."))
        self.set_units(units)

    def _field(self, i: int) -> ValueField:
        field = named(ValueField(4, 0.01, " m"), f"kinematics_point_{AXES[i]}", f"{AXES[i]} of the point")
        field.entered.connect(lambda shown, _gesture: self._on_entered(i, shown))
        return field

    def _on_entered(self, i: int, shown: float) -> None:
        self.p = self.p.copy()
        self.p[i] = shown / self._units.factor(True)
        self.edited.emit()

    def set_point(self, p: np.ndarray, frame: str) -> None:
        """Another point, of a frame of this name."""
        self.p = np.array(p, float)
        self._label.setText(f"Coordinates in {frame}")
        for field, value in zip(self._fields, self.p):
            field.show_value(float(value) * self._units.factor(True))

    def set_names(self, names: Sequence[str], active: int) -> None:
        """The lines of the table, one of which is drawn."""
        if tuple(names) != self._names:
            self._names = tuple(names)
            self._shape()
        self._active = active
        self.table.set_active(None if active < 0 else (active, 3))

    def show_values(self, values: np.ndarray) -> None:
        """The point on every line, `(k, 4)` in m."""
        self.table.numbers.set_values(values * [*[self._units.factor(True)] * 3, 1.0])

    def _shape(self) -> None:
        unit = self._units.symbol(True)
        self.table.numbers.decimals = (*[self._units.decimals(True)] * 3, 0)
        self.table.set_shape(self._names, (*(f"{axis} {unit}" for axis in AXES), "1"))

    def set_units(self, units: Units) -> None:
        """Lengths in another unit."""
        self._units = units
        for field, value in zip(self._fields, self.p):
            field.set_format(units.decimals(True), units.step(True), units.suffix(True))
            field.show_value(float(value) * units.factor(True))
        self._shape()
        self.set_names(self._names, self._active)

    def set_theme(self, tokens) -> None:
        """Colours, and the present size of text."""
        for field in self._fields:
            field.refit()
        self.table.refit()
        self.table.set_theme(tokens)


GENERAL = "General DH row matrix"
NO_TABLE = "{} has no DH table: {} = joint origin · joint motion · link frame."
NONE = np.zeros((4, 4), bool)
PLAIN: Cells = [[None] * 4] * 4


class KinematicsPage(QWidget):
    """Tells `frame_chosen(k)` and `lengths_seen(on)`; the matrices are `general`, `step` and `product`."""

    frame_chosen = Signal(int)
    lengths_seen = Signal(bool)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._frames: ArmFrames | None = None
        self._content = page(self, "Kinematics")
        self._back = self._arrow("kinematics_back", Qt.ArrowType.LeftArrow, "Previous frame", -1)
        self._on = self._arrow("kinematics_on", Qt.ArrowType.RightArrow, "Next frame", 1)
        self._choice = choice("kinematics_frame", "Multiply up to frame", {}, "Multiply from the base up to this frame")
        self._choice.activated.connect(lambda at: self.frame_chosen.emit(at + 1))
        self.lengths = check("kinematics_lengths", "Show link lengths", "Show a and d of the DH table in the view", on=True)
        self.lengths.toggled.connect(self.lengths_seen)
        self._product, self._step, self._general = Section(""), Section(""), Section(GENERAL)
        self.product = self._product.add(
            named(SymbolMatrix("Product of the matrices from the base to this frame", "T"), "kinematics_product")
        )
        self._checked = named(note(), "kinematics_checked")
        self._product.add(Steady(2, self._checked))
        self._why_not = self._product.add(named(note(), "kinematics_why_not"))
        self.step = self._step.add(named(SymbolMatrix("Matrix of this joint", "A"), "kinematics_step"))
        self._general_note = named(note(), "kinematics_general_note")
        self._general.add(Steady(3, self._general_note))
        self.before = self._general.add(MatrixView("Fixed pose of the joint"))
        self.general = self._general.add(named(SymbolMatrix("Symbolic matrix of one row", "A"), "kinematics_general"))
        self.after = self._general.add(MatrixView("Fixed pose of the link frame"))
        self.point = PointSection(units)

    def making(self) -> Steps:
        """What comes out first."""
        self._content.addWidget(row(self._back, self._choice, self._on, stretch=self._choice, spacing=4))
        self._content.addWidget(self.lengths)
        for section in (self._product, self._step, self._general):
            self._content.addWidget(section)
        yield
        self._content.addWidget(self.point)
        self._content.addStretch(1)
        yield

    def _arrow(self, name: str, kind: Qt.ArrowType, title: str, by: int) -> QToolButton:
        arrow = button(name, "", title, title, QToolButton)
        arrow.setArrowType(kind)
        arrow.clicked.connect(lambda: self.frame_chosen.emit(self._choice.currentIndex() + 1 + by))
        return arrow

    def set_frames(self, frames: ArmFrames) -> None:
        """Another arm's frames to choose from."""
        self._frames = frames
        self._choice.clear()
        for k in range(1, len(frames.frames)):
            self._choice.addItem(f"{frames.symbol(k)}: {frames.frames[k].name}", k)
        dh = frames.robot.dh
        self.lengths.setVisible(dh is not None)
        for part in (self.before, self.after):
            part.setVisible(dh is None)

    def show_frame(self, k: int) -> None:
        """Titles of the matrices that lead to frame k."""
        frames = self._frames
        if frames is None:
            return
        self._choice.setCurrentIndex(k - 1)
        self._back.setEnabled(k > 1)
        self._on.setEnabled(k + 1 < len(frames.frames))
        self._step.header.setText(frames.step_title(k))
        self._product.header.setText(frames.product(k))
        self.step.setAccessibleName(frames.step_title(k))
        self.product.setAccessibleName(frames.product(k))
        for view in (self.step, self.product):
            view.show_values(None)
        if frames.robot.dh is None:
            self._general.header.setText("Factors of the joint matrix")
            own = "joint matrix" if frames.is_tool(k) else f"A{frames.frames[k].below}"
            self._general_note.setText(NO_TABLE.format(frames.robot.title, own))
        else:
            self._general.header.setText(GENERAL)

    def show_unmade(self, zoom: float) -> None:
        """No symbols yet: those of another arm would stand above the numbers of this one."""
        for view in (self.general, self.step, self.product):
            view.show_symbols(PLAIN, zoom)

    def show_made(self, made: Made, zoom: float) -> None:
        """The symbols."""
        self.general.show_symbols(made.row, zoom)
        for view, cells in ((self.step, made.step), (self.product, made.product)):
            view.show_symbols(cells if cells is not None else PLAIN, zoom)
        self._why_not.setText(made.why_not)
        self._why_not.setVisible(bool(made.why_not))

    def show_poses(self, frames: ArmFrames, k: int, X: np.ndarray, q: np.ndarray) -> None:
        """The numbers at the pose."""
        step, X_before = frames.step(X, k), X[frames.frames[k].before]
        self.step.show_values(step)
        self.product.show_values(X[k], np.abs(X[k] - X_before) > 1e-9)
        self._checked.setText(_comparison(frames, k, X[k], q))
        dh = frames.robot.dh
        if dh is not None:
            self.general.show_values(None if frames.is_tool(k) else step)
            self._general_note.setText(_row_words(dh, k, q, self._units))
        elif not frames.is_tool(k):
            origin, motion, end = parts(frames, k, q)
            self.before.show_matrix("Joint origin", origin, NONE)
            self.general.show_values(motion)
            self.after.show_matrix("Link frame", end, NONE)
        else:
            self.general.show_values(None)

    def set_units(self, units: Units) -> None:
        """Other units of lengths and angles."""
        self._units = units
        for view in (self.before, self.after):
            view.set_units(units)
        self.point.set_units(units)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        for part in (self.general, self.step, self.product, self.before, self.after, self.point):
            part.set_theme(tokens)


def _comparison(frames: ArmFrames, k: int, X: np.ndarray, q: np.ndarray) -> str:
    """How far the product and the pose that the program draws are apart."""
    apart = float(np.abs(by_table(frames, k, q) - X).max())
    what = "DH matrices" if frames.robot.dh is not None else "joint matrices"
    word = "agree within" if apart < 1e-9 else "differ by up to"
    return f"The product of the {what} and the displayed pose {word} {significant(apart, 2)}."


def _row_words(dh: DHTable, k: int, q: np.ndarray, units: Units) -> str:
    """Row 3 now: θ = 12°, d = 0.15 m, a = 0 m, α = −90°."""
    rule = f"{RULES[dh.convention]} c = cos, s = sin."
    if k > dh.n:
        return f"{rule} The tool matrix is constant and not a row of the table."
    theta, d, a, alpha = (float(x) for x in dh.rows(q)[k - 1])
    said = f"θ = {units.text(theta, False)}, d = {units.text(d, True)}, a = {units.text(a, True)}, α = {units.text(alpha, False)}"
    return f"{rule} At this pose, row {k} is: {said}."
