"""The simulation step as physics: order of the integrators, energy, friction that holds, stops that stop."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from armature import engine
from armature.engine.model.body import PRISMATIC, Body, Frame, Friction
from armature.engine.model.robot import Robot
from armature.engine.simulation.pull import packed_loads
from armature.engine.simulation.stepping.fixed_steps import FINE, INTEGRATORS, advance
from tests.chance import some

NONE = np.zeros((0, 0, 0))


def run(robot, q, qd, duration, dt=1e-3, integrator="rk4", tau=None, wrench=NONE):
    q, qd = np.array(q, float), np.array(qd, float)
    steps = round(duration / dt)
    log = np.empty((steps, 4 * robot.n))
    motor = np.zeros(robot.n) if tau is None else np.array(tau, float)
    done, code = advance(robot.packed, dt, steps, INTEGRATORS[integrator], q, qd, motor, wrench, log)
    return q, qd, log[:done], code


def slider(mass=2.0, friction=Friction(), limit=np.inf, slope=0.0, restitution=0.0) -> Robot:
    """A block on a slope (rad) that slides along x."""
    X = np.array([[0, 0, 1.0, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]])
    world = Frame(-1, np.eye(4))
    block = Frame(0, np.eye(4))
    return Robot(
        name="block",
        bodies=(Body(-1, PRISMATIC, X, mass=mass, friction=friction, restitution=restitution),),
        joint_names=("slide",),
        links={"base": world, "block": block},
        frames={"world": world, "base": world, "block": block},
        tool="block",
        q_min=np.array([-limit]),
        q_max=np.array([limit]),
        qd_max=np.array([np.inf]),
        tau_max=np.array([np.inf]),
        gravity=9.81 * np.array([np.sin(slope), 0, -np.cos(slope)]),
        configurations={},
    )


ORDERS = [("euler", 1, 4e-3), ("midpoint", 2, 4e-3), ("rk4", 4, 4e-3), ("gauss6", 6, 4e-2)]


@pytest.mark.parametrize(("integrator", "order", "dt"), ORDERS)
def test_order_of_the_integrators(integrator, order, dt):
    robot = engine.load_robot("double_pendulum").without_friction()
    exact = run(robot, [0.3, 0.4], [0, 0], 0.8, 5e-4, "gauss6")[0]
    errors = [np.abs(run(robot, [0.3, 0.4], [0, 0], 0.8, h, integrator)[0] - exact).max() for h in (dt, dt / 2)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_symmetric_methods_run_backwards_to_where_they_came_from():
    robot = engine.load_robot("puma560").without_friction()
    robot = dataclasses.replace(robot, q_min=np.full(6, -np.inf), q_max=np.full(6, np.inf))
    home = robot.configurations["home"]
    for integrator in ("midpoint", "gauss6"):
        q, qd, _, _ = run(robot, home, np.zeros(6), 1.0, integrator=integrator)
        q, qd, _, _ = run(robot, q, -qd, 1.0, integrator=integrator)
        np.testing.assert_allclose(q, home, atol=1e-9)
        np.testing.assert_allclose(qd, 0, atol=1e-8)


def test_energy_of_a_wild_arm():
    """Continuous joints, no rotor inertia, 80 rad/s: the best fixed-step method keeps 1e-6 of the energy in play."""
    panda = engine.load_robot("panda").without_friction()
    bodies = tuple(dataclasses.replace(body, rotor_inertia=0.0) for body in panda.bodies)
    free = np.full(7, np.inf)
    robot = dataclasses.replace(panda, bodies=bodies, q_min=-free, q_max=free)
    qd = np.array([8.0, -6, 10, 7, 20, -30, 80])
    _, _, log, code = run(robot, panda.configurations["home"], qd, 2.0, integrator="gauss6")
    assert code == FINE
    kinetic = engine.kinetic_energy(robot, log[:, :7], log[:, 7:14])
    total = kinetic + engine.potential_energy(robot, log[:, :7])
    assert np.ptp(total) < 1e-6 * kinetic.max()


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda", "ur10", "double_pendulum", "rp"])
def test_energy_of_a_frictionless_arm_stays(name):
    robot = engine.load_robot(name).without_friction()
    robot = dataclasses.replace(robot, q_min=np.full(robot.n, -np.inf), q_max=np.full(robot.n, np.inf))
    q = robot.configurations["home"]
    qe, qde, log, code = run(robot, q, np.zeros(robot.n), 2.0)
    assert code == FINE
    n = robot.n
    kinetic = engine.kinetic_energy(robot, log[:, :n], log[:, n : 2 * n])
    total = kinetic + engine.potential_energy(robot, log[:, :n])
    assert np.ptp(total) < 1e-6 * kinetic.max()
    end = engine.kinetic_energy(robot, qe, qde) + engine.potential_energy(robot, qe)
    assert end == pytest.approx(total[0], abs=1e-6 * kinetic.max())


def test_the_log_holds_state_acceleration_and_torque_at_each_start():
    robot = engine.load_robot("puma560").without_friction()
    tau = np.array([1.0, 20, 3, 0.1, 0.2, 0.3])
    q, _, log, _ = run(robot, robot.configurations["home"], np.zeros(6), 0.1, tau=tau)
    qs, qds, qdds, taus = np.split(log, 4, axis=1)
    assert np.array_equal(qs[0], robot.configurations["home"])
    np.testing.assert_allclose(qdds, engine.forward_dynamics(robot, qs, qds, taus), atol=1e-9)
    assert np.all(taus == tau)
    assert np.abs(q - qs[-1]).max() < 0.05


def test_batches_of_steps_equal_one_long_batch():
    robot = engine.load_robot("puma560")
    home = robot.configurations["home"]
    whole = run(robot, home, np.zeros(6), 0.6)[:2]
    state = (home, np.zeros(6))
    for _ in range(6):
        state = run(robot, *state, 0.1)[:2]
    assert np.array_equal(whole, state)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_viscous_friction_decays_as_the_lectures_say(integrator):
    """tau = m xdd + K xd, so without tau xd falls as exp(−K t / m)."""
    _, qd, _, _ = run(slider(2.0, Friction(viscous=3.0)), [0], [1.0], 1.0, integrator=integrator)
    accuracy = {"euler": 2e-3, "midpoint": 1e-6}.get(integrator, 1e-10)
    assert qd[0] == pytest.approx(np.exp(-1.5), rel=accuracy)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_coulomb_friction_stops_a_block_exactly(integrator):
    """Slides v²m / 2F and then rests: not a creep, not a chatter."""
    q, qd, log, _ = run(slider(2.0, Friction(coulomb=(4.0, 4.0))), [0], [1.0], 60.0, integrator=integrator)
    assert qd[0] == 0.0
    assert q[0] == pytest.approx(0.25, abs=1e-3)
    assert np.all(np.diff(log[:, 0]) >= 0)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(("slope", "holds"), [(0.19, True), (0.21, False)])
def test_breakaway(integrator, slope, holds):
    """Holds on a slope until m g sin(slope) passes the breakaway level of 2 · 9.81 · sin 0.2."""
    friction = Friction(coulomb=(1.0, 1.0), stiction=2 * 9.81 * np.sin(0.2))
    q, qd, _, _ = run(slider(2.0, friction, slope=slope), [0], [0], 2.0, integrator=integrator)
    if holds:
        assert q[0] == 0.0 and qd[0] == 0.0
    else:
        assert q[0] == pytest.approx(0.5 * (9.81 * np.sin(slope) - 0.5) * 4, rel=2e-3)


def test_a_held_joint_of_an_arm_stays_exactly_still_while_others_move():
    robot = engine.load_robot("puma560")
    q, _, log, _ = run(robot, robot.configurations["home"], np.zeros(6), 0.5, tau=[60.0, 0, 0, 0, 0, 0])
    moved = np.ptp(log[:, :6], axis=0)
    assert moved[0] > 0.4
    assert np.all(moved[3:] == 0.0)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("speed", [0.5, 5.0, 50.0])
def test_a_stop_stops_dead(integrator, speed):
    q, qd, log, code = run(slider(2.0, limit=0.5), [0.0], [speed], 3.0, integrator=integrator)
    assert code == FINE
    assert log[:, 0].max() == 0.5 and q[0] == 0.5 and qd[0] == 0.0


def test_restitution_bounces_and_comes_to_rest():
    robot = slider(2.0, limit=0.5, slope=0.3, restitution=0.6)
    q, qd, log, _ = run(robot, [0.4], [0.0], 10.0)
    speed, g = log[:, 1], 9.81 * np.sin(0.3)
    first = int(np.argmax(speed < 0.0))
    fall = np.sqrt(2 * g * 0.1)
    assert speed[first - 1] == pytest.approx(fall, rel=5e-3)
    assert speed[first] == pytest.approx(-0.6 * fall, rel=5e-3)
    assert q[0] == 0.5 and qd[0] == 0.0


def test_a_stop_holds_one_way_only():
    robot = slider(2.0, limit=0.5)
    q, _, _, _ = run(robot, [0.5], [0.0], 1.0, tau=[10.0])
    assert q[0] == 0.5
    q, _, _, _ = run(robot, [0.5], [0.0], 0.5, tau=[-1.0])
    assert q[0] == pytest.approx(0.5 - 0.5 * 0.5 * 0.25, rel=1e-2)


def test_a_joint_that_starts_beyond_its_limit_is_not_thrown():
    robot = slider(2.0, limit=0.5)
    q, qd, _, _ = run(robot, [0.8], [0.0], 1.0, tau=[3.0])
    assert q[0] == 0.8 and qd[0] == 0.0
    q, qd, log, _ = run(robot, [0.8], [0.0], 1.0, tau=[-1.0])
    assert q[0] == pytest.approx(0.8 - 0.25, rel=1e-2)


def test_an_impact_passes_through_the_whole_arm_and_loses_energy():
    robot = engine.load_robot("double_pendulum").without_friction()
    robot = dataclasses.replace(robot, q_min=np.array([-9.0, -0.5]), q_max=np.array([9.0, 0.5]))
    _, _, log, _ = run(robot, [0.0, 0.0], [0.0, 3.0], 2.0)
    struck = int(np.argmax(log[:, 1] >= 0.5))
    assert abs(log[struck, 2] - log[struck - 1, 2]) > 0.1
    total = engine.kinetic_energy(robot, log[:, :2], log[:, 2:4]) + engine.potential_energy(robot, log[:, :2])
    assert np.diff(total).max() < 1e-4
    assert log[:, 1].max() <= 0.5 and log[:, 1].min() >= -0.5


@pytest.mark.parametrize("name", ["puma560", "scara", "stanford", "panda", "rp"])
def test_an_arm_fallen_on_its_stops_comes_to_rest_there(name):
    robot = engine.load_robot(name)
    bodies = tuple(dataclasses.replace(body, friction=Friction(viscous=5.0)) for body in robot.bodies)
    damped = dataclasses.replace(robot, bodies=bodies)
    q, qd, log, code = run(damped, robot.configurations["home"], np.zeros(robot.n), 40.0)
    assert code == FINE
    assert np.abs(qd).max() < 0.05  # light joints still creep down against the damping
    n = robot.n
    assert np.all((log[:, :n] >= robot.q_min) & (log[:, :n] <= robot.q_max))


@pytest.mark.parametrize("seconds", some([600, 3600], 1))
def test_long_on_a_slope_without_a_creep(seconds):
    """Ten minutes, with SOAK=1 also an hour."""
    steps = 1000 * seconds
    robot = slider(2.0, Friction(coulomb=(4.0, 4.0), stiction=5.0), slope=0.2)
    q = np.array([0.1])
    qd, log = np.zeros(1), np.empty((steps, 4))
    assert advance(robot.packed, 1e-3, steps, 1, q, qd, np.zeros(1), NONE, log)[0] == steps
    assert q[0] == 0.1 and qd[0] == 0.0


def test_divergence_names_the_joint_and_keeps_the_last_finite_state():
    robot = engine.load_robot("puma560").without_friction()
    q, qd, log, code = run(robot, robot.configurations["home"], np.zeros(6), 1.0, tau=[0, 0, 0, 0, 0, 1e9])
    assert code == 5
    assert np.isfinite(q).all() and np.isfinite(qd).all()
    assert len(log) < 1000


def test_a_joint_without_inertia_is_named():
    robot = engine.load_robot("spherical_pendulum")
    q, _, log, code = run(robot, [0.2, 0.0], [0.0, 0.0], 1.0)
    assert code == -2 and len(log) == 0
    assert np.array_equal(q, [0.2, 0.0])


def test_an_external_wrench_pushes():
    robot = slider(2.0)
    _, qd, _, _ = run(robot, [0], [0], 1.0, wrench=packed_loads(robot, np.array([[3.0, 0, 0, 0, 0, 0]]), None))
    assert qd[0] == pytest.approx(1.5, rel=1e-9)
    puma = engine.load_robot("puma560").without_friction()
    rng = np.random.default_rng(0)
    q, f = rng.normal(size=6), rng.normal(size=(6, 6))
    _, _, log, _ = run(puma, q, np.zeros(6), 1e-3, wrench=packed_loads(puma, f, None))
    through = 0.0
    for i in range(6):
        # body i's frame is DH frame i moved back by a and alpha: the wrench acts at its origin
        frame = dataclasses.replace(puma, frames={**puma.frames, "b": Frame(i, np.eye(4))})
        through = through + engine.jacobian(frame, q, "b").T @ f[i]
    expected = engine.forward_dynamics(puma, q, np.zeros(6), through)
    np.testing.assert_allclose(log[0, 12:18], expected, rtol=1e-9)
