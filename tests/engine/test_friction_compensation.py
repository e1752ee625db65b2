"""Laws that make up for dry friction do it as a motor can: no chatter, no hunting at the goal, whatever they believe of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.control.control_laws import NAMES
from armature.engine.model.body import Friction
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import at_rest
from tests.chance import some

ROOT = Path(__file__).parents[2]
DT = 1e-3
FOLLOWING = [law for law in NAMES.values() if law not in ("torque", "gravity")]


def pick_and_place(robot):
    return engine.load_trajectory(ROOT / "assets/trajectories/pick_place_puma560.toml", robot)


def followed(robot, law, way, duration=None, period=None, **options):
    controller = replace(engine.default_gains(robot, law), period=period)
    return engine.simulate(robot, way.start, None, duration or way.duration, DT, controller, trajectory=way, **options)


def jumps(run, way) -> np.ndarray:
    """Changes of torque from step to step `(N, n)`, without those as something is grasped or released."""
    kept = np.ones(len(run) - 1, bool)
    for when, _ in way.payloads:
        kept &= np.abs(run.t[1:] - when) > 1.5 * DT
    return np.abs(np.diff(run.tau, axis=0))[kept]


def breakaway(robot) -> np.ndarray:
    return np.array([max(body.friction.stiction, *body.friction.coulomb) for body in robot.bodies])


def rubbing(robot, share, stiction=1.0):
    """The robot with that share of its sliding friction, and so many times as much to break loose."""

    def friction(body):
        coulomb = tuple(share * x for x in body.friction.coulomb)
        return Friction(body.friction.viscous, coulomb, stiction * max(coulomb))

    return replace(robot, bodies=tuple(replace(body, friction=friction(body)) for body in robot.bodies))


def step_away(robot):
    """A small way from home, and its goal."""
    q = robot.configurations["home"]
    step = np.where(robot.prismatic, 0.02, 0.1)
    goal = np.where(q + step < robot.q_max, q + step, q - step)
    return engine.minimum_jerk([q, goal], [1.0]), goal


@pytest.fixture(scope="module")
def carried(puma):
    """The shipped pick and place under computed torque, with and without the object."""
    way = pick_and_place(puma)
    return way, followed(puma, "computed-torque", way), followed(puma, "computed-torque", replace(way, payloads=()))


def test_pick_and_place_follows_without_chatter(carried):
    way, run, _ = carried
    error = run.q - way.sample(run.t)[0]
    assert (jumps(run, way) > 2.0).sum() < 5
    assert np.abs(error).max() < 5e-4 and np.sqrt((error**2).mean(axis=0)).max() < 2e-4
    change = np.diff(run.tau[:, 0])
    turns = change[1:] * change[:-1] < 0
    assert (np.abs(change)[1:][turns] > 0.2).sum() < 10, "joint1 saws"


def test_851_g_are_read_off_the_torques(puma, carried):
    """What the object adds is what dynamics say that it adds; only as a joint breaks loose, earlier or later, is it another."""
    way, run, empty = carried
    (grasped, held), (released, _) = way.payloads
    q, qd, qdd = way.sample(run.t)
    added = engine.rnea(held.held_by(puma), q, qd, qdd) - engine.rnea(puma, q, qd, qdd)
    carries = (run.t > grasped) & (run.t < released)
    off = run.tau - empty.tau - np.where(carries[:, None], added, 0.0)
    assert 4.5 < np.abs(added[carries]).max() < 4.9
    assert np.abs(off).max() < 1.0 and (np.abs(off) > 0.1).mean() < 1e-3


@pytest.mark.parametrize("law", FOLLOWING)
def test_no_law_chatters_on_the_way(puma, law):
    way = pick_and_place(puma)
    assert (jumps(followed(puma, law, way), way) > 2.0).sum() < 5


@pytest.mark.parametrize("name", ["puma560", "scara"])
@pytest.mark.parametrize("law", ["computed-torque", "resolved-rate"])
@pytest.mark.parametrize(("believed", "stiction"), [(1.0, 1.0), (0.5, 1.0), (2.0, 1.0), (1.0, 1.5), (1.5, 1.5)])
@pytest.mark.parametrize("period", some([None, 0.01, 0.004], 2))
def test_it_comes_to_rest_and_stays_there(name, law, believed, stiction, period):
    """Where the model of the friction is right, a few times wrong, and where it takes more to break loose than to slide.

    With SOAK=1 at one more rate of the controller.
    """
    robot = rubbing(engine.load_robot(name), 1.0, stiction)
    way, goal = step_away(robot)
    model = rubbing(engine.load_robot(name), believed, stiction)
    slow = engine.minimum_jerk([way.start, goal], [4.0])
    largest = np.maximum(breakaway(robot), breakaway(model)) * (period or DT) / 0.02  # what may come or go at a look
    for path, settled in ((way, 4.0), (slow, 7.0)):
        run = followed(robot, law, path, settled, period, model=model)
        last = slice(-500, None)
        assert np.abs(run.qd[last]).max() < 1e-6 and np.ptp(run.tau[last], axis=0).max() < 1e-3, "it hunts or trembles"
        assert (jumps(run, path).max(axis=0) < 2.5 * largest).all(), jumps(run, path).max(axis=0) / largest


@pytest.mark.parametrize("name", ["puma560", "scara"])
def test_a_joint_off_its_goal_is_brought_back_without_hunting(name):
    robot = engine.load_robot(name)
    start, goal = robot.configurations["home"], step_away(robot)[1]
    law = engine.default_gains(robot, "resolved-rate")
    run = engine.simulate(robot, start, None, 6.0, DT, law, trajectory=at_rest(goal, 1.0), model=rubbing(robot, 1.5))
    off = np.linalg.norm(run.tool[-1, :3] - engine.frame_pose(robot, goal)[:3, 3])
    assert off < 1e-4 and not run.qd[-500:].any() and not np.ptp(run.tau[-500:], axis=0).any()


def moving(robot) -> Stepper:
    """An arm under computed torque in full motion."""
    stepper = Stepper(robot, robot.configurations["home"], None, DT)
    stepper.set_controller(engine.default_gains(robot, "computed-torque"))
    stepper.set_trajectory(step_away(robot)[0])
    stepper.advance(500)
    return stepper


def change(stepper) -> np.ndarray:
    """The largest change of each torque over the next steps, the one into them included."""
    n = stepper.robot.n
    before = stepper.control.memory[1 : 1 + n].copy()
    tau = stepper.advance(100).states[:, 1 + 3 * n :]
    return np.abs(np.diff(np.vstack([before, tau]), axis=0)).max(axis=0)


def test_other_gains_in_flight_go_on_with_what_is_made_up_for(puma):
    stepper = moving(puma)
    stepper.set_controller(engine.default_gains(puma, "computed-torque", 30.0))
    assert (change(stepper) < 1.0).all()


def test_a_reset_in_flight_begins_without_it(puma):
    stepper = moving(puma)
    stepper.reset(puma.configurations["home"])
    assert stepper.control.memory[1:].tolist() == [0.0] * (len(stepper.control.memory) - 1)
    again = Stepper(puma, puma.configurations["home"], None, DT)
    again.set_controller(engine.default_gains(puma, "computed-torque"))
    again.set_trajectory(step_away(puma)[0])
    np.testing.assert_array_equal(stepper.advance(700).states, again.advance(700).states)


def test_friction_switched_off_in_flight_is_no_longer_made_up_for(puma):
    stepper = moving(puma)
    stepper.set_model(puma.without_friction())
    stepper.advance(1)
    assert not stepper.control.memory[1 + 2 * puma.n :].any()
