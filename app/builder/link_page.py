"""The page of a link: what it weighs, typed or made of a shape, and its joint's friction, motor and gears."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature.app.builder.arm_file import file_of
from armature.app.builder.entry_fields import EntryFields
from armature.app.builder.joint_entries import drive_entries, link_entries, slides
from armature.app.builder.live_edit import LiveEdit
from armature.app.builder.shape_section import ShapeSection
from armature.app.builder.wide_page import wide_page
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import choice, named, row
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.engine import RobotDraft

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
