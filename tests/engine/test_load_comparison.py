"""Pick and place with, without and with an unknown load: phases, and torques that the equations of motion confirm."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.runs.load_comparison import compare_loads, phases


@pytest.fixture(scope="module")
def arm():
    return engine.load_robot("scara").without_friction()


@pytest.fixture(scope="module")
def plan(arm):
    point, home = engine.Waypoint, arm.configurations["home"]
    low = home + np.array([0.2, 0.1, 0.05])
    load = engine.Payload(0.851, np.array([0.05, 0.0, 0.0]))
    points = point(q=home), point(q=low, dwell=0.4, grasp=load), point(q=home, dwell=0.2, release=True), point(q=low)
    return engine.Plan(points, 0.5)


def test_the_three_runs_differ_by_the_load_while_it_is_carried(arm, plan):
    trajectory, told = plan.trajectory(arm), []
    law = engine.default_gains(arm, "computed-torque")
    found = compare_loads(arm, trajectory, law, progress=lambda done, total: told.append((done, total)))
    names = [phase.name for phase in found.phases]
    assert names == ["move", "grasp", "carry", "release", "move"]
    assert found.phases[0].start == 0.0 and found.phases[-1].end == pytest.approx(trajectory.duration)
    assert all(a.end == b.start for a, b in zip(found.phases, found.phases[1:]))
    assert found.phases[1].end - found.phases[1].start == pytest.approx(0.4)
    assert told[-1][0] == told[-1][1] and found.tau.shape == (3, len(found.t), arm.n)

    # computed torque that knows all makes the desired motion but for the length of a step, so tau is inverse dynamics of it
    carry = (found.t > found.phases[2].start) & (found.t < found.phases[2].end)
    before = found.t < found.phases[0].end - 1e-3
    q, qd, qdd = trajectory.sample(found.t)
    bare, held = engine.rnea(arm, q, qd, qdd), engine.rnea(plan.waypoints[1].grasp.held_by(arm), q, qd, qdd)
    assert found.tau[1] == pytest.approx(bare, abs=2e-2)
    assert found.tau[0][carry] == pytest.approx(held[carry], abs=2e-2)
    assert np.abs(found.difference[:, before]).max() < 1e-9
    assert found.difference[1][carry] == pytest.approx((bare - held)[carry], abs=2e-2) and np.abs(bare - held).max() > 1.0
    assert found.peak_error[0].max() < 1e-5 < found.peak_error[2].max()  # an unknown load is felt as an error


def test_what_cannot_be_compared_is_one_sentence_and_a_run_can_be_given_up(arm, plan):
    law = engine.default_gains(arm, "pd")
    empty = engine.Plan([engine.Waypoint(q=arm.configurations["home"], dwell=1.0)]).trajectory(arm)
    with pytest.raises(engine.EngineError, match="grasps no payload"):
        compare_loads(arm, empty, law)
    with pytest.raises(engine.Cancelled):
        compare_loads(arm, plan.trajectory(arm), law, cancelled=lambda: True)
    quick = engine.Plan([engine.Waypoint(q=arm.configurations["home"]), engine.Waypoint(pose="zero", grasp=engine.Payload(1.0))])
    assert [phase.name for phase in phases(quick.trajectory(arm))] == ["move", "grasp"]  # which takes no time there
