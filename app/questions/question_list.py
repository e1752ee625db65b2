"""All questions that there are: those that ship, and those in a folder of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from armature.app.questions.question import Question, QuestionError, load_question
from armature.engine.files import shipped

SHIPPED = shipped("assets", "questions")


@dataclass(frozen=True)
class QuestionList:
    """In the order of their files' names, by topic in the order of their first questions; `refused` has a line per bad file."""

    questions: tuple[Question, ...] = ()
    refused: tuple[str, ...] = ()

    def with_question(self, new: Question) -> QuestionList:
        """One more, at the end, or in the place of one whose file has the same name."""
        names = [question.name for question in self.questions]
        if new.name not in names:
            return QuestionList((*self.questions, new), self.refused)
        k = names.index(new.name)
        return QuestionList((*self.questions[:k], new, *self.questions[k + 1 :]), self.refused)


def all_questions(own: Path, opened: Sequence[Path] = ()) -> QuestionList:
    """Those that ship, those in the folder `own`, those `opened`; each takes the place of one whose file has the same name."""
    found = QuestionList()
    for path in (*sorted(SHIPPED.glob("*.toml")), *sorted(own.glob("*.toml")), *opened):
        try:
            found = found.with_question(load_question(path))
        except QuestionError as error:
            found = QuestionList(found.questions, (*found.refused, str(error)))
    topics = list(dict.fromkeys(question.file.topic for question in found.questions))
    ordered = sorted(found.questions, key=lambda question: topics.index(question.file.topic))
    return QuestionList(tuple(ordered), found.refused)
