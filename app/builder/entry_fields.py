"""`EntryFields`: lines of a page, each for one place of the file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.builder.entries import Entry, NumberEntry
from armature.app.builder.entry_line import EntryLine, EntryText
from armature.app.builder.live_edit import LiveEdit
from armature.app.builder.typed_quantity import Scale
from armature.app.state.units import Units
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.engine import RobotDraft

NAMED = "builder_"
WIDEST, DIGITS = "−0.001234", 4  # of a number in a field


class EntryFields(QObject):
    """Joins fields, by the names of their entries, to the draft."""

    def __init__(self, edit: LiveEdit, parent: QObject):
        super().__init__(parent)
        self._edit = edit
        self.fields: dict[str, EntryLine | EntryText] = {}
        self._unit_labels: dict[str, list[QLabel]] = {}
        self._entries: Mapping[str, Entry] = {}

    def line(self, name: str, title: str, tip: str = "") -> EntryLine:
        """A line for the entry of that name."""
        return self._joined(name, EntryLine(f"{NAMED}{name}", title, tip))

    def text(self, name: str, title: str, tip: str = "") -> EntryText:
        """A field of several lines."""
        return self._joined(name, EntryText(f"{NAMED}{name}", title, tip))

    def unit(self, name: str) -> QLabel:
        """The unit of an entry's number, written beside its field."""
        label = note()
        label.setWordWrap(False)
        self._unit_labels.setdefault(name, []).append(label)
        return label

    def grid(self, rows: Mapping[str, tuple[str, ...]], title: str) -> QWidget:
        """Rows of numbers with a title in front and the unit behind; `title` is what they are of, for screen readers."""
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(4)
        for r, (head, names) in enumerate(rows.items()):
            grid.addWidget(QLabel(head), r, 0)
            for c, name in enumerate(names):
                axis = f", {name.rpartition('_')[2]}" if len(names) > 1 else ""
                line = self.line(name, f"{head}{axis} of the {title}")
                line.set_letters(len(WIDEST))
                grid.addWidget(line, r, c + 1)
            grid.addWidget(self.unit(names[0]), r, len(names) + 1)
        grid.setColumnStretch(1 + max(map(len, rows.values())), 1)
        return widget

    def show(self, draft: RobotDraft, entries: Mapping[str, Entry], units: Units) -> None:
        """What stands in the draft; `entries` may be those of another joint."""
        others = {name: entry.where for name, entry in entries.items()} != {n: e.where for n, e in self._entries.items()}
        self._entries = entries
        for name, entry in entries.items():
            field = self.fields.get(name)
            if field is not None:
                if others and isinstance(field, EntryLine):
                    field.setModified(False)
                field.show_value(entry.shown(draft, units, DIGITS), entry.edited(draft, units))
                field.show_refusal("")
            if isinstance(entry, NumberEntry):
                for label in self._unit_labels.get(name, ()):
                    label.setText(Scale(entry.kind, units).symbol)

    def _joined(self, name, field):
        self.fields[name] = field
        field.typing.connect(partial(self._on_typing, name))
        field.entered.connect(partial(self._on_entered, name))
        field.given_up.connect(self._on_given_up)
        return field

    def _on_typing(self, name: str, text: str) -> None:
        if name in self._entries:
            self.fields[name].show_refusal(self._edit.try_out(self._entries[name], text))

    def _on_entered(self, name: str, text: str) -> None:
        if name in self._entries:
            self.fields[name].show_refusal(self._edit.enter(self._entries[name], text))

    def _on_given_up(self) -> None:
        self._edit.give_up()
        self._edit.told.emit("")
