"""URDF files in the program: window, `info`, `simulate`."""

from __future__ import annotations

import numpy as np
import pytest

from app.cli import main
from tests.engine.example_robots import example


@pytest.mark.parametrize("name", ["ur5_robot", "panda", "baxter"])
def test_a_urdf_opens_in_the_window(make_window, find, name):
    window = make_window()
    window.files.open_robot(str(example(name)))
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
    assert "on link" in out and "kg in motion" in out and "shapes" in out


def test_a_bad_urdf_is_one_line_and_exit_code_2(capsys, tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text('<robot name="arm">\n<link name="base"><inertial><mass value="-3"/></inertial></link></robot>')
    assert main(["info", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and 'line 2, <mass> of <link name="base">: value must be 0 or more, got -3' in err
