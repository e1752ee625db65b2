"""What a xacro file has to be told before it is a robot."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

MOST_SHOWN = 320  # px of height, from which on the fields scroll


class ArgumentsDialog(QDialog):
    """A field per argument, with its default in grey; `chosen(values)` has those that were typed."""

    chosen = Signal(dict)

    def __init__(self, file: str, needed: str, arguments: Mapping[str, str], given: Mapping[str, str], parent: QWidget):
        super().__init__(parent)
        self.setObjectName("xacro_arguments")
        self.setWindowTitle("Arguments")
        words = QLabel(f"{file} requires the argument {needed}. Empty fields use the defaults of the file.")
        words.setWordWrap(True)
        self.fields: dict[str, QLineEdit] = {}
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        for name in (needed, *(name for name in arguments if name != needed)):
            field = self.fields[name] = QLineEdit(given.get(name, ""))
            field.setObjectName(f"xacro_argument_{name}")
            field.setAccessibleName(f"Argument {name}")
            field.setPlaceholderText("required" if name == needed else arguments[name])
            form.addRow(name, field)
        inner, scroll = QWidget(), QScrollArea()
        inner.setLayout(form)
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setMinimumHeight(min(inner.sizeHint().height() + 4, MOST_SHOWN))
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Open | kinds.Cancel)
        self._open = buttons.button(kinds.Open)
        self._open.setObjectName("xacro_arguments_open")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (words, scroll, buttons):
            layout.addWidget(part)
        self.setMinimumWidth(420)
        self.fields[needed].textChanged.connect(self._look)
        self._needed = needed
        self._look()
        self.fields[needed].setFocus()
        self.accepted.connect(lambda: self.chosen.emit(self.values()))

    def values(self) -> dict[str, str]:
        """What was typed, by name."""
        return {name: field.text().strip() for name, field in self.fields.items() if field.text().strip()}

    def _look(self) -> None:
        """Nothing can be opened without what is needed."""
        self._open.setEnabled(bool(self.fields[self._needed].text().strip()))
