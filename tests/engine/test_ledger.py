"""Energy ledger, payload in flight, pulls, and the torque's terms."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.kinematics.jacobian import body_jacobian
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.snapshot import TERMS, snapshot_of
from armature.engine.simulation.stepper import Stepper
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS
from tests.engine.test_simulation_coupled import gripper_arm

PICK = Path(engine.__file__).parents[1] / "assets" / "trajectories" / "pick_place_puma560.toml"


def snapshot(stepper):
    return snapshot_of(stepper, stepper.sample(), True, real_time_factor=0.0, running=True, speed=1.0, recording=None, rows=0)


def led(robot, q, law, seconds, integrator="rk4", dt=1e-3, pull=True):
    """An arm under a controller with friction, pulled about by a hand."""
    stepper = Stepper(robot, q, None, dt, integrator, ledger=True)
    stepper.set_controller(engine.default_gains(robot, law))
    body = robot.frame().body
    for k in range(4):
        if pull:
            at = engine.frame_pose(robot, stepper.q)[:3, 3]
            stepper.set_pull(Pull(body, [0.02, 0.01, 0.05], at + 0.1 * np.array([(-1) ** k, 0.5, -0.3]), 300.0, 20.0))
        stepper.advance(round(seconds / 4 / dt))
    return stepper


@pytest.mark.parametrize("law", ["pd", "pid", "computed-torque", "impedance", "gravity"])
@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_the_ledger_balances_under_motor_friction_and_hand(name, law):
    robot = engine.load_robot(name)
    ledger = led(robot, robot.configurations["home"], law, 2.0).ledger()
    turned_over = sum(abs(x) for x in (ledger.motor, ledger.friction, ledger.hand))
    assert abs(ledger.hand) > 0.02 and turned_over > 0.1
    assert abs(ledger.residual) < 1e-6 * max(1.0, turned_over)
    assert ledger.friction <= 0


def test_the_residual_is_the_integrators_error():
    """It falls with the order of the method: halving the step divides it by 2^p."""
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    for integrator, order in (("euler", 1), ("rk4", 4), ("midpoint", 2)):
        coarse, fine = (abs(led(robot, q, "impedance", 0.4, integrator, dt).ledger().residual) for dt in (4e-3, 2e-3))
        assert coarse / fine > 2**order * 0.6, integrator
    assert abs(led(robot, q, "impedance", 0.4, "gauss6", 2e-3).ledger().residual) < 1e-8


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_impacts_at_stops_are_on_the_ledger(integrator):
    robot = engine.load_robot("double_pendulum")
    robot = dataclasses.replace(robot, q_min=np.array([-9, -0.5]), q_max=np.array([9, 0.5]))
    stepper = Stepper(robot, [0.0, 0.0], [0.0, 3.0], 1e-3, integrator, ledger=True)
    stepper.advance(2000)
    ledger = stepper.ledger()
    assert ledger.stop < -0.1
    assert abs(ledger.residual) < (0.1 if integrator == "euler" else 1e-4 if integrator == "midpoint" else 1e-6)


def test_the_ledger_of_an_arm_with_mimic_joints(tmp_path):
    robot = gripper_arm(tmp_path)
    q = np.clip(robot.configurations["home"] + 0.2, robot.q_min, robot.q_max)
    stepper = Stepper(robot, q, None, 1e-3, "rk4", ledger=True)
    stepper.set_controller(engine.default_gains(robot, "computed-torque", q=q))
    stepper.set_pull(Pull(0, [0.1, 0.0, 0.0], [0.5, 0.5, 0.5], 50.0, 5.0))
    stepper.advance(1000)
    assert abs(stepper.ledger().hand) > 1e-3
    assert abs(stepper.ledger().residual) < 1e-6
    shown = snapshot(stepper)
    np.testing.assert_allclose(sum(shown.tau_terms.values()), shown.tau, atol=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", ["puma560", "panda", "scara", "double_pendulum"])
def test_the_ledger_changes_nothing(name, integrator):
    """Bit for bit, through friction and stops: what is recorded live can be done again by the faster steps without a ledger."""
    robot = engine.load_robot(name)
    rows = []
    for ledger in (False, True):
        stepper = Stepper(robot, robot.configurations["home"], None, 1e-3, integrator, ledger=ledger)
        stepper.set_torque(np.linspace(-3.0, 3.0, robot.n))
        stepper.wrench[robot.n - 1] = [1.0, -2.0, 0.5, 0.1, 0.2, -0.1]
        rows.append(stepper.advance(1500).states)
    np.testing.assert_array_equal(*rows)


def test_the_terms_of_the_torque_add_up_and_name_their_causes():
    robot = engine.load_robot("puma560")
    trajectory = engine.minimum_jerk([robot.configurations["home"], robot.configurations["home"] + 0.4], [1.0])
    stepper = Stepper(robot, trajectory.start, None, 1e-3, ledger=True)
    stepper.set_controller(engine.default_gains(robot, "computed-torque"))
    stepper.set_trajectory(trajectory)
    held = engine.Payload(0.851, [0.01, 0.0, 0.08], np.diag([2e-3, 1e-3, 2e-3]))
    stepper.set_payload(held)
    body, point = robot.frame().body, np.array([0.0, 0.02, 0.05])
    stepper.set_pull(Pull(body, point, [0.6, 0.2, 0.6], 100.0, 5.0))
    stepper.wrench[2] = [1.0, 2.0, -1.0, 0.1, 0.2, 0.3]
    stepper.advance(400)
    shown = snapshot(stepper)
    assert set(shown.tau_terms) == set(TERMS)
    np.testing.assert_allclose(sum(shown.tau_terms.values()), shown.tau, atol=1e-10)
    loaded = held.held_by(robot)
    expected = engine.rnea(loaded, shown.q, shown.qd, shown.qdd) - engine.rnea(robot, shown.q, shown.qd, shown.qdd)
    np.testing.assert_allclose(shown.tau_terms["payload"], expected, atol=1e-9)
    np.testing.assert_allclose(shown.tau_terms["friction"], engine.friction_torque(robot, shown.qd), atol=1e-8)
    J = engine.jacobian(robot, shown.q)
    X = engine.frame_pose(robot, shown.q)
    np.testing.assert_allclose(
        shown.pull_point, X[:3, :3] @ robot.frame().X_BF[:3, :3].T @ (point - robot.frame().X_BF[:3, 3]) + X[:3, 3], atol=1e-12
    )
    arm = shown.pull_point - X[:3, 3]
    pull = J[:3].T @ shown.pull_force + J[3:].T @ np.cross(arm, shown.pull_force)
    unpushed = np.zeros((6, 6))
    unpushed[2] = stepper.wrench[2]
    pull = pull + body_jacobian(robot, shown.q, 2, np.zeros(3)).T @ unpushed[2]
    np.testing.assert_allclose(shown.tau_terms["external"], -pull, atol=1e-9)
    # the payload's wrench at the tool, mapped to the joints, is the payload's torque
    only = shown.tool_wrench - np.concatenate([shown.pull_force, np.cross(arm, shown.pull_force)])
    np.testing.assert_allclose(-J.T @ only, shown.tau_terms["payload"], atol=1e-9)
    np.testing.assert_allclose(shown.q_desired, trajectory.sample(0.4)[0], atol=1e-12)
    np.testing.assert_allclose(shown.tool_desired, engine.frame_pose(robot, shown.q_desired))


def test_pick_and_place_steps_the_torque_by_jt_m_g():
    """851 g are grasped while the arm stands still: the motor torque steps by Jᵀ m g at the object's centre of mass."""
    robot = engine.load_robot("puma560").without_friction()
    trajectory = engine.load_trajectory(PICK, robot)
    stepper = Stepper(robot, trajectory.start, None, 1e-3, ledger=True)
    stepper.set_controller(engine.default_gains(robot, "computed-torque"))
    stepper.set_trajectory(trajectory)
    batch = stepper.advance(int(trajectory.duration * 1000))
    t, q, tau = batch.states[:, 0], batch.states[:, 1:7], batch.states[:, 19:25]
    (grasp, held), (release, nothing) = trajectory.payloads
    assert held.mass == 0.851 and nothing is None
    for when, sign in ((grasp, 1.0), (release, -1.0)):
        k = int(np.argmax(t >= when - 1e-9))
        X = engine.frame_pose(robot, q[k])
        J = engine.jacobian(robot, q[k])
        com = X[:3, :3] @ held.com
        lift = np.array([0, 0, 0.851 * 9.81])
        step = J[:3].T @ lift + J[3:].T @ np.cross(com, lift)
        np.testing.assert_allclose(tau[k + 100] - tau[k - 1], sign * step, atol=2e-3)
        assert np.abs(step).max() > 3.0
    assert np.abs(q - batch.desired[:, :6]).max() < 1e-4
    assert abs(stepper.ledger().residual) < 1e-6
    assert stepper.payload is None


def test_what_is_grasped_changes_the_model_but_not_the_state():
    robot = engine.load_robot("panda")
    stepper = Stepper(robot, robot.configurations["home"], 0.1 * np.ones(7), ledger=True)
    stepper.advance(100)
    before, energy = np.concatenate([stepper.q, stepper.qd]), stepper.ledger()
    stepper.set_payload(engine.Payload(1.0))
    np.testing.assert_array_equal(np.concatenate([stepper.q, stepper.qd]), before)
    after = stepper.ledger()
    assert after.payload == pytest.approx(after.kinetic + after.potential - energy.kinetic - energy.potential)
    assert abs(after.residual - energy.residual) < 1e-9
    stepper.set_model(robot.without_friction(["panda_joint1"] if "panda_joint1" in robot.joint_names else [robot.joint_names[0]]))
    assert stepper.payload is not None and stepper.robot is not stepper.bare


def test_a_loop_grasps_and_releases_every_time():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    plan = engine.Plan(
        (
            engine.Waypoint(q=q, dwell=0.1),
            engine.Waypoint(q=q + 0.05, duration=0.2, dwell=0.1, grasp=engine.Payload(0.5)),
            engine.Waypoint(q=q, duration=0.2, dwell=0.1, release=True),
        ),
        repeat="loop",
    )
    stepper = Stepper(robot, q)
    stepper.set_controller(engine.default_gains(robot, "computed-torque"))
    stepper.set_trajectory(plan.trajectory(robot))
    held = []
    for _ in range(14):
        stepper.advance(100)
        held.append(stepper.payload is not None)
    assert held == [False, False, False, True, True, True, False] * 2 or sum(held) in (5, 6, 7)
    assert held[4] and held[11] and not held[0] and not held[8]


@pytest.mark.parametrize("law", [None, "gravity", "pd-gravity"])
def test_a_stuck_joint_stays_exactly_stuck(law):
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"]
    stepper = Stepper(robot, q, ledger=True)
    stepper.set_controller(None if law is None else engine.default_gains(robot, law))
    if law is None:
        stepper.set_torque(engine.gravity_torque(robot, q))
    stepper.set_pull(Pull(5, np.zeros(3), engine.frame_pose(robot, q)[:3, 3] + [0, 0.005, 0], 100.0, 5.0))  # half a newton
    stepper.advance(3000)
    np.testing.assert_array_equal(stepper.q, q)
    assert not stepper.qd.any() and stepper.ledger().hand == 0.0


def test_a_pull_is_a_spring_with_a_most():
    robot = engine.load_robot("panda")
    q = robot.configurations["home"]
    stepper = Stepper(robot, q, ledger=True)
    target = engine.frame_pose(robot, q)[:3, 3] + [1.0, 0, 0]
    tool = robot.frame()
    stepper.set_pull(Pull(tool.body, tool.X_BF[:3, 3], target, 100.0, 0.0))
    np.testing.assert_allclose(snapshot(stepper).pull_force, [100.0, 0, 0], atol=1e-9)
    stepper.set_pull(Pull(tool.body, tool.X_BF[:3, 3], target, 100.0, 0.0, most=30.0))
    np.testing.assert_allclose(snapshot(stepper).pull_force, [30.0, 0, 0], atol=1e-9)
    for bad in ({"body": 99}, {"stiffness": -1.0}, {"target": [1, 2]}, {"point": [np.nan, 0, 0]}):
        figures = {"body": 0, "point": [0, 0, 0], "target": [0, 0, 0], "stiffness": 1.0, "damping": 0.0} | bad
        with pytest.raises(engine.EngineError):
            stepper.set_pull(Pull(**figures))


def test_friction_per_joint_and_stops_off():
    robot = engine.load_robot("puma560")
    some = robot.without_friction([robot.joint_names[1]])
    loss = engine.friction_torque(some, np.ones(6))
    assert loss[1] == 0 and (np.delete(loss, 1) > 0).all()
    with pytest.raises(engine.ModelError, match="unknown joint 'nose'"):
        robot.without_friction(["nose"])
    endless = robot.without_stops()
    assert np.isinf(endless.q_max).all() and np.isinf(endless.packed[:6, 30]).all()
