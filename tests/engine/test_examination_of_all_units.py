"""A unit of the inertias or masses of all links: the reading that fits is repaired, several are named."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.examination.repaired_files import repaired_text
from tests.engine.sound_arms import opened
from tests.engine.test_examination_patterns import written

BOXES = ((6.0, 0.42), (5.0, 0.35), (3.0, 0.25), (1.0, 0.12), (0.6, 0.08))  # kg and m, 1.22 m in all


def boxes(folder: Path, mass: float = 1.0, inertia: float = 1.0) -> engine.Robot:
    """An arm of five solid boxes, a fifth as wide as they are long, with all masses and inertias times a factor."""
    rows = ""
    for m, a in BOXES:
        about, across = m * 2 * (a / 5) ** 2 / 12, m * (a**2 + (a / 5) ** 2) / 12
        I = [inertia * x for x in (about, across, across)]  # noqa: E741
        rows += f'[[joints]]\ntype = "revolute"\na = {a}\nmass = {mass * m}\ncom = [{-a / 2}, 0, 0]\ninertia = {I}\n'
    return opened(folder, f'name = "arm"\nconvention = "standard"\n{rows}')


INERTIAS = "inertia too large for the link, most links"


@pytest.mark.parametrize(("k", "unit"), [(1e3, "g·m²"), (1e4, "kg·cm²"), (1e6, "kg·mm²"), (1e7, "g·cm²"), (1e9, "g·mm²")])
def test_inertias_of_all_links_in_another_unit_are_named_and_repaired_by_that_unit(k, unit, tmp_path):
    robot = boxes(tmp_path, inertia=k)
    (finding,) = engine.examine(robot)
    assert finding.rule == INERTIAS and finding.cause == f"They were probably entered in {unit}"
    arm = opened(tmp_path, repaired_text(robot.source.read_text(), robot.source, [finding]))
    for body, sound in zip(arm.bodies, boxes(tmp_path).bodies, strict=True):
        np.testing.assert_allclose(body.inertia, sound.inertia, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("k", [1e5, 1e8])
def test_inertias_of_all_links_off_by_a_factor_of_no_usual_unit_have_no_repair(k, tmp_path):
    (finding,) = engine.examine(boxes(tmp_path, inertia=k))
    assert finding.rule == INERTIAS and finding.repair is None and not re.search("kg·|g·", finding.cause)


@pytest.mark.parametrize("name", ["fr3", "jaco2", "ur10", "xarm6"])
@pytest.mark.parametrize(("k", "unit"), [(1e3, "g·m²"), (1e4, "kg·cm²"), (1e5, ""), (1e7, "g·cm²"), (1e8, ""), (1e9, "g·mm²")])
def test_a_unit_of_the_inertias_of_real_arms_is_never_answered_by_another_factor(name, k, unit, tmp_path):
    robot = opened(tmp_path, written(engine.load_robot(name), "inertia", lambda i, com, inertia: k * inertia))
    for finding in [finding for finding in engine.examine(robot) if finding.rule == INERTIAS]:
        assert unit in finding.cause
        if finding.repair is not None:
            assert unit and finding.repair.text.endswith(f" {1 / k:.4g}".replace("-", "−"))


def test_several_readings_of_all_inertias_are_named_and_none_is_written(tmp_path):
    """Links with a share of 0.45 could have a tenth of their inertia as well."""
    robot = opened(tmp_path, written(engine.load_robot("panda"), "inertia", lambda i, com, inertia: 1e4 * inertia))
    (finding,) = [finding for finding in engine.examine(robot) if finding.rule == INERTIAS]
    assert finding.repair is None and finding.cause.startswith("They may have been entered in kg·cm² or ")


def test_masses_of_all_links_in_grams_are_one_finding_and_its_repair_is_the_arm_again(tmp_path):
    robot = boxes(tmp_path, mass=1e3)
    (finding,) = engine.examine(robot)
    assert finding.rule == "mass too large for the arm, most links" and finding.cause == "They were probably entered in g"
    assert "15600 kg in total on an arm 1.22 m long" in finding.figure
    arm = opened(tmp_path, repaired_text(robot.source.read_text(), robot.source, [finding]))
    np.testing.assert_allclose([body.mass for body in arm.bodies], [m for m, _ in BOXES])
    assert engine.examine(arm) == ()


def test_masses_in_grams_with_inertias_in_g_m2_are_named_and_not_repaired(tmp_path):
    """Repaired masses alone would make the inertias too large."""
    (finding,) = engine.examine(boxes(tmp_path, mass=1e3, inertia=1e3))
    assert finding.rule == "mass too large for the arm, most links" and finding.repair is None
    assert "in g" in finding.cause and "the inertias are too large by the same factor" in finding.cause


def test_shapes_show_that_the_masses_of_all_links_are_too_large(tmp_path):
    """Slender links, light enough for their reach even in grams, of 1200 t per cubic metre."""
    links = '<link name="base"/>'
    for i in range(1, 5):
        links += (
            f'<link name="l{i}"><inertial><origin xyz="0.5 0 0"/><mass value="300"/>'
            '<inertia ixx="1e-5" ixy="0" ixz="0" iyy="0.025" iyz="0" izz="0.025"/></inertial>'
            '<visual><origin xyz="0.5 0 0"/><geometry><box size="1 0.0158 0.0158"/></geometry></visual></link>'
            f'<joint name="j{i}" type="continuous"><parent link="{"base" if i == 1 else f"l{i - 1}"}"/><child link="l{i}"/>'
            f'<origin xyz="{0 if i == 1 else 1} 0 0"/><axis xyz="0 0 1"/></joint>'
        )
    robot = opened(tmp_path, f'<?xml version="1.0"?><robot name="arm">{links}</robot>')
    (finding,) = [finding for finding in engine.examine(robot) if "mass" in finding.rule or "density" in finding.rule]
    assert finding.rule == "mass too large for the arm, most links" and "4 of them weigh more" in finding.figure
