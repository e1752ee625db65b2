"""`LawChooser`: which file an own law comes from: one that is there, one that was open lately, or a new one from a template."""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from armature.app.control.own_law.law_section import OwnLawSection
from armature.app.control.own_law.law_templates import examples, templates
from armature.app.state.severity import Severity
from armature.app.widgets.pop_up import Line, pop_up

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


def open_in_editor(path: Path) -> bool:
    """Whether the system took it over. Where opening a Python file would run it, the system is told to edit it."""
    if sys.platform == "win32":
        try:
            os.startfile(path, "edit")
        except OSError:
            return QProcess.startDetached("notepad.exe", [str(path)])[0]
        return True
    if sys.platform == "darwin":
        return QProcess.startDetached("open", ["-t", str(path)])[0]
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


KIND = "Controller (*.py)"


class LawChooser(QObject):
    """Tells `opened(path)` of a file that a person chose, which is the consent to run it; `path` is the one that is open."""

    opened = Signal(object)

    def __init__(self, bench: Workbench, section: OwnLawSection):
        super().__init__(section)
        self._bench, self._section = bench, section
        self.path: Path | None = None
        section.open.clicked.connect(self.offer_laws)
        section.new.clicked.connect(self.offer_templates)
        section.edit.clicked.connect(self.edit)

    def ask_open(self) -> None:
        """Let a person choose a file."""
        path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Open controller", str(self.folder()), KIND)
        if path:
            self.take(Path(path))

    def offer_laws(self) -> None:
        """Choose a file, or one that was open lately."""
        recent = [Path(path) for path in self._bench.preferences.now.recent_laws]
        lines: list[Line | None] = [Line("law_file", "Choose a file…", self.ask_open), *([None] if recent else [])]
        for k, path in enumerate(recent):
            lines.append(Line(f"law_{k}", path.name, partial(self.take, path), path.is_file(), str(path)))
        pop_up(self._section, "Open a controller", _below(self._section.open), lines)

    def offer_templates(self) -> None:
        """Choose what a new law begins as."""
        begin: list[Line | None] = []
        for k, group in enumerate((templates(), examples())):
            begin += [None] if k else []
            begin += [Line(f"template_{title}", title, partial(self._ask_new, title, text)) for title, text in group.items()]
        pop_up(self._section, "New from template", _below(self._section.new), begin)

    def _ask_new(self, title: str, text: str) -> None:
        name = re.sub(r"[^a-z]+", "_", title.partition(",")[0].lower()).strip("_")
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "New controller", str(self.folder() / f"my_{name}.py"), KIND)
        if path:
            self.create(Path(path if Path(path).suffix else f"{path}.py"), text)

    def create(self, path: Path, text: str) -> None:
        """A file with this text, opened here and in the editor."""
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            self._bench.files.message_about.emit("law", Severity.ERROR, f"{path} could not be written: {error.strerror}")
            return
        self.take(path)
        self.edit()

    def edit(self) -> None:
        """The file in the person's editor."""
        if self.path is not None and not open_in_editor(self.path):
            text = f"The system has no text editor for {self.path}. Open it in any editor; every saved change is reloaded."
            self._bench.files.message_about.emit("law", Severity.INFO, text)

    def take(self, path: Path) -> None:
        """This file, which a person chose."""
        self._bench.preferences.add_recent_law(str(path.absolute()))
        self.opened.emit(path)

    def folder(self) -> Path:
        """Where a person keeps laws."""
        recent = self._bench.preferences.now.recent_laws
        folder = Path(recent[0]).parent if recent else self._bench.files.recording_folder()
        return folder if folder.is_dir() else Path.home()


def _below(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(widget.rect().bottomLeft())
