"""The second arm of a live simulation, under the torques of the first or its own controller."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import (
    Hold,
    Reset,
    SetController,
    SetFollower,
    SetPayload,
    SetState,
    SetTorque,
    SetTrajectory,
    Step,
)
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.simulation_event import EventKind


def after(worker, *commands):
    """The snapshot after commands, without a thread."""
    for command in commands:
        worker.obey(command)
    worker.publish()
    return worker.mailbox.take()


@pytest.mark.parametrize("integrator", ["rk4", "euler"])
def test_an_equal_arm_moves_as_the_first(integrator):
    robot = engine.load_robot("puma560")
    worker = SimulationWorker(robot, integrator=integrator)
    law, goal = engine.default_gains(robot, "pd-gravity"), Hold(robot.configurations["home"] + 0.2)
    held = after(worker, SetController(law), SetPayload(engine.Payload(1.0)), SetFollower(robot), goal, Step(300))
    assert np.array_equal(held.follower.q, held.q) and np.array_equal(held.follower.qd, held.qd)
    assert np.array_equal(held.follower.tau, held.tau) and held.follower.qdd == pytest.approx(held.qdd)
    assert np.ptp(held.q - robot.configurations["home"]) > 1e-4
    placed = after(worker, SetState(robot.configurations["home"] + 0.1))
    assert np.array_equal(placed.follower.q, placed.q) and not placed.follower.qd.any()


def test_twice_the_mass_accelerates_half_as_much():
    block = engine.load_robot("sliding_mass").without_friction()
    heavy = block.with_payload(2.0)
    worker = SimulationWorker(block, [0.0])
    moved = after(worker, SetFollower(heavy), SetTorque([1.0]), Step(200))
    assert moved.q == pytest.approx([0.5 * 0.5 * moved.t**2]) and moved.follower.q == pytest.approx(moved.q / 2)
    assert moved.follower.qdd == pytest.approx([0.25])
    # another arm begins in the state of the first, a reset begins again, None ends it
    light = after(worker, SetFollower(block))
    assert light.follower.q == pytest.approx(moved.q) and light.follower.qdd == pytest.approx([0.5])
    again = after(worker, Reset([0.0]))
    assert again.follower.q == pytest.approx([0.0]) and again.t == 0
    assert after(worker, SetFollower(None)).follower is None


def test_an_arm_with_its_own_controller_follows_the_same_trajectory():
    robot, home = engine.load_robot("puma560"), engine.load_robot("puma560").configurations["home"]
    way = engine.quintic(home, home + 0.4, 0.3)
    law, soft = engine.default_gains(robot, "computed-torque"), engine.default_gains(robot, "pd")
    worker = SimulationWorker(robot, home)
    after(worker, SetController(law), Step(50), SetFollower(robot, SetController(law)))  # its time is that of the first
    same = after(worker, SetTrajectory(way), Step(400))
    assert same.follower.q == pytest.approx(same.q, abs=1e-12) and same.follower.tau == pytest.approx(same.tau, abs=1e-9)
    assert np.abs(same.q - home).min() > 0.3
    other = after(worker, SetFollower(robot, SetController(soft)), Reset(home), Step(200))
    run = engine.simulate(robot, home, None, 0.2, 1e-3, soft, trajectory=way)
    assert other.follower.q == pytest.approx(run.q[-1], abs=1e-9) and other.follower.tau == pytest.approx(run.tau[-1], abs=1e-6)
    assert np.abs(other.follower.q - other.q).max() > 1e-4


def test_only_built_in_controllers_move_a_second_arm():
    robot = engine.load_robot("puma560")
    worker = SimulationWorker(robot)
    own = engine.PythonLaw(lambda t, q, qd: np.zeros(6))
    assert after(worker, SetFollower(robot, SetController(own))).follower is None
    assert "built-in controller" in worker.events.get_nowait().text


def test_an_arm_with_other_joints_is_refused():
    worker = SimulationWorker(engine.load_robot("puma560"))
    assert after(worker, SetFollower(engine.load_robot("panda"))).follower is None
    event = worker.events.get_nowait()
    assert event.kind is EventKind.REFUSED and "panda does not have the joints of puma560" in event.text
