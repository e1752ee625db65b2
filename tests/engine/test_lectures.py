"""The closed forms of the lectures, at random states, to 1e-10 (LECTURES 1–5)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import cos, sin

from armature import engine

G = 9.81
N = 200


def states(name: str, seed: int = 0):
    robot = engine.load_robot(name)
    rng = np.random.default_rng(seed)
    return robot, rng.uniform(-3, 3, (N, robot.n)), rng.normal(size=(N, robot.n)) * 2


def matrix(rows) -> np.ndarray:
    """Rows of arrays (N,) and numbers to `(N, r, c)`."""
    return np.moveaxis(np.array([[np.broadcast_to(x, N) for x in row] for row in rows]), 2, 0)


def assert_dynamics(robot, q, qd, M, c, g) -> None:
    """M, c and g by every route the engine has."""
    c, g = np.stack(c, axis=1), np.stack(g, axis=1)
    terms = engine.lagrange_terms(robot, q, qd)
    close = {"rtol": 0, "atol": 1e-10}
    np.testing.assert_allclose(engine.mass_matrix(robot, q), M, **close)
    np.testing.assert_allclose(engine.gravity_torque(robot, q), g, **close)
    np.testing.assert_allclose(engine.rnea(robot, q, qd, np.zeros_like(q)), c + g, **close)
    np.testing.assert_allclose(np.einsum("kij,kj->ki", engine.coriolis_matrix(robot, q, qd), qd), c, **close)
    for ours, theirs in zip(terms, (M, c, g), strict=True):
        np.testing.assert_allclose(ours, theirs, **close)


def test_scara_kinematics():
    robot, q, qd = states("scara")
    r1, r2, h1, h2 = 0.325, 0.225, 0.40, 0.05
    q1, q2, q3 = q.T
    X = engine.frame_pose(robot, q)
    s1, c1, s12, c12 = sin(q1), cos(q1), sin(q1 + q2), cos(q1 + q2)
    np.testing.assert_allclose(X[:, :3, 3], np.stack([r1 * c1 + r2 * c12, r1 * s1 + r2 * s12, h1 + h2 - q3], axis=1), atol=1e-10)
    np.testing.assert_allclose(X[:, :3, :3], matrix([[c12, -s12, 0], [s12, c12, 0], [0, 0, 1]]), atol=1e-10)
    J = engine.jacobian(robot, q)
    expected = matrix([[-r1 * s1 - r2 * s12, -r2 * s12, 0], [r1 * c1 + r2 * c12, r2 * c12, 0], [0, 0, -1]])
    np.testing.assert_allclose(J[:, :3], expected, atol=1e-10)
    np.testing.assert_allclose(np.linalg.det(J[:, :3]), -r1 * r2 * sin(q2), atol=1e-10)


@pytest.mark.parametrize(("q2", "singular"), [(0.0, True), (np.pi, True), (-np.pi, True), (0.3, False), (-2.0, False)])
def test_scara_is_singular_only_when_stretched_or_folded(q2, singular):
    report = engine.singularity(engine.load_robot("scara"), [0.4, q2, 0.1])
    assert (report.rank < 3) == singular
    assert np.isinf(report.condition) == singular


def test_scara_axes():
    robot = engine.load_robot("scara")
    z = engine.link_poses(robot, [0.3, -0.7, 0.1])[:3, :3, 2]
    np.testing.assert_allclose(z, [[0, 0, 1], [0, 0, 1], [0, 0, -1]], atol=1e-12)


def test_rp():
    robot, q, qd = states("rp")
    alpha, m1, m2 = 0.5, 2.0, 1.5
    (th, r), (thd, rd) = q.T, qd.T
    r = alpha + r
    M = matrix([[m1 * alpha**2 + m2 * r**2, 0], [0, m2]])
    c = (2 * m2 * r * thd * rd, -m2 * r * thd**2)
    g = ((m1 * alpha + m2 * r) * G * cos(th), m2 * G * sin(th))
    assert_dynamics(robot, q, qd, M, c, g)


def test_rp_offset():
    robot, q, qd = states("rp_offset")
    a, l1, lc1, m1, m2, I1, I2 = 0.2, 0.6, 0.35, 3.0, 2.0, 0.12, 0.05
    (q1, q2), (q1d, q2d) = q.T, qd.T
    M = matrix([[m2 * a**2 + m2 * (l1 + q2) ** 2 + m1 * lc1**2 + I1 + I2, -a * m2], [-a * m2, m2]])
    c = (2 * m2 * (l1 + q2) * q1d * q2d, -m2 * (l1 + q2) * q1d**2)
    g = (m1 * G * lc1 * cos(q1) + m2 * G * (l1 * cos(q1) - a * sin(q1) + q2 * cos(q1)), m2 * G * sin(q1))
    assert_dynamics(robot, q, qd, M, c, g)
    C = matrix([[m2 * (l1 + q2) * q2d, m2 * (l1 + q2) * q1d], [-m2 * (l1 + q2) * q1d, 0]])
    np.testing.assert_allclose(engine.coriolis_matrix(robot, q, qd), C, atol=1e-10)


def test_spherical_pendulum():
    robot, q, qd = states("spherical_pendulum")
    m, length = 1.2, 0.8
    (phi, th), (phid, thd) = q.T, qd.T
    position = length * np.stack([sin(th) * cos(phi), sin(th) * sin(phi), -cos(th)], axis=1)
    np.testing.assert_allclose(engine.frame_pose(robot, q)[:, :3, 3], position, atol=1e-10)
    M = matrix([[m * length**2 * sin(th) ** 2, 0], [0, m * length**2]])
    c = (2 * m * length**2 * sin(th) * cos(th) * thd * phid, -m * length**2 * sin(th) * cos(th) * phid**2)
    g = (0 * th, m * G * length * sin(th))
    assert_dynamics(robot, q, qd, M, c, g)


@pytest.mark.parametrize("method", ["crba", "aba"])
@pytest.mark.parametrize("theta", [0.0, np.pi])
def test_spherical_pendulum_names_the_joint_without_inertia(method, theta):
    robot = engine.load_robot("spherical_pendulum")
    with pytest.raises(engine.SingularMassMatrixError, match="phi") as caught:
        engine.forward_dynamics(robot, [0.3, theta], [0.0, 0.0], [0.0, 0.0], method=method)
    assert caught.value.joint == 0
    assert "\n" not in str(caught.value)


def test_double_pendulum():
    robot, q, qd = states("double_pendulum")
    a1, a2, m1, m2 = 0.7, 0.5, 1.5, 1.0
    (q1, q2), (q1d, q2d) = q.T, qd.T
    s2, c2 = sin(q2), cos(q2)
    M = matrix(
        [
            [(m1 + m2) * a1**2 + m2 * a2**2 + 2 * m2 * a1 * a2 * c2, m2 * a2**2 + m2 * a1 * a2 * c2],
            [m2 * a2**2 + m2 * a1 * a2 * c2, m2 * a2**2],
        ]
    )
    c = (-m2 * a1 * a2 * (2 * q1d * q2d + q2d**2) * s2, m2 * a1 * a2 * q1d**2 * s2)
    g = ((m1 + m2) * G * a1 * cos(q1) + m2 * G * a2 * cos(q1 + q2), m2 * G * a2 * cos(q1 + q2))
    assert_dynamics(robot, q, qd, M, c, g)


def test_pendulum():
    robot, q, qd = states("pendulum")
    m, length = 1.0, 0.6
    th = q[:, 0]
    position = length * np.stack([sin(th), 0 * th, -cos(th)], axis=1)
    np.testing.assert_allclose(engine.frame_pose(robot, q)[:, :3, 3], position, atol=1e-10)
    assert_dynamics(robot, q, qd, matrix([[m * length**2]]), (0 * th,), (m * G * length * sin(th),))


def test_sliding_mass_with_friction():
    """tau = m xdd + K xd."""
    robot, q, qd = states("sliding_mass")
    qdd = np.linspace(-2, 2, N)[:, None]
    np.testing.assert_allclose(engine.frame_pose(robot, q)[:, :3, 3], q * [1, 0, 0], atol=1e-10)
    tau = engine.rnea(robot, q, qd, qdd) + engine.friction_torque(robot, qd)
    np.testing.assert_allclose(tau, 2.0 * qdd + 3.0 * qd, atol=1e-10)
    np.testing.assert_allclose(engine.forward_dynamics(robot, q, qd, tau), qdd, atol=1e-10)


def test_rpr():
    robot, q, qd = states("rpr")
    d2, a3 = 0.4, 0.25
    q1, r, q13 = q[:, 0], d2 + q[:, 1], q[:, 0] + q[:, 2]
    position = np.stack([r * cos(q1) + a3 * cos(q13), 0 * r, r * sin(q1) + a3 * sin(q13)], axis=1)
    np.testing.assert_allclose(engine.frame_pose(robot, q)[:, :3, 3], position, atol=1e-10)
    J = engine.jacobian(robot, q)[:, [0, 2, 4]] * [[1], [1], [-1]]  # the turn about -y
    expected = matrix([[-position[:, 2], cos(q1), -a3 * sin(q13)], [position[:, 0], sin(q1), a3 * cos(q13)], [1, 0, 1]])
    np.testing.assert_allclose(J, expected, atol=1e-10)
    np.testing.assert_allclose(np.linalg.det(J), -r, atol=1e-10)
    m1, m2, m3 = 2.0, 1.5, 0.8
    g = (m1 * d2 + (m2 + m3) * r) * G * cos(q1) + m3 * G * a3 * cos(q13), (m2 + m3) * G * sin(q1), m3 * G * a3 * cos(q13)
    np.testing.assert_allclose(engine.gravity_torque(robot, q), np.stack(g, axis=1), atol=1e-10)


def test_gyroscope():
    """M and g as its file writes them; with them Euler's w × I w."""
    robot, q, qd = states("gyroscope")
    m, length, I, I1 = 2.0, 0.2, 0.02, 0.002  # noqa: E741
    I_t, s, c = I / 2 + m * length**2, sin(q[:, 1]), cos(q[:, 1])
    M = matrix([[I1 + I_t * c**2 + I * s**2, 0, I * s], [0, I_t, 0], [I * s, 0, I]])
    np.testing.assert_allclose(engine.mass_matrix(robot, q), M, atol=1e-10)
    np.testing.assert_allclose(engine.gravity_torque(robot, q), np.stack([0 * c, m * G * length * c, 0 * c], axis=1), atol=1e-10)
    steps = engine.rnea_steps(robot, [0, 0, 0.7], [0.981, 0, 200.0], [0, 0, 0])
    w, R = steps.w[3], engine.link_poses(robot, [0, 0, 0.7])[3, :3, :3]
    inertia = R @ np.diag([I / 2, I / 2, I]) @ R.T
    np.testing.assert_allclose(np.cross(w, inertia @ w), [0, 0.5 * 0.981 * I * 200, 0], atol=1e-10)  # the other half is I wd
    np.testing.assert_allclose(steps.N[3], [0, m * G * length, 0], atol=1e-10)
    np.testing.assert_allclose(steps.tau, 0, atol=1e-10)


def test_the_gyroscope_precesses_and_does_not_fall():
    """Its steady rate is m g l / (I w), at every spin; let go without it, it nods and precesses at that rate on average."""
    robot = engine.load_robot("gyroscope")
    for spin in (100.0, 200.0, 400.0):
        rate = 2.0 * G * 0.2 / (0.02 * spin)
        steady = engine.simulate(robot, [0, 0, 0], [rate, 0, spin], 3.0, 1e-3)
        assert np.abs(steady.q[:, 1]).max() < 1e-10 and np.abs(steady.qd[:, 0] - rate).max() < 1e-10
        nodding = engine.simulate(robot, [0, 0, 0], [0, 0, spin], 3.0, 1e-3)
        nutation = 0.02 * spin / np.sqrt(0.09 * 0.092)  # I w / sqrt(I_t (I1 + I_t)), rad/s
        assert -nodding.q[:, 1].min() == pytest.approx(2 * (2.0 * G * 0.2 / 0.09) / nutation**2, rel=0.03)
        assert nodding.q[-1, 0] / 3.0 == pytest.approx(rate, rel=0.03)
    falling = engine.simulate(robot, [0, 0, 0], [0, 0, 0], 1.0, 1e-3)
    assert falling.q[-1, 1] == pytest.approx(np.radians(-50), abs=1e-3)
