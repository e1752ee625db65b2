"""Numbers that an import must not get wrong: speeds that are none, torque constants, the ends of a log."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import import_log
from armature.engine.recording.measured.torque_constants import fitted_constants
from armature.engine.recording.measured.zero_phase import slopes, smoothed
from tests.engine.awkward_logs import motion, times, torque

JOINTS = [f"{{}}_{k}" for k in range(1, 7)]


@pytest.fixture(scope="module")
def ur5():
    return engine.load_robot("ur5")


def write(path, columns):
    """A table of columns by name, with the times first."""
    values = np.column_stack(list(columns.values()))
    np.savetxt(path, values, delimiter=",", header=",".join(columns), comments="", fmt="%.9g")
    return path


def of_joints(kind, values):
    return {name.format(kind): values[:, k] for k, name in enumerate(JOINTS)}


def test_a_column_that_names_no_joint_is_not_that_of_the_first(ur5, tmp_path):
    t = times()
    q, qd, _ = motion(t)
    scalars = {name: np.full(len(t), 100.0) for name in ("SpeedOverride", "speed_scaling", "robot_current", "moment_total")}
    recording = import_log(write(tmp_path / "a.csv", {"t": t, **of_joints("q", q), **scalars}), ur5)
    taken = recording.metadata["imported"]["measured"]
    assert taken["qd"] == [] and taken["tau"] == []
    assert np.abs(recording.qd - qd).max() < 0.02


def test_speeds_that_are_no_slopes_of_the_positions_are_not_taken(ur5, tmp_path):
    t = times()
    q, qd, _ = motion(t)
    speeds = np.degrees(qd)
    speeds[:, 2] *= 101.0  # of the motor
    speeds[:, 4] = 0.0
    recording = import_log(write(tmp_path / "a.csv", {"t": t, **of_joints("q", q), **of_joints("qd", speeds)}), ur5)
    taken = recording.metadata["imported"]
    assert taken["measured"]["qd"] == ["joint1", "joint2", "joint4", "joint6"] and taken["units"]["speed"] == "deg"
    assert any(remark.startswith("qd_3, qd_5: not taken for speeds") for remark in recording.remarks)
    assert np.abs(recording.qd - qd).max() < 0.02
    still = q.copy()
    still[:, 1] = q[0, 1] + 1e-5 * np.random.default_rng(1).normal(size=len(t))  # it rests: nothing tells that its speed is wrong
    speeds = qd.copy()
    speeds[:, 1] = 1e-3 * np.random.default_rng(2).normal(size=len(t))
    recording = import_log(write(tmp_path / "b.csv", {"t": t, **of_joints("q", still), **of_joints("qd", speeds)}), ur5)
    assert len(recording.metadata["imported"]["measured"]["qd"]) == 6


def test_torque_constants_hold_in_spite_of_noise(ur5, tmp_path):
    t = times()
    q, qd, _ = motion(t)
    true = np.array([9.0, 13.0, 12.0, 9.3, 9.3, 9.3])
    tau = torque(t)
    noise = np.random.default_rng(5).normal(size=tau.shape)
    current = tau / true + noise * 0.4 * np.std(tau / true, axis=0)
    current[:, 5] = 0.3 * noise[:, 5]
    current[:, 4] = -current[:, 4]
    path = write(tmp_path / "a.csv", {"t": t, **of_joints("q", q), **of_joints("qd", qd), **of_joints("current", current)})
    recording = import_log(path, ur5)
    taken = recording.metadata["imported"]
    assert taken["constants"][:4] == pytest.approx(true[:4], rel=0.05) and taken["constants"][4:] == [None, None]
    assert "joint5, joint6 are loaded too little to tell their constants" in recording.remarks
    assert "torques of joint5, joint6 are those of the model, since none were measured" in recording.remarks
    assert taken["measured"]["tau"] == ["joint1", "joint2", "joint3", "joint4"]
    assert np.isnan(engine.torque_residuals(recording, ur5).rms[4:]).all()
    assert np.isnan(fitted_constants(np.ones((9, 1)), np.zeros((9, 1))))


@pytest.mark.parametrize("rate", [125.0, 500.0, 1000.0])
def test_ends_and_edges_of_gaps_are_as_good_as_the_middle(rate):
    t = np.arange(round(4 * rate)) / rate
    w = 2 * np.pi * 0.7
    q, qd, qdd = (part[:, None] for part in (np.cos(w * t), -w * np.sin(w * t), -(w**2) * np.cos(w * t)))
    gap = slice(round(1.5 * rate), round(2.1 * rate))
    q[gap] = np.nan
    known = np.isfinite(q)
    speed = slopes(smoothed(q, rate, 10.0), rate)
    assert np.abs(speed - qd)[known].max() < 0.01 * w
    assert np.abs(slopes(speed, rate) - qdd)[known].max() < 0.03 * w**2
    noisy = q + 1e-5 * np.random.default_rng(3).normal(size=q.shape)
    off = np.abs(slopes(slopes(smoothed(noisy, rate, 10.0), rate), rate) - qdd)
    assert off[known].max() < 0.05 * w**2
