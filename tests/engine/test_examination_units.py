"""`examine`: masses, lengths, angles and gravity in another unit are named themselves, and nothing that follows from them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.examination.repaired_files import repaired_text
from tests.engine.mistakes import WAIST
from tests.engine.sound_arms import TOML, opened, wrong
from tests.engine.test_examination import found


def shipped_with(folder: Path, name: str, *changes: tuple[str, str]) -> engine.Robot:
    text = engine.load_robot(name).source.read_text(encoding="utf-8")
    for old, new in changes:
        assert re.search(old, text)
        text = re.sub(old, new, text)
    return opened(folder, text)


def test_a_mass_with_a_lost_decimal_point_is_named_and_not_the_inertia(tmp_path):
    """Of what 174 kg could be beside the others, only 17.4 kg suits the link's inertia."""
    robot = shipped_with(tmp_path, "puma560", (r"mass( +)= 17\.4", r"mass\1= 174.0"))
    findings = [finding for finding in engine.examine(robot) if finding.rule != "physically inconsistent inertia"]
    (finding,) = findings
    assert finding.rule == "mass far above the other links" and finding.where.part == "link 2"
    assert finding.repair.edits == ((("joints", 1, "mass"), 17.4),)


def test_the_figures_of_a_large_inertia_agree_with_each_other(tmp_path):
    for mass in ("17.4", "17400"):
        changes = ((r"mass( +)= 17\.4", rf"mass\1= {mass}"), (r"\[0\.13, 0\.524, 0\.539\]", "[13, 52.4, 53.9]"))
        (finding,) = found(shipped_with(tmp_path, "puma560", *changes), "inertia too large")
        moment, kilograms, gyration = (float(x) for x in re.findall(r"[\d.]+(?= kg·m² for| kg[ ,]| m; the link)", finding.figure))
        assert gyration == pytest.approx(math.sqrt(moment / kilograms), rel=1e-3)


@pytest.mark.parametrize(
    ("name", "old", "new", "index", "key"),
    [
        ("irb120", r"a = 0\.07,", "a = 10,", 2, "a"),
        ("irb120", r"d = 0\.302,", "d = 3.02,", 3, "d"),
        ("puma560", r"a( +)= 0\.4318", r"a\1= 15", 1, "a"),
        ("puma560", r"d( +)= 0\.15005", r"d\1= 15.005", 2, "d"),
    ],
)  # fmt: skip
def test_a_length_far_above_the_others_is_told_and_nothing_that_follows_from_it(name, old, new, index, key, tmp_path):
    findings = engine.examine(shipped_with(tmp_path, name, (old, new)))
    (finding,) = [finding for finding in findings if finding.rule != "physically inconsistent inertia"]
    assert finding.rule == "length far above the others" and finding.grade == "doubtful"
    assert finding.where.key == ("joints", index, key) and finding.repair is None  # two units would do


def test_one_long_link_beside_small_offsets_is_sound(tmp_path):
    rows = "".join(f'[[joints]]\ntype = "revolute"\nalpha = "pi/2"\na = {a}\n' for a in (0.05, 0.8, 0.06))
    assert not found(opened(tmp_path, 'name = "arm"\nconvention = "standard"\n' + rows), "length")


@pytest.mark.parametrize("name", ["irb120", "puma560", "ur5", "scara", "double_pendulum"])
@pytest.mark.parametrize(("unit", "factor"), [("millimetres", 1000), ("centimetres", 100)])
def test_a_table_in_another_unit_is_one_finding_and_its_repair_is_the_arm_again(name, unit, factor, tmp_path):
    robot = engine.load_robot(name)
    bad = shipped_with(
        tmp_path, name, (r"(?m)(?<![\w.])([ad] *= )(-?[\d.]+)", lambda m: f"{m[1]}{round(factor * float(m[2]), 9):.12g}")
    )
    findings = [finding for finding in engine.examine(bad) if finding.rule.startswith("length")]
    assert [finding.rule for finding in findings] == [f"lengths in {unit}"]
    repaired = opened(tmp_path, repaired_text(bad.source.read_text(encoding="utf-8"), bad.source, findings))
    for body, sound in zip(repaired.bodies, robot.bodies, strict=True):
        np.testing.assert_allclose(body.X_PJ, sound.X_PJ, atol=1e-12)


def test_angles_in_radians_under_keys_for_degrees_are_told_as_fractions_of_pi(tmp_path):
    for written, degrees in (("1.5708", 90), ("-1.57", -90), ("0.7854", 45), ("-2.0944", -120), ("0.523599", 30)):
        bad, _ = wrong(TOML, 'alpha          = "pi/2"', f"alpha_deg = {written}", WAIST)
        (finding,) = found(opened(tmp_path, bad), "angle in radians")
        assert finding.repair.edits == ((("joints", 0, "alpha_deg"), degrees),)
    for sound in ("90", "1.5", "0", "0.5", "-15", "12"):
        text, _ = wrong(TOML, 'alpha          = "pi/2"', f"alpha_deg = {sound}", WAIST)
        assert not found(opened(tmp_path, text), "angle in radians")
    bad = TOML.replace("[configurations]", "[tool]\nrpy_deg = [1.5708, 20, 0.7854]\n[configurations]")
    (finding,) = found(opened(tmp_path, bad), "angle in radians")
    assert "π/2 and π/4 in radians" in finding.figure and finding.repair.edits == ((("tool", "rpy_deg"), [90.0, 20.0, 45.0]),)


def test_gravity_is_examined_before_what_follows_from_it(tmp_path):
    for written, others in (("[0, 0, -9810]", {"gravity too strong"}), ("[0, 0, 981]", {"gravity too strong"})):
        findings = engine.examine(opened(tmp_path, TOML.replace("convention", f"gravity = {written}\nconvention", 1)))
        assert {finding.rule for finding in findings} == others
        assert findings[0].repair.edits == ((("gravity",), [0.0, 0.0, -9.81]),)
    for written in ("[0, 0, -1.62]", "[0, 0, 0]", "[0, 0, -24.8]", "[0, -9.81, 0]", "[6.9, 0, -6.9]"):
        assert not engine.examine(opened(tmp_path, TOML.replace("convention", f"gravity = {written}\nconvention", 1)))
