"""The dock *Cell*: objects around the arm, and the values of the selected one."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget

from armature.app.cell.object_table import NAME, ObjectModel, ObjectRow, ObjectTable
from armature.app.cell.object_values import SHAPES, Number
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import capital
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.widgets.controls import button, check, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import page
from armature.app.widgets.steady import Steady
from armature.app.widgets.value_grid import ValueGrid

NO_OBJECT = "Select an object in the table, or double-click it in the view."
ADD = tuple(
    (f"add_{shape}", f"{title}…" if shape == "mesh" else title, tip)
    for (shape, title), tip in zip(
        SHAPES.items(),
        (
            "Add a box in front of the arm",
            "Add a cylinder in front of the arm",
            "Add a sphere in front of the arm",
            "Add a cylinder with rounded ends in front of the arm",
            "Add a plane with everything behind it, such as a floor or a wall",
            "Add a mesh file (STL, OBJ, DAE), which counts as its convex hull",
        ),
        strict=True,
    )
)
MORE = (
    ("load", "Load cell…", "Open a cell file (TOML)"),
    ("save", "Save cell…", "Write a cell file (TOML)"),
    ("", "", ""),
    ("example_table", "Example: table", "A table with a box on it, and a wall"),
    ("example_posts", "Example: posts", "A post, a pipe, a ball and a slanted plane"),
    ("clear", "Remove all objects", "Empty the cell, floor included; Undo restores it"),
)


class CellPanel(QWidget):
    """Emits `requested(name)` of a button or menu entry, `selected(name)` of an object, and `shown(on)` of the selected one."""

    requested = Signal(str)
    selected = Signal(str)
    shown = Signal(bool)
    entered = Signal(int, float, int)

    def __init__(self):
        super().__init__()
        content = page(self, "Cell")
        self.entries: dict[str, QAction] = {}
        self.model = ObjectModel()
        self.table = ObjectTable(self.model)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.fields = ValueGrid("cell_value", "the object", NO_OBJECT, self.entered.emit)
        self._status = QLabel()
        self._status.setObjectName("cell_status")
        self._status.setWordWrap(True)
        add = self._menu("add", "+ Add  ▾", "Add an object", ADD)
        more = self._menu("more", "More  ▾", "Files, examples, and commands for all objects", MORE)
        self._colour = button("cell_colour", "Colour…", "Colour of the object", "Choose the colour of the object", QToolButton)
        self._colour.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._colour.clicked.connect(lambda: self.requested.emit("color"))
        self._visible = check("cell_visible", "Visible", "Draw the object; a hidden object is still an obstacle")
        self._visible.clicked.connect(self._on_visible)
        self._delete = button("cell_delete", "Delete", "Delete the object", "Delete the object; Undo restores it", QToolButton)
        self._delete.clicked.connect(lambda: self.requested.emit("delete"))
        for part in (
            row(add, None, more, spacing=4),
            self.table,
            row(self._colour, self._visible, None, self._delete, spacing=8),
            Steady(6, self.fields),
            Steady(3, self._status),
        ):
            content.addWidget(part)
        content.addStretch(1)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table, context=Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(lambda: self.requested.emit("delete"))

    def _menu(self, name: str, text: str, tip: str, entries: tuple[tuple[str, str, str], ...]) -> QToolButton:
        result = button(f"cell_{name}", text, tip, tip, QToolButton)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for key, title, hint in entries:
            if not key:
                menu.addSeparator()
                continue
            action = menu.addAction(title)
            action.setObjectName(f"cell_{key}")
            action.setToolTip(hint)
            action.triggered.connect(lambda _=False, key=key: self.requested.emit(key))
            self.entries[key] = action
        result.setMenu(menu)
        result.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return result

    def show_objects(self, rows: list[ObjectRow], unit: str, selected: int) -> None:
        """Show the objects, with lengths in `unit`, and select a row, -1 for none."""
        with QSignalBlocker(self.table.selectionModel()):
            self.model.set_rows(rows, unit)
            self.table.select(selected)
        self.table.viewport().update()
        is_one = selected >= 0
        for part in (self._colour, self._visible, self._delete):
            part.setEnabled(is_one)
        self._visible.setChecked(is_one and not rows[selected].is_hidden)
        colour = rows[selected].colour if is_one else "#808080"
        self._colour.setIcon(icon("block", colour))

    def show_numbers(self, numbers: list[Number], units: Units) -> None:
        """Show the numbers of the selected object; none for an empty list."""
        names = tuple((number.name, number.kind) for number in numbers)
        self.fields.show_values(names, [number.value for number in numbers], units, sum(number.is_size for number in numbers))

    def show_status(self, text: str, severity: Severity = Severity.INFO) -> None:
        """Show a message about the cell."""
        self._status.setText(capital(text))
        set_style_property(self._status, "severity", severity.value)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours and fonts."""
        self.table.refit()
        self.fields.refit()

    def _on_visible(self, on: bool) -> None:
        self.shown.emit(on)

    def _on_row(self, now, _) -> None:
        if now.isValid():
            self.selected.emit(str(self.model.index(now.row(), NAME).data(Qt.ItemDataRole.EditRole)))
