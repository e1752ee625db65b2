"""The tool and the fingers of a robot whose file names neither: which link and joints are taken, and that fingers are no arm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from armature import engine

CASES = Path(__file__).parents[1] / "data" / "robots"
NAMES = (
    *("end_effector_link", "gripper_frame_link", "ee_gripper_link", "tcp_link", "grasp_link", "gripper_tip", "gripper_center"),
    *(
        "tool_tip",
        "tcp",
        "tool0",
        "tool",
        "ee_link",
        "wx250/ee_gripper_link",
        "arm.tcp",
        "left-tool_tip",
        "robot_gripper_frame_link",
    ),
)
REMARK = "are fingers (group gripper), not part of the arm."


def text_of(name: str = "tool_end_effector_link") -> str:
    return (CASES / f"{name}.urdf").read_text()


@pytest.fixture
def load(tmp_path):
    def load(text: str) -> engine.Robot:
        (tmp_path / "robot.urdf").write_text(text)
        return engine.load_robot(tmp_path / "robot.urdf")

    return load


@pytest.mark.parametrize("name", ["tool_end_effector_link", "tool_gripper_frame_link"])
def test_the_named_link_is_the_tool_and_fingers_are_no_joints_of_the_arm(name):
    robot = engine.load_robot(CASES / f"{name}.urdf")
    assert robot.flange == name.removeprefix("tool_")
    assert dict(robot.groups) == {"arm": ("j1", "j2", "j3"), "gripper": ("left_finger",)}
    assert robot.joint_names == ("j1", "j2", "j3", "left_finger")
    assert [remark for remark in robot.remarks if REMARK in remark] == [
        f"The tool is {robot.flange}; left_finger, right_finger {REMARK}"
    ]
    q = np.array([0.2, 0.3, 0.4, 0.01])
    report = engine.singularity(robot, q)
    assert len(report.sigma) == 3 and report.verdict() == "Non-singular" and report.joint_motion[3] == 0
    assert report.freedom.startswith("3 of 4 joints for 6 coordinates")
    found = engine.ik(robot, engine.frame_pose(robot, q), q0=[0, 0, 0.1, 0.03])
    assert found.success and found.q[3] == 0.03


@pytest.mark.parametrize("name", NAMES)
def test_usual_names_of_a_tool(load, name):
    assert load(text_of().replace("end_effector_link", name)).flange == name


@pytest.mark.parametrize("name", ["tooltip_camera", "stool", "tool0_cable", "fancytcp", "gripper_tips"])
def test_other_names_leave_the_last_link_before_the_fingers(load, name):
    robot = load(text_of().replace("end_effector_link", name))
    assert robot.flange == "hand" and robot.groups["gripper"] == ("left_finger",)


def test_a_usual_name_on_a_moving_finger_is_no_tool(load):
    text = text_of().replace("end_effector_link", "camera").replace('"lf"', '"gripper_tip"')
    assert load(text).flange == "hand"


FINGERS = {
    "by their names": ("left_finger", "right_finger", ""),
    "by the names of their links": ("a", "b", "finger"),
    "jaws": ("jaw_1", "jaw_2", ""),
    "claws": ("claw_left", "claw_right", ""),
    "of a hand": ("left_hand_index_0", "left_hand_thumb_0", ""),
    "by the gripper": ("gripper", "gripper_sub", ""),
    "by copying each other": ("a", "b", ""),
}


@pytest.mark.parametrize("kind", FINGERS)
@pytest.mark.parametrize("turn", [False, True])
def test_fingers_are_found(load, kind, turn):
    left, right, links = FINGERS[kind]
    text = text_of().replace("left_finger", left).replace("right_finger", right)
    if links:
        text = text.replace('"lf"', f'"{links}_l"').replace('"rf"', f'"{links}_r"')
    if turn:
        text = text.replace("prismatic", "revolute")
    robot = load(text)
    assert robot.fingers == (left, right) and robot.flange == "end_effector_link" and robot.groups["gripper"] == (left,)


def test_two_short_slides_at_the_end_are_fingers(load):
    text = text_of().replace("left_finger", "a").replace("right_finger", "b").replace('<mimic joint="a"/>', "")
    assert load(text).groups["gripper"] == ("a", "b")
    longer = text.replace('upper=".04"', 'upper="0.4"')
    assert "gripper" not in load(longer).groups


@pytest.mark.parametrize("name", ["gripper_roll", "gripper_base_joint", "wrist_to_gripper", "j4"])
def test_a_joint_that_moves_a_whole_gripper_is_no_finger(load, name):
    text = text_of().replace('name="j3"', f'name="{name}"')
    assert load(text).groups["arm"] == ("j1", "j2", name)


def test_a_gripper_alone_is_the_robot(load):
    start, end = text_of().index('<joint name="j1"'), text_of().index('<joint name="tip"')
    text = text_of()[:start] + text_of()[end:]
    for link in ("b", "l1", "l2"):
        text = "\n".join(line for line in text.splitlines() if f'<link name="{link}"' not in line)
    robot = load(text)
    assert robot.fingers == () and dict(robot.groups) == {"rest": ("left_finger",)}


def test_the_joints_of_the_arm_come_first(load):
    joints = [line for line in text_of().splitlines() if line.startswith("<joint")]
    inner = (
        next(line for line in joints if '"j3"' in line)
        .replace('"j3"', '"j4"')
        .replace('"l2"', '"hand"')
        .replace('child link="hand"', 'child link="wrist"')
    )
    link = next(line for line in text_of().splitlines() if '"l2"' in line and line.startswith("<link")).replace('"l2"', '"wrist"')
    text = (
        text_of()
        .replace("</robot>", f"{link}\n{inner}\n</robot>")
        .replace('parent link="hand"/><child link="end', 'parent link="wrist"/><child link="end')
    )
    robot = load(text)
    assert robot.joint_names == ("j1", "j2", "j3", "j4", "left_finger") and robot.flange == "end_effector_link"
    q = np.array([0.1, 0.2, 0.3, 0.4, 0.02])
    X = engine.frame_pose(robot, q, "hand")
    np.testing.assert_allclose(engine.frame_pose(robot, q, "lf"), X @ _shift(0.04, 0.05), atol=1e-12)
    np.testing.assert_allclose(engine.frame_pose(robot, q, "rf"), X @ _shift(-0.04, 0.05), atol=1e-12)
    assert robot.q_max[4] == 0.04 and robot.qd_max[4] == 0.1


def _shift(y: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[1:3, 3] = y, z
    return X


def test_fingers_of_a_mujoco_model(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "arm.xml").write_text(
        """<mujoco><worldbody><body name="l1"><joint name="j1" axis="0 0 1" range="-3 3"/><geom size=".05" mass="1"/>
        <body name="hand" pos="0 0 .3"><joint name="j2" axis="0 1 0" range="-3 3"/><geom size=".05" mass="1"/>
        <body name="lf" pos="0 .02 .05"><joint name="left_finger" type="slide" axis="0 1 0" range="0 .04"/>
        <geom size=".01"/></body>
        <body name="rf" pos="0 -.02 .05"><joint name="right_finger" type="slide" axis="0 -1 0" range="0 .04"/>
        <geom size=".01"/></body>
        </body></body></worldbody></mujoco>"""
    )
    robot = engine.load_robot(tmp_path / "arm.xml")
    assert robot.flange == "hand" and dict(robot.groups) == {"arm": ("j1", "j2"), "gripper": ("left_finger", "right_finger")}
    assert any(REMARK in remark for remark in robot.remarks)


def test_groups_of_arms_without_fingers():
    assert set(engine.load_robot("puma560").groups) == {"arm"}
    two = engine.load_robot("two_arms").groups
    assert two["arm"] == ("torso", "right_pitch", "right_roll", "right_elbow") and len(two["rest"]) == 3


def test_what_is_asked_of_the_arm_leaves_the_fingers_alone():
    robot = engine.load_robot(CASES / "tool_end_effector_link.urdf")
    q = np.array([0.2, 0.3, 0.4, 0.01])
    assert engine.nearest_singularity(robot, q) is None  # three joints for six coordinates: none is ever lost
    near = engine.nearest_singularity(robot, q, task=("x", "y", "z"))
    assert near.q[3] == q[3] and engine.singularity(robot, near.q, task=("x", "y", "z")).rank == 2
    over_arm = engine.singularity_map(robot, q, 1, 2, resolution=12)
    assert (over_arm.values > 0.05).all() and over_arm.q.tolist() == q.tolist() and not over_arm.curves
    with pytest.raises(engine.EngineError, match="joint left_finger does not move the frame"):
        engine.singularity_map(robot, q, 1, 3, resolution=12)
    crossing = engine.cross_singularity(robot, q, [0, 0, 1], length=0.01, duration=0.1)
    assert (crossing.q[:, 3] == q[3]).all() and crossing.peak_speed[3] == 0 and crossing.position_error.max() < 1e-3
    families = engine.singular_families(robot, starts=32, task=("x", "y", "z"))
    assert families and all(family.q[3] == 0 and 3 not in family.cause.joints for family in families)
