"""URDF files in the program: window, `info`, `simulate`."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from armature.app.cli import main
from tests.engine.example_robots import example


@pytest.mark.parametrize("name", ["ur5_robot", "panda", "baxter"])
def test_a_urdf_opens_in_the_window(make_window, find, name):
    window = make_window()
    window.files.open_robot(str(example(name)))
    window.files.finish()
    robot = window.document.robot
    assert robot.source == example(name)
    for joint in robot.joint_names:
        assert find(window, f"joint_slider_{joint}") is not None
    q = np.clip(np.full(robot.n, 0.1), robot.q_min, robot.q_max)
    window.document.set_q(q)
    assert np.array_equal(window.document.q, q) and np.array_equal(window.scene.q, q)


@pytest.mark.parametrize("name", ["ur5_robot", "panda"])
def test_a_urdf_arm_runs_mimic_joints_or_not(make_window, wait_for, name):
    window = make_window(str(example(name)))
    start = window.document.q
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    wait_for(lambda: not np.array_equal(window.document.q, start))
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)


@pytest.mark.parametrize("name", ["ur5_robot", "panda", "pr2"])
def test_info_of_a_urdf(capsys, name):
    assert main(["info", str(example(name))]) == 0
    out = capsys.readouterr().out
    assert "on link" in out and "kg moving mass" in out and "shapes" in out


def test_a_bad_urdf_is_one_line_and_exit_code_2(capsys, tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text('<robot name="arm">\n<link name="base"><inertial><mass value="-3"/></inertial></link></robot>')
    assert main(["info", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and 'line 2, <mass> of <link name="base">: value must be 0 or more, got -3' in err


def test_an_arm_of_two_joints_says_which_task_it_got(make_window, find, wait_for, armature, tmp_path):
    path = tmp_path / "two.urdf"
    limit = '<limit lower="-2" upper="2" effort="5" velocity="3"/><axis xyz="0 1 0"/>'
    links = "".join(f'<link name="{name}"/>' for name in ("base", "upper", "fore", "tool0"))
    path.write_text(
        f'<robot name="two">{links}<joint name="a" type="revolute"><parent link="base"/><child link="upper"/>{limit}</joint>'
        f'<joint name="b" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.5"/>{limit}</joint>'
        '<joint name="end" type="fixed"><parent link="fore"/><child link="tool0"/><origin xyz="0 0 0.4"/></joint></robot>'
    )
    code, out, _ = armature("info", path)
    text = " ".join(" ".join(out).split())
    assert code == 0 and "x, y, z, rx, ry, rz; all six coordinates, because no task is given" in text
    assert "rank 2 of 2" in text  # stretched, as home is: the tool still moves across and turns
    window = make_window(str(path), perspective="explore")
    window.document.set_q(np.array([0.4, 0.9]))
    wait_for(
        lambda: find(window, "singularity_explanation").text().startswith("Non-singular: the tool can move in every direction")
    )
    notes = [label.text() for label in window.kinematics.findChildren(QLabel)]
    assert any(
        note.startswith("Task x, y, z, rx, ry, rz, all six coordinates, because no task is given. 2 joints for 6 coordinates: ")
        for note in notes
    )
