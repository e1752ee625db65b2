"""Numbers that an import must not get wrong: speeds that are none, torque constants, the ends of a log."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine import import_log, notebook
from armature.engine.recording.measured.measured_torques import fitted_constants
from armature.engine.recording.measured.resampling import low_pass, slopes
from tests.engine.awkward_logs import motion, times, torque
from tests.engine.notebook_page import shown

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
    assert any(remark.startswith("qd_3, qd_5: not used as speeds") for remark in recording.remarks)
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
    assert "the torques of joint5, joint6 are too small to fit their constants" in recording.remarks
    assert "torques of joint5, joint6 are computed from the model" in " ".join(recording.remarks)
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
    speed = slopes(low_pass(q, rate, 10.0), rate)
    assert np.abs(speed - qd)[known].max() < 0.01 * w
    assert np.abs(slopes(speed, rate) - qdd)[known].max() < 0.03 * w**2
    noisy = q + 1e-5 * np.random.default_rng(3).normal(size=q.shape)
    off = np.abs(slopes(slopes(low_pass(noisy, rate, 10.0), rate), rate) - qdd)
    assert off[known].max() < 0.05 * w**2


def test_leaps_torn_lines_and_jitter_are_told(ur5, tmp_path):
    t = np.arange(3000) / 125.0
    q = motion(t)[0]
    q[1500, 1] = 999.0
    path = write(tmp_path / "a.csv", {"t": t, **of_joints("q", q)})
    lines = path.read_text().splitlines()
    lines[50], lines[2000] = lines[50][:20], lines[2000][:30] + lines[2001]
    path.write_text("\n".join(lines) + "\n")
    remarks = import_log(path, ur5).remarks
    assert "2 incomplete lines, the first is line 51, were omitted" in remarks
    leap = next(remark for remark in remarks if "joint2 jumps by" in remark)
    assert leap.startswith("joint2 jumps by 1,00") and "rad at row 1,500 (t = 12 s), and at one more row" in leap
    assert sum("joint2 jumps by" in remark for remark in remarks) == 1 and not any("turn" in remark for remark in remarks)
    late = np.arange(3000) / 125.0
    late[100::300] += 0.0068  # ten rows come late, none is missing
    remarks = import_log(write(tmp_path / "b.csv", {"t": late, **of_joints("q", motion(late)[0])}), ur5).remarks
    assert not any("filled" in remark for remark in remarks)
    some = np.delete(np.arange(3000), np.arange(100, 3000, 300))
    remarks = import_log(write(tmp_path / "c.csv", {"t": t[some], **of_joints("q", motion(t[some])[0])}), ur5).remarks
    assert "10 gaps of up to 0.1 s are filled" in remarks


def test_currents_are_known_by_their_unit(ur5, tmp_path):
    t = times()
    q, qd, _ = motion(t)
    current = 1e3 * torque(t) / 11.0
    columns = {"t": t, **of_joints("q", q), **{f"axis{k + 1} [mA]": current[:, k] for k in range(6)}}
    recording = import_log(write(tmp_path / "a.csv", columns), ur5)
    taken = recording.metadata["imported"]
    assert taken["units"]["torque"] == "mA" and len(taken["measured"]["tau"]) >= 5
    assert taken["constants"][1] == pytest.approx(11.0, rel=0.01)
    without = import_log(tmp_path / "a.csv", ur5, {"tau": [""] * 6})
    assert "6 columns in mA are not used" in without.remarks


def test_what_was_done_is_still_told_when_the_recording_is_loaded(ur5, tmp_path):
    t = times()
    made = import_log(write(tmp_path / "a.csv", {"t": t, **of_joints("q", motion(t)[0])}), ur5)
    assert made.remarks
    for name in ("r.npz", "r.csv", "r.mcap", "r.mat"):
        assert engine.load_recording(made.save(tmp_path / name)).remarks == made.remarks


def test_a_notebook_draws_no_line_through_a_gap(ur5, tmp_path, monkeypatch):
    monkeypatch.setattr(notebook, "recording_page", lambda save, robot: None)  # as for a robot that is not found
    t = times()
    q = motion(t)[0]
    kept = np.r_[0:200, 300:500]
    made = import_log(write(tmp_path / "a.csv", {"t": t[kept], **of_joints("q", q[kept])}), ur5)
    page = shown(made)["text/html"]
    assert "measured, imported from a.csv" in page and "controller" not in page
    assert "q [rad]<" in page and "qd [rad/s]<" in page and "tau [N·m]<" in page
    assert page.count("<polyline") == 2 * 6 * 3
    nothing = {name: np.zeros_like(getattr(made, name)) for name in ("tau", "kinetic", "potential")}
    assert "tau" not in shown(replace(made, **nothing))["text/html"]
