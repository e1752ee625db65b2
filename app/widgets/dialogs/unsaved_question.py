"""The question what becomes of unsaved changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget


def ask_unsaved(parent: QWidget, text: str, question: str, save: Callable[[], None], discard: Callable[[], None]) -> QMessageBox:
    """Save, discard or cancel; the program goes on meanwhile, and cancelling does nothing."""
    kinds = QMessageBox.StandardButton
    box = QMessageBox(QMessageBox.Icon.Question, "Unsaved changes", text, parent=parent)
    box.setObjectName("unsaved_question")
    box.setInformativeText(question)
    box.setStandardButtons(kinds.Save | kinds.Discard | kinds.Cancel)
    box.setDefaultButton(kinds.Save)
    for kind, name in ((kinds.Save, "unsaved_save"), (kinds.Discard, "unsaved_discard"), (kinds.Cancel, "unsaved_cancel")):
        box.button(kind).setObjectName(name)
    answers = {kinds.Save: save, kinds.Discard: discard}

    def answered(result: int) -> None:
        box.deleteLater()
        answers.get(kinds(result), lambda: None)()

    box.finished.connect(answered)
    box.open()
    return box
