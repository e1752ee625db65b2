"""Judges what a person answered, and says what is wrong with it where that can be told."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armature.app.questions.expression import Expression
from armature.app.questions.expression_parser import Misread
from armature.app.questions.proof import proven_equal
from armature.app.questions.quantities import State
from armature.app.questions.question import Question, shown_per_si
from armature.app.questions.question_schema import AnswerEntry, ConditionEntry
from armature.app.questions.typed_unit import without_unit

POINTS, CLOSE = 24, 1e-9  # random states, and the relative difference that is rounding
SHARE = 0.01  # of a number that may be missing where the file says nothing
NUMBER_FACTORS = (
    (math.degrees(1.0), "This looks like degrees; radians are expected."),
    (math.radians(1.0), "This looks like radians; degrees are expected."),
    (1000.0, "Too large by a factor of 1000: is it in millimetres?"),
    (0.001, "Too small by a factor of 1000: is it in metres?"),
    (9.81, "Too large by a factor of 9.81: is g included once too often?"),
    (1 / 9.81, "Too small by a factor of 9.81: is g missing?"),
)
FACTORS = (
    (-1.0, "The sign is wrong."),
    (2.0, "Too large by a factor of two."),
    (0.5, "Too small by a factor of two."),
    (-2.0, "The sign is wrong, and the result is too large by a factor of two."),
    (-0.5, "The sign is wrong, and the result is too small by a factor of two."),
)

TERMS = (  # how much of one term is lacking
    (1.0, "One term is missing."),
    (2.0, "One term has the wrong sign."),
    (0.5, "One term is too small by a factor of two."),
    (-1.0, "One term is too large by a factor of two."),
)


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and a sentence about it."""

    right: bool
    says: str
    read_as: str = ""  # the formula as it was understood


def judge(question: Question, answer: AnswerEntry, given: str) -> Verdict:
    """What to say to an answer: a formula or a number as typed, of a choice the index of the option."""
    if answer.kind == "choice":
        return _chosen(answer, given)
    is_number = answer.kind == "number"
    text, factor = without_unit(given, answer.unit, question.file.letters) if is_number else (given, 1.0)
    try:
        typed = question.expression(text)
    except Misread as error:
        return Verdict(False, f"{error} The unit here is {answer.unit}." if is_number and answer.unit else str(error))
    verdict = _number(question, answer, typed, factor) if is_number else _formula(question, answer, typed)
    return Verdict(verdict.right, verdict.says, typed.text())


def reached(state: State, condition: ConditionEntry) -> tuple[float, bool]:
    """The quantity, in the condition's unit, and whether it is where it is wanted."""
    value = state.value(condition.quantity) * shown_per_si(condition.quantity, condition.unit, state.robot)
    if condition.near is not None and condition.tolerance is not None:
        return value, abs(value - condition.near) <= condition.tolerance
    low = -math.inf if condition.least is None else condition.least
    high = math.inf if condition.most is None else condition.most
    return value, low <= value <= high


def _chosen(answer: AnswerEntry, given: str) -> Verdict:
    if not given:
        return Verdict(False, "Choose an option.")
    option = answer.options[int(given)]
    return Verdict(option.right, option.says or ("Correct." if option.right else "Incorrect."))


def _number(question: Question, answer: AnswerEntry, typed: Expression, factor: float) -> Verdict:
    """`factor` is that of the unit that was typed."""
    right, value = question.right_number(answer), question.number(typed) * factor
    if not math.isfinite(value):
        return Verdict(False, "The value is not finite.")
    room = max(SHARE * abs(right), 1e-6) if answer.tolerance is None else answer.tolerance
    if abs(value - right) <= room:
        return Verdict(True, "Correct.")
    for wrong in answer.wrong:
        if abs(value - question.number(question.expression(wrong.answer))) <= room:
            return Verdict(False, wrong.says)
    for times, says in (*FACTORS, *NUMBER_FACTORS):
        if right and abs(value - times * right) <= abs(times) * room:
            return Verdict(False, says)
    return Verdict(False, "Incorrect value.")


def _formula(question: Question, answer: AnswerEntry, typed: Expression) -> Verdict:
    right = question.expression(answer.answer)
    points = _Points(question)
    value = points.values(typed)
    if np.isfinite(value).sum() < POINTS // 3:
        return Verdict(False, "The formula has no finite value at the tested poses.")
    if points.same(value, points.values(right)):
        letters = tuple(name for name, known in question.file.letters.items() if not isinstance(known, str))
        proven = proven_equal(typed, right, question.robot.n, letters)
        return Verdict(True, "Correct: the difference is 0." if proven else f"Correct: equal in {POINTS} random states.")
    for wrong in answer.wrong:
        if points.same(value, points.values(question.expression(wrong.answer))):
            return Verdict(False, wrong.says)
    return Verdict(False, _reason(points, typed, right))


class _Points:
    """Random numbers for all letters and joints of a question."""

    def __init__(self, question: Question):
        random, n = np.random.default_rng(0), question.robot.n
        names = [name for name, known in question.file.letters.items() if not isinstance(known, str)]
        self.letters = {name: random.uniform(0.4, 1.9, POINTS) for name in names}
        spans = (("q", 3.0), ("qd", 2.0), ("qdd", 2.0))
        self.joints = {f"{kind}{k + 1}": random.uniform(-span, span, POINTS) for kind, span in spans for k in range(n)}
        self.known = {name: np.full(POINTS, question.file.letters[name]) for name in names}

    def values(self, expression: Expression, changed: str = "", known: bool = False) -> np.ndarray:
        """At all points, with one letter or joint `changed`, or with the letters' values in the file."""
        at = {**(self.known if known else self.letters), **self.joints}
        if changed:
            at[changed] = at[changed] + 0.37
        with np.errstate(all="ignore"):
            return np.broadcast_to(expression.evaluate(at), (POINTS,))

    def same(self, a: np.ndarray, b: np.ndarray) -> bool:
        """Equal to rounding wherever the right one is a number."""
        there = np.isfinite(b)
        scale = np.maximum(np.abs(b[there]), np.median(np.abs(b[there])) if there.any() else 0.0)
        return bool(there.any() and (np.abs(a[there] - b[there]) <= CLOSE * scale + 1e-300).all())

    def depends(self, expression: Expression) -> set[str]:
        """The letters and joints that change its value."""
        plain = self.values(expression)
        return {name for name in (*self.letters, *self.joints) if not self.same(self.values(expression, name), plain)}


def _reason(points: _Points, typed: Expression, right: Expression) -> str:
    """What is wrong with a formula, as far as it can be recognised."""
    value, wanted = points.values(typed), points.values(right)
    for factor, says in FACTORS:
        if points.same(value, factor * wanted):
            return says
    if points.same(points.values(typed, known=True), points.values(right, known=True)):
        return "Correct only for the numbers of this arm: use symbols."
    if points.same(points.values(typed.exchanged()), wanted):
        return "Sine and cosine are swapped."
    ratio = value / wanted
    if np.isfinite(ratio).all() and np.ptp(ratio) <= CLOSE * abs(ratio[0]):
        return "The form is correct, but a constant factor is wrong."
    for part in right.terms() if len(right.terms()) > 1 else ():
        for factor, says in TERMS:
            if points.same(value, wanted - factor * points.values(part)):
                return says
    return _other_letters(points.depends(typed), points.depends(right))


def _other_letters(typed: set[str], right: set[str]) -> str:
    if more := sorted(typed - right):
        return f"The correct answer does not depend on {more[0]}."
    if missing := sorted(right - typed):
        return f"The correct answer also depends on {missing[0]}."
    return "Incorrect formula."
