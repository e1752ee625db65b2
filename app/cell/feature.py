"""The cell: objects around the arm in dock and view, their files, and the prompt for unsaved changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtWidgets import QMessageBox

from armature.app.cell.cell_edits import CellEdits
from armature.app.cell.cell_scene import CellScene, hex_colour
from armature.app.cell.object_table import ObjectRow
from armature.app.cell.object_values import LENGTH, numbers, place_text, size_text
from armature.app.cell.panel import CellPanel
from armature.app.feature import Feature
from armature.app.scene.gl import palette
from armature.app.widgets.dialogs.unsaved_question import ask_unsaved
from armature.app.widgets.dock import RIGHT, Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class CellFeature(Feature):
    """Shows the cell document in dock and view."""

    dock: Dock

    def __init__(self, bench: Workbench):
        self._bench, self.panel = bench, CellPanel()
        self.dock = Dock("cell", "Cell", self.panel, RIGHT, {"explore": 4})
        self.edits, self.scene = CellEdits(bench), CellScene(bench)
        self._question: QMessageBox | None = None

    def wire(self) -> None:
        """Wire dock, view and files."""
        bench, panel, edits = self._bench, self.panel, self.edits
        edits.wire()
        self.scene.wire()
        panel.requested.connect(lambda name: edits.commands[name]())
        panel.selected.connect(bench.cell.select)
        panel.shown.connect(lambda on: bench.cell.show(bench.cell.selected, on))
        panel.model.renamed.connect(edits.rename)
        panel.entered.connect(edits.set_number)
        edits.reported.connect(panel.show_status)
        edits.opened.connect(self._on_opened)
        bench.files.cell_requested.connect(edits.open_file)
        bench.cell.changed.connect(self._show)
        bench.preferences.units_changed.connect(lambda _: self._show())
        self._show()

    def settle(self, then: Callable[[], None]) -> None:
        """Prompt the user to save unsaved changes of the cell."""
        cell = self._bench.cell
        self._bench.scene.setFocus()  # so that a number being typed counts
        if not cell.unsaved:
            then()
            return
        if self._question is not None and shiboken6.isValid(self._question) and self._question.isVisible():
            self._question.reject()
        text = f"The cell {cell.now.name} has unsaved changes."
        save = lambda: self.edits.ask_save(then)  # noqa: E731
        self._question = ask_unsaved(self._bench.parent, text, "Save it as a cell file?", save, then)

    def shut_down(self) -> None:
        """End reading."""
        self.edits.runner.stop()

    def _on_opened(self) -> None:
        """Bring the dock up in a perspective that has it."""
        bench = self._bench
        if bench.preferences.now.perspective in (*self.dock.places, "all"):
            self.dock.bring_up()

    def _show(self) -> None:
        """Show the objects, and the numbers of the selected one."""
        cell, units = self._bench.cell, self._bench.preferences.units
        rows = [
            ObjectRow(
                thing.name,
                size_text(thing, units),
                place_text(thing, units),
                hex_colour(thing.color) if thing.color else palette.CELL,
                thing.name in cell.hidden,
            )
            for thing in cell.now.objects
        ]
        selected = cell.now.names.index(cell.selected) if cell.selected else -1
        self.panel.show_objects(rows, units.symbol(LENGTH), selected)
        self.panel.show_numbers(numbers(cell.now[cell.selected]) if cell.selected else [], units)
