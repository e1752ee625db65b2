"""`check ROBOT` on the command line: lines, exit codes, bad input."""

from __future__ import annotations

import re

import pytest

from armature.engine.checks import check as identities
from tests.engine.sound_arms import TOML

LINE = re.compile(r"  (ok|FAILED|skipped) +(\d\.\de[-+]\d\d of \de-\d\d)? +\S.*")


def test_one_line_per_check_with_the_worst_error(armature):
    code, out, err = armature("check", "puma560", "--states", 3, "--seed", 4)
    assert code == 0 and not err
    start = out.index("puma560, 3 random states within its limits, seed 4")
    assert out[-1] == "32 ok" and all(LINE.fullmatch(line) for line in out[start + 1 : -1]) and len(out) - start == 34
    assert out[0] == "puma560: 2 findings on its parameters" and re.match(r"  warning   puma560.toml, line \d+, link 1: ", out[1])
    assert any("Lagrange equals Newton–Euler" in line for line in out) and any("as MuJoCo" in line for line in out)


def test_kinematics_only_says_what_is_left_out(armature, tmp_path):
    path = tmp_path / "light.toml"
    path.write_text('name = "light"\nconvention = "standard"\njoints = [{ type = "revolute" }, { type = "prismatic" }]\n')
    code, out, err = armature("check", path, "--states", 2)
    assert code == 0 and not err and out[-1] == "7 ok, 1 skipped"
    assert any("the robot has no masses" in line for line in out)


def test_a_failure_is_exit_code_1(armature, monkeypatch):
    monkeypatch.setattr(identities, "potential_energy", lambda robot, q: 0.0 * q[:, 0])
    code, out, _ = armature("check", "rp", "--states", 2)
    assert code == 1 and out[-1] == "30 ok, 2 failed"
    assert sum(line.startswith("  FAILED") for line in out) == 2


def test_an_error_in_the_figures_is_exit_code_1(armature, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(TOML.replace("[-3.0, 3.0]", "[-190, 45]"))
    code, out, err = armature("check", path, "--states", 2)
    assert code == 1 and not err and out[0] == "arm: 1 finding on its parameters" and out[-1] == "32 ok"
    assert out[1] == "  error     arm.toml, line 12, joint 1: limits in degrees"
    assert [line.strip() for line in out[2:5]] == [
        "[−190, 45] rad, 30.24 turns.",
        "They were probably entered in degrees.",
        "Repair: [−3.316, 0.7854] rad.",
    ]
    path.write_text(TOML)
    assert armature("check", path, "--states", 2)[1][0] == "arm: no problems found in its parameters"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("nope",), "no robot of this name"),
        ((), "required: ROBOT"),
        (("rp", "--states", "0"), "'0' is not a number of states"),
        (("rp", "--states", "many"), "'many' is not a number of states"),
        (("rp", "--seed", "x"), "'x' is not a whole number"),
        (
            (
                "rp",
                "--seed=-1",
            ),
            "'-1' is not a whole number",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(armature, arguments, text):
    code, out, err = armature("check", *arguments)
    assert code == 2 and not out and len(err) == 1 and text in err[0]
