"""The rows of the DH table that is typed into, as Qt's table views ask for them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QColor

from armature.app.builder.arm_file import file_of
from armature.app.builder.entries import Entry
from armature.app.builder.joint_entries import (
    ACCELERATION,
    ALPHA,
    LIMITS,
    NAME,
    SPEED,
    THETA,
    TORQUE,
    TYPE,
    A,
    D,
    joint_entry,
    slides,
)
from armature.app.state.number_marks import MINUS
from armature.app.state.units import Units
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.tables.grid_model import LEFT, RIGHT
from armature.engine import RobotDraft
from armature.engine.model.dh_table import MODIFIED, STANDARD

ROOT = QModelIndex()
ROWS = {STANDARD: (THETA, D, A, ALPHA), MODIFIED: (A, ALPHA, D, THETA)}
KINDS = {"revolute": "revolute", "prismatic": "prismatic"}
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TIPS = {
    NAME: "Joint name",
    TYPE: "Revolute (rotates) or prismatic (slides)",
    THETA: "Angle about z; for a revolute joint, the offset added to q",
    D: "Length along z; for a prismatic joint, the offset added to q",
    A: "Length along x",
    ALPHA: "Angle about x",
    LIMITS: "Lower and upper limit, e.g. −170 … 170 or ±170; empty: unlimited",
    SPEED: "Speed limit; empty: not specified",
    ACCELERATION: "Acceleration limit; empty: full speed is reached in 0.25 s",
    TORQUE: "Torque limit in N·m, or force limit in N for a prismatic joint; empty: not specified",
}
HINT = "Type a number, e.g. pi/2, 90° or 431.8 mm"


class DHModel(QAbstractTableModel):
    """One row per joint. Tells `entered(entry, text)`; a cell of `refused` shows what was typed there in red, and why not."""

    entered = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[str, ...] = ()
        self.refused: dict[tuple[int, int], tuple[str, str]] = {}
        self.tokens: Tokens = LIGHT
        self._draft: RobotDraft | None = None
        self._units = Units()
        self._texts: list[list[str]] = []
        self._heads: list[str] = []
        self._slides: list[bool] = []

    def show(self, draft: RobotDraft | None, units: Units) -> None:
        """The rows of a draft; a cell being edited stays open where table and joints have the same shape."""
        before = self.columns, len(self._texts)
        if draft is not self._draft or units != self._units:  # the same one is shown again when the kernels are ready
            self.refused = {}
        self._draft, self._units = draft, units
        self.columns, self._texts, self._slides, self._heads = (), [], [], []
        if draft is not None:
            file = file_of(draft)
            self.columns = (NAME, TYPE, *ROWS[file.convention], LIMITS, SPEED, TORQUE, ACCELERATION)
            self._slides = [slides(file, i) for i in range(len(file.joints))]
            self._texts = [[self._text(i, c) for c in range(len(self.columns))] for i in range(len(file.joints))]
            self._heads = [self._head(column, file.convention == MODIFIED) for column in self.columns]
        if before != (self.columns, len(self._texts)):
            self.beginResetModel()
            self.endResetModel()
        elif self._texts:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._texts) - 1, len(self.columns) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def entry(self, row: int, column: int) -> Entry:
        """The place in the file of a cell."""
        return joint_entry(row, self.columns[column], self._slides[row])

    def texts(self, column: int) -> list[str]:
        """What is read in a column, row by row."""
        return [row[column] for row in self._texts]

    def refuse(self, row: int, column: int, text: str, why: str) -> None:
        """What was typed into a cell cannot be."""
        self.refused[row, column] = text, why
        self.dataChanged.emit(self.index(row, column), self.index(row, column))

    def forgive(self, row: int, column: int) -> None:
        """What stood in a cell and could not be is given up."""
        if self.refused.pop((row, column), None) is not None:
            self.dataChanged.emit(self.index(row, column), self.index(row, column))

    def rowCount(self, parent=ROOT) -> int:
        """Joints."""
        return 0 if parent.isValid() else len(self._texts)

    def columnCount(self, parent=ROOT) -> int:
        """Name, type, the DH row, limits, speed and torque."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index):
        """Every cell can be typed into."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        """Text and look of a cell, and what is edited in it."""
        row, column = index.row(), index.column()
        refused = self.refused.get((row, column))
        if role == Qt.ItemDataRole.DisplayRole:
            return self._texts[row][column] if refused is None else refused[0]
        if role == Qt.ItemDataRole.EditRole:
            return self._edited(row, column) if refused is None else refused[0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if self.columns[column] in (NAME, TYPE) else RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and refused is not None:
            return QColor(self.tokens.danger)
        if role == Qt.ItemDataRole.BackgroundRole and self.is_variable(row, column):
            return QColor(self.tokens.accent_soft)
        if role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[self.columns[column]] if refused is None else refused[1]
        return None

    def is_variable(self, row: int, column: int) -> bool:
        """Whether the joint's position moves what stands there."""
        return self.columns[column] == (D if self._slides[row] else THETA)

    def setData(self, index, value, role=Qt.ItemDataRole.EditRole) -> bool:
        """Hand on what was typed, unless it is what stood there."""
        row, column, text = index.row(), index.column(), str(value)
        if text == self.data(index, role):
            return False
        self.forgive(row, column)
        if text != self._edited(row, column):
            self.entered.emit(self.entry(row, column), text)
        return True

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        """Symbols with their units, and the numbers of the joints."""
        across = orientation == Qt.Orientation.Horizontal
        if section >= (len(self._heads) if across else len(self._texts)):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section] if across else str(section + 1)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if not across or self.columns[section] in (NAME, TYPE) else RIGHT
        if role == Qt.ItemDataRole.ToolTipRole and across:
            return TIPS[self.columns[section]]
        return None

    def _edited(self, row: int, column: int) -> str:
        assert self._draft is not None
        return self.entry(row, column).edited(self._draft, self._units)

    def _text(self, row: int, column: int) -> str:
        assert self._draft is not None
        text = self.entry(row, column).shown(self._draft, self._units)
        if not self.is_variable(row, column):
            return text
        q = f"q{row + 1}".translate(SUBSCRIPTS)
        if text.strip("0.,") == "":
            return q
        return f"{q} {MINUS} {text[1:]}" if text.startswith(MINUS) else f"{q} + {text}"

    def _head(self, column: str, modified: bool) -> str:
        turn, length = self._units.symbol(False), self._units.symbol(True)
        before = "ᵢ₋₁" if modified else ""
        own = "ᵢ" if modified else ""
        all_slide = bool(self._slides) and all(self._slides)
        unit = length if all_slide else turn if not any(self._slides) else f"{turn}, {length}"
        force = "N" if all_slide else "N·m" if not any(self._slides) else "N·m, N"
        return {
            NAME: "Joint",
            TYPE: "Type",
            THETA: f"θ{own} {turn}",
            D: f"d{own} {length}",
            A: f"a{before} {length}",
            ALPHA: f"α{before} {turn}",
            LIMITS: f"Limits {unit}",
            SPEED: f"Speed {'/s, '.join(unit.split(', '))}/s",
            ACCELERATION: f"Accel. {'/s², '.join(unit.split(', '))}/s²",
            TORQUE: f"Torque {force}",
        }[column]
