"""`compare`: the table of two arms against closed forms and other ways to compute the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.runs.arm_comparison import DRIVES
from armature.engine.trajectory.trajectory import at_rest

PUMA = engine.load_robot("puma560")
HOME = PUMA.configurations["home"]
REACHED = engine.quintic(HOME, HOME + [0.3, 0.2, -0.2, 0.1, 0.1, 0.3], 2.0)  # also by other arms
WAY = engine.quintic(HOME, HOME + 0.5, 2.0)


def heavy(robot):
    """The robot with twice the mass of every body."""
    bodies = [body.with_mass(body.mass, body.com, body.inertia) for body in robot.bodies]
    assert [body.mass for body in bodies] == [2 * body.mass for body in robot.bodies]
    return replace(robot, bodies=tuple(bodies))


@pytest.mark.parametrize("drive", DRIVES)
def test_an_arm_does_not_differ_from_itself(drive):
    found = engine.compare(PUMA, PUMA, WAY, drive=drive, samples=101)
    assert [row.quantity for row in found.rows if abs(row.difference) > 1e-6] == []
    assert not any("DH" in row.quantity for row in found.rows)
    assert found.q_a.shape == found.tau_b.shape == (101, 6)
    assert found.names == ("puma560", "puma560") and found.drive == drive
    assert np.ptp(found.q_a, axis=0).max() > 0.3  # it moved


def test_an_arm_follows_its_own_tool_through_a_singular_pose():
    way = engine.load_trajectory("pick_place_puma560", PUMA)
    found = engine.compare(PUMA, PUMA, way, drive="tool", samples=301)
    assert found["condition number"].a > 100.0  # the way passes a wrist singularity
    assert [row.quantity for row in found.rows if row.difference] == []


def test_an_arm_with_another_tool_has_other_joint_positions_on_the_same_path():
    moved = PUMA.tool_frame.X_BF.copy()
    moved[2, 3] += 0.02
    longer = replace(PUMA, frames={**PUMA.frames, PUMA.tool: replace(PUMA.tool_frame, X_BF=moved)})
    found = engine.compare(PUMA, longer, REACHED, drive="tool", samples=11)
    assert np.allclose(engine.frame_pose(longer, found.q_b), engine.frame_pose(PUMA, found.q_a), atol=1e-5)
    assert np.abs(found.q_b - found.q_a).max() > 1e-3


def test_twice_the_mass_at_rest_needs_twice_the_gravity_torque():
    light, rest = PUMA.without_friction(), at_rest(HOME + 0.3, 1.0)
    found = engine.compare(light, heavy(light), rest, samples=3)
    gravity = np.abs(engine.gravity_torque(light, HOME + 0.3))
    for i in range(6):
        row = found[f"torque peak, joint {i + 1}"]
        assert (row.a, row.b) == pytest.approx((gravity[i], 2 * gravity[i])) and row.unit == "N·m"
        assert row.difference == row.b - row.a
    assert found["moving mass"].b == pytest.approx(2 * found["moving mass"].a)
    assert found["motor work"].a == found["motor work"].b == 0.0
    assert found["torque limit in use"].a == pytest.approx((gravity / light.tau_max).max())


def test_values_are_those_of_the_functions_for_one_state():
    other = PUMA.with_payload(2.0)
    found = engine.compare(PUMA, other, WAY, samples=201)
    q, qd, qdd = WAY.sample(found.t)
    qd[-1] = 0.0  # to rounding, which must not count as motion against Coulomb friction
    tau = engine.rnea(other, q, qd, qdd) + engine.friction_torque(other, qd)
    assert found.tau_b == pytest.approx(tau)
    power = np.maximum(tau * qd, 0).sum(axis=1)
    assert found["motor work"].b == pytest.approx(((power[1:] + power[:-1]) / 2 * np.diff(found.t)).sum())
    conditions = [engine.singularity(PUMA, one).condition for one in q]
    assert found["condition number"].a == pytest.approx(max(conditions))
    assert found["clearance"].a == pytest.approx(engine.collision(PUMA, q).distance.min())
    assert found["reach"].difference == 0.0 and found["joints"].a == 6


def test_each_arm_follows_the_trajectory_under_its_own_controller():
    law, soft = (engine.default_gains(PUMA, name) for name in ("computed-torque", "pd"))
    found = engine.compare(PUMA, PUMA, WAY, drive="trajectory", controllers=(law, soft), samples=2001)
    for controller, q, tau in ((law, found.q_a, found.tau_a), (soft, found.q_b, found.tau_b)):
        run = engine.simulate(PUMA, *WAY.sample(0.0)[:2], WAY.duration, 1e-3, controller, trajectory=WAY)
        assert np.array_equal(q, run.q) and np.array_equal(tau, run.tau)
    assert np.abs(found.q_a - found.q_b).max() > 1e-3


def test_the_cell_and_the_payloads_of_the_trajectory_count_for_both():
    box = engine.Cell([engine.CellObject("box", "sphere", radius=0.05, xyz=engine.frame_pose(PUMA, WAY.end)[:3, 3])])
    assert engine.compare(PUMA, PUMA, WAY, cell=box, samples=11)["clearance"].b < 0.0
    held = replace(WAY, payloads=((1.0, engine.Payload(1.5)),))
    found = engine.compare(PUMA, heavy(PUMA), held, samples=101)
    q, qd, qdd = WAY.sample(found.t)
    qd[-1] = 0.0  # to rounding, which must not count as motion against Coulomb friction
    for arm, tau in ((PUMA, found.tau_a), (heavy(PUMA), found.tau_b)):
        bare, full = (engine.rnea(one, q, qd, qdd) + engine.friction_torque(arm, qd) for one in (arm, arm.with_payload(1.5)))
        assert tau == pytest.approx(np.where(found.t[:, None] < 1.0, bare, full))


def test_another_arm_takes_its_tool_along_the_same_path():
    other = engine.load_robot("ur5e")
    found = engine.compare(PUMA, other, REACHED, drive="tool", samples=401)
    error = engine.frame_pose(other, found.q_b) - engine.frame_pose(PUMA, REACHED.sample(found.t)[0])
    assert np.abs(error).max() < 1e-5
    # speed and acceleration of the second arm by differences of its positions
    h = found.t[1] - found.t[0]
    qd = (found.q_b[2:] - found.q_b[:-2]) / (2 * h)
    qdd = (found.q_b[2:] - 2 * found.q_b[1:-1] + found.q_b[:-2]) / h**2
    tau = engine.rnea(other, found.q_b[1:-1], qd, qdd) + engine.friction_torque(other, qd)
    assert np.abs(tau - found.tau_b[1:-1]).max() < 2e-2 * np.abs(tau).max()
    assert found["DH d, joint 1"].b == pytest.approx(0.1625)


def test_arms_with_more_joints_and_without_masses_have_rows_for_all():
    panda = engine.load_robot("panda")
    found = engine.compare(PUMA, panda, REACHED, drive="tool", samples=51)
    row = found["torque peak, joint 7"]
    assert np.isnan(row.a) and row.b >= 0.0 and np.isnan(row.difference)
    assert found["joints"].difference == 1
    assert found.q_b.shape == (51, 7)
    assert "torque peak, joint 7  N·m " in found.text and "–" in found.text
    bare = replace(PUMA, has_dynamics=False)
    kinematic = engine.compare(bare, bare, REACHED, samples=5)
    assert np.isnan(kinematic["motor work"].a) and np.isnan(kinematic["moving mass"].a)


def test_under_the_same_force_twice_the_mass_moves_half_as_far():
    block = replace(engine.load_robot("sliding_mass").without_friction(), q_min=np.array([-9.0]), q_max=np.array([9.0]))
    way = engine.quintic([0.0], [0.4], 1.0)
    found = engine.compare(block, heavy(block), way, drive="torques")
    assert found.tau_a == pytest.approx(found.tau_b)
    assert found.q_a[-1] == pytest.approx([0.4], abs=1e-3)  # the torque is held for 1 ms
    assert found.q_b == pytest.approx(found.q_a / 2, abs=1e-9)
    assert found["torque peak, joint 1"].unit == "N"


def test_mistakes_are_one_line():
    for call, text in (
        (lambda: engine.compare(PUMA, engine.load_robot("panda"), WAY), 'puma560 and panda have 6 and 7 joints;.*drive="tool"'),
        (
            lambda: engine.compare(engine.load_robot("rp"), engine.load_robot("double_pendulum"), WAY),
            "the joints of rp and double_pendulum are of other types",
        ),
        (lambda: engine.compare(engine.load_robot("panda"), PUMA, WAY, drive="tool"), "trajectory has 6 joints; expected 7"),
        (lambda: engine.compare(PUMA, PUMA, WAY, drive="power"), "unknown drive 'power'; valid are joints, tool, torques"),
        (lambda: engine.compare(PUMA, PUMA, WAY, samples=1), "whole number from 2"),
        (lambda: engine.compare(PUMA, engine.load_robot("so101"), WAY, drive="tool"), "so101: the tool cannot"),
    ):
        with pytest.raises(engine.EngineError, match=text) as error:
            call()
        assert "\n" not in str(error.value)
    with pytest.raises(KeyError, match=r"unknown name .*mass.*valid are joints, moving mass"):
        engine.compare(PUMA, PUMA)["mass"]
    with pytest.raises(engine.Cancelled):
        engine.compare(PUMA, PUMA, WAY, cancelled=lambda: True)


def test_without_a_trajectory_the_parameters_are_compared():
    rows = engine.compare(PUMA, engine.load_robot("panda")).rows
    assert {row.quantity.split(",")[0] for row in rows} == {"joints", "DH θ", "DH d", "DH a", "DH α", "moving mass", "reach"}
    trees = engine.compare(engine.load_robot("two_arms"), PUMA)
    assert trees["joints"].a == engine.load_robot("two_arms").n
