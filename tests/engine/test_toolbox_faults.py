"""Faults known from other robotics toolboxes, as tests that pass here. Inverse dynamics of URDF arms has a file of its own."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.model.dh_table import translate
from armature.engine.rotations import rot_x, rot_z
from armature.engine.singularities.dexterity_measures import measure_batch

ARMS = [robot for robot in map(engine.load_robot, engine.shipped_robots()) if robot.has_dynamics]


def states(robot, N=50, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-3, 3, (N, robot.n)), *rng.normal(size=(2, N, robot.n))


# -- a payload of nothing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ARMS, ids=lambda robot: robot.name)
def test_a_zero_payload_changes_nothing(robot):
    """Elsewhere a payload of 0 kg stays unset, or divides 0 by 0 where the last link has no mass either."""
    q, qd, qdd = states(robot)
    for options in ({}, {"com": (0.1, 0.2, 0.3)}, {"inertia": np.zeros((3, 3))}):
        holding = robot.with_payload(0.0, **options)
        assert np.array_equal(engine.rnea(holding, q, qd, qdd), engine.rnea(robot, q, qd, qdd))
        assert np.array_equal(engine.mass_matrix(holding, q), engine.mass_matrix(robot, q))


@pytest.mark.parametrize("robot", ARMS, ids=lambda robot: robot.name)
def test_a_payload_taken_up_and_put_down_leaves_no_trace(robot):
    q, qd, qdd = states(robot)
    before = engine.rnea(robot, q, qd, qdd)
    held = robot.with_payload(0.851, com=(0, 0, 0.05))
    assert not np.allclose(engine.rnea(held, q, qd, qdd), before)
    assert np.array_equal(engine.rnea(robot, q, qd, qdd), before)


@pytest.mark.parametrize("robot", ARMS, ids=lambda robot: robot.name)
def test_a_payload_pulls_at_the_tool(robot):
    q = states(robot)[0]
    more = engine.gravity_torque(robot.with_payload(0.851), q) - engine.gravity_torque(robot, q)
    lift = np.concatenate([-0.851 * robot.gravity, np.zeros(3)])
    np.testing.assert_allclose(more, engine.statics_torque(robot, q, lift), atol=1e-10)


# -- the ellipsoid of a stretched arm --------------------------------------------------------------------------------------------


def test_the_ellipsoid_collapses_on_a_stretched_arm():
    """Elsewhere √det(J Jᵀ) is NaN or a small positive number there, and the drawn ellipsoid keeps its thickness."""
    robot = engine.load_robot("double_pendulum")
    widths = []
    for bend in (0.5, 1e-3, 1e-6, 1e-9, 0.0):
        report = engine.singularity(robot, [0.7, bend])
        widths.append(report.sigma_min)
        assert report.sigma[0] > 0.5 and report.manipulability >= 0
    assert np.all(np.diff(widths) < 0) and widths[-1] < 1e-15
    report = engine.singularity(robot, [0.7, 0.0])
    assert report.rank == 1 and report.condition == np.inf and report.manipulability < 1e-15
    # flat along the arm itself: from the first joint to the tool
    arm = engine.frame_pose(robot, [0.7, 0.0])[:3, 3]
    assert abs(report.lost_twist[:3] @ arm) == pytest.approx(np.linalg.norm(arm))


@pytest.mark.parametrize(("name", "pose"), [("puma560", "stretched"), ("puma560", "ready"), ("scara", "zero")])
def test_named_singular_poses_have_no_volume_and_no_nan(name, pose):
    robot = engine.load_robot(name)
    q = robot.configurations[pose]
    report = engine.singularity(robot, q)
    assert report.sigma_min < 1e-12 * report.sigma[0] and report.condition == np.inf
    around = q + np.random.default_rng(0).normal(size=(1000, robot.n)) * np.logspace(-16, -1, 1000)[:, None]
    values, _ = measure_batch(robot, around)
    assert np.isfinite(values).all() and (values >= 0).all()


# -- one arm in both conventions -------------------------------------------------------------------------------------------------

# theta, d, a, alpha of the standard convention; a slide in the third joint
ROWS = [(0.2, 0.4, 0.1, 1.57), (-0.3, 0.1, 0.45, 0.3), (0.5, 0.2, -0.05, -1.2), (0.0, 0.35, 0.0, 1.1), (0.1, 0.05, 0.02, -0.4)]
KINDS = ["revolute", "revolute", "prismatic", "revolute", "revolute"]


def masses():
    rng = np.random.default_rng(5)
    for _ in ROWS:
        points = rng.normal(size=(8, 3)) * 0.1
        inertia = sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points)
        yield float(rng.uniform(0.5, 5)), rng.uniform(-0.2, 0.2, 3), inertia


def robot_file(path, convention, rows, bodies, tool_xyz, tool_rpy):
    """Writes a robot file; `rows` as (theta, d, a, alpha), `bodies` as (mass, com, inertia) in the frames of that convention."""
    text = [f'name = "{convention}"', f'convention = "{convention}"', "[tool]", f"xyz = {tool_xyz}", f"rpy = {tool_rpy}"]
    for kind, (theta, d, a, alpha), (mass, com, inertia) in zip(KINDS, rows, bodies, strict=True):
        text += ["[[joints]]", f'type = "{kind}"', f"alpha = {alpha!r}", f"a = {a!r}", f"theta = {theta!r}", f"d = {d!r}"]
        text += [f"mass = {mass!r}", f"com = {com.tolist()}", f"inertia = {((inertia + inertia.T) / 2).tolist()}"]
    path.write_text("\n".join(text))
    return engine.load_robot(path)


@pytest.fixture
def both(tmp_path):
    """The same arm twice. A modified row takes a and alpha of the joint before it, and its frame lies where the joint is."""
    bodies = list(masses())
    tails = [translate(a, 0, 0) @ rot_x(alpha) for _, _, a, alpha in ROWS]
    shifted = [(0.0, 0.0), *[(a, alpha) for _, _, a, alpha in ROWS[:-1]]]
    rows = [(theta, d, a, alpha) for (theta, d, _, _), (a, alpha) in zip(ROWS, shifted, strict=True)]
    moved = [
        (mass, X[:3, :3] @ com + X[:3, 3], X[:3, :3] @ inertia @ X[:3, :3].T)
        for (mass, com, inertia), X in zip(bodies, tails, strict=True)
    ]
    _, _, a, alpha = ROWS[-1]
    standard = robot_file(tmp_path / "standard.toml", "standard", ROWS, bodies, [0, 0, 0], [0, 0, 0])
    return standard, robot_file(tmp_path / "modified.toml", "modified", rows, moved, [a, 0, 0], [alpha, 0, 0])


def test_inverse_dynamics_is_the_same_in_both_conventions(both):
    """Elsewhere the recursion for modified tables uses the frames of the standard one, and the torques are wrong."""
    standard, modified = both
    q, qd, qdd = states(standard)
    close = {"rtol": 1e-11, "atol": 1e-11}
    np.testing.assert_allclose(engine.frame_pose(modified, q), engine.frame_pose(standard, q), **close)
    np.testing.assert_allclose(engine.jacobian(modified, q), engine.jacobian(standard, q), **close)
    np.testing.assert_allclose(engine.rnea(modified, q, qd, qdd), engine.rnea(standard, q, qd, qdd), **close)
    np.testing.assert_allclose(engine.mass_matrix(modified, q), engine.mass_matrix(standard, q), **close)
    np.testing.assert_allclose(engine.coriolis_matrix(modified, q, qd), engine.coriolis_matrix(standard, q, qd), **close)
    for method in ("crba", "aba"):
        ours, theirs = (engine.forward_dynamics(robot, q, qd, qdd, method=method) for robot in both)
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-9)


def test_inverse_dynamics_is_the_textbook_recursion_in_both(both):
    """Lagrange by nothing but products of the DH matrices: ∂E_pot/∂q and E_kin, differenced."""
    standard, _ = both
    bodies = list(masses())

    def frames(q):
        X, found = np.eye(4), []
        for kind, x, (theta, d, a, alpha) in zip(KINDS, q, ROWS, strict=True):
            turn, slide = (0.0, x) if kind == "prismatic" else (x, 0.0)
            X = X @ rot_z(theta + turn) @ translate(0, 0, d + slide) @ translate(a, 0, 0) @ rot_x(alpha)
            found.append(X)
        return found

    def height(q):
        return sum(9.81 * m * (X[:3, :3] @ com + X[:3, 3])[2] for X, (m, com, _) in zip(frames(q), bodies, strict=True))

    def kinetic(q, qd, h=1e-6):
        total = 0.0
        for A, B, (m, com, inertia) in zip(frames(q - h * qd), frames(q + h * qd), bodies, strict=True):
            Xd, R = (B - A) / (2 * h), (A + B)[:3, :3] / 2
            v, W = Xd[:3, :3] @ com + Xd[:3, 3], R.T @ Xd[:3, :3]
            w = np.array([W[2, 1], W[0, 2], W[1, 0]])
            total += 0.5 * (m * v @ v + w @ inertia @ w)
        return total

    for robot in both:
        for q, qd, _ in zip(*(x[:10] for x in states(standard)), strict=True):
            slope = [(height(q + 1e-5 * e) - height(q - 1e-5 * e)) / 2e-5 for e in np.eye(5)]
            np.testing.assert_allclose(engine.gravity_torque(robot, q), slope, atol=1e-7)
            assert engine.kinetic_energy(robot, q, qd) == pytest.approx(kinetic(q, qd), rel=1e-7)


# -- the tool on the right side --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["puma560", "scara", "panda"])
def test_a_tool_hangs_on_the_flange_not_on_the_base(name):
    """X_WT = X_WF X_FT; elsewhere the tool is multiplied from the left in places."""
    robot = engine.load_robot(name)
    tool = translate(0.05, -0.02, 0.1) @ rot_x(0.4) @ rot_z(-1.0)
    q = states(robot, 5)[0]
    flange = engine.frame_pose(robot, q, robot.flange or robot.link_names[-1])
    np.testing.assert_allclose(engine.frame_pose(robot.with_tool(tool), q), flange @ tool, atol=1e-12)
