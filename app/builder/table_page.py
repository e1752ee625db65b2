"""The page of the DH table: the convention, the joints, and why what was typed cannot be."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from armature.app.builder.arm_file import file_of
from armature.app.builder.dh_entry_table import DHEntryTable, show_refusal
from armature.app.builder.dh_model import DHModel
from armature.app.builder.entries import Entry
from armature.app.builder.joint_entries import joint_entry, slides
from armature.app.builder.live_edit import LiveEdit
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, choice, named, row
from armature.app.widgets.pop_up import Line, pop_up
from armature.app.widgets.steady import Steady
from armature.engine.model.dh_table import MODIFIED, STANDARD

if TYPE_CHECKING:
    from armature.engine import RobotDraft

CONVENTIONS = {STANDARD: "Standard DH (Spong)", MODIFIED: "Modified DH (Craig)"}
JOINTS = {
    "add": ("Add joint", "Add a joint after the selected one  (Ins)"),
    "remove": ("Remove", "Remove the selected joint and its link  (Del)"),
    "up": ("Move up", "Swap with the previous joint  (Alt+↑)"),
    "down": ("Move down", "Swap with the next joint  (Alt+↓)"),
}


class TablePage(QWidget):
    """Tells `chosen(joint)`, 0-based, where another row is the current one."""

    chosen = Signal(int)

    def __init__(self, edit: LiveEdit):
        super().__init__()
        self._edit, self._units, self._steps = edit, Units(), 0
        self.model = DHModel()
        self.table = DHEntryTable(self.model)
        tip = "Convert the DH table of this arm to the other convention"
        self.convention = choice("builder_convention", "DH convention", CONVENTIONS, tip)
        self.buttons = {name: button(f"builder_joint_{name}", text, "", tip) for name, (text, tip) in JOINTS.items()}
        self.why = named(QLabel(), "builder_why")
        self.why.setProperty("severity", "error")
        self.why.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(4)
        column.addWidget(row(*self.buttons.values(), None, self.convention))
        column.addWidget(self.table, 1)
        column.addWidget(Steady(1, self.why))
        self._wire()

    def _wire(self) -> None:
        table, cells = self.table, self.table.cells
        self.convention.activated.connect(lambda _: self._convert(self.convention.currentData()))
        for name, one in self.buttons.items():
            one.clicked.connect(partial(self.change_joints, name))
        table.wanted.connect(self.change_joints)
        table.chosen.connect(self.chosen)
        table.chosen.connect(lambda _: self._allow())
        table.menu_requested.connect(self._open_menu)
        cells.typing.connect(self._on_typing)
        cells.left.connect(self._on_left)
        self.model.entered.connect(self._on_entered)
        self._edit.told.connect(self.tell)

    @property
    def joint(self) -> int:
        """The current row, −1 for none."""
        return self.table.currentIndex().row()

    def show_draft(self, draft: RobotDraft, units: Units) -> None:
        """Its table; the current cell stays the current one where there is one like it."""
        at = self.table.currentIndex()
        where = (at.row(), at.column()) if at.isValid() else (0, 0)
        heads = self.model.columns, units
        self.model.show(draft, units)
        self.tell("")
        if heads != (self.model.columns, self._units):
            self._units = units
            self.table.refit()
        else:
            self.table.widen()
        if not self.table.currentIndex().isValid():
            rows, columns = self.model.rowCount(), self.model.columnCount()
            self.table.setCurrentIndex(self.model.index(min(where[0], rows - 1), min(where[1], columns - 1)))
        self.convention.setCurrentIndex(self.convention.findData(file_of(draft).convention))
        self._allow()

    def tell(self, why: str) -> None:
        """Why something cannot be; nothing where all can."""
        refused = next(iter(self.model.refused.values()), ("", ""))
        self.why.setText(why or refused[1])

    def _allow(self) -> None:
        n, k = self.model.rowCount(), self.joint
        self.buttons["up"].setEnabled(k > 0)
        self.buttons["down"].setEnabled(0 <= k < n - 1)
        self.buttons["remove"].setEnabled(k >= 0 and n > 1)

    def change_joints(self, what: str, _checked: bool = False) -> None:
        """Add, remove or move a joint; the current row goes with it."""
        k, n, edit = self.joint, self.model.rowCount(), self._edit
        others = [*range(k), *range(k + 1, n)]
        if what == "add":
            if edit.do(lambda draft: draft.with_joint(k + 1), "add joint", (*range(k + 1), -1, *range(k + 1, n))):
                self.table.select(k + 1)
        elif what == "remove" and k >= 0:
            edit.do(lambda draft: draft.without_joint(k), "remove joint", tuple(others))
        elif what in ("up", "down"):
            to = k + (1 if what == "down" else -1)
            origins = (*others[:to], k, *others[to:])
            if 0 <= to < n and edit.do(lambda draft: draft.with_joint_moved(k, to), "order of joints", origins):
                self.table.select(to)

    def _convert(self, convention: str) -> None:
        self._edit.do(lambda draft: draft.converted(convention), "DH convention")
        if self._edit.draft is not None:
            self.convention.setCurrentIndex(self.convention.findData(file_of(self._edit.draft).convention))

    def _entry(self, at: int, column: int) -> Entry | None:
        draft = self._edit.draft
        if draft is None or not 0 <= at < len(file_of(draft).joints):
            return None
        return joint_entry(at, self.model.columns[column], slides(file_of(draft), at))

    def _on_typing(self, at: int, column: int, editor: QLineEdit) -> None:
        entry = self._entry(at, column)
        if entry is not None:
            show_refusal(editor, self._edit.try_out(entry, editor.text()))

    def _on_entered(self, entry: Entry, text: str) -> None:
        at, column = self.table.currentIndex().row(), self.table.currentIndex().column()
        for k in range(self.model.columnCount()):  # the cell it was typed into, wherever the current one is by now
            if (found := self._entry(int(entry.where[1]), k)) is not None and found.where == entry.where:
                at, column = int(entry.where[1]), k
        why = self._edit.enter(entry, text)
        if why:
            self.model.refuse(at, column, text, why)
            self.tell(why)

    def _on_left(self, _row: int, _column: int) -> None:
        """A cell is closed: what was tried there has been entered, or is not wanted."""
        self._edit.give_up()
        self.tell("")

    def _open_menu(self, joint: int, at: QPoint) -> None:
        lines = [
            Line(name, text, partial(self.change_joints, name), self.buttons[name].isEnabled(), tip)
            for name, (text, tip) in JOINTS.items()
        ]
        pop_up(self, f"Joint {joint + 1}" if joint >= 0 else "", at, lines)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the table."""
        self.table.set_theme(tokens)
