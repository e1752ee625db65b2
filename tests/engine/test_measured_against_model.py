"""What can be done with a measured motion: torques beside the model's, singularities met, followed as a trajectory."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import RecordingError, TrajectoryError, import_log
from tests.engine import awkward_logs
from tests.engine.awkward_logs import motion


@pytest.fixture(scope="module")
def ur5():
    return engine.load_robot("ur5")


@pytest.fixture(scope="module")
def measured(ur5, tmp_path_factory):
    return import_log(awkward_logs.toolbox(tmp_path_factory.mktemp("log") / "a.npz"), ur5)


def test_torques_beside_the_models(measured, ur5):
    found = engine.torque_residuals(measured, ur5)
    assert found.joint_names == ur5.joint_names and found.residual.shape == measured.q.shape
    assert (found.rms < 0.02 * found.measured_rms.max()).all() and (found.measured_rms > 0.01).any()
    heavier = engine.torque_residuals(measured, ur5.with_payload(2.0))
    missing = engine.gravity_torque(ur5, measured.q) - engine.gravity_torque(ur5.with_payload(2.0), measured.q)
    assert abs(heavier.mean[1] - missing.mean(axis=0)[1]) < 0.1 * abs(missing.mean(axis=0)[1])
    k = 1
    row = int(np.argmax(measured.t == heavier.at[k]))
    assert abs(heavier.residual[row, k]) == heavier.largest[k] == np.nanmax(np.abs(heavier.residual[:, k]))


def test_where_none_was_measured_it_says_so(ur5, tmp_path):
    without = import_log(awkward_logs.german(tmp_path / "g.csv"), ur5)
    with pytest.raises(RecordingError, match="no torque was measured"):
        engine.torque_residuals(without, ur5)
    with pytest.raises(RecordingError, match="6 joints, panda has 7"):
        engine.torque_residuals(without, engine.load_robot("panda"))


def test_currents_with_constants_that_are_known(ur5, tmp_path):
    path = awkward_logs.irregular(tmp_path / "i.txt")
    given = import_log(path, ur5, torque_constants=[22.0] * 6)
    fitted = import_log(path, ur5)
    assert np.allclose(given.tau, 2 * fitted.tau, rtol=0.02, atol=0.05)
    assert given.metadata["imported"]["constants"] == [22.0] * 6


def test_it_is_followed_as_it_was_measured(measured, ur5):
    trajectory = engine.recorded_trajectory(measured)
    t = np.linspace(0.5, 3.4, 777)
    q, qd, qdd = trajectory.sample(t)
    expected = motion(t)
    assert np.abs(q - expected[0]).max() < 1e-3 and np.abs(qd - expected[1]).max() < 5e-3
    assert np.abs(qdd - expected[2]).max() < 0.05
    part = engine.recorded_trajectory(measured, 1.0, 2.0)
    assert part.duration == pytest.approx(1.0, abs=0.01) and np.abs(part.start - motion(np.array([1.0]))[0]).max() < 2e-2
    law = engine.default_gains(ur5, "computed-torque")
    run = engine.simulate(ur5, trajectory.start, trajectory.sample(0.0)[1], 3.0, 1e-3, law, trajectory=trajectory)
    assert np.abs(run.q - motion(run.t)[0]).max() < 0.02


def test_a_gap_is_not_followed(ur5, tmp_path):
    gappy = import_log(awkward_logs.gappy(tmp_path / "g.csv"), ur5)
    with pytest.raises(TrajectoryError, match=r"no positions at 1.6\d* s"):
        engine.recorded_trajectory(gappy)
    assert engine.recorded_trajectory(gappy, 2.2, 3.5).duration == pytest.approx(1.3, abs=0.02)


def test_singularities_are_found_when_they_were_met(ur5):
    path_to_it = engine.quintic(ur5.configurations["home"], ur5.configurations["upright"], 2.0)
    law = engine.default_gains(ur5, "computed-torque")
    run = engine.simulate(ur5, path_to_it.start, None, 3.0, 1e-3, law, trajectory=path_to_it)
    met = engine.singularities_met(run, ur5)
    assert met and met[-1].end == pytest.approx(3.0) and 1.0 < met[-1].start < 2.5
    for one in met:
        assert engine.singularity(ur5, one.q).condition >= 17.0 and one.start <= one.t <= one.end
    assert len(engine.singularities_met(run, ur5, condition=1.0001)) == 1
