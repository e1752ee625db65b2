"""`CellEdits`: edits of a cell by the user, each an undo step, and its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QFileDialog

from armature import engine
from armature.app.cell import object_meshes, object_values
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.engine import Cell

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

FILTER = "Cells (*.toml);;All files (*)"
MESHES = "Meshes (*.stl *.obj *.dae);;All files (*)"
SUBJECT = "cell"


class CellEdits(QObject):
    """Emits `reported(text, severity)` for the panel, and `opened` after a file was opened. A thread reads files."""

    reported = Signal(str, object)
    opened = Signal()

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._cell = bench, bench.cell
        self.runner = JobRunner("cell", bench.parent)
        self._then: Callable[[Cell], None] = self._cell.open
        self.commands: dict[str, Callable[[], None]] = {
            **{f"add_{shape}": partial(self._add, shape) for shape in object_values.SHAPES if shape != "mesh"},
            **{f"example_{name}": partial(self.open_file, name) for name in ("table", "posts")},
            "add_mesh": self._ask_mesh,
            "delete": self.delete,
            "clear": self._clear,
            "color": self._ask_colour,
            "load": self._ask_load,
            "save": self.ask_save,
        }

    def wire(self) -> None:
        """Connect the thread that reads files."""
        self.runner.finished.connect(self._on_read)
        self.runner.failed.connect(self._on_failed)

    def change(self, make: Callable[[], Cell], text: str, gesture: int | None = None) -> None:
        """Edit the cell; an invalid value is reported and changes nothing."""
        try:
            cell = make()
        except engine.ModelError as error:
            self.reported.emit(str(error), Severity.ERROR)
            return
        self._cell.edit(cell, text, gesture)
        self.reported.emit("", Severity.INFO)

    def set_number(self, i: int, value: float, gesture: int) -> None:
        """Set number i of the selected object, in m, rad or without unit."""
        name = self._cell.selected
        self.change(lambda: object_values.with_number(self._cell.now, name, i, value), f"edit {name}", gesture)

    def rename(self, old: str, new: str) -> None:
        """Give an object another name."""
        self.change(lambda: self._cell.now.with_changes(old, name=new), f"rename {old}")

    def delete(self) -> None:
        """Delete the selected object."""
        name = self._cell.selected
        if name:
            self.change(lambda: self._cell.now.without_object(name), f"delete {name}")

    def open_file(self, path: str | Path) -> None:
        """Open a cell file, or an included cell by its name; a file that cannot be read changes nothing."""
        self._read(lambda: engine.load_cell(path), self._open)

    def save(self, path: Path, then: Callable[[], None] = lambda: None) -> None:
        """Write the cell to a file and continue with `then`."""
        cell = self._cell.now
        try:
            written = engine.save_cell(cell, path).absolute()
            text = written.read_text("utf-8")
        except (engine.ModelError, OSError) as error:
            self._bench.banner.show_message(Severity.ERROR, str(error), subject=SUBJECT)
            return
        self._cell.note_saved(replace(cell, source=written, text=text))
        self._bench.banner.show_message(Severity.INFO, f"Saved {path}", subject=SUBJECT)
        then()

    def ask_save(self, then: Callable[[], None] = lambda: None) -> None:
        """Let the user choose a file for the cell, write it, and continue with `then`."""
        cell = self._cell.now
        start = cell.source or Path.home() / f"{cell.name}.toml"
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "Save cell", str(start), FILTER)
        if path:
            self.save(Path(path if Path(path).suffix else f"{path}.toml"), then)

    def _add(self, shape: str, file: Path | None = None) -> None:
        cell = self._cell.now
        self.change(lambda: object_values.with_new_object(cell, self._bench.document.robot, shape, file), f"add {shape}")
        if self._cell.now is not cell:
            self._cell.select(self._cell.now.names[-1])
            self._bench.scene.keep_in_view()

    def _clear(self) -> None:
        self.change(lambda: replace(self._cell.now, objects=()), "remove all objects")

    def _ask_mesh(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Add mesh", str(self._folder()), MESHES)
        if path:
            robot, file = self._bench.document.robot, Path(path)
            self._read(lambda: object_values.with_new_object(Cell(), robot, "mesh", file), lambda _: self._add("mesh", file))

    def _ask_load(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Load cell", str(self._folder()), FILTER)
        if path:
            self.open_file(path)

    def _folder(self) -> Path:
        source = self._cell.now.source
        return Path.home() if source is None else source.parent

    def _read(self, make: Callable[[], Cell], then: Callable[[Cell], None]) -> None:
        """Read files and their meshes in a thread, and continue with the cell."""
        robot = self._bench.document.robot
        self._then = then

        def read(_) -> Cell:
            cell = make()
            object_meshes.drawn_objects(cell, robot)  # caches the meshes
            return cell

        self.runner.start(read)

    def _on_read(self, cell: Cell) -> None:
        self._then(cell)

    def _open(self, cell: Cell) -> None:
        for subject in ("open", SUBJECT):
            self._bench.banner.settle(subject)
        self._cell.open(cell)
        self._bench.scene.keep_in_view()
        if cell.source is not None:
            self._bench.preferences.add_recent(str(cell.source))
        self.reported.emit("", Severity.INFO)
        self.opened.emit()

    def _on_failed(self, text: str) -> None:
        self._bench.files.message_about.emit("open", Severity.ERROR, text)

    def _ask_colour(self) -> None:
        name = self._cell.selected
        thing = self._cell.now[name]
        now = QColor.fromRgbF(*thing.color) if thing.color else QColor(object_meshes.palette.CELL)
        dialog = QColorDialog(now, self._bench.parent)
        dialog.setObjectName("cell_colour_dialog")
        dialog.setOptions(QColorDialog.ColorDialogOption.ShowAlphaChannel | QColorDialog.ColorDialogOption.DontUseNativeDialog)
        dialog.colorSelected.connect(lambda colour: self._set_colour(name, colour))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _set_colour(self, name: str, colour: QColor) -> None:
        shares = [round(x, 3) for x in (colour.redF(), colour.greenF(), colour.blueF(), colour.alphaF())]
        color = tuple(shares[:3] if shares[3] == 1.0 else shares)
        self.change(lambda: self._cell.now.with_changes(name, color=color), f"colour of {name}")
