"""Where an imported recording is saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QWidget

from armature.app.widgets.controls import button, named, row
from armature.engine.recording.recording_formats import FORMATS


class TargetRow(QWidget):
    """A line for the file's name, which tells `changed()`, and a button that chooses the file."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._overwrite: Path | None = None  # what a person chose to be replaced
        self.name = named(QLineEdit(), "import_target", "File of the recording")
        self.name.textChanged.connect(lambda _: self.changed.emit())
        browse = button("import_browse", "Choose…", "Choose the file of the recording")
        browse.setAutoDefault(False)  # Return ends what is typed in a field
        browse.clicked.connect(lambda _: self._browse())
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(row(QLabel("Save as"), self.name, browse, stretch=self.name))

    @property
    def is_named(self) -> bool:
        """Whether anything is typed."""
        return bool(self.name.text().strip())

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.name.text().strip()).expanduser()

    @property
    def fault(self) -> str:
        """Why nothing can be written there; empty where it can."""
        if self.path.exists() and self.path != self._overwrite:
            return f"{self.path} exists; choose another name, or choose it with “Choose…” to replace it."
        return "" if self.path.suffix.lower() in FORMATS else f"The name of a recording must end in {', '.join(FORMATS)}."

    def _browse(self) -> None:
        kinds = ";;".join(f"{form.title} (*{form.suffix})" for form in FORMATS.values())
        path, _ = QFileDialog.getSaveFileName(self, "Save the recording as", self.name.text(), kinds)
        if path:
            self._overwrite = Path(path)
            self.name.setText(path)
