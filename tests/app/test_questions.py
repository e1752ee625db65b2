"""Question files: those that ship are right, formulas are read and compared, mistakes are told, bad files get one line."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest

from armature.app.questions import proof
from armature.app.questions.examination import faults_of
from armature.app.questions.expression_parser import Misread, parse
from armature.app.questions.judge import judge
from armature.app.questions.proof import proven_equal
from armature.app.questions.question import QuestionError, load_question
from armature.app.questions.question_list import SHIPPED, all_questions
from armature.app.state.settings import MemoryStore, Settings, encode

FILES = sorted(SHIPPED.glob("*.toml"))
LETTERS = {"m1": 2.0, "l1": 1.0, "lc1": 0.5, "g": 9.81, "theta": "q1"}

GOOD = """
title = "Two"
robot = "rp"
text = "What is it?"
solution = "It is there."
q_deg = [30, 0.2]
letters = { m1 = 2.0, m2 = 1.5, alpha = 0.5, g = 9.81 }

[[answers]]
kind = "formula"
ask = "g1 ="
answer = "(m1 alpha + m2 (alpha + q2)) g c1"
equals = "g1"
wrong = [{ answer = "m1 g alpha c1", says = "The second mass is missing." }]

[[answers]]
kind = "number"
ask = "q1 ="
equals = "q1"
unit = "°"
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_question_that_ships_is_right(path):
    assert faults_of(load_question(path)) == []


def test_there_are_questions_of_every_kind_on_every_subject():
    questions = [load_question(path).file for path in FILES]
    assert len(questions) >= 20
    assert {answer.kind for one in questions for answer in one.answers} == {"number", "formula", "choice", "pose"}
    assert {"scara", "rp", "rpr", "sliding_mass", "pendulum", "double_pendulum"} <= {one.robot for one in questions}
    assert sum(one.one_by_one for one in questions) >= 4


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("m1 l1^2 qdd1 + (m1) g c12", "m₁ l₁² q̈₁ + m₁ g c₁₂"),
        ("½ m1 l1² θ̇²", "1/2 m₁ l₁² θ̇²"),
        ("1/2 m1 (q̇₁+q̇2)^2", "1/2 m₁ (q̇₁ + q̇₂)²"),
        ("-m1*g*sin q1", "−m₁ g s₁"),
        (r"l_{c1} \sin(theta)", "lc₁ sin(θ)"),
        ("0,5 m1 - 2.5e-1", "0.5 m₁ − 0.25"),
    ],
)
def test_formulas_are_read_as_they_are_written_on_paper(text, read):
    assert parse(text, 2, LETTERS).text() == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m1 +",
        "(m1",
        "m1)",
        "2m1g",
        "x",
        "c3",
        "9^9",
        "__import__('os')",
        "m1.real",
        "sin()",
        "m1 ; l1",
        "(" * 60 + "m1",
        "m1" * 400,
    ],
)
def test_what_is_no_formula_gets_a_sentence(text):
    with pytest.raises(Misread) as refusal:
        parse(text, 2, LETTERS)
    assert "\n" not in str(refusal.value) and str(refusal.value).endswith((".", "…"))


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("c12", "c1 c2 - s1 s2", True),
        ("sin(2 q1)", "2 s1 c1", True),
        ("1/(1 + s1)", "(1 - s1)/c1^2", True),
        ("cos(q1 - pi/2)", "s1", True),
        ("m1 l1", "m1 lc1", False),
        ("c12", "c1 + c2", False),
    ],
)
def test_equality_is_proven(a, b, equal):
    read = [parse(text, 2, LETTERS) for text in (a, b)]
    assert proven_equal(*read, 2, ("m1", "l1", "lc1", "g")) is equal


def test_a_proof_ends_in_time(monkeypatch):
    looks = count()  # a second from one to the next
    monkeypatch.setattr(proof, "time", SimpleNamespace(monotonic=lambda: float(next(looks))))
    long = parse("((m1 + l1 + g + c1 + s2)^8 + q1 + q2)^8", 2, LETTERS)
    assert not proven_equal(long, parse("m1", 2, LETTERS), 2, ("m1", "l1", "lc1", "g"))
    assert next(looks) <= proof.SECONDS + 2


@pytest.fixture
def question(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(GOOD, encoding="utf-8")
    return load_question(path)


@pytest.mark.parametrize(
    ("given", "right", "says"),
    [
        ("g cos(q1) (m2 q2 + m2 alpha + m1 alpha)", True, "difference is 0"),
        ("g sqrt(c1^2) (m2 q2 + m2 alpha + m1 alpha)", False, ""),
        ("(m1 alpha + m2 (alpha + q2)) g sqrt(cos(q1)^2) cos(q1)/sqrt(c1^2)", True, "24 random states"),
        ("-(m1 alpha + m2 (alpha + q2)) g c1", False, "The sign is wrong."),
        ("2 (m1 alpha + m2 (alpha + q2)) g c1", False, "Too large by a factor of two."),
        ("(m1 alpha + m2 (alpha + q2)) g s1", False, "swapped"),
        ("(2 alpha + 1.5 (alpha + q2)) 9.81 c1", False, "numbers of this arm"),
        ("m1 g alpha c1", False, "The second mass is missing."),
        ("(m1 alpha + m2 (alpha + q2)) g c1 + m1 qd2", False, "does not depend on qd2"),
        ("m1 m3", False, "“m3” is unknown."),
    ],
)
def test_a_formula_is_judged(question, given, right, says):
    verdict = judge(question, question.file.answers[0], given)
    assert verdict.right is right and says in verdict.says


@pytest.mark.parametrize(
    ("given", "says"),
    [("30", "Correct."), ("30.2", "Correct."), ("-30", "sign"), ("0.5236", "radians"), ("15", "two"), ("40", "Incorrect")],
)
def test_a_number_is_judged(question, given, says):
    assert says in judge(question, question.file.answers[1], given).says


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('title = "Two"', 'title = "Two', "line 2"),
        ('title = "Two"', "", "title: missing"),
        ('robot = "rp"', 'robot = "rq"', "robot: rq"),
        ("q_deg = [30, 0.2]", "q_deg = [30]", "q_deg: must be 2 numbers"),
        ('equals = "g1"', 'equals = "g7"', "answers[0].equals"),
        ('equals = "g1"', 'equal = "g1"', "did you mean equals?"),
        ("g c1", "h c1", "answers[0].answer: “h” is unknown"),
        ('unit = "°"', 'options = [{ text = "a" }]', 'answers[1].options: is not allowed for kind = "number"'),
        ('kind = "number"', 'kind = "word"', "answers[1].kind: must be"),
        ("alpha = 0.5", 'alpha = "q3"', "letters.alpha: rp has 2 joints"),
        ("alpha = 0.5", 'al_pha = "x"', "letters: 'al_pha' is not a valid symbol"),
    ],
)
def test_a_bad_file_gets_one_line(tmp_path, armature, old, new, told):
    path = tmp_path / "bad.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(QuestionError) as refusal:
        load_question(path)
    line = str(refusal.value)
    assert told in line and "bad.toml" in line and "\n" not in line
    found = all_questions(tmp_path)
    assert len(found.questions) == len(FILES) and found.refused == (line,)


def test_progress_is_kept_between_starts():
    kept = MemoryStore(encode(replace(Settings(), questions={"24_rpr": "solved"}, question_folder="/mine")))
    settings, complaint = kept.load()
    assert settings.questions == {"24_rpr": "solved"} and settings.question_folder == "/mine" and not complaint
    damaged = encode(settings).replace('"solved"', "3")
    assert "questions must have one text" in MemoryStore(damaged).load()[1]


def test_the_command_examines_a_question(tmp_path, armature):
    path = tmp_path / "two.toml"
    path.write_text(GOOD, encoding="utf-8")
    code, out, _ = armature("check", path)
    assert code == 0 and "2 answers: correct" in out[0]
    path.write_text(GOOD.replace("m2 (alpha + q2)) g c1", "m2 alpha) g c1"), encoding="utf-8")
    code, out, _ = armature("check", path)
    assert code == 1 and out[0].startswith("two.toml: answers[0].answer: gives ")
    path.write_text(GOOD.replace('answer = "m1 g alpha c1"', 'answer = "(alpha m1 + m2 alpha + m2 q2) g c1"'), encoding="utf-8")
    code, out, _ = armature("check", path)
    assert code == 1 and "wrong[0].answer: is correct" in out[0]
    code, _, err = armature("info", path)
    assert code == 2 and "question file" in err[0] and "armature check" in err[0]


@pytest.mark.parametrize(
    ("unit", "given", "right"),
    [
        ("m", "325 mm", True),
        ("m", "32,5cm", True),
        ("m", "0.325 m", True),
        ("m", "0.325", True),
        ("m", "325 m", False),
        ("mm", "0.325 m", True),
        ("m/s²", "325 mm/s^2", True),
        ("N·m", "0.325 Nm", True),
        ("N·m", "0.325 N m", True),
        ("N·m", "0.325 N", False),
        ("m", "325 kg", False),
        ("", "325 mm", False),
    ],
)
def test_a_number_is_taken_with_its_unit(unit, given, right):
    question = load_question(SHIPPED / "17_frames.toml")
    number = {"m": "0.325", "m/s²": "0.325", "N·m": "0.325", "mm": "325", "": "0.325"}[unit]
    answer = question.file.answers[0].model_copy(
        update={"kind": "number", "equals": "", "answer": number, "unit": unit, "tolerance": None, "wrong": []}
    )
    verdict = judge(question, answer, given)
    assert verdict.right is right
    assert "mm" not in verdict.says or not unit or f"The unit here is {unit}." in verdict.says


def test_an_angle_is_taken_in_degrees_and_radians(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(GOOD)
    question = load_question(path)
    angle = question.file.answers[1]
    for given, right in (("30°", True), ("30 deg", True), ("pi/6 rad", True), ("0,5236 rad", True), ("0.5 °", False)):
        assert judge(question, angle, given).right is right
    letters = replace(question, file=question.file.model_copy(update={"letters": {"deg": 2.0}}))
    assert not judge(letters, angle, "30 deg").right  # a letter of the question, here 2
