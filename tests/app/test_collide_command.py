"""`armature collide`: contacts in one pose, with an exit code that scripts can use."""

from __future__ import annotations

import re

import numpy as np
import pytest

import armature as engine
from tests.app.test_cli import refused

HIT = "0 1.2 0 -1.2 0 2 0"


def test_a_free_pose_is_exit_code_0_and_names_the_nearest_pair(armature):
    code, out, err = armature("collide", "panda", "--cell", "table")
    robot = engine.load_robot("panda")
    found = engine.collision(robot, robot.configurations["home"], engine.load_cell("table"))
    assert code == 0 and not err and out[0] == f"panda, cell table: {found.explanation}"
    assert re.fullmatch(rf"  {found.pair[0]} – {found.pair[1]}: \+{1e3 * found.distance:.1f} mm at \(.*\) m", out[1])
    assert len(out) == 2


def test_contacts_are_exit_code_1_and_each_is_a_line(armature):
    code, out, _ = armature("collide", "panda", "--cell", "table", "--q", HIT)
    found = engine.collision(engine.load_robot("panda"), np.array(HIT.split(), float), engine.load_cell("table"))
    assert code == 1 and " hits " in out[0] and " frees it" in out[0]
    assert [line.split(":")[0].strip() for line in out[1:]] == [" – ".join(contact.pair) for contact in found.pairs]
    assert any("table" in line for line in out[1:])
    assert armature("collide", "panda", "--q", HIT)[1][1].startswith("  link7 – floor: -")


def test_an_object_with_the_name_of_a_link_is_refused(armature, tmp_path):
    path = tmp_path / "cell.toml"
    path.write_text('[[objects]]\nname = "link3"\nshape = "sphere"\nradius = 0.1\n')
    code, _, err = armature("collide", "panda", "--cell", path)
    assert code == 2 and err == ["armature: panda has a link link3; rename the object link3 of the cell"]


def test_the_margin_lists_near_pairs_and_poses_outside_the_limits_are_noted(armature):
    code, out, err = armature("collide", "puma560", "--q", "0 0 0 0 0 30", "--margin", "0.4")
    assert code == 0 and len(out) > 2 and "outside the joint limits" in err[0]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "required: ROBOT"),
        (["nope"], "no robot of this name"),
        (["panda", "--q", "1 2"], "panda has 7 joints"),
        (["panda", "--q", "hom"], "no pose 'hom'; it has"),
        (["panda", "--margin", "-1"], "'-1' is not a number of m above 0"),
        (["panda", "--cell", "nope"], "no cell of this name is included; valid are posts, table"),
        (["panda", "--cell", "no/such.toml"], "such.toml: file not found"),
        (["panda", "--cell", "robots/panda.toml"], "is a robot file (it has [[joints]]), not a cell file"),
    ],
)
def test_bad_input_is_reported_in_one_line(armature, arguments, text):
    assert text in refused(armature, "collide", *arguments)


def test_a_bad_cell_file_is_reported_with_its_line(armature, tmp_path):
    path = tmp_path / "cell.toml"
    path.write_text("[[objects]]\nname = 'a'\nshape = 'sphere'\nradius = -1\n")
    for command in (("collide", "panda"), ("screenshot", "panda", tmp_path / "a.png")):
        code, _, err = armature(*command, "--cell", path)
        assert code == 2 and err == [f"armature: {path}: line 4: objects[0].radius: must be more than 0, got -1"]
    code, _, err = armature(path)  # before there is a window
    assert code == 2 and "line 4: objects[0].radius" in err[0]


def test_a_trajectory_is_proved_free_or_its_first_contact_is_reported(armature, tmp_path):
    code, out, _ = armature("check-trajectory", "pick_place_puma560")
    assert code == 0 and re.fullmatch(r"pick_place_puma560\.toml, puma560: no contact in \d+\.\d{3} s", out[0])
    assert out[1].startswith("  smallest clearance: ")
    robot = engine.load_robot("puma560")
    trajectory = engine.load_trajectory("pick_place_puma560", robot)
    q, _, _ = trajectory.sample(np.array([0.5 * trajectory.duration]))
    cell = engine.Cell(name="ball").with_object("ball", "sphere", radius=0.02, xyz=engine.frame_pose(robot, q[0])[:3, 3])
    path = engine.save_cell(cell, tmp_path / "ball.toml")
    code, out, _ = armature("check-trajectory", "pick_place_puma560", "--cell", path)
    first = engine.check_trajectory(robot, trajectory, cell).first_contact
    assert code == 1 and f"puma560, cell ball: first contact at {first.time:.3f} s of" in out[0] and out[0].endswith(" hits ball")
    assert 0 < first.time <= 0.5 * trajectory.duration and out[2].startswith("  deepest contact: ")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "required: FILE"),
        (["nope.toml"], "nope.toml: file not found"),
        (["nope"], "nope: file not found; give a trajectory file"),
        (["pick_place_puma560", "--robot", "scara"], "the trajectory is for puma560, not for scara"),
        (["pick_place_puma560", "--cell", "nope"], "no cell of this name is included"),
        (["robots/panda.toml", "--robot", "panda"], "is a robot file (it has [[joints]]), not a trajectory file"),
    ],
)
def test_bad_trajectories_are_reported_in_one_line(armature, arguments, text):
    assert text in refused(armature, "check-trajectory", *arguments)
