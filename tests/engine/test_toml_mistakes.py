"""Errors for invalid TOML: one message with file, line, error and correction."""

from __future__ import annotations

import random

import pytest

from armature import engine
from tests.engine.sound_arms import TOML

LINE = TOML.splitlines().index("a              = 0.4") + 1
# Replacement of `a = 0.4`, and the expected error and correction.
MISTAKES = {
    "a = .1": ("a number needs a digit before its point", "a = 0.1"),
    "a = -.1  # m": ("a number needs a digit before its point", "a = -0.1  # m"),
    "a = 1.": ("a number needs a digit after its point", "a = 1.0"),
    "a = 1,5": ("decimals need a point", "a = 1.5"),
    "a = −1.0": ("a minus sign must be the hyphen -", "a = -1.0"),
    "a = 01": ("numbers must not start with zeros", "a = 1"),
    "a: 0.5": ("a key and its value must be separated by =", "a = 0.5"),
    "a == 0.5": ("a key and its value must be separated by =", "a = 0.5"),
    "a = 0.5;": ("a line must not end with ;", "a = 0.5"),
    "a = 0.5 // half a metre": ("comments must begin with #", "a = 0.5 # half a metre"),
    "% half a metre": ("comments must begin with #", "# half a metre"),
    "alpha = pi/2": ("text and expressions must be in quotes", 'alpha = "pi/2"'),
    "alpha = -pi/2 # down": ("text and expressions must be in quotes", 'alpha = "-pi/2" # down'),
    "alpha = 2*π/3": ("text and expressions must be in quotes", 'alpha = "2*pi/3"'),
    'alpha = "pi/2': ("a quote or bracket is not closed", 'alpha = "pi/2"'),
    "limits = [-pi, pi]": ("text and expressions must be in quotes", 'limits = ["-pi", "pi"]'),
    "name = “elbow”": ("quotes must be straight", 'name = "elbow"'),
    "name = elbow": ("text and expressions must be in quotes", 'name = "elbow"'),
    "collision = True": ("true, false, nan and inf must be lower case", "collision = true"),
    "com = [0 0 1]": ("elements of an array must be separated by commas", "com = [0, 0, 1]"),
    "com = (0, 0, 1)": ("arrays must be in brackets", "com = [0, 0, 1]"),
    "com = [0, 0, 1": ("a quote or bracket is not closed", "com = [0, 0, 1]"),
    "friction = { viscous: 1 }": ("a key and its value must be separated by =", "friction = { viscous = 1 }"),
    'mesh = "C:\\data\\arm.stl"': ("a backslash in a path must be /", 'mesh = "C:/data/arm.stl"'),
    "limits = [-.5, pi]": (
        "a number needs a digit before its point and text and expressions must be in quotes",
        'limits = [-0.5, "pi"]',
    ),
}
# Replacement and expected error where no correction is possible.
UNKNOWN = {
    "a = 0.5 mm": "write numbers without units: lengths in m, masses in kg",
    "alpha = 90°": "write numbers without units",
    "a =": "a value is missing after =",
    "a = None": "None is not a value in TOML; remove the key",
    "a = 1 b = 2": "expected newline or end of document after a statement",
    "com = [,5, 0, 0]": "invalid value",
    "friction = { viscous = 1,": "a table in braces must be on one line",
}


def refusal(path, line):
    text = TOML.replace("a              = 0.4", line, 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(engine.ModelError) as problem:
        engine.load_robot(path)
    assert "\n" not in str(problem.value)
    return str(problem.value)


@pytest.mark.parametrize("line", MISTAKES)
def test_a_common_mistake_is_named_with_its_line_and_how_to_write_it(line, tmp_path):
    wrong, right = MISTAKES[line]
    path = tmp_path / "arm.toml"
    assert refusal(path, line) == f"{path}: is not TOML: line {LINE}, {line}: {wrong}; write {right}"


@pytest.mark.parametrize("line", UNKNOWN)
def test_what_cannot_be_guessed_is_named_without_a_guess(line, tmp_path):
    path = tmp_path / "arm.toml"
    said = refusal(path, line)
    assert said.startswith(f"{path}: is not TOML: line {LINE}, {line}: {UNKNOWN[line]}") and "; write " not in said


def test_a_second_header_of_joints_with_single_brackets_is_explained(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(TOML.replace("[[joints]]", "[joints]"))
    with pytest.raises(engine.ModelError, match=r"line 22, \[joints\]  # shoulder: .*head each table \[\[joints\]\]"):
        engine.load_robot(path)


def test_tabs_are_fine(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(TOML.replace(" = ", "\t=\t"))
    assert engine.load_robot(path).n == 3


def test_other_files_say_it_too(tmp_path):
    path = tmp_path / "move.toml"
    path.write_text("name = 'move'\nrobot = panda\n[[waypoints]]\nspeed = .5\n")
    with pytest.raises(
        engine.EngineError, match=r'line 2, robot = panda: text and expressions must be in quotes; write robot = "panda"'
    ):
        engine.load_trajectory(path, engine.load_robot("panda"))


def test_no_damage_ends_in_anything_but_one_line(tmp_path):
    path, chance = tmp_path / "arm.toml", random.Random(5)
    for _ in range(300):
        text = list(TOML)
        for _ in range(chance.randint(1, 4)):
            text[chance.randrange(len(text))] = chance.choice("\"'[]{}#=,.;:−°π\\\n\t x1")
        path.write_text("".join(text), encoding="utf-8")
        try:
            engine.load_robot(path)
        except engine.ModelError as problem:
            assert "\n" not in str(problem) and str(problem).startswith(str(path))
