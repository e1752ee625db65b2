"""What an answer is given with, below each other: a line to type in, options to choose from, or conditions that the arm meets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from armature.app.questions.judge import Verdict
from armature.app.questions.question_schema import AnswerEntry, ConditionEntry
from armature.app.state.units import significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named, row
from armature.app.widgets.radio_list import RadioList
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note
from armature.app.widgets.steady import Steady

UNREAD = "unread"  # a text that is no formula, for the longest sentence about one
PREVIEW_TIP = "Formula as interpreted"


class AnswerRow(QWidget):
    """What is asked, the way to answer, and what is said of it. Tells `entered()` where a person wants it checked."""

    entered = Signal()

    def __init__(self, k: int, answer: AnswerEntry):
        super().__init__()
        self.answer, self._k = answer, k
        self.verdict = named(note(), f"question_verdict_{k}", "Feedback")
        self.verdict.hide()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 4)
        self.column.setSpacing(4)
        ask = QLabel(answer.ask)
        ask.setWordWrap(True)
        self.column.addWidget(ask)

    @property
    def given(self) -> str:
        """The answer as text; empty for none."""
        return ""

    def fill(self, given: str) -> None:
        """Show an answer, given before or right."""

    def start(self) -> None:
        """It is this one's turn."""

    def show_verdict(self, verdict: Verdict | None) -> None:
        """What is said of the answer; None for nothing yet."""
        if verdict is not None:
            self.verdict.setText(f"{'✓' if verdict.right else '✗'} {verdict.says}")
            set_style_property(self.verdict, "level", "0" if verdict.right else "2")
        self.verdict.setVisible(verdict is not None)

    def refit(self) -> None:
        """Another size of text."""


class TypedRow(AnswerRow):
    """A number or a formula, typed; below it how it is read."""

    def __init__(self, k: int, answer: AnswerEntry, read: Callable[[str], str]):
        super().__init__(k, answer)
        self._read = read
        self.field = named(QLineEdit(), f"question_answer_{k}", answer.ask)
        self.field.setPlaceholderText("a number" if answer.kind == "number" else "a formula")
        self.field.setMaxLength(500)
        self.field.returnPressed.connect(self.entered)
        self.field.textChanged.connect(self._on_text)
        self.preview = named(note(), f"question_preview_{k}", PREVIEW_TIP, PREVIEW_TIP)
        self.preview.hide()
        unit = QLabel(answer.unit)
        self.column.addWidget(row(self.field, unit, stretch=self.field))
        texts = [f"✗ {read(UNREAD)}", *(f"=\n✗ {wrong.says}" for wrong in answer.wrong)]
        self.column.addWidget(Steady(3, self.preview, self.verdict, texts=texts))

    @property
    def given(self) -> str:
        return self.field.text().strip()

    def fill(self, given: str) -> None:
        self.field.selectAll()
        self.field.insert(given)  # what stood there comes back by Ctrl+Z

    def start(self) -> None:
        self.field.setFocus()

    def show_verdict(self, verdict: Verdict | None) -> None:
        read = self.preview.text()
        self.preview.setVisible(bool(read) and (verdict is None or verdict.says != read))  # why it cannot be read is said once
        super().show_verdict(verdict)

    def refit(self) -> None:
        self.field.setFont(fixed_font())

    def _on_text(self, text: str) -> None:
        read = self._read(text) if text.strip() and self.answer.kind == "formula" else ""
        self.verdict.hide()
        self.preview.setText(read)
        self.preview.setVisible(bool(read))


class ChoiceRow(AnswerRow):
    """One of several options."""

    def __init__(self, k: int, answer: AnswerEntry):
        super().__init__(k, answer)
        self.options = RadioList(f"question_option_{k}", [option.text for option in answer.options])
        self.options.chosen.connect(lambda _: self.entered.emit())
        self.column.addWidget(self.options)
        self.column.addWidget(Steady(1, self.verdict, texts=[f"✗ {option.says}" for option in answer.options]))

    @property
    def given(self) -> str:
        return "" if self.options.index < 0 else str(self.options.index)

    def fill(self, given: str) -> None:
        self.options.choose(int(given) if given else -1)


class PoseRow(AnswerRow):
    """Conditions that the arm on screen meets, with their numbers now."""

    def __init__(self, k: int, answer: AnswerEntry):
        super().__init__(k, answer)
        self.lines = [named(QLabel(), f"question_condition_{k}_{j}") for j, _ in enumerate(answer.where)]
        for line in self.lines:
            line.setWordWrap(True)
            self.column.addWidget(line)
        self.column.addWidget(Steady(1, self.verdict))
        self.show_values(None)

    def show_values(self, values: list[tuple[float, bool]] | None) -> None:
        """The quantities now, and whether each is where it is wanted; None where another arm is shown."""
        for k, (line, condition) in enumerate(zip(self.lines, self.answer.where)):
            value, there = (None, False) if values is None else values[k]
            now = "" if value is None else f", now {significant(value, 4, 1.0)}{_unit(condition)}"
            line.setText(f"{'✓' if there else '○'} {_wanted(condition)}{now}")
            set_style_property(line, "level", "0" if there else "")


def answer_row(k: int, answer: AnswerEntry, read: Callable[[str], str]) -> AnswerRow:
    """The way to answer that an answer's kind needs; `read` tells how a formula is read."""
    if answer.kind == "choice":
        return ChoiceRow(k, answer)
    return PoseRow(k, answer) if answer.kind == "pose" else TypedRow(k, answer, read)


def _unit(condition: ConditionEntry) -> str:
    return condition.unit if condition.unit in ("", "°") else f" {condition.unit}"


def _wanted(condition: ConditionEntry) -> str:
    name, unit = condition.quantity, _unit(condition)
    if condition.near is not None and condition.tolerance is not None:
        return f"{name} = {significant(condition.near)} ± {significant(condition.tolerance)}{unit}"
    low = "" if condition.least is None else f"{significant(condition.least)} ≤ "
    high = "" if condition.most is None else f" ≤ {significant(condition.most)}"
    return f"{low}{name}{high}{unit}"
