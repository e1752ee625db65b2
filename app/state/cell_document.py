"""`CellDocument`: the cell around the open robot, with its selection and undo steps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.state.document import RobotDocument
from armature.app.state.edits.field_edit import FieldEdit
from armature.engine import Robot
from armature.engine.contact.cell import Cell, floor_cell
from armature.engine.contact.shapes import FLOOR

UNNAMED = "cell"


@dataclass(frozen=True)
class ArmInCell:
    """An arm in a cell as `Obstacles`; the robot that is passed to the methods may differ in gravity or payload."""

    arm: Robot
    cell: Cell

    def collides(self, _: Robot, q: np.ndarray) -> np.ndarray:
        """Return whether the arm is in contact at q `(N, n)`, `(N,)` bool."""
        return self.cell.collides(self.arm, q)

    def contact_pairs(self, _: Robot, q: np.ndarray) -> list[tuple[str, str] | None]:
        """Return the names of the pair in the deepest contact at each of q `(N, n)`, None where there is no contact."""
        return self.cell.contact_pairs(self.arm, q)


def cell_label(name: str) -> str:
    """Return a cell as text: "cell table", or "cell" for one without a file, which has the default name."""
    return UNNAMED if name == Cell().name else f"cell {name}"


class CellDocument(QObject):
    """The cell `now`, the name of the object that is `selected`, "" for none, and the names of the objects that are `hidden`.

    `changed` is emitted when one of them has changed. A robot brings its floor as the only object of a cell that was not edited;
    every other cell remains when another robot is opened.
    """

    changed = Signal()

    def __init__(self, document: RobotDocument, parent: QObject | None = None):
        super().__init__(parent)
        self._document = document
        self.now = floor_cell(document.robot.floor)
        self._in_files: dict[Path | None, Cell] = {None: self.now}
        self.selected = ""
        self.hidden: frozenset[str] = frozenset()
        self._bare: tuple[Robot, Robot] | None = None  # a robot, and the same without its floor
        document.robot_changed.connect(self._on_robot)

    @property
    def unsaved(self) -> bool:
        """Whether the cell differs from its file, or from the floor alone if it has no file."""
        return self.now != self._in_files.get(self.now.source)

    @property
    def obstacles(self) -> ArmInCell:
        """Obstacles of the open robot."""
        return ArmInCell(self.contact_arm(self._document.robot), self.now)

    def contact_arm(self, robot: Robot) -> Robot:
        """Return the robot, without its floor if the user deleted the floor from the cell."""
        if FLOOR in self.now.names or robot.floor is None:
            return robot
        if self._bare is None or self._bare[0] is not robot:
            self._bare = robot, robot.with_floor(None)
        return self._bare[1]

    def edit(self, cell: Cell, text: str, gesture: int | None = None) -> None:
        """The user changed the cell: one undo step per gesture."""
        self._document.undo_stack.push(FieldEdit(self.set, self.now, cell, text, gesture))

    def open(self, cell: Cell) -> None:
        """Replace the cell by one from a file, as an undo step."""
        self._in_files[cell.source] = cell
        self.edit(cell, "open cell")

    def note_saved(self, cell: Cell) -> None:
        """The cell is in a file now, with the `source` and `text` of `cell`."""
        self.now = self._in_files[cell.source] = cell
        self.changed.emit()

    def set(self, cell: Cell) -> None:
        """Set the cell without an undo step."""
        renamed = self._renamed(cell)
        self.now = cell
        self.selected = renamed if self.selected not in cell.names else self.selected
        self.hidden &= frozenset(cell.names)
        self.changed.emit()

    def select(self, name: str) -> None:
        """Select an object; none for "" or an unknown name."""
        name = name if name in self.now.names else ""
        if name != self.selected:
            self.selected = name
            self.changed.emit()

    def show(self, name: str, on: bool) -> None:
        """Draw an object, or hide it in the view; it counts as an obstacle in both cases."""
        self.hidden = self.hidden - {name} if on else self.hidden | {name}
        self.changed.emit()

    def _renamed(self, cell: Cell) -> str:
        """New name of the selected object in a cell where one object of the present one has another name; "" if none has."""
        if len(cell.names) != len(self.now.names):
            return ""
        return next((new for old, new in zip(self.now.names, cell.names, strict=True) if old == self.selected != new), "")

    def _on_robot(self, robot) -> None:
        is_bare = self.now.source is None and not self.unsaved
        floor = self._in_files[None] = floor_cell(robot.floor)
        if is_bare:
            self.set(floor)
