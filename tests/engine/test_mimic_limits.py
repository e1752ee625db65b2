"""Limits of mimic joints: the range that master and copies share, and the findings where their limits differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from armature import engine
from tests.engine.example_robots import example

CASE = Path(__file__).parents[1] / "data" / "robots" / "mimic_narrow.urdf"
MJCF = """<mujoco><compiler angle="radian"/><worldbody>
<body name="a"><inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/><joint name="m" axis="0 1 0" range="-1.4486 2.4173"/></body>
<body name="c"><inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/><joint name="f" axis="0 1 0" range="-1 1"/></body>
</worldbody><equality><joint joint1="f" joint2="m" polycoef="{offset} {multiplier} 0 0 0"/></equality></mujoco>"""  # noqa: E501
FORMS = [
    ("-1", "0", -1, 1),
    ("0.5", "0", -1.4486, 2),
    ("-2", "0.5", -0.25, 0.75),
    ("1", "-1", 0, 2),
    ("0", "0.3", -1.4486, 2.4173),
]


def arm(kind, folder, multiplier, offset):
    if kind == "urdf":
        text = CASE.read_text().replace('multiplier="-1" offset="0"', f'multiplier="{multiplier}" offset="{offset}"')
    else:
        text = MJCF.format(multiplier=multiplier, offset=offset)
    path = folder / f"arm.{'urdf' if kind == 'urdf' else 'xml'}"
    path.write_text(text)
    return engine.load_robot(path)


@pytest.mark.parametrize("kind", ["urdf", "mjcf"])
@pytest.mark.parametrize(("multiplier", "offset", "low", "high"), FORMS)
def test_the_master_has_the_limits_that_it_and_its_copy_allow_together(kind, multiplier, offset, low, high, tmp_path):
    if kind == "mjcf":
        pytest.importorskip("mujoco")
    robot = arm(kind, tmp_path, multiplier, offset)
    assert robot.n == 1 and (robot.q_min[0], robot.q_max[0]) == pytest.approx((low, high))
    copy = float(multiplier) * np.array([low, high]) + float(offset)
    assert (copy.min() >= -1 - 1e-12 and copy.max() <= 1 + 1e-12) or multiplier == "0"
    found = [finding for finding in engine.examine(robot) if "limits of a mimic" in finding.rule]
    assert len(found) == ((low, high) != (-1.4486, 2.4173))
    for finding in found:
        assert finding.rule == "limits of a mimic joint narrower than its master's" and finding.grade == "note"
        assert finding.where.part == "joint f" and "restricts m to [" in finding.cause


@pytest.mark.parametrize("kind", ["urdf", "mjcf"])
def test_a_copy_that_never_moves_is_a_finding(kind, tmp_path):
    if kind == "mjcf":
        pytest.importorskip("mujoco")
    rule = "mimic joint with a multiplier of 0"
    (finding,) = [one for one in engine.examine(arm(kind, tmp_path, "0", "0.3")) if one.rule == rule]
    assert finding.grade == "doubtful" and finding.where.part == "joint f" and finding.figure == "f is fixed at 0.3 rad"
    assert rule not in [one.rule for one in engine.examine(arm(kind, tmp_path, "0.1", "0.3"))]


def test_the_finding_gives_both_ranges_with_its_line():
    (finding,) = engine.examine(engine.load_robot(CASE))
    assert finding.where.line == 7
    assert finding.figure == "[−1, 1] rad, reached with m in [−1, 1] rad; limits of m: [−1.449, 2.417] rad; f = −1 · m"
    assert finding.cause == "Armature restricts m to [−1, 1] rad, so that both joints are within their limits"


@pytest.mark.parametrize("kind", ["urdf", "mjcf"])
def test_limits_of_a_copy_for_the_other_sign_do_not_hold_the_master(kind, tmp_path):
    """Master 0 … 0.5, copy times −1 with limits 0 … 0.5: nothing but 0 is left."""
    text = CASE.read_text() if kind == "urdf" else MJCF.format(multiplier="-1", offset="0")
    for old, new in (('"-1.4486"', '"0"'), ('"2.4173"', '"0.5"'), ('lower="-1" upper="1"', 'lower="0" upper="0.5"')):
        text = text.replace(old, new)
    text = text.replace("-1.4486 2.4173", "0 0.5").replace('range="-1 1"', 'range="0 0.5"')
    path = tmp_path / f"arm.{'urdf' if kind == 'urdf' else 'xml'}"
    path.write_text(text)
    robot = engine.load_robot(path)
    assert (robot.q_min[0], robot.q_max[0]) == (0, 0.5)
    (finding,) = [finding for finding in engine.examine(robot) if "mimic" in finding.rule]
    assert finding.rule == "incompatible limits of a mimic joint" and finding.grade == "doubtful"


def test_the_fingers_of_the_pr2_have_limits_for_the_other_sign():
    found = [finding.where.part for finding in engine.examine(engine.load_robot(example("pr2")))]
    assert found == ["joint r_gripper_r_parallel_root_joint", "joint l_gripper_r_parallel_root_joint"]


def test_a_copy_that_is_slower_slows_its_master(tmp_path):
    text = CASE.read_text().replace('upper="1" effort="10" velocity="2"', 'upper="1" effort="10" velocity="1"')
    path = tmp_path / "arm.urdf"
    path.write_text(text.replace('multiplier="-1"', 'multiplier="-4"'))
    assert engine.load_robot(path).qd_max[0] == 0.25


def test_home_lies_within_the_limits_of_all_copies(tmp_path):
    robot = arm("urdf", tmp_path, "1", "-1.5")  # master 0.5 … 2.4173
    assert robot.configurations["home"][0] == 0.5
