"""`Question`: what is asked about an arm in a state, read from a file."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from armature import engine
from armature.app.questions.expression import Expression, Numbers
from armature.app.questions.expression_parser import parse
from armature.app.questions.quantities import ANGLES, State
from armature.app.questions.question_schema import AnswerEntry, ConditionEntry, QuestionFile, WrongEntry
from armature.engine.errors import EngineError
from armature.engine.model.file_bytes import Unreadable
from armature.engine.model.file_entries import Entry
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import complaint, error_line, toml_table
from armature.engine.model.toml.toml_kind import QUESTION, expect_kind

_REQUIRED = {
    "title": "a short title",
    "robot": 'the arm of the question, such as robot = "scara", or a robot file in the same folder',
    "text": "the text of the question",
    "solution": "an explanation of the solution",
    "answers": "one [[answers]] table per requested answer",
    "kind": 'it must be "number", "formula", "choice" or "pose"',
    "ask": "the prompt before the answer, such as M11 =",
    "answer": "the wrong answer",
    "says": "an explanation of the mistake",
    "quantity": "a quantity such as M11",
}
_TABLES: dict[str, type[Entry]] = {"wrong": WrongEntry, "where": ConditionEntry}


class QuestionError(EngineError):
    """A question file that cannot be used; names the file, the field and what is valid."""


@dataclass(frozen=True, eq=False)
class Question:
    """`name` is that of its file; `state` the one that numbers are asked in, the robot's home where the file says nothing."""

    name: str
    file: QuestionFile
    state: State
    path: Path

    @property
    def robot(self) -> Robot:
        """The arm that it is about."""
        return self.state.robot

    @property
    def poses(self) -> bool:
        """Whether the file says in which pose the arm stands."""
        return bool(self.file.model_fields_set & {"pose", "q", "q_deg"})

    def expression(self, text: str) -> Expression:
        """A formula in this question's letters. Raises Misread."""
        return parse(text, self.robot.n, self.file.letters)

    def right_number(self, answer: AnswerEntry) -> float:
        """What a number must be, in its unit; 0 where there is only rounding."""
        if not answer.answer:
            value = self.state.value(answer.equals) * shown_per_si(answer.equals, answer.unit, self.robot)
            return 0.0 if abs(value) < 1e-12 else value
        return self.number(self.expression(answer.answer))

    def right_answer(self, answer: AnswerEntry) -> str:
        """What is typed or chosen to be right; empty for a pose."""
        if answer.kind == "choice":
            return str(next(k for k, option in enumerate(answer.options) if option.right))
        return f"{self.right_number(answer):.6g}" if answer.kind == "number" else answer.answer

    def number(self, expression: Expression) -> float:
        """A formula's value in the question's state, with the values of its letters."""
        at: dict[str, Numbers] = {
            name: np.float64(value) for name, value in self.file.letters.items() if not isinstance(value, str)
        }
        for name, values in (("q", self.state.q), ("qd", self.state.qd), ("qdd", self.state.qdd)):
            at |= {f"{name}{k + 1}": np.float64(value) for k, value in enumerate(values)}
        with np.errstate(all="ignore"):
            return float(expression.evaluate(at))


def load_question(path: str | os.PathLike[str]) -> Question:
    """The question in a file.

    Raises:
        QuestionError: one line that names the file, the line or the field, what is wrong and what is valid.
    """
    place = Path(path)
    try:
        table = toml_table(place, "question file", "title, robot, text, solution and [[answers]]")
        file = QuestionFile.model_validate(expect_kind(table, QUESTION, place))
        robot = _robot(file.robot, place.parent)
        q = _pose(file, robot)
        state = State(robot, q, _values(file.qd, "qd", robot), _values(file.qdd, "qdd", robot))
        question = Question(place.stem, file, state, place)
        _examine(question)
    except ValidationError as error:
        raise QuestionError(error_line(place, complaint(error, _table_at, _REQUIRED))) from None
    except (Unreadable, EngineError) as error:
        raise QuestionError(error_line(place, str(error))) from None
    return question


def shown_per_si(quantity: str, unit: str, robot: Robot) -> float:
    """The factor from the engine's number to the unit: ° for angles, mm for lengths."""
    slide = quantity[:1] == "q" and quantity[1:].isdigit() and robot.prismatic[int(quantity[1:]) - 1]
    if unit == "°" and ANGLES.fullmatch(quantity) and not slide:
        return math.degrees(1.0)
    return 1000.0 if unit == "mm" else 1.0


def _table_at(loc: list) -> type[Entry]:
    inner = [part for part in loc if isinstance(part, str)]
    return QuestionFile if not inner else _TABLES.get(inner[-1], AnswerEntry)


def _robot(name: str, folder: Path) -> Robot:
    """A robot that ships, or a file beside the question."""
    try:
        return engine.load_robot(folder / name if Path(name).suffix else name)
    except EngineError as error:
        raise Unreadable(f"robot: {error}") from None


def _pose(file: QuestionFile, robot: Robot) -> np.ndarray:
    if file.pose:
        if file.pose not in robot.configurations:
            raise Unreadable(f"pose: {robot.name} has no pose {file.pose!r}; valid are {', '.join(robot.configurations)}")
        return robot.configurations[file.pose]
    if file.q_deg is not None:
        q = _values(file.q_deg, "q_deg", robot)
        return np.where(robot.prismatic, q, np.radians(q))
    return robot.configurations["home"] if file.q is None else _values(file.q, "q", robot)


def _values(values: list | None, field: str, robot: Robot) -> np.ndarray:
    """One finite number per joint, 0 where nothing is given."""
    if values is None:
        return np.zeros(robot.n)
    if len(values) != robot.n or not all(type(value) in (int, float) and math.isfinite(value) for value in values):
        raise Unreadable(f"{field}: must be {robot.n} numbers, one per joint: {', '.join(robot.joint_names)}")
    return np.array(values, float)


def _examine(question: Question) -> None:
    """Every formula can be read, every quantity is one that the engine has."""
    for name, value in question.file.letters.items():
        if isinstance(value, str) and int(value[1:]) > question.robot.n:
            raise Unreadable(f"letters.{name}: {question.robot.name} has {question.robot.n} joints, but no joint {value}")
    for k, answer in enumerate(question.file.answers):
        formulas = [("answer", answer.answer), *((f"wrong[{j}].answer", one.answer) for j, one in enumerate(answer.wrong))]
        quantities = [("equals", answer.equals), *((f"where[{j}].quantity", one.quantity) for j, one in enumerate(answer.where))]
        for field, text in formulas:
            _try(f"answers[{k}].{field}", text, question.expression)
        for field, text in quantities:
            _try(f"answers[{k}].{field}", text, question.state.value)
        _values(answer.example, f"answers[{k}].example", question.robot)


def _try(field: str, text: str, read) -> None:
    try:
        if text:
            read(text)
    except EngineError as error:
        raise Unreadable(f"{field}: {error}") from None
