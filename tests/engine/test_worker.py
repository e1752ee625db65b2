"""The simulation worker: commands, snapshots, events, and that no thread outlives it."""

import errno
import os
import sys
import threading

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import (
    Pause,
    ReleasePull,
    Reset,
    Run,
    SetController,
    SetIntegrator,
    SetModel,
    SetPull,
    SetRobot,
    SetSpeed,
    SetState,
    SetTimeStep,
    SetTorque,
    SetTrajectory,
    StartRecording,
    Step,
)
from armature.engine.simulation.live import simulation_worker
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.snapshot import TERMS
from tests.engine.watched import Watched


def test_it_begins_at_rest_at_home_held_against_gravity(start):
    worker = start("puma560")
    snapshot = worker.until(lambda s: True)
    robot = engine.load_robot("puma560")
    home = robot.configurations["home"]
    assert np.array_equal(snapshot.q, home)
    assert snapshot.t == 0 and snapshot.steps == 0 and not snapshot.running and snapshot.real_time_factor == 0
    assert not snapshot.qd.any() and not snapshot.qdd.any()
    assert np.allclose(snapshot.tau, engine.gravity_torque(robot, home))
    assert np.array_equal(snapshot.link_poses, engine.link_poses(robot, home))
    with pytest.raises(ValueError, match="read-only"):
        snapshot.q[0] = 1.0


def test_run_moves_the_arm_and_pause_freezes_it(start):
    worker = start("double_pendulum")
    worker.post(Run())
    moved = worker.until(lambda s: s.running and s.t > 0.2)
    assert moved.qd.any() and moved.real_time_factor > 0
    worker.post(Pause())
    paused = worker.until(lambda s: not s.running)
    assert paused.real_time_factor == 0 and paused.qd.any()
    worker.post(SetSpeed(2.0))
    assert worker.until(lambda s: s.speed == 2.0).t == paused.t


def test_terms_of_the_torque_add_up_while_moving(start):
    worker = start("puma560")
    worker.post(SetTorque([1, 2, 3, 0.1, 0.1, 0.1]))
    worker.post(Run())
    s = worker.until(lambda s: s.running and s.t > 0.05)
    robot = engine.load_robot("puma560")
    assert set(s.tau_terms) == set(TERMS)
    assert np.allclose(sum(s.tau_terms.values()), s.tau)
    assert np.allclose(s.tau, [1, 2, 3, 0.1, 0.1, 0.1])
    assert np.allclose(s.tau_terms["inertia"], engine.mass_matrix(robot, s.q) @ s.qdd)
    assert np.allclose(s.tau_terms["coriolis"], engine.coriolis_matrix(robot, s.q, s.qd) @ s.qd)
    assert np.allclose(s.tau_terms["gravity"], engine.gravity_torque(robot, s.q))
    sliding = (s.qd != 0) & ~s.tau_terms["stop"].astype(bool)
    assert np.allclose(s.tau_terms["friction"][sliding], engine.friction_torque(robot, s.qd)[sliding])
    assert s.energy == pytest.approx(engine.kinetic_energy(robot, s.q, s.qd) + engine.potential_energy(robot, s.q))


def test_steps_are_single_and_give_what_simulate_gives(start):
    worker = start("double_pendulum")
    q0 = [0.3, -0.4]
    worker.post(SetState(q0))
    worker.post(Step(1))
    assert worker.until(lambda s: s.steps == 1).t == pytest.approx(0.001)
    worker.post(Step(99))
    snapshot = worker.until(lambda s: s.steps == 100)
    expected = engine.simulate(engine.load_robot("double_pendulum"), q0, None, 0.1, 1e-3)
    assert np.array_equal(snapshot.q, expected.q[-1]) and np.array_equal(snapshot.qdd, expected.qdd[-1])
    assert not snapshot.running


def test_torque_is_applied(start):
    worker, robot = start("double_pendulum"), engine.load_robot("double_pendulum")
    worker.post(SetState([0.3, -0.4]))
    worker.post(SetTorque([3.0, -1.0]))
    worker.post(Step(1))
    worker.until(lambda s: s.steps == 1)
    worker.post(Step(49))
    snapshot = worker.until(lambda s: s.steps == 50)
    expected = engine.simulate(robot, [0.3, -0.4], None, 0.05, 1e-3, controller=lambda t, q, qd: [3.0, -1.0])
    assert np.array_equal(snapshot.q, expected.q[-1])
    assert np.array_equal(snapshot.tau, [3.0, -1.0])


def test_reset_goes_back_and_runs_on_if_it_ran(start):
    worker = start("double_pendulum")
    worker.post(Run())
    worker.until(lambda s: s.t > 0.3)
    worker.post(Reset([0.1, 0.2]))
    again = worker.until(lambda s: s.t < 0.2)
    assert again.running and again.steps < 300
    worker.post(Pause())
    worker.post(Reset([0.1, 0.2], [1.0, 2.0]))
    snapshot = worker.until(lambda s: s.steps == 0)
    assert np.array_equal(snapshot.q, [0.1, 0.2]) and np.array_equal(snapshot.qd, [1.0, 2.0]) and not snapshot.running


def test_step_and_integrator_can_be_changed(start):
    worker = start("double_pendulum")
    worker.post(SetTimeStep(0.01))
    worker.post(SetIntegrator("euler"))
    worker.post(SetState([0.3, -0.4]))
    worker.post(Step(20))
    snapshot = worker.until(lambda s: s.steps == 20)
    expected = engine.simulate(engine.load_robot("double_pendulum"), [0.3, -0.4], None, 0.2, 0.01, integrator="euler")
    assert snapshot.dt == 0.01 and np.array_equal(snapshot.q, expected.q[-1])


def test_another_model_of_the_arm_goes_on_with_time_state_and_recording(start, tmp_path):
    worker, robot = start("puma560"), engine.load_robot("puma560")
    worker.post(StartRecording(tmp_path / "run.csv"))
    worker.post(Run())
    worker.until(lambda s: s.t > 0.1)
    worker.post(SetModel(robot.without_friction()))
    snapshot = worker.until(lambda s: s.running and s.t > 0.1 and np.abs(s.tau_terms["friction"]).max() < 1e-9)
    assert np.abs(snapshot.qd).max() > 0.1 and snapshot.recording is not None
    worker.post(SetModel(engine.load_robot("double_pendulum")))
    assert "does not have the joints" in worker.until_event("refused").text


def test_divergence_freezes_the_last_finite_state_and_names_the_joint(start):
    worker = start("double_pendulum")
    worker.post(SetTimeStep(0.1))
    worker.post(SetIntegrator("euler"))
    worker.post(SetTorque([1e9, -1e9]))
    worker.post(Reset([0.0, 0.0], [0.0, 9e5]))
    worker.post(Run())
    event = worker.until_event("diverged")
    assert event.joint in (0, 1) and f"joint{event.joint + 1}" in event.text and "try" in event.text
    frozen = worker.until(lambda s: not s.running)
    assert frozen.t == event.t
    assert np.isfinite(frozen.q).all() and np.isfinite(frozen.qd).all()
    worker.post(SetTorque([0.0, 0.0]))
    worker.post(SetTimeStep(0.001))
    worker.post(Reset([0.0, 0.0]))
    worker.post(Run())
    assert worker.until(lambda s: s.running and s.t > 0)


def test_a_singular_pose_is_named_and_shown_without_nan(start):
    worker = start("spherical_pendulum", q=np.zeros(2))
    worker.post(Run())
    event = worker.until_event("diverged")
    assert event.joint == 0 and "phi" in event.text
    snapshot = worker.until(lambda s: not s.running)
    assert all(np.isfinite(term).all() for term in snapshot.tau_terms.values())


def test_an_arm_without_masses_refuses_to_run_but_can_be_posed(start):
    worker = start("irb140")
    for command in (Run(), Step()):
        worker.post(command)
        assert "has no masses" in worker.until_event("refused").text
    q = np.full(6, 0.5)
    worker.post(SetState(q))
    snapshot = worker.until(lambda s: np.array_equal(s.q, q))
    assert not snapshot.tau.any() and snapshot.kinetic == snapshot.potential == 0


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (SetTorque([1.0]), "tau must be 2 finite numbers"),
        (SetState([np.nan, 0.0]), "q must be 2 finite numbers"),
        (Reset([0.0, 0.0], [1.0]), "qd must be 2 finite numbers"),
        (SetTimeStep(0.0), "the step must be"),
        (SetIntegrator("verlet"), "unknown integrator 'verlet'"),
        (SetSpeed(-1.0), "the speed factor"),
        (SetSpeed("fast"), "the speed factor"),
        (SetPull("link2", [0, 0, 0], [0, 0, 1], 10.0, 1.0), "has no body 'link2'"),
        (SetTorque([10**400, 0]), "tau must be 2 finite numbers"),
        (Step(0), "the number of steps"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(start, command, text):
    worker = start("double_pendulum")
    before = worker.until(lambda s: True)
    worker.post(command)
    assert text in worker.until_event("refused").text
    after = worker.until(lambda s: True)
    assert np.array_equal(after.q, before.q) and after.dt == before.dt and after.speed == before.speed and after.steps == 0


def test_another_robot_comes_paused_and_without_torque(start):
    worker = start("double_pendulum")
    worker.post(SetTorque([1.0, 1.0]))
    worker.post(Run())
    worker.until(lambda s: s.running)
    scara = engine.load_robot("scara")
    worker.post(SetRobot(scara, [0.1, 0.2, 0.05]))
    snapshot = worker.until(lambda s: len(s.q) == 3)
    assert not snapshot.running and snapshot.t == 0
    worker.post(Step(1))
    assert not worker.until(lambda s: s.steps == 1).tau.any()


def test_an_error_in_the_program_is_told_and_the_worker_lives_on(start, monkeypatch):
    worker = start("double_pendulum")
    worker.until(lambda s: True)

    def broken(*_, **__):
        raise ZeroDivisionError("a fault\nof ours")

    with monkeypatch.context() as patch:
        patch.setattr(simulation_worker.Stepper, "advance", broken)
        worker.post(Run())
        event = worker.until_event("fault")
    assert "ZeroDivisionError" in event.text and "\n" not in event.text
    assert worker.alive
    worker.post(Run())
    assert worker.until(lambda s: s.running and s.t > 0.01)


def test_commands_from_many_threads_are_all_obeyed(start):
    worker = start("double_pendulum")
    threads = [threading.Thread(target=lambda: [worker.post(Step(1)) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert worker.until(lambda s: s.steps == 200).t == pytest.approx(0.2)


def test_stopping_twice_or_before_the_start_is_fine():
    worker = SimulationWorker(engine.load_robot("double_pendulum"))
    assert worker.stop()
    running = Watched(engine.load_robot("double_pendulum"))
    running.post(Run())
    running.until(lambda s: s.running)
    assert running.stop() and running.stop() and not running.alive


def test_a_trajectory_is_followed_a_hand_felt_and_a_payload_carried(start):
    panda = start("panda")
    robot = engine.load_robot("panda")
    home = robot.configurations["home"]
    plan = engine.Plan(
        (
            engine.Waypoint(pose="home"),
            engine.Waypoint(q=home + 0.1, duration=0.3, dwell=0.1, grasp=engine.Payload(0.851)),
            engine.Waypoint(pose="home", duration=0.3),
        )
    )
    trajectory = plan.trajectory(robot)
    panda.post(SetController(engine.default_gains(robot, "computed-torque")))
    panda.post(SetTrajectory(trajectory))
    panda.post(Run())
    shown = panda.until(lambda s: s.payload is not None)
    assert shown.payload.mass == 0.851
    np.testing.assert_allclose(shown.q_desired, trajectory.sample(shown.t)[0], atol=1e-9)
    np.testing.assert_allclose(shown.q, shown.q_desired, atol=1e-3)
    np.testing.assert_allclose(shown.tool_desired, engine.frame_pose(robot, shown.q_desired))
    np.testing.assert_allclose(sum(shown.tau_terms.values()), shown.tau, atol=1e-9)
    assert shown.tool_wrench[2] < -0.851 * 9.0
    panda.until(lambda s: s.t > trajectory.duration)
    tool = robot.frame()
    panda.post(SetPull(tool.body, tool.X_BF[:3, 3], engine.frame_pose(robot, home)[:3, 3] + [0, 0.2, 0], 100.0, 5.0))
    pulled = panda.until(lambda s: s.pull_force is not None and s.ledger.hand > 1e-3)
    assert pulled.pull_force[1] > 5.0 and pulled.tau_terms["external"].any()
    assert abs(pulled.ledger.residual) < 1e-6
    panda.post(ReleasePull())
    panda.until(lambda s: s.pull_force is None)
    panda.post(SetPull(99, [0, 0, 0], [0, 0, 0], 1.0, 1.0))
    assert "no body 99 to pull on" in panda.until_event("refused").text
    panda.post(SetController(None))
    panda.post(Pause())
    panda.post(Reset(home))
    again = panda.until(lambda s: s.t == 0.0 and not s.running)
    assert again.payload is None and again.ledger.hand == 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own elsewhere")
def test_a_system_that_knows_no_precedence_simulates_all_the_same(start, monkeypatch):
    def unknown(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(os, "sched_setscheduler", unknown)
    monkeypatch.setattr(os, "setpriority", unknown)
    worker = start("double_pendulum")
    worker.post(Run())
    worker.until(lambda s: s.running and s.t > 0.0)


def test_a_refusal_names_its_command(start):
    arm, bare = start("double_pendulum"), start("irb140")
    for worker, command in (
        (arm, SetTorque([1.0])),
        (arm, SetSpeed(-1.0)),
        (arm, Reset([0.0])),
        (arm, SetModel(engine.load_robot("scara"))),
        (bare, Run()),
        (bare, Step()),
    ):
        worker.post(command)
        assert worker.until_event("refused").command is command
