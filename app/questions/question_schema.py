"""The question file as pydantic models; `assets/questions/README.md` documents the same for those who write questions."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from armature.engine.errors import shown
from armature.engine.model.file_entries import Entry
from armature.engine.model.file_values import NotNegative, Number, Sentence, refusal, sentence

MAX_ANSWERS = 20
_LETTER = re.compile(r"[A-Za-z]+\d*[a-z]?")
_BELONGS = {
    "number": {"answer", "equals", "unit", "tolerance", "wrong"},
    "formula": {"answer", "equals", "wrong"},
    "choice": {"options"},
    "pose": {"where", "example"},
}


def _text(value: Any) -> str:
    """Several lines, each printable."""
    if not isinstance(value, str) or not value.strip() or len(value) > 4000:
        raise refusal(f"must be a text of 1 to 4000 characters, got {shown(value)}")
    lines = [line.strip() for line in value.strip().splitlines()]
    if not all(line.isprintable() for line in lines):
        raise refusal("must be printable text")
    return "\n".join(lines)


def _answer(value: Any) -> str:
    """A formula as text; a number counts as one."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    return sentence(value)


def _letters(value: Any) -> Any:
    if not isinstance(value, dict):
        raise refusal(f"must be a table of symbols and their values, such as m1 = 2.0, got {shown(value)}")
    for name, given in value.items():
        if not _LETTER.fullmatch(name):
            raise refusal(f"{name!r} is not a valid symbol: use letters, then digits, such as m1, lc1, theta")
        joint = isinstance(given, str) and re.fullmatch(r"q[1-9]", given)
        if not joint and (isinstance(given, bool) or not isinstance(given, (int, float))):
            raise refusal(f'{name} must be a number, or a joint such as "q1", got {shown(given)}')
    return {name: given if isinstance(given, str) else float(given) for name, given in value.items()}


def _tables(value: Any) -> Any:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_ANSWERS:
        raise refusal(f"must be 1 to {MAX_ANSWERS} tables, each headed [[answers]], got {shown(value)}")
    return value


def _joints(value: Any) -> Any:
    if not isinstance(value, list):
        raise refusal(f"must be an array of one value per joint, got {shown(value)}")
    return value


Text = Annotated[str, BeforeValidator(_text)]
Formula = Annotated[str, BeforeValidator(_answer)]
Joints = Annotated[list | None, BeforeValidator(_joints)]


class WrongEntry(Entry):
    """An answer that people often give, and what is wrong with it."""

    answer: Formula
    says: Sentence


class OptionEntry(Entry):
    """One thing to choose; a wrong one says why."""

    text: Sentence
    right: bool = False
    says: Sentence = ""


class ConditionEntry(Entry):
    """Where a quantity of the engine must be: near a value, or within bounds."""

    quantity: Sentence
    near: Number | None = None
    tolerance: NotNegative | None = None
    least: Number | None = None
    most: Number | None = None
    unit: Literal["", "m", "mm", "rad", "°", "N·m", "N", "m/s", "rad/s"] = ""

    @model_validator(mode="after")
    def _is_a_condition(self) -> Self:
        if (self.near is None) == (self.least is None and self.most is None):
            raise refusal("needs near and tolerance together, or least, most or both", "quantity")
        if (self.near is None) != (self.tolerance is None):
            raise refusal("must be given together with the key near", "tolerance")
        return self


class AnswerEntry(Entry):
    """One thing that a question wants to know."""

    kind: Literal["number", "formula", "choice", "pose"]
    ask: Sentence
    answer: Formula = ""
    equals: Sentence = ""
    unit: Sentence = ""
    tolerance: NotNegative | None = None
    wrong: list[WrongEntry] = Field(default_factory=list)
    options: list[OptionEntry] = Field(default_factory=list)
    where: list[ConditionEntry] = Field(default_factory=list)
    example: Joints = None

    @model_validator(mode="after")
    def _has_what_belongs_to_its_kind(self) -> Self:
        for field in self.model_fields_set - {"kind", "ask"} - _BELONGS[self.kind]:
            raise refusal(f'is not allowed for kind = "{self.kind}"', field)
        if self.kind == "formula" and not self.answer:
            raise refusal('missing; give the correct formula, such as answer = "m1 l1^2"', "answer")
        if self.kind == "number" and not (self.answer or self.equals):
            raise refusal('missing; give the number, or its quantity, such as equals = "M11"', "answer")
        if self.kind == "choice" and (sum(option.right for option in self.options) != 1 or len(self.options) < 2):
            raise refusal("must be at least two, with right = true in exactly one", "options")
        if self.kind == "pose" and not self.where:
            raise refusal("missing; give one table per condition", "where")
        return self


class QuestionFile(Entry):
    """A whole question file."""

    title: Sentence
    topic: Sentence = "Questions"
    robot: Sentence
    text: Text
    source: Sentence = ""
    hints: list[Sentence] = Field(default_factory=list)
    solution: Text
    one_by_one: bool = False
    pose: Sentence = ""
    q: Joints = None
    q_deg: Joints = None
    qd: Joints = None
    qdd: Joints = None
    letters: Annotated[dict, BeforeValidator(_letters)] = Field(default_factory=dict)
    answers: Annotated[list[AnswerEntry], BeforeValidator(_tables)]

    @model_validator(mode="after")
    def _stands_in_one_pose(self) -> Self:
        self.only_one_of("pose", "q", "q_deg")
        return self
