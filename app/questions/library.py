"""Which questions there are, and which of them were answered: kept between starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from armature.app.questions.attempt import SOLVED
from armature.app.questions.question import Question, load_question
from armature.app.questions.question_list import QuestionList, all_questions
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

SUBJECT = "questions"


class Library(QObject):
    """Reads the questions in the background; tells `changed()`, `read()` when all were read, `opened(name)` and `refused(why)` of
    one that the user opened."""

    changed = Signal()
    read = Signal()
    opened = Signal(str)
    refused = Signal(str)

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._opened = bench, list[Path]()
        self.list = QuestionList()
        self._reader = JobRunner("questions-read", bench.parent)
        self._reader.finished.connect(self._on_read)
        self._opener = JobRunner("questions-open", bench.parent)
        self._opener.finished.connect(self._on_opened)
        self._opener.failed.connect(self.refused)

    @property
    def questions(self) -> tuple[Question, ...]:
        """All, in their order."""
        return self.list.questions

    @property
    def progress(self) -> dict[str, str]:
        """Of questions by name, whether they were solved or looked up."""
        return self._bench.preferences.now.questions

    def __getitem__(self, name: str) -> Question:
        return next(question for question in self.questions if question.name == name)

    def first_open(self) -> str:
        """The name of the first question that is neither solved nor looked up; else of the first."""
        left = [question.name for question in self.questions if question.name not in self.progress]
        return (left or [question.name for question in self.questions])[0]

    def read_all(self) -> None:
        """Those that ship, those of the user's folder, and those opened since."""
        folder, opened = self._bench.files.question_folder(), tuple(self._opened)
        self._reader.start(lambda _: all_questions(folder, opened))

    def stop(self) -> None:
        """End the threads."""
        self._reader.stop()
        self._opener.stop()

    def open_file(self, path: Path) -> None:
        """One more for as long as the window is open."""
        self._opener.start(lambda _: load_question(path))

    def _on_opened(self, question: Question) -> None:
        self.list = self.list.with_question(question)
        self._opened.append(question.path)
        self.changed.emit()
        self.opened.emit(question.name)

    def remember(self, name: str, state: str) -> None:
        """How far the user is with a question; empty for a new start. What was solved stays solved until then."""
        if state and self.progress.get(name) == SOLVED:
            return
        done = {other: told for other, told in self.progress.items() if other != name}
        self._bench.preferences.set(questions=done | ({name: state} if state else {}))
        self.changed.emit()

    def forget_all(self) -> None:
        """Nothing was ever answered."""
        self._bench.preferences.set(questions={})
        self.changed.emit()

    def choose_folder(self) -> None:
        """Let the user say where own questions lie."""
        folder = QFileDialog.getExistingDirectory(
            self._bench.parent, "Folder of your questions", str(self._bench.files.question_folder())
        )
        if folder:
            self._bench.preferences.set(question_folder=folder)
            self.read_all()

    def _on_read(self, found: QuestionList) -> None:
        self.list = found
        if found.refused:
            text = f"{len(found.refused)} of your question files cannot be used."
            self._bench.banner.show_message(Severity.WARNING, text, found.refused, SUBJECT)
        else:
            self._bench.banner.settle(SUBJECT)
        self.changed.emit()
        self.read.emit()
