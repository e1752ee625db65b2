"""The law inside a recording: shown as text, and run only where a person saves it as a file of their own and opens that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QWidget

from armature.app.state.severity import Severity
from armature.app.widgets.dialogs.code_dialog import CodeDialog
from armature.engine.errors import one_line

OWN_LAW = "own-law"  # as recordings call such a law
QUESTION = (
    "This recording contains a user-defined controller in Python. Its code has not been run. Python code has all the rights of"
    " your user account: read it before you use it."
)


class RecordedLaw(NamedTuple):
    """Its name and its text."""

    name: str
    text: str


def law_inside(metadata: Any) -> RecordedLaw | None:
    """The last own law that the metadata of a recording hold, None without one; whatever else they hold."""
    told = metadata if isinstance(metadata, Mapping) else {}
    events = told.get("events")
    kept = [event for event in events if isinstance(event, Mapping)] if isinstance(events, (list, tuple)) else []
    for law in (*(event.get("controller") for event in reversed(kept)), told.get("controller")):
        if isinstance(law, Mapping) and law.get("kind") == OWN_LAW and isinstance(law.get("text"), str) and law["text"]:
            return RecordedLaw(one_line(str(law.get("name", "law")), 60), law["text"])
    return None


class RecordedLawDialog(CodeDialog):
    """Shows a law; `use(path)` is called once a person has saved it as a file."""

    def __init__(self, law: RecordedLaw, folder: Path, use: Callable[[Path], None], tell, parent: QWidget | None = None):
        text = (law.text, f"Python code of {law.name}")
        super().__init__(
            "recorded_law", "Controller of the recording", QUESTION, text, QDialogButtonBox.StandardButton.Close, parent
        )
        self._law, self._folder, self._use, self._tell = law, folder, use, tell
        self.add_button("Save and use…", "recorded_law_use").clicked.connect(self._save)
        self.add_button("Copy").clicked.connect(lambda: QGuiApplication.clipboard().setText(law.text))

    def _save(self) -> None:
        name = "".join(c if c.isalnum() else "_" for c in self._law.name) or "law"
        path, _ = QFileDialog.getSaveFileName(self, "Save controller", str(self._folder / f"{name}.py"), "Controller (*.py)")
        if not path:
            return
        target = Path(path if Path(path).suffix else f"{path}.py")
        try:
            target.write_text(self._law.text, encoding="utf-8")
        except (OSError, ValueError) as error:
            self._tell("law", Severity.ERROR, f"{target} could not be written: {error}")
            return
        self.accept()
        self._use(target)
