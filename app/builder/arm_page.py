"""The page of the arm as a whole: what it is called and where its numbers come from, base and tool, gravity, floor, home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from armature.app.builder.arm_entries import arm_entries
from armature.app.builder.entry_fields import EntryFields
from armature.app.builder.live_edit import LiveEdit
from armature.app.builder.wide_page import wide_page
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.engine import RobotDraft

WORDS = {
    "name": ("Name", "Letters, digits, _ and -"),
    "title": ("Title", "Display name"),
    "description": ("Description", "A short description in one line"),
}
LONG = {
    "sources": ("Sources", "Sources of the arm's parameters, one per line"),
    "remarks": ("Remarks", "Known limitations of the arm's parameters, one per line"),
}
XYZ, RPY = ("x", "y", "z"), ("roll", "pitch", "yaw")
PLACES = {
    "Base x y z": tuple(f"base_{axis}" for axis in XYZ),
    "Base roll pitch yaw": tuple(f"base_{turn}" for turn in RPY),
    "Tool x y z": tuple(f"tool_{axis}" for axis in XYZ),
    "Tool roll pitch yaw": tuple(f"tool_{turn}" for turn in RPY),
    "Gravity x y z": tuple(f"gravity_{axis}" for axis in XYZ),
    "Floor": ("floor",),
}


class ArmPage(QWidget):
    """Tells `home_wanted()`: the present pose is to be the home pose."""

    home_wanted = Signal()

    def __init__(self, edit: LiveEdit):
        super().__init__()
        content = wide_page(self, "Arm")
        self._fields, self._entries = EntryFields(edit, self), arm_entries()
        words = QFormLayout()
        words.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        words.setVerticalSpacing(4)
        for name, (title, tip) in WORDS.items():
            words.addRow(title, self._fields.line(name, title, tip))
        for name, (title, tip) in LONG.items():
            words.addRow(title, self._fields.text(name, title, tip))
        self.home = button("builder_home", "Use current pose", "Use the current pose as the home pose")
        self.home.clicked.connect(self.home_wanted)
        self._home = named(note(), "builder_home_pose")
        places = QVBoxLayout()
        places.setSpacing(4)
        places.addWidget(self._fields.grid(PLACES, "arm"))
        places.addWidget(row(QLabel("Home pose"), self.home, None))
        places.addWidget(self._home)
        places.addStretch(1)
        columns = QHBoxLayout()
        columns.setSpacing(28)
        columns.addLayout(words, 1)
        columns.addLayout(places)
        content.addLayout(columns)
        content.addStretch(1)

    def show_draft(self, draft: RobotDraft, units: Units) -> None:
        """What stands in the file."""
        self._fields.show(draft, self._entries, units)
        robot = draft.robot
        home = robot.configurations["home"]
        self._home.setText("   ".join(units.text(float(x), bool(slides)) for x, slides in zip(home, robot.prismatic)))

    def set_theme(self, tokens: Tokens) -> None:
        """Nothing of it has colours of its own."""
