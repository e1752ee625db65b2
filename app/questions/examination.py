"""Whether a question is right: its answers against the engine, and that it takes them itself."""

from __future__ import annotations

import numpy as np

from armature.app.questions.judge import judge, reached
from armature.app.questions.quantities import State
from armature.app.questions.question import Question, shown_per_si
from armature.app.questions.question_schema import AnswerEntry
from armature.engine.errors import EngineError

STATES, CLOSE = 6, 1e-8


def faults_of(question: Question) -> list[str]:
    """A line per answer that is wrong, or that the question itself would not take; none for a good question."""
    found = []
    for k, answer in enumerate(question.file.answers):
        try:
            found += [f"answers[{k}].{fault}" for fault in _CHECKS[answer.kind](question, answer)]
        except EngineError as error:
            found.append(f"answers[{k}]: {error}")
    return found


def _number(question: Question, answer: AnswerEntry) -> list[str]:
    right = question.right_number(answer)
    found = [] if np.isfinite(right) else ["answer: not a finite number"]
    if answer.answer and answer.equals:
        value = question.state.value(answer.equals) * shown_per_si(answer.equals, answer.unit, question.robot)
        room = answer.tolerance if answer.tolerance is not None else 0.01 * abs(value)
        if not abs(value - right) <= room:
            found.append(f"answer: its value is given as {right:.6g}, but {answer.equals} is {value:.6g}")
    return found + _mistakes(question, answer, repr(right))


def _formula(question: Question, answer: AnswerEntry) -> list[str]:
    found = _mistakes(question, answer, answer.answer)
    if answer.equals:
        expression, robot = question.expression(answer.answer), question.robot
        random = np.random.default_rng(1)
        for _ in range(STATES):
            q = random.uniform(np.maximum(robot.q_min, -1.0), np.minimum(robot.q_max, 1.0))
            state = State(robot, q, *random.uniform(-1, 1, (2, robot.n)))
            right = state.value(answer.equals)
            value = Question(question.name, question.file, state, question.path).number(expression)
            if not abs(value - right) <= CLOSE * max(1.0, abs(right)):
                return [*found, f"answer: gives {value:.6g}, but {answer.equals} is {right:.6g} at q = {np.round(q, 3).tolist()}"]
    return found


def _choice(_question: Question, answer: AnswerEntry) -> list[str]:
    return [
        f"options[{k}].says: missing; explain why this option is wrong"  # plain: a key of the file
        for k, one in enumerate(answer.options)
        if not (one.right or one.says)
    ]


def _pose(question: Question, answer: AnswerEntry) -> list[str]:
    if answer.example is None:
        return ["example: missing; give one correct pose"]
    robot, q = question.robot, np.array(answer.example, float)
    if (q < robot.q_min - 1e-9).any() or (q > robot.q_max + 1e-9).any():
        return ["example: outside the joint limits"]
    state, found = State(robot, q, question.state.qd, question.state.qdd), []
    for condition in answer.where:
        value, there = reached(state, condition)
        if not there:
            found.append(f"example: the values do not meet the condition; {condition.quantity} is {value:.6g}")
    if all(reached(question.state, condition)[1] for condition in answer.where):
        found.append("where: the initial pose of the question already meets this condition")
    return found


def _mistakes(question: Question, answer: AnswerEntry, right: str) -> list[str]:
    """The right answer is taken, and each wrong one is told for what it is."""
    found = [] if judge(question, answer, right).right else ["answer: the question's own check rejects it"]
    for k, wrong in enumerate(answer.wrong):
        verdict = judge(question, answer, wrong.answer)
        if verdict.right or verdict.says != wrong.says:
            found.append(f"wrong[{k}].answer: is {'correct' if verdict.right else 'the same as an earlier wrong answer'}")
    return found


_CHECKS = {"number": _number, "formula": _formula, "choice": _choice, "pose": _pose}
