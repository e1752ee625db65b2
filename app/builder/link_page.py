"""The page of a link: what it weighs, typed or made of a shape, and its joint's friction, motor and gears."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature import engine
from armature.app.builder.arm_file import file_of
from armature.app.builder.entries import refusal
from armature.app.builder.entry_fields import EntryFields
from armature.app.builder.entry_line import EntryLine
from armature.app.builder.joint_entries import drive_entries, link_entries, slides
from armature.app.builder.live_edit import LiveEdit
from armature.app.builder.shape_choice import ALONG, ShapeChoice, usual_length
from armature.app.builder.typed_quantity import Kind, Scale
from armature.app.builder.wide_page import wide_page
from armature.app.state.units import Units, grouped, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, choice, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note
from armature.app.widgets.steady import Steady
from armature.engine.model.draft.link_bodies import MATERIALS, SHAPES

if TYPE_CHECKING:
    from armature.engine import RobotDraft

USUAL = {"diameter": 0.1, "wall": 0.005, "width": 0.1, "height": 0.1}  # m
LETTERS = 9  # of a length with its unit
TIPS = {"wall": "Wall thickness; 0: solid", "length": "Empty: the length of the link"}


class ShapeSection(QWidget):
    """The result follows every keystroke; a button takes it over."""

    def __init__(self, edit: LiveEdit):
        super().__init__()
        self._edit, self._units, self._joint = edit, Units(), 0
        self.kind = choice("builder_shape", "Shape", {name: name.capitalize() for name in SHAPES})
        self.material = choice("builder_material", "Material", {name: name for name in MATERIALS}, now="aluminium")
        self.along = choice(
            "builder_along", "Along", ALONG, "Direction of the shape's length: along the link or an axis of its frame"
        )
        self._grid = QGridLayout()
        self._grid.setSpacing(4)
        self._titles: dict[str, QLabel] = {}
        self.lines: dict[str, EntryLine] = {}
        for name in ("diameter", "width", "height", "wall", "length"):
            self.lines[name] = EntryLine(f"builder_shape_{name}", f"{name.capitalize()} of the shape", TIPS.get(name, ""))
            self.lines[name].textEdited.connect(lambda _: self._show_result())
            self.lines[name].entered.connect(partial(self._keep, self.lines[name]))
            self.lines[name].set_letters(LETTERS)
            self._titles[name] = QLabel(name.capitalize())
        self.result = named(QLabel(), "builder_shape_result")
        self.result.setWordWrap(True)
        self.use = button(
            "builder_shape_use",
            "Use",
            "Use mass, centre of mass and inertia of the shape for this link",
            "Set the mass, centre of mass and inertia of this link from the shape",
        )
        self.use_all = button(
            "builder_shape_all",
            "Use for all links",
            "",
            "Set the masses and inertias of all links from a shape with the length of each link",
        )
        self.use.clicked.connect(self._use)
        self.use_all.clicked.connect(self._use_everywhere)
        for box in (self.kind, self.material, self.along):
            box.activated.connect(lambda _: self._refresh())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for k, (title, box) in enumerate((("Shape", self.kind), ("Along", self.along))):
            self._grid.addWidget(QLabel(title), 0, 2 * k)
            self._grid.addWidget(box, 0, 2 * k + 1)
        self._grid.addWidget(QLabel("Material"), 1, 0)
        self._grid.addWidget(self.material, 1, 1, 1, 3)
        column.addLayout(self._grid)
        column.addWidget(Steady(2, self.result))
        column.addWidget(row(self.use, self.use_all, None))
        for name, value in USUAL.items():
            self._show_length(name, value)

    def show_draft(self, draft: RobotDraft, joint: int, units: Units) -> None:
        """The link of a joint, 0-based."""
        if units != self._units:
            scale, self._units = Scale(Kind.LENGTH, self._units), units
            for name, line in self.lines.items():
                if line.text():
                    self._show_length(name, scale.typed(line.text()))
        if joint != self._joint:
            self._show_length("length", None)
        self._joint = joint
        self._refresh()

    def choice(self) -> ShapeChoice:
        """What is chosen and typed. Raises ModelError."""
        scale, lengths = Scale(Kind.LENGTH, self._units), {}
        for name in SHAPES[self.kind.currentData()]:
            text = self.lines[name].text().strip()
            if text or name != "length":
                lengths[name] = scale.typed(text)
        return ShapeChoice(self.kind.currentData(), lengths, self.along.currentData(), self.material.currentData())

    def _show_length(self, name: str, value: float | None) -> None:
        text = "" if value is None else Scale(Kind.LENGTH, self._units).text(value)
        self.lines[name].show_value(text, text)

    def _keep(self, line: EntryLine, text: str) -> None:
        """What is left stands as it was typed."""
        line.show_value(text, text)
        self._show_result()

    def _refresh(self) -> None:
        """The lengths of this shape, two in a row."""
        wanted = SHAPES[self.kind.currentData()]
        for name, line in self.lines.items():
            for part in (self._titles[name], line):
                self._grid.removeWidget(part)
                part.setVisible(name in wanted)
        for k, name in enumerate(wanted):
            self._grid.addWidget(self._titles[name], 2 + k // 2, 2 * (k % 2))
            self._grid.addWidget(self.lines[name], 2 + k // 2, 2 * (k % 2) + 1)
        self._show_result()

    def _show_result(self) -> None:
        draft = self._edit.draft
        if draft is None:
            return
        robot, i = draft.robot, self._joint
        scale = Scale(Kind.LENGTH, self._units)
        self.lines["length"].setPlaceholderText(f"{scale.text(usual_length(robot, i))} {scale.symbol}")
        try:
            chosen = self.choice()
            shape = chosen.shape(robot, i)
        except engine.ModelError as error:
            self._show(refusal(error), True)
            return
        mass = chosen.density * shape.volume
        moments = "  ".join(significant(float(x), 3) for x in shape.inertia(mass).diagonal())
        density = f"{grouped(chosen.density)} kg/m³"
        self._show(f"{density}: {significant(mass, 4)} kg\nmoments {moments} kg·m²", False)

    def _show(self, text: str, refused: bool) -> None:
        self.result.setText(text)
        set_style_property(self.result, "severity", "error" if refused else "")
        for one in (self.use, self.use_all):
            one.setEnabled(not refused)

    def _use(self) -> None:
        chosen, joint = self.choice(), self._joint
        self._edit.do(lambda draft: chosen.put(draft, joint), f"shape of link {joint + 1}")

    def _use_everywhere(self) -> None:
        chosen = self.choice()
        self._edit.do(chosen.put_everywhere, "shape of all links")


BODY = {
    "Mass": ("mass",),
    "CoM x y z": ("com_x", "com_y", "com_z"),
    "Ixx Iyy Izz": ("inertia_xx", "inertia_yy", "inertia_zz"),
    "Ixy Ixz Iyz": ("inertia_xy", "inertia_xz", "inertia_yz"),
}
DRIVE = {
    "Viscous": ("viscous",),
    "Coulomb +": ("coulomb_plus",),
    "Coulomb −": ("coulomb_minus",),
    "Static": ("stiction",),
    "Rotor inertia": ("rotor_inertia",),
    "Gear ratio": ("gear_ratio",),
}
ABOUT = "In the axes of the link's DH frame; the inertia is about the centre of mass."
MASSLESS = "This arm has no masses. Enter a mass or choose a shape for a link; then all links get a mass."


class LinkPage(QWidget):
    """Tells `chosen(joint)`, 0-based, where another one is wanted."""

    chosen = Signal(int)

    def __init__(self, edit: LiveEdit):
        super().__init__()
        content = wide_page(self, "Link")
        self.link = choice("builder_link", "Link", {})
        self.link.activated.connect(self.chosen)
        self._about = named(note(ABOUT), "builder_link_about")
        self._about.setWordWrap(True)
        self._fields = EntryFields(edit, self)
        self.shape = ShapeSection(edit)
        columns = QHBoxLayout()
        columns.setSpacing(14)
        body = row(_title("Link of"), self.link, None)
        for head, *parts in (
            (body, self._fields.grid(BODY, "link"), self._about),
            (_title("From shape and material"), self.shape),
            (_title("Friction, motor, gears"), self._fields.grid(DRIVE, "joint")),
        ):
            head.setMinimumHeight(self.link.sizeHint().height())  # all begin at one height
            columns.addLayout(_column(head, *parts))
        columns.addStretch(1)
        content.addLayout(columns)
        content.addStretch(1)

    def show_draft(self, draft: RobotDraft, joint: int, units: Units) -> None:
        """The link of a joint, 0-based."""
        file = file_of(draft)
        names = file.joint_names()
        titles = [f"{i + 1}  {name}" for i, name in enumerate(names)]
        if [self.link.itemText(k) for k in range(self.link.count())] != titles:
            self.link.clear()
            self.link.addItems(titles)
        self.link.setCurrentIndex(joint)
        self._about.setText(ABOUT if draft.robot.has_dynamics else MASSLESS)
        self._fields.show(draft, {**link_entries(joint), **drive_entries(joint, slides(file, joint))}, units)
        self.shape.show_draft(draft, joint, units)

    def set_theme(self, tokens: Tokens) -> None:
        """Nothing of it has colours of its own."""


def _title(text: str) -> QLabel:
    head = QLabel(text)
    head.setProperty("role", "section")
    return head


def _column(*parts: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(4)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    column.setAlignment(Qt.AlignmentFlag.AlignTop)
    return column
