"""The robot file format and the arms that ship."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from armature.engine.errors import ModelError
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.model.load_robot import ROBOTS, load_robot, shipped_robots
from armature.engine.model.robot import TASK_AXES
from armature.engine.model.tool_limits import ToolLimits

HEAD = 'name = "arm"\nconvention = "standard"\n'
JOINT = '[[joints]]\ntype = "revolute"\n'
PENDULUMS = {"pendulum", "spherical_pendulum", "double_pendulum"}
TEXTBOOK = PENDULUMS | {"scara", "rp", "rp_offset", "rpr", "sliding_mass", "gyroscope", "stanford"}
TREES = {"two_arms"}
DYNAMIC = (
    TEXTBOOK
    | TREES
    | {"puma560", "panda", "ur10", "ur5", "ur3e", "ur5e", "ur10e", "fr3", "iiwa14", "gen3", "jaco2", "xarm6", "sawyer", "so101"}
)
KINEMATIC = {"irb140", "cobra600", "lwr4", "kr6_r900", "irb120", "irb6700", "lrmate200id", "gp7", "tx2_60", "vs060"}


@pytest.fixture
def load(tmp_path):
    """Loads a robot from text."""

    def load_text(text):
        path = tmp_path / "arm.toml"
        path.write_text(text, encoding="utf-8")
        return load_robot(path)

    return load_text


def body_poses(robot, q):
    """X_WB of every body, by walking the canonical tree."""
    X_WB = []
    for body, x in zip(robot.bodies, q, strict=True):
        move = np.eye(4)
        if body.joint_type == "prismatic":
            move[2, 3] = x
        else:
            move[:2, :2] = [[math.cos(x), -math.sin(x)], [math.sin(x), math.cos(x)]]
        X_WB.append((X_WB[body.parent] if body.parent >= 0 else np.eye(4)) @ body.X_PJ @ move)
    return X_WB


def pose_of(robot, q, name):
    """X_WF of a named frame, by walking the canonical tree."""
    frame = robot.frames[name]
    return frame.X_BF if frame.body < 0 else body_poses(robot, q)[frame.body] @ frame.X_BF


def dh_product(robot, q, tool):
    """X_WT as the product of the steps A_i written out entry by entry."""
    X = robot.base
    for theta, d, a, alpha in robot.dh.rows(q):
        c, s, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
        if robot.dh.convention == "standard":
            A = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
        else:
            A = [[c, -s, 0, a], [s * ca, c * ca, -sa, -sa * d], [s * sa, c * sa, ca, ca * d], [0, 0, 0, 1]]
        X = X @ np.array(A)
    return X @ tool


def task_jacobian(robot, q, step=1e-6):
    """Rows of `robot.task` of the geometric Jacobian by central differences, rotations scaled by the characteristic length."""
    J = np.zeros((6, robot.n))
    R = pose_of(robot, q, "tool")[:3, :3]
    for i in range(robot.n):
        dq = step * np.eye(robot.n)[i]
        D = (pose_of(robot, q + dq, "tool") - pose_of(robot, q - dq, "tool")) / (2 * step)
        W = D[:3, :3] @ R.T
        J[:, i] = *D[:3, 3], *(robot.characteristic_length * np.array([W[2, 1], W[0, 2], W[1, 0]]))
    return J[[("x", "y", "z", "rx", "ry", "rz").index(axis) for axis in robot.task]]


def test_the_arms_of_the_product_ship():
    assert set(shipped_robots()) >= DYNAMIC | KINEMATIC


@pytest.mark.parametrize("name", shipped_robots())
def test_shipped_robot(name):
    robot = load_robot(name)
    assert robot.name == name
    assert robot.has_dynamics == (name not in KINEMATIC)
    assert robot.description and robot.sources and robot.title != name and robot.group in ("textbook", "industrial")
    assert robot.source == ROBOTS / f"{name}.toml"
    assert robot.link_names == ("base", *(f"link{i + 1}" for i in range(robot.n)))
    assert set(robot.frames) == {*robot.link_names, "world", "tool"}
    for pose, q in robot.configurations.items():
        assert q.shape == (robot.n,)
        assert pose == "zero" or ((q >= robot.q_min) & (q <= robot.q_max)).all()


@pytest.mark.parametrize("name", shipped_robots())
def test_home_is_far_from_singularities(name):
    robot = load_robot(name)
    sigma = np.linalg.svd(task_jacobian(robot, robot.configurations["home"]), compute_uv=False)
    assert sigma[0] / sigma[-1] < 17


@pytest.mark.parametrize("name", [name for name in shipped_robots() if name not in TREES])
def test_tree_equals_product_of_dh_matrices(name):
    robot = load_robot(name)
    flange = robot.frames[robot.link_names[-1]]
    tool = np.linalg.inv(flange.X_BF) @ robot.frames["tool"].X_BF
    for q in np.random.default_rng(1).uniform(-2, 2, (20, robot.n)):
        np.testing.assert_allclose(pose_of(robot, q, "tool"), dh_product(robot, q, tool), atol=1e-12)


def test_branches(load):
    """Both arms of a torso stand where the rows of each arm alone would put them."""
    robot, n = load_robot("two_arms"), 7
    assert [body.parent for body in robot.bodies] == [-1, 0, 1, 2, 0, 4, 5] and robot.dh is None
    text = (ROBOTS / "two_arms.toml").read_text(encoding="utf-8")
    head, *rows = text.split("[[joints]]")
    head = head[: head.index("[configurations_deg]")]
    alone = {
        side: load("[[joints]]".join([head, rows[0], *rows[first : first + 3]])) for side, first in (("left", 1), ("right", 4))
    }
    for q in np.random.default_rng(0).uniform(-2, 2, (20, n)):
        left, right = pose_of(alone["left"], q[[0, 1, 2, 3]], "tool"), pose_of(alone["right"], q[[0, 4, 5, 6]], "tool")
        np.testing.assert_allclose(pose_of(robot, q, "link4"), left, atol=1e-12)
        np.testing.assert_allclose(pose_of(robot, q, "tool"), right, atol=1e-12)


@pytest.mark.parametrize("parent", ["link2", "link3", "elbow", "tool"])
def test_a_joint_hangs_on_a_link_above_it(load, parent):
    with pytest.raises(ModelError, match=r"joints\[1\].parent.*must be one of base, link1, got"):
        load(HEAD + JOINT + JOINT + f'parent = "{parent}"\n')


DH_NAMES = {"puma560": "Puma560", "stanford": "Stanford", "panda": "Panda", "ur10": "UR10", "ur5": "UR5", "irb140": "IRB140",
            "cobra600": "Cobra600", "lwr4": "LWR4"}  # fmt: skip


PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "dh_models.json").read_text())


@pytest.mark.parametrize("name", DH_NAMES)
def test_real_arms_carry_the_published_numbers(name):
    robot, published = load_robot(name), PUBLISHED[DH_NAMES[name]]
    joints = published["joints"]
    assert robot.dh.convention == published["convention"]
    assert list(robot.joint_types) == [joint["type"] for joint in joints]
    for key in ("a", "alpha", "d", "theta"):
        np.testing.assert_allclose(getattr(robot.dh, key), [joint[key] for joint in joints], atol=1e-11)
    if name != "lwr4":  # whose published limits are another arm's
        limits = [joint["limits"] or [-np.inf, np.inf] for joint in joints]
        np.testing.assert_allclose(np.column_stack([robot.q_min, robot.q_max]), limits, atol=1e-9)
    if published["tool"]:
        flange = robot.frames[robot.link_names[-1]]
        np.testing.assert_allclose(np.linalg.inv(flange.X_BF) @ robot.frames["tool"].X_BF, published["tool"], atol=1e-9)
    if not robot.has_dynamics or name == "ur5":  # whose masses come from elsewhere: test_urdf_ur5.py
        return
    for i, (joint, body) in enumerate(zip(joints, robot.bodies, strict=True)):
        X_BL = robot.links[f"link{i + 1}"].X_BF
        R = X_BL[:3, :3]
        com = R.T @ (body.com - X_BL[:3, 3])
        assert body.mass == joint["mass"]
        np.testing.assert_allclose(com[:2], joint["com"][:2], atol=1e-12)
        if (name, i) != ("panda", 0):  # along joint 1's axis, where it changes nothing
            assert com[2] == pytest.approx(joint["com"][2], abs=1e-12)
        np.testing.assert_allclose(R.T @ body.inertia @ R, joint["inertia_at_com"], atol=1e-12)
        N = joint.get("gear_ratio", 1.0)
        assert body.rotor_inertia == pytest.approx(joint.get("motor_inertia", 0) * N**2)
        assert body.friction.viscous == pytest.approx(joint.get("motor_viscous", 0) * N**2)
        positive, negative = joint.get("motor_coulomb", (0, 0))
        assert body.friction.coulomb == pytest.approx((positive * abs(N), -negative * abs(N)))


def test_impossible_inertias_are_named_in_the_remarks():
    remarks = " ".join(load_robot("puma560").remarks)
    assert "joint1: inertia used as published" in remarks and "joint3: inertia" in remarks and "joint2: inertia" not in remarks
    assert "0.0125, 0.066, 0.086" in remarks
    assert "joint5: inertia" in " ".join(load_robot("stanford").remarks)
    assert "joint6: inertia" in " ".join(load_robot("ur10").remarks)
    assert not any("inertia used as published" in remark for remark in load_robot("panda").remarks)


def test_panda_limits_are_the_makers():
    robot = load_robot("panda")
    assert robot.tau_max.tolist() == [87, 87, 87, 87, 12, 12, 12]
    assert robot.qd_max.tolist() == [2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61]


def test_lecture_arms_stand_where_the_lectures_put_them():
    q = np.array([0.4, 0.3])
    c, s, c12, s12 = math.cos(0.4), math.sin(0.4), math.cos(0.7), math.sin(0.7)
    tips = {
        "rp": [0.8 * c, 0, 0.8 * s],
        "rp_offset": [0.9 * c - 0.2 * s, 0, 0.9 * s + 0.2 * c],
        "double_pendulum": [0.7 * c + 0.5 * c12, 0, 0.7 * s + 0.5 * s12],
        "spherical_pendulum": [0.8 * math.sin(0.3) * c, 0.8 * math.sin(0.3) * s, -0.8 * math.cos(0.3)],
    }
    for name, tip in tips.items():
        np.testing.assert_allclose(pose_of(load_robot(name), q, "tool")[:3, 3], tip, atol=1e-14)
    X = pose_of(load_robot("scara"), np.array([0.4, 0.3, 0.1]), "tool")
    np.testing.assert_allclose(X[:3, 3], [0.325 * c + 0.225 * c12, 0.325 * s + 0.225 * s12, 0.35], atol=1e-14)
    np.testing.assert_allclose(X[:3, :3], [[c12, -s12, 0], [s12, c12, 0], [0, 0, 1]], atol=1e-14)


TEXTS = {
    "scara": "Classical robotics in a nutshell",
    "rp": "Classical robotics in a nutshell",
    "rp_offset": "RP manipulator, problem 7.8",
    "spherical_pendulum": "Robotics I, chapter 4: Dynamics",
    "double_pendulum": "Robotics I, chapter 4: Dynamics",
}


@pytest.mark.parametrize("name", TEXTS)
def test_lecture_arms_name_their_text_and_whose_the_numbers_are(name):
    robot = load_robot(name)
    assert len(robot.sources) == 1 and robot.sources[0].startswith(f"Lectures, {TEXTS[name]}")
    assert "lengths" not in robot.sources[0] and "limits" not in robot.sources[0]  # the texts give letters
    assert any("examples" in remark or "estimates" in remark for remark in robot.remarks)


def test_example_of_the_readme(load):
    text = (ROBOTS / "README.md").read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    robot = load(text)
    assert robot.name == "pendulum" and robot.n == 1 and robot.has_dynamics
    np.testing.assert_allclose(pose_of(robot, [-math.pi / 2], "tool")[:3, 3], [0, 0, -0.5], atol=1e-15)


def test_readme_documents_every_key():
    from armature.engine.model.file_entries import FrictionEntry, JointEntry, PoseEntry, ToolLimitsEntry
    from armature.engine.model.toml.robot_schema import RobotFile

    text = (ROBOTS / "README.md").read_text(encoding="utf-8")
    for table in (RobotFile, PoseEntry, JointEntry, FrictionEntry, ToolLimitsEntry):
        for key in table.model_fields:
            assert key in text, key


def test_limits_of_the_tool(load):
    robot = load(HEAD + "[tool_limits]\nspeed = 0.25\nangular_jerk = 40\n" + JOINT)
    assert robot.tool_limits == ToolLimits(speed=0.25, angular_jerk=40.0)
    assert load(HEAD + JOINT).tool_limits == ToolLimits()


def test_defaults(load):
    robot = load(HEAD + JOINT)
    assert robot.joint_names == ("joint1",) and not robot.has_dynamics
    assert robot.gravity.tolist() == [0, 0, -9.81] and robot.task == TASK_AXES
    for limits in (-robot.q_min, robot.q_max, robot.qd_max, robot.tau_max):
        assert limits.tolist() == [np.inf]
    assert robot.configurations["home"].tolist() == robot.configurations["zero"].tolist() == [0]


TREE = 3 * '\n[[joints]]\ntype = "revolute"\na = 0.5\n' + '\n[[joints]]\nname = "jaw"\ntype = "prismatic"\nlimits = [0, 0.1]\n'


def test_a_tool_on_a_link_before_the_last(load):
    robot = load(HEAD + '[tool]\nlink = "link3"\nxyz = [0.1, 0, 0]\n' + TREE)
    assert dict(robot.groups) == {"arm": ("joint1", "joint2", "joint3"), "gripper": ("jaw",)} and robot.dh is None
    np.testing.assert_allclose(pose_of(robot, [0, 0, 0, 0.05], "tool")[:3, 3], [1.6, 0, 0], atol=1e-15)
    assert not jacobian(robot, [0.1, 0.2, 0.3, 0.05])[:, 3].any()


@pytest.mark.parametrize("link", ["base", "link5", "hand"])
def test_a_tool_on_a_link_that_is_not_there(load, link):
    with pytest.raises(ModelError, match=rf"tool.link.*must be one of link1, link2, link3, link4, got ['\"]{link}['\"]"):
        load(HEAD + f'[tool]\nlink = "{link}"\n' + TREE)


def test_home_without_one_is_the_pose_next_to_zero(load):
    assert load(HEAD + JOINT + "limits = [0.5, 1]").configurations["home"].tolist() == [0.5]


@pytest.mark.parametrize(
    "text, value",
    [
        ("0.5", 0.5), ("2", 2), ('"pi"', math.pi), ('"pi/2"', math.pi / 2), ('"-3*pi/4"', -3 * math.pi / 4),
        ('"2*pi/3"', 2 * math.pi / 3),
        ('"+ pi / 4"', math.pi / 4), ('"0.5*pi"', math.pi / 2), ('"1e-1"', 0.1), ('".5"', 0.5), ('"-pi/2/2"', -math.pi / 4),
    ],
)  # fmt: skip
def test_angles(load, text, value):
    assert load(HEAD + JOINT + f"alpha = {text}").dh.alpha[0] == pytest.approx(value, abs=1e-15)


def test_degrees(load):
    robot = load(
        HEAD + "[configurations_deg]\nbent = [90]\n" + JOINT
        + "alpha_deg = 90\ntheta_deg = 45\nlimits_deg = [-180, 180]\nvelocity_limit_deg = 90"
    )  # fmt: skip
    assert robot.dh.alpha[0] == robot.configurations["bent"][0] == robot.qd_max[0] == math.pi / 2
    assert robot.dh.theta[0] == math.pi / 4
    assert (robot.q_min[0], robot.q_max[0]) == (-math.pi, math.pi)


@pytest.mark.parametrize(
    "pose",
    [
        'xyz = [1, 2, 3]\nrpy = [0.1, 0.2, "pi/2"]',
        "xyz = [1, 2, 3]\nrpy_deg = [5.729577951308232, 11.459155902616464, 90]",
        "xyz = [1, 2, 3]\nquaternion = [0.7062231, -0.0353406, 0.1056687, 0.6991667]",
        "matrix = [[0, -0.99500417, 0.09983342, 1], [0.98006658, 0.01983384, 0.1976768, 2], "
        "[-0.19866933, 0.0978434, 0.97517033, 3], [0, 0, 0, 1]]",
    ],
)
def test_poses(load, pose):
    X = load(HEAD + f"[base]\n{pose}\n" + JOINT).base
    cr, sr, cp, sp = math.cos(0.1), math.sin(0.1), math.cos(0.2), math.sin(0.2)
    R = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]) @ [[cp, sp * sr, sp * cr], [0, cr, -sr], [-sp, cp * sr, cp * cr]]
    np.testing.assert_allclose(X[:3, :3], R, atol=1e-6)
    np.testing.assert_allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-15)
    assert X[:3, 3].tolist() == [1, 2, 3]


def test_friction_and_rotor_at_the_joint(load):
    text = 'gear_ratio = -10\nrotor_inertia = 0.1\nfriction = { at = "%s", viscous = 2, coulomb = [3, 4], stiction = 5 }'
    body = load(HEAD + JOINT + text % "motor").bodies[0]
    assert body.rotor_inertia == pytest.approx(10)
    assert (body.friction.viscous, body.friction.coulomb, body.friction.stiction) == (200, (30, 40), 50)
    body = load(HEAD + JOINT + text % "joint").bodies[0]
    assert (body.friction.viscous, body.friction.coulomb, body.friction.stiction) == (2, (3, 4), 5)
    assert load(HEAD + JOINT + "friction = { coulomb = 3 }").bodies[0].friction.coulomb == (3, 3)


def test_rigid_link_keeps_its_mass_distribution(load):
    """The kinetic energy of a tilted link about the joint's axis, by hand: I_zz of the joint frame."""
    inertia = "inertia = [[0.3, 0.01, 0.02], [0.01, 0.2, 0.03], [0.02, 0.03, 0.25]]"
    robot = load(HEAD + JOINT + f'alpha = "pi/2"\na = 0.5\nmass = 2\ncom = [0.1, 0.2, 0.3]\n{inertia}')
    body = robot.bodies[0]
    # The joint's axis is y of the link frame; the CoM is (0.6, 0.3) from it.
    assert body.inertia_at_origin()[2, 2] == pytest.approx(0.2 + 2 * (0.6**2 + 0.3**2))


def test_modified_rows_put_a_and_alpha_before_the_joint(load):
    robot = load(HEAD.replace("standard", "modified") + JOINT + 'a = 0.5\nalpha = "pi/2"\nd = 0.25')
    np.testing.assert_allclose(robot.bodies[0].X_PJ, [[1, 0, 0, 0.5], [0, 0, -1, -0.25], [0, 1, 0, 0], [0, 0, 0, 1]], atol=1e-15)
    assert robot.links["link1"].X_BF.tolist() == np.eye(4).tolist()


def test_byte_order_mark_and_windows_line_ends(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + JOINT).replace("\n", "\r\n").encode())
    assert load_robot(path).n == 1


def test_names_ignore_case():
    assert load_robot("Puma560").name == "puma560"


def test_robot_is_read_only():
    robot = load_robot("puma560")
    for array in (robot.q_min, robot.bodies[0].inertia, robot.dh.a, robot.configurations["home"], robot.base):
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = 1.0


def test_panda_inertias_are_those_of_the_makers_urdf():
    pin = pytest.importorskip("pinocchio")
    import sys

    place = "share/example-robot-data/robots/panda_description/urdf/panda.urdf"
    files = [file for root in sys.path for file in Path(root).glob(f"cmeel.prefix/{place}")]
    if not files:
        pytest.skip("the maker's URDF is not installed")
    model, robot = pin.buildModelFromUrdf(str(files[0])), load_robot("panda")
    for i in range(6):  # link 7 carries the hand there
        body, theirs = robot.bodies[i], model.inertias[i + 1]
        assert body.mass == pytest.approx(theirs.mass)
        np.testing.assert_allclose(body.com, theirs.lever, atol=1e-12)
        np.testing.assert_allclose(body.inertia, theirs.inertia, atol=1e-12)
