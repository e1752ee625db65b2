"""The Builder dock: a bar of tabs over the table, a link, and the arm as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.builder.arm_entries import arm_entries
from armature.app.builder.entry_fields import EntryFields
from armature.app.builder.link_page import LinkPage
from armature.app.builder.live_edit import LiveEdit
from armature.app.builder.table_page import TablePage
from armature.app.builder.wide_page import wide_page
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.app.widgets.dock import Themed
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


NOBODY = "No robot is being edited."


class BuilderPanel(QWidget):
    """Tells `new_wanted` and `save_wanted`; `joint` is the one whose row or link is shown."""

    new_wanted = Signal()
    save_wanted = Signal()

    def __init__(self, edit: LiveEdit, units: Units):
        super().__init__()
        self._edit, self._units, self.joint = edit, units, 0
        self.table, self.link, self.arm = TablePage(edit), LinkPage(edit), ArmPage(edit)
        self._parts: dict[str, Themed] = {"DH table": self.table, "Link": self.link, "Arm": self.arm}
        self.bar = named(QTabBar(), "builder_tabs", "Builder")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.pages = QStackedWidget()
        for title, part in self._parts.items():
            self.bar.addTab(title)
            self.pages.addWidget(cast("QWidget", part))
        self.bar.currentChanged.connect(self._turn)
        self.state = named(QLabel(), "builder_state")
        self.state.setProperty("role", "muted")
        self._new = button(
            "builder_new", "New…", "New robot", "Create an empty arm, an arm from a datasheet, or a copy of the open arm"
        )
        self._save = button("builder_save", "Save", "Save the robot", "Save the arm as a robot file")
        self._new.clicked.connect(self.new_wanted)
        self._save.clicked.connect(self.save_wanted)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 12, 0)
        head.setSpacing(6)
        head.addWidget(self.bar)
        head.addStretch(1)
        for control in (self.state, self._new, self._save):
            head.addWidget(control)
        self._nothing = named(note(NOBODY), "builder_nothing")
        self._nothing.setContentsMargins(12, 12, 12, 12)
        self.pages.addWidget(self._nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.pages, 1)

    def show_draft(self, draft: RobotDraft, units: Units) -> None:
        """A draft, in these units."""
        self._units = units
        self.joint = min(max(self.joint, 0), draft.robot.n - 1)
        self.bar.setEnabled(True)
        self._save.setEnabled(draft.changed or draft.path is None)
        self.state.setText("not saved" if draft.changed or draft.path is None else "saved")
        self._turn(self.bar.currentIndex())

    def _show_page(self, draft: RobotDraft) -> None:
        """The draft on the page that can be seen; the others show it when they are turned to."""
        match self.pages.currentWidget():
            case self.table:
                with QSignalBlocker(self.table):  # nobody has chosen another joint
                    self.table.show_draft(draft, self._units)
                    self.table.table.select(self.joint)
            case self.link:
                self.link.show_draft(draft, self.joint, self._units)
            case self.arm:
                self.arm.show_draft(draft, self._units)

    def show_nothing(self, why: str = NOBODY) -> None:
        """Why there is nothing to edit."""
        self._nothing.setText(why)
        self.bar.setEnabled(False)
        self._save.setEnabled(False)
        self.state.setText("")
        self.pages.setCurrentWidget(self._nothing)

    def choose(self, joint: int) -> None:
        """Another joint is the one that is edited."""
        draft = self._edit.draft
        if draft is None or not 0 <= joint < draft.robot.n or joint == self.joint:
            return
        self.joint = joint
        self.table.table.select(joint)
        if self.pages.currentWidget() is self.link:
            self.link.show_draft(draft, joint, self._units)

    def _turn(self, k: int) -> None:
        if self.bar.isEnabled():
            self.pages.setCurrentIndex(k)
            if self._edit.draft is not None:
                self._show_page(self._edit.draft)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of all pages."""
        for part in self._parts.values():
            part.set_theme(tokens)
