"""Every control law with its default gains on the robots that ship: it settles where theory says, and saturates."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.control.control_laws import NAMES
from armature.engine.trajectory.trajectory import at_rest
from tests.engine.arms import different_arms

ROBOTS = {name: engine.load_robot(name) for name in different_arms()}
WITH = [name for name, robot in ROBOTS.items() if robot.has_dynamics]
WITHOUT = [name for name, robot in ROBOTS.items() if not robot.has_dynamics]
SETTLED = 3.0  # s
LIGHT_HANDS = {"gen3", "iiwa14", "jaco2", "sawyer"}  # 3e-4 to 7e-4 kg·m² and no rotor: driven less exactly at 1 kHz


def breakaway(robot) -> np.ndarray:
    """Torque `(n,)` that dry friction takes before a joint moves."""
    return np.array([max(body.friction.stiction, *body.friction.coulomb) for body in robot.bodies])


def has_dry_friction(robot) -> bool:
    return bool(breakaway(robot).any())


def there(robot):
    """A small way from home within the limits, one second long."""
    q = robot.configurations["home"]
    step = np.where(robot.prismatic, 0.02, 0.1)
    goal = np.where(q + step < robot.q_max, q + step, q - step)
    return engine.minimum_jerk([q, goal], [1.0]), goal


def followed(robot, law, duration=SETTLED):
    """A run along `there` with default gains, the controller, and the goal."""
    controller, (way, goal) = engine.default_gains(robot, law), there(robot)
    run = engine.simulate(robot, way.start, None, duration, 1e-3, controller, trajectory=way)
    assert np.isfinite(run.table()).all() and (np.abs(run.tau) <= robot.tau_max).all()
    return run, controller, goal


def off_the_way(robot, run) -> np.ndarray:
    """How far the tool is from where it should be at every step, m."""
    wanted = engine.tool_motion(robot, there(robot)[0], run.t)[0]
    return np.linalg.norm(run.tool[:, :3] - wanted[:, :3, 3], axis=1)


@pytest.mark.parametrize("name", WITH)
@pytest.mark.parametrize("law", ["pd", "pd-gravity"])
def test_springs_settle_where_gravity_and_dry_friction_leave_them(name, law):
    """Kp (q_d − q) = g(q), or 0 where gravity is known, up to the breakaway friction."""
    robot = ROBOTS[name]
    run, controller, goal = followed(robot, law)
    q = run.q[-1]
    held = engine.gravity_torque(robot, q) if law == "pd" else np.zeros(robot.n)
    left = np.abs(controller.kp * (goal - q) - held)
    assert (left <= breakaway(robot) * (1 + 1e-9) + 1e-5).all() and np.abs(run.qd[-1]).max() < 1e-6


@pytest.mark.parametrize("name", WITH)
def test_the_integral_takes_what_is_left_away(name):
    run, _, goal = followed(ROBOTS[name], "pid")
    least = 1e-7 if name in LIGHT_HANDS else 1e-8
    assert np.abs(run.q[-1] - goal).max() < (1e-3 if has_dry_friction(ROBOTS[name]) else least)


@pytest.mark.parametrize("name", WITH)
def test_computed_torque_follows_every_arm(name):
    """Closely; where dry friction breaks loose, what makes up for it comes and goes within 20 ms."""
    run, _, goal = followed(ROBOTS[name], "computed-torque")
    most = 3e-4 if has_dry_friction(ROBOTS[name]) else 2e-4 if name in LIGHT_HANDS else 1e-4
    assert np.abs(run.q - there(ROBOTS[name])[0].sample(run.t)[0]).max() < most
    assert np.abs(run.q[-1] - goal).max() < 1e-5 and np.abs(run.qd[-1]).max() < 1e-9


@pytest.mark.parametrize("name", WITH)
def test_resolved_rate_leads_the_tool_there_and_rests(name):
    run, _, _ = followed(ROBOTS[name], "resolved-rate", 4.0)
    off = off_the_way(ROBOTS[name], run)
    assert off.max() < 3e-3 and off[-1] < 2e-5  # damping makes it lag near singularities
    assert np.abs(run.qd[-100:]).max() < 1e-4, "it trembles"
    assert (np.ptp(run.tau[-100:], axis=0) <= 0.02 * np.abs(run.tau).max() + 1e-9).all(), "its motors tremble"


@pytest.mark.parametrize("name", WITH)
def test_impedance_brings_the_tool_there(name):
    robot = ROBOTS[name]
    run, _, _ = followed(robot, "impedance", 5.0)
    off = off_the_way(robot, run)
    light = name in LIGHT_HANDS
    assert off.max() < 0.02 and off[-1] < (0.015 if has_dry_friction(robot) else 2e-3 if light else 5e-4)
    assert np.abs(run.qd[-1]).max() < (0.5 if light else 0.15)


@pytest.mark.parametrize("name", WITH)
def test_gravity_compensation_floats(name):
    run, _, _ = followed(ROBOTS[name], "gravity", 1.0)
    assert np.abs(run.q - run.q[0]).max() < 1e-9


@pytest.mark.parametrize("name", WITH)
@pytest.mark.parametrize("law", NAMES.values())
def test_from_any_pose_and_speed_nothing_runs_away(name, law):
    """Gains are tuned at home; elsewhere, also with longer steps, the law takes energy out of the arm."""
    robot, rng = ROBOTS[name], np.random.default_rng(3)
    low, high = (np.clip(limit, -3.0, 3.0) for limit in (robot.q_min, robot.q_max))
    for dt in (1e-3, 2e-3):
        for q in low + (high - low) * rng.uniform(0.05, 0.95, (4, robot.n)):
            qd = rng.normal(scale=0.2, size=robot.n)
            run = engine.simulate(robot, q, qd, 0.4, dt, engine.default_gains(robot, law))
            assert np.isfinite(run.table()).all() and (np.abs(run.tau) <= robot.tau_max).all()
            if law not in ("torque", "pd", "pid"):  # which gravity moves
                fast = 100 if name in LIGHT_HANDS else 30  # flung, for a step or two
                assert run.kinetic[-1] <= run.kinetic.max() + 1e-12 and np.abs(run.qd).max() < fast


@pytest.mark.parametrize("name", [name for name in WITH if np.isfinite(ROBOTS[name].tau_max).all()])
@pytest.mark.parametrize("law", ["pd", "pid", "pd-gravity", "computed-torque", "impedance", "resolved-rate"])
def test_a_leap_saturates_the_motors_and_no_more(name, law):
    robot = ROBOTS[name]
    q = robot.configurations["home"]
    goal = np.clip(q + 0.8, robot.q_min + 0.1, robot.q_max - 0.1)
    run = engine.simulate(robot, q, None, 1.0, 1e-3, engine.default_gains(robot, law), trajectory=at_rest(goal, 1.0))
    assert np.isfinite(run.table()).all() and (np.abs(run.tau) <= robot.tau_max).all()
    if law in ("pd", "pid", "computed-torque"):
        assert (np.abs(run.tau) == robot.tau_max).any()


@pytest.mark.parametrize("name", WITHOUT)
@pytest.mark.parametrize("law", NAMES.values())
def test_an_arm_without_masses_is_refused_in_one_line(name, law):
    robot = ROBOTS[name]
    with pytest.raises(engine.EngineError, match=f"{name}: the robot has no masses") as caught:
        engine.default_gains(robot, law)
    assert "\n" not in str(caught.value)
    with pytest.raises(engine.EngineError, match="no masses"):
        engine.simulate(robot, robot.configurations["home"], None, 0.1, 1e-3, engine.PD(1.0, 1.0))
