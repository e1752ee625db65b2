"""The DH table that is typed into: the arm follows every keystroke, and what cannot be is red with the reason."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHeaderView, QLineEdit, QSizePolicy, QStyledItemDelegate, QTableView

from armature.app.builder.dh_model import HINT, KINDS, DHModel
from armature.app.builder.joint_entries import ACCELERATION, LIMITS, NAME, SPEED, TORQUE, TYPE
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.tables.entry_table import EntryTable

WIDEST = {
    NAME: "shoulder_pan",
    TYPE: "prismatic ",
    LIMITS: "−2.8973 … 2.8973",
    SPEED: "Speed °/s, m/s",
    TORQUE: "Torque N·m, N",
    ACCELERATION: "Accel. °/s², m/s²",
}
USUAL = "q₁₂ − 180.5"
ROOM = 14  # px beside a text
SEEN = 6  # rows, at least
KEYS = {
    (Qt.Key.Key_Insert, False): "add",
    (Qt.Key.Key_Delete, False): "remove",
    (Qt.Key.Key_Up, True): "up",
    (Qt.Key.Key_Down, True): "down",
}


class CellDelegate(QStyledItemDelegate):
    """Tells `typing(row, column, editor)` with every keystroke, and `left(row, column)` when a cell is closed."""

    typing = Signal(int, int, object)
    left = Signal(int, int)

    def createEditor(self, parent, option, index):
        """A line, or a box with the types of joints."""
        model = index.model()
        if model.columns[index.column()] == TYPE:
            box = named(QComboBox(parent), "builder_type", "Joint type")
            for kind, title in KINDS.items():
                box.addItem(title, kind)
            box.activated.connect(lambda _: self.commitData.emit(box))
            box.activated.connect(lambda _: self.closeEditor.emit(box))
            return box
        line = named(QLineEdit(parent), "builder_cell", model.entry(index.row(), index.column()).title, HINT)
        line.setAlignment(Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole)))
        row, column = index.row(), index.column()
        line.textEdited.connect(lambda _: self.typing.emit(row, column, line))
        return line

    def setEditorData(self, editor, index):
        """What stands in the cell."""
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))
        else:
            editor.setText(index.data(Qt.ItemDataRole.EditRole))

    def setModelData(self, editor, model, index):
        """Hand on what was chosen or typed."""
        model.setData(index, editor.currentData() if isinstance(editor, QComboBox) else editor.text())

    def destroyEditor(self, editor, index):
        self.left.emit(index.row(), index.column())
        super().destroyEditor(editor, index)


class DHEntryTable(EntryTable):
    """Tells `chosen(row)`, `wanted(what)` by its keys: a joint to "add", "remove", move "up" or "down"; and `menu_requested`."""

    chosen = Signal(int)
    wanted = Signal(str)
    menu_requested = Signal(int, QPoint)
    typed_characters = EntryTable.typed_characters | set("-+±.π(")

    def __init__(self, model: DHModel):
        super().__init__("builder_table", "DH table, editable", model, 64)
        self.rows = model
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.cells = CellDelegate(self)
        self.setItemDelegate(self.cells)
        self.verticalHeader().setSectionsClickable(True)
        self.verticalHeader().sectionClicked.connect(self.select)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))

    def select(self, row: int) -> None:
        """Make this joint the current one."""
        if 0 <= row < self.model().rowCount() and self.currentIndex().row() != row:
            self.setCurrentIndex(self.model().index(row, max(self.currentIndex().column(), 0)))

    def refit(self) -> None:
        """Columns as wide as what usually stands in them, six rows at least."""
        super().refit()
        row, head = self.verticalHeader().defaultSectionSize(), self.horizontalHeader().height()
        self.setMinimumHeight(head + SEEN * row + 4)
        self.setMaximumHeight(16777215)
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setStretchLastSection(False)
        for k, column in enumerate(self.rows.columns):
            title = str(self.rows.headerData(k, Qt.Orientation.Horizontal) or "")
            header.resizeSection(k, max(map(metrics.horizontalAdvance, (title, WIDEST.get(column, USUAL)))) + ROOM)
        if self.rows.columns:
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
            header.setMinimumSectionSize(metrics.horizontalAdvance("joint12") + 10)
        self.widen()

    def widen(self) -> None:
        """Room for what is longer than usual; names take what is left."""
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        for k in range(1, len(self.rows.columns)):
            width = max(map(metrics.horizontalAdvance, self.rows.texts(k)), default=0) + ROOM
            if width > header.sectionSize(k):
                header.resizeSection(k, width)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of cells."""
        self.rows.tokens = tokens
        self.refit()
        self.viewport().update()

    def keyPressEvent(self, event):
        what = KEYS.get((event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)))
        if what is not None and self.state() != QTableView.State.EditingState:
            self.wanted.emit(what)
        elif event.key() == Qt.Key.Key_Escape and self.rows.refused:
            self._forgive()
        else:
            super().keyPressEvent(event)

    def _forgive(self) -> None:
        for row, column in tuple(self.rows.refused):
            self.rows.forgive(row, column)
            self.cells.left.emit(row, column)

    def is_own(self, event) -> bool:
        """Also the keys that add, remove and move joints."""
        held = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return super().is_own(event) or (event.key(), held) in KEYS

    def contextMenuEvent(self, event):
        """Of the row under the cursor; by its key, of the current one."""
        by_key = event.reason() == event.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
        self.select(index.row())
        self.menu_requested.emit(index.row(), place)


def show_refusal(editor: QLineEdit, why: str) -> None:
    """Let a line be red with the reason as its tip, or as usual."""
    set_style_property(editor, "refused", "true" if why else "")
    editor.setToolTip(why or HINT)
