"""Arms with mimic joints in motion: the steps agree with forward dynamics, and friction and stops act on the joints that lead."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from armature import engine
from armature.engine.model.body import Friction
from armature.engine.simulation.simulation_arguments import METHODS
from armature.engine.simulation.stepper import Stepper
from tests.engine.example_robots import example

LINK = (
    '<link name="{}"><inertial><origin xyz="0.1 {} 0.2"/><mass value="{}"/>'
    '<inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial></link>'
)
JOINT = (
    '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><origin xyz="0.4 0 0.1" rpy="0.3 0.2 0"/><axis xyz="{}"/>'
    '<limit lower="-1" upper="2" effort="5" velocity="3"/>{}</joint>'
)


@pytest.fixture
def gripper(tmp_path):
    return gripper_arm(tmp_path)


def gripper_arm(folder):
    """Two joints that lead and two that follow: one turns against its leader twice as fast, one slides with it."""
    parts = [LINK.format(name, 0.1 * i, 1 + i) for i, name in enumerate(("base", "a", "b", "c", "d"))]
    parts += [
        JOINT.format("j1", "revolute", "base", "a", "0 1 0", ""),
        JOINT.format("j2", "revolute", "a", "b", "1 0 0", '<mimic joint="j4" multiplier="-2" offset="0.3"/>'),
        JOINT.format("j3", "prismatic", "b", "c", "0 0 1", '<mimic joint="j4" multiplier="0.5" offset="0.1"/>'),
        JOINT.format("j4", "revolute", "a", "d", "0 0 1", ""),
    ]
    path = folder / "gripper.urdf"
    path.write_text('<robot name="gripper">' + "".join(parts) + "</robot>")
    return engine.load_robot(path)


def unlimited(robot):
    free = np.full(robot.n, np.inf)
    return replace(robot, q_min=-free, q_max=free)


def rubbing(robot, **friction):
    return replace(robot, bodies=tuple(replace(body, friction=Friction(**friction)) for body in robot.bodies))


@pytest.mark.parametrize("integrator", ["rk4", "gauss6", "adaptive"])
def test_free_motion_keeps_its_energy(gripper, integrator):
    arm = unlimited(gripper)
    run = engine.simulate(arm, [0.3, 0.5], [1.0, -0.7], 2.0, 1e-3, integrator=integrator)
    energy = run.kinetic + run.potential
    assert np.ptp(run.kinetic) > 1
    assert np.ptp(energy) < 1e-8 * np.ptp(run.kinetic)


@pytest.mark.parametrize("integrator", METHODS)
def test_every_row_is_forward_dynamics(gripper, integrator):
    arm = rubbing(unlimited(gripper), viscous=0.4, coulomb=(0.05, 0.11))
    run = engine.simulate(arm, [0.3, 0.5], [1.0, -0.7], 0.5, 1e-3, lambda t, q, qd: [3.0, np.sin(9 * t)], integrator)
    sliding = (np.abs(run.qd) > 0.01).all(axis=1)
    assert sliding.mean() > 0.5
    expected = engine.forward_dynamics(arm, run.q, run.qd, run.tau)[sliding]
    if integrator == "euler":  # viscous friction is implicit: the friction at the end of the step
        ahead = run.qd[1:] - run.qd[:-1]
        np.testing.assert_allclose(ahead, 1e-3 * run.qdd[:-1], atol=1e-12)
        np.testing.assert_allclose(run.qdd[sliding], expected, atol=0.02 * np.abs(expected).max())
    else:
        np.testing.assert_allclose(run.qdd[sliding], expected, atol=1e-10 * np.abs(expected).max())


def test_methods_reach_the_same_end(gripper):
    arm = rubbing(unlimited(gripper), viscous=0.4)
    ends = {m: engine.simulate(arm, [0.3, 0.5], [1.0, -0.7], 0.5, 1e-3, integrator=m).q[-1] for m in METHODS}
    for name, off in (("gauss6", 1e-11), ("rk4", 1e-9), ("midpoint", 1e-4), ("euler", 2e-2)):
        np.testing.assert_allclose(ends[name], ends["adaptive"], rtol=0, atol=off)


def test_wrenches_act_on_every_body_copies_included(gripper):
    arm = unlimited(gripper)
    stepper = Stepper(arm, [0.3, 0.5], [1.0, -0.7])
    f_ext = np.zeros((5, 6))
    f_ext[1:] = np.random.default_rng(0).normal(size=(4, 6)) * 9
    stepper.wrench[:] = f_ext[1:]
    expected = engine.forward_dynamics(arm, stepper.q, stepper.qd, stepper.tau, f_ext)
    np.testing.assert_allclose(stepper.sample().states[0, 5:7], expected, rtol=1e-11)


def test_breakaway_friction_of_a_copy_holds_its_leader_still(gripper):
    bodies = list(gripper.bodies)
    bodies[0] = replace(bodies[0], friction=Friction(stiction=500.0))
    bodies[1] = replace(bodies[1], friction=Friction(coulomb=(200.0, 200.0)))  # j2, which follows j4
    held = unlimited(replace(gripper, bodies=tuple(bodies)))
    run = engine.simulate(held, [0.3, 0.5], None, 5.0, 1e-3)
    assert (run.q == run.q[0]).all() and (run.qd == 0).all()
    load = np.abs(engine.gravity_torque(held, [0.3, 0.5]))[1]
    for share, still in ((1.01, True), (0.99, False)):  # the copy turns twice as far, so its friction counts twice
        bodies[1] = replace(bodies[1], friction=Friction(stiction=share * load / 2))
        run = engine.simulate(unlimited(replace(gripper, bodies=tuple(bodies))), [0.3, 0.5], None, 0.1, 1e-3)
        assert (run.q[-1] == run.q[0]).all() == still


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_stops_of_the_leading_joint_end_the_motion(gripper, restitution):
    arm = replace(gripper, bodies=tuple(replace(body, restitution=restitution) for body in gripper.bodies))
    run = engine.simulate(arm.with_gravity((0, 0, 0)), [0.0, 0.3], [0.0, 2.0], 2.0, 1e-3)
    assert (run.q <= arm.q_max).all() and (run.q >= arm.q_min).all()
    first = int(np.argmax((run.q[:, 1] >= arm.q_max[1]) | (run.qd[:, 1] < 0.0)))
    assert 0 < first < len(run.t) - 1
    assert run.qd[first, 1] == pytest.approx(-restitution * run.qd[first - 1, 1], abs=0.05)


def test_the_panda_with_its_fingers_falls():
    arm = engine.load_robot(example("panda"))
    q = np.append(arm.configurations["home"][:-1], 0.02)
    run = engine.simulate(unlimited(arm.without_friction()), q, None, 1.0, 1e-3, integrator="gauss6")
    energy = run.kinetic + run.potential
    assert np.ptp(energy) < 1e-8 * np.ptp(run.kinetic) and arm.n == 8
    expected = engine.forward_dynamics(arm.without_friction(), run.q, run.qd, run.tau)
    np.testing.assert_allclose(run.qdd, expected, atol=1e-9 * np.abs(expected).max())
    limited = engine.simulate(arm, q, None, 1.0, 1e-3)
    assert (limited.q <= arm.q_max + 1e-6).all() and (limited.q >= arm.q_min - 1e-6).all()  # less than a step may graze a stop


STATE = {
    "frame_pose": "q", "link_poses": "q", "jacobian": "q", "jacobian_dot": "q qd", "analytic_jacobian": "q",
    "analytic_jacobian_dot": "q qd", "mass_matrix": "q", "coriolis_matrix": "q qd", "gravity_torque": "q", "rnea": "q qd qdd",
    "forward_dynamics": "q qd qdd", "friction_torque": "qd", "link_loads": "q qd qdd", "regressor": "q qd qdd",
    "kinetic_energy": "q qd", "potential_energy": "q", "center_of_mass": "q", "com_jacobian": "q", "rnea_derivatives": "q qd qdd",
    "forward_dynamics_derivatives": "q qd qdd", "statics_wrench": "q qdd", "operational_inertia": "q",
}  # fmt: skip


@pytest.mark.parametrize("N", [1, 2, 5])
@pytest.mark.parametrize("name", STATE)
def test_a_batch_is_what_its_states_are_one_by_one(gripper, name, N):
    arm, call = rubbing(gripper, viscous=0.2, coulomb=(0.3, 0.4)), getattr(engine, name)
    columns = np.random.default_rng(7).uniform(-0.8, 0.8, (len(STATE[name].split()), N, arm.n))
    for kept in (np.ascontiguousarray, np.asfortranarray):
        together = numbers(call(arm, *map(kept, columns)))
        apart = [numbers(call(arm, *(rows[k] for rows in columns))) for k in range(N)]
        for i, part in enumerate(together):
            assert np.allclose(part, [one[i] for one in apart], rtol=1e-12, atol=1e-12)


def numbers(result):
    """The arrays of a result, which may be a dataclass of them."""
    parts = [getattr(result, part.name) for part in fields(result)] if is_dataclass(result) else [result]
    return [np.asarray(part) for part in parts if isinstance(part, np.ndarray | float)]


@pytest.mark.parametrize("N", [1, 2, 5])
def test_inverse_kinematics_takes_a_batch(gripper, N):
    arm = unlimited(gripper)
    q = np.random.default_rng(3).uniform(-0.8, 0.8, (N, arm.n))
    X, wrench = engine.frame_pose(arm, q, "d"), np.random.default_rng(4).normal(size=(N, 6))
    for start in (q, q[0], None):
        found = engine.ik(arm, X, start, "d")
        apart = [engine.ik(arm, X[k], q[k] if start is q else start, "d") for k in range(N)]
        assert found.success.all()
        assert np.allclose(found.q, [one.q for one in apart], atol=1e-9)
    apart = [engine.statics_torque(arm, q[k], wrench[k], "d") for k in range(N)]
    assert np.allclose(engine.statics_torque(arm, q, wrench, "d"), apart, rtol=1e-12, atol=1e-12)
