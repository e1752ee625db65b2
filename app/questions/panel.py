"""The Questions dock: a list to choose from, the question, its answers, hints and solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from armature.app.questions.answer_rows import AnswerRow, answer_row
from armature.app.questions.attempt import SHOWN, SOLVED, Attempt
from armature.app.questions.expression_parser import Misread
from armature.app.questions.question import Question
from armature.app.state.severity import Severity
from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.widgets.choice_box import ChoiceBox
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, page

READING = "Loading questions…"
MARKS = {SOLVED: "✓ ", SHOWN: "○ "}
ICONS = {"questions_before": "previous_move", "questions_next": "next_move", "questions_more": "more"}


class QuestionsPanel(QWidget):
    """Tells what a person wants: another question, the answers checked, a hint, the solution, the arm set up, the menu."""

    chosen = Signal(str)
    checked = Signal()
    hint_wanted = Signal()
    solution_wanted = Signal()
    arm_wanted = Signal()
    more_wanted = Signal()

    def __init__(self):
        super().__init__()
        self.rows: list[AnswerRow] = []
        content = page(self, "Questions")
        content.addWidget(self._head())
        self.count = named(note(), "questions_count")
        self.title = named(QLabel(), "question_title")
        self.title.setProperty("role", "section")
        self.text, self.letters = named(QLabel(), "question_text"), named(note(), "question_letters")
        self.arm_note = named(note(), "question_arm_note")
        self.arm = button("question_arm", "", "Arm of this question")
        self.arm.clicked.connect(lambda _: self.arm_wanted.emit())
        self.arm.hide()
        self._answers = QVBoxLayout()
        self._answers.setSpacing(10)
        self.hints, self.solution = named(QLabel(), "question_hints", "Hints"), named(QLabel(), "question_solution", "Solution")
        self.show_nothing(READING)
        for label in (self.title, self.text, self.hints, self.solution):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.text, self.solution):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for part in (self.count, self.title, self.text, self.letters, self.arm_note, row(self.arm, None)):
            content.addWidget(part)
        content.addLayout(self._answers)
        content.addWidget(self._buttons())
        self.source = named(note(), "question_source")
        for part in (self.hints, self.solution, self.source):
            content.addWidget(part)
        content.addStretch(1)

    def _head(self) -> QWidget:
        self.list = named(ChoiceBox(), "questions_list", "Question", "Choose a question")
        self.list.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.list.setMinimumContentsLength(12)
        self.list.activated.connect(self._on_list)
        self.tools = {name: named(QToolButton(), name) for name in ICONS}
        words = ("Previous question", "Next question", "Open a question, choose a folder, reset")
        for (name, tool), tip in zip(self.tools.items(), words):
            named(tool, name, tip, tip)
            tool.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        before, after, more = self.tools.values()
        before.clicked.connect(lambda _: self._step(-1))
        after.clicked.connect(lambda _: self._step(1))
        more.clicked.connect(lambda _: self.more_wanted.emit())
        return row(before, self.list, after, more, stretch=self.list, spacing=4)

    def _buttons(self) -> QWidget:
        self.check = button("question_check", "Check", "Check the answers", "Check the answers  (Enter)")
        self.check.setProperty("role", "primary")
        self.hint = button("question_hint", "Hint", "Hint", "Next hint; the number in brackets is how many remain")
        self.solve = button("question_solve", "Solution", "Solution", "Show the correct answers and the solution")
        for part, signal in ((self.check, self.checked), (self.hint, self.hint_wanted), (self.solve, self.solution_wanted)):
            part.clicked.connect(lambda _=False, signal=signal: signal.emit())
            part.setEnabled(False)  # until there is a question
        return row(self.check, self.hint, self.solve, None)

    def _on_list(self, k: int) -> None:
        if self.list.itemData(k):  # a topic has no name
            self.chosen.emit(self.list.itemData(k))

    def _step(self, by: int) -> None:
        """To the neighbour in the list, past the topics."""
        k = self.list.currentIndex() + by
        while 0 <= k < self.list.count() and not self.list.itemData(k):
            k += by
        if 0 <= k < self.list.count():
            self.chosen.emit(self.list.itemData(k))

    def show_list(self, questions: Sequence[Question], progress: Mapping[str, str]) -> None:
        """All questions under their topics, each with a mark of how far one is."""
        now, topic = self.list.currentData(), ""
        with QSignalBlocker(self.list):
            self.list.clear()
            for question in questions:
                if question.file.topic != topic:
                    topic = question.file.topic
                    self.list.addItem(topic, "")
                    model = self.list.model()
                    if isinstance(model, QStandardItemModel):
                        model.item(self.list.count() - 1).setEnabled(False)
                self.list.addItem(f"{MARKS.get(progress.get(question.name, ''), '')}{question.file.title}", question.name)
            self.list.setCurrentIndex(self.list.findData(now) if now else -1)
        solved = sum(progress.get(question.name) == SOLVED for question in questions)
        self.count.setText(f"{solved} of {len(questions)} solved")

    def show_question(self, question: Question, attempt: Attempt) -> None:
        """Another question, with what was answered so far."""
        file = question.file
        with QSignalBlocker(self.list):
            self.list.setCurrentIndex(self.list.findData(question.name))
        self.title.setText(file.title)
        self.text.setText(file.text)
        values = {name: value if isinstance(value, str) else significant(value) for name, value in file.letters.items()}
        letters = [f"{name}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{value}" for name, value in values.items()]
        self.letters.setText(f"Symbols: {', '.join(letters)} (SI units)" if letters else "")
        self.letters.setVisible(bool(letters))
        self.source.setText(file.source)
        for old in self.rows:
            self._answers.removeWidget(old)
            old.setParent(None)  # nothing in the window has its names any more
            old.deleteLater()
        self.rows = [answer_row(k, answer, lambda text: _read(question, text)) for k, answer in enumerate(file.answers)]
        for one, given in zip(self.rows, attempt.given):
            one.fill(given)
            one.entered.connect(self.checked)
            one.refit()
            self._answers.addWidget(one)
        typed = [part for one in self.rows for part in one.findChildren(QWidget) if part.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for first, second in pairwise((self.tools["questions_more"], *typed, self.check, self.hint, self.solve)):
            QWidget.setTabOrder(first, second)
        self.show_attempt(question, attempt)

    def show_attempt(self, question: Question, attempt: Attempt) -> None:
        """What is said of the answers, hints that were taken, and the solution where it was wanted."""
        file, opened = question.file, attempt.open_answers(question.file.one_by_one)
        for k, (one, verdict) in enumerate(zip(self.rows, attempt.verdicts)):
            one.setVisible(k < opened)
            one.show_verdict(verdict)
        left = len(file.hints) - attempt.hints
        self.hint.setText(f"Hint ({left})" if file.hints else "Hint")
        self.hint.setEnabled(left > 0)
        self.hints.setText("\n".join(f"Hint {k + 1}: {text}" for k, text in enumerate(file.hints[: attempt.hints])))
        self.hints.setVisible(attempt.hints > 0)
        told = attempt.solution or attempt.complete
        self.solution.setText(file.solution if told else "")
        self.solution.setVisible(told)
        self.solve.setEnabled(not told)
        self.check.setEnabled(any(answer.kind != "pose" for answer in file.answers))

    def show_arm(self, told: str, offer: str) -> None:
        """What is to be said of the arm on screen, and a button that does something about it."""
        self.arm_note.setText(told)
        self.arm_note.setVisible(bool(told))
        self.arm.setText(offer)
        self.arm.setVisible(bool(offer))

    def show_nothing(self, why: str) -> None:
        """No question is open."""
        self.title.setText("")
        self.text.setText(why)

    def tell(self, severity: Severity, text: str) -> None:
        """Something about the list itself."""
        self.count.setText(text)
        set_style_property(self.count, "severity", severity.value)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the icons, and the present size of text."""
        for name, picture in ICONS.items():
            self.tools[name].setIcon(icon(picture, tokens.text))
        for one in self.rows:
            one.refit()


def _read(question: Question, text: str) -> str:
    """How a formula is read, or why it is none."""
    try:
        return f"= {question.expression(text).text()}"
    except Misread as error:
        return str(error)
