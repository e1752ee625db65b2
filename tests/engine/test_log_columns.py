"""Columns of logs: joints without names, units and words of heads, positions that may be per cent of a range."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import RecordingError, import_log
from tests.engine.test_log_clocks import written

T = np.arange(200) * 0.01
A, B = 0.01 * np.arange(200), 0.5 * np.sin(10 * T)  # the first grows as evenly as a clock


def columns_of(recording):
    return recording.metadata["imported"]["columns"]


def unnamed(path, *columns):
    path.write_text("\n".join(",".join(f"{x:.6f}" for x in row) for row in np.column_stack(columns)) + "\n")
    return path


def test_as_many_unnamed_columns_as_joints_are_asked_for(tmp_path):
    log = unnamed(tmp_path / "a.csv", A, B)
    with pytest.raises(
        RecordingError, match=r"2 unnamed columns for 2 joints; the time column cannot be determined; .*give the period"
    ):
        import_log(log, "double_pendulum")
    for columns in (None, {"q": ["column 1", "column 2"]}):
        recording = import_log(log, "double_pendulum", columns, period=0.01)
        assert np.abs(recording.q - np.column_stack([A, B])).max() < 1e-6 and recording.duration == pytest.approx(1.99)
        assert any("column 1 increases evenly and may be the time; it is used for joint1" in line for line in recording.remarks)
    for columns in ({"t": "column 1"}, {"t": "column 1", "q": ["column 2", ""]}):
        recording = import_log(log, "double_pendulum", columns)
        assert columns_of(recording) == {"time": "column 1", "q": ["column 2", ""], "qd": ["", ""], "tau": ["", ""]}
        assert np.abs(recording.q[:, 0] - B).max() < 1e-6


@pytest.mark.parametrize("count", [4, 6])
def test_unnamed_speeds_and_torques_beside_the_positions_leave_it_open_too(count, tmp_path):
    log = unnamed(tmp_path / "a.csv", A, *[B] * (count - 1))
    with pytest.raises(RecordingError, match=f"{count} unnamed columns for 2 joints"):
        import_log(log, "double_pendulum")
    assert columns_of(import_log(log, "double_pendulum", period=0.01))["q"] == ["column 1", "column 2"]


def test_one_more_unnamed_column_than_joints_is_the_time_and_is_told(tmp_path):
    log = unnamed(tmp_path / "a.csv", A, B, 2 * B)
    for options in ({}, {"period": 0.01}):
        recording = import_log(log, "double_pendulum", **options)
        assert columns_of(recording)["time"] == "column 1" and np.abs(recording.q - np.column_stack([B, 2 * B])).max() < 1e-6
        assert "time: column 1 increases from row to row" in recording.remarks
    with pytest.raises(RecordingError, match="column 1 already contains the time in s; omit the period"):
        import_log(log, "double_pendulum", period=0.02)
    recording = import_log(log, "double_pendulum", {"q": ["column 2", "column 3"]}, period=0.02)
    assert columns_of(recording)["time"] == "" and recording.duration == pytest.approx(3.98)


def test_a_first_column_that_grows_under_another_name_is_no_time(tmp_path):
    log = written(tmp_path / "a.csv", "first,second", A, B)
    with pytest.raises(RecordingError, match="no column name indicates a joint position"):
        import_log(log, "double_pendulum")
    recording = import_log(log, "double_pendulum", {"q": ["first", "second"]}, period=0.01)
    assert np.abs(recording.q - np.column_stack([A, B])).max() < 1e-9
    with pytest.raises(RecordingError, match="'time' is used twice, for the time and for q of joint 1"):
        import_log(written(tmp_path / "b.csv", "time,second", A, B), "double_pendulum", {"q": ["time", "second"]})


@pytest.mark.parametrize(
    "name",
    [
        "Joint 1 [°C]",
        "Joint 1 Temp",
        "joint1_temperature",
        "TempJ1",
        "Axis 1 [V]",
        "joint1 voltage",
        "pos_pwm_1",
        "J1 [W]",
        "axis1 [Hz]",
    ],
)
def test_what_a_name_or_unit_says_is_something_else_is_no_angle(name, tmp_path):
    log = written(tmp_path / "a.csv", f"t,{name},winkel_1", T, 40 + B, B)
    recording = import_log(log, "pendulum")
    assert columns_of(recording)["q"] == ["winkel_1"] and np.abs(recording.q[:, 0] - B).max() < 1e-9
    with pytest.raises(RecordingError, match="no column is assigned to a joint position"):
        import_log(written(tmp_path / "b.csv", f"t,{name}", T, 40 + B), "pendulum")


def test_units_in_a_line_of_their_own_count_as_well(tmp_path):
    rows = "\n".join(f"{t:.3f},{40 + b:.6f},{b:.6f}" for t, b in zip(T, B, strict=True))
    (tmp_path / "a.csv").write_text(f"t,axis1,axis1\ns,°C,rad\n{rows}\n")
    assert columns_of(import_log(tmp_path / "a.csv", "pendulum"))["q"] == ["axis1 (2)"]


def test_currents_and_speeds_are_told_by_their_units(tmp_path):
    qd = 5.0 * np.cos(10 * T)
    log = written(tmp_path / "a.csv", "t,axis1 [A],axis1 [rad/s],axis1 [rad]", T, 3 + B, qd, B)
    assert columns_of(import_log(log, "pendulum", torque_constants=[2.0])) == {
        "time": "t",
        "q": ["axis1 [rad]"],
        "qd": ["axis1 [rad/s]"],
        "tau": ["axis1 [A]"],
    }


def test_a_name_that_is_there_twice_is_not_that_of_the_next_joint(tmp_path):
    log = written(tmp_path / "a.csv", "t,q1,q1,q2", T, B, 3 * B, 2 * B)
    recording = import_log(log, "double_pendulum")
    assert columns_of(recording)["q"] == ["q1", "q2"] and np.abs(recording.q - np.column_stack([B, 2 * B])).max() < 1e-9
    assert any("not used: q1 (2)" in line for line in recording.remarks)


def lerobot(path, names=("shoulder_pan.pos", "shoulder_lift.pos", "elbow_flex.pos", "wrist_flex.pos", "wrist_roll.pos")):
    """Write positions from −100 to 100 of each joint's range, as LeRobot does, and return them `(N, 5)`."""
    t = np.arange(150) / 30
    values = np.column_stack([30 * np.sin(t), np.maximum(-100, -110 + 6 * t), 60 * np.cos(t), 20 * np.sin(2 * t), 80 * np.sin(t)])
    return written(path, ",".join(["timestamp", *names, "gripper.pos"]), t, values, np.full(150, 50.0)), values


def test_positions_that_may_be_normalised_are_asked_for(tmp_path):
    log, values = lerobot(tmp_path / "a.csv")
    arm = engine.load_robot("so101")
    with pytest.raises(
        RecordingError, match=r"may be degrees, or normalised to each joint's calibrated range; .*degrees or normalised"
    ):
        import_log(log, arm)
    recording = import_log(log, arm, normalised=True)
    expected = arm.q_min + (arm.q_max - arm.q_min) * (values + 100) / 200
    assert np.abs(recording.q - expected).max() < 1e-9 and recording.metadata["imported"]["units"]["angle"] == "%"
    assert any("−100 and 100 are the limits of so101" in line for line in recording.remarks)
    assert np.abs(import_log(log, arm, degrees=True).q - np.radians(values)).max() < 1e-9
    with pytest.raises(RecordingError, match="give only one of"):
        import_log(log, arm, degrees=True, normalised=True)


def test_a_gripper_is_normalised_from_zero(tmp_path):
    log, _ = lerobot(tmp_path / "a.csv")
    columns = {"q": ["gripper.pos", *[f"{name}.pos" for name in ("shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll")]]}
    arm = engine.load_robot("so101")
    recording = import_log(log, arm, columns, normalised=True)
    assert recording.q[:, 0] == pytest.approx(np.full(150, 0.5 * (arm.q_min[0] + arm.q_max[0])))


def test_other_names_are_asked_for_where_positions_end_at_100(tmp_path):
    log, _ = lerobot(tmp_path / "a.csv", [f"q{k}" for k in range(1, 6)])
    with pytest.raises(RecordingError, match="normalised"):
        import_log(log, "so101")
    t = np.arange(150) / 30
    degrees = written(tmp_path / "b.csv", "t,q1", t, 80 * np.sin(t))
    assert import_log(degrees, "pendulum").metadata["imported"]["units"]["angle"] == "deg"
    stated = written(tmp_path / "c.csv", "t,q1 [deg]", t, np.clip(120 * np.sin(t), -100, 100))
    assert import_log(stated, "pendulum").metadata["imported"]["units"]["angle"] == "deg"


def test_a_unit_of_per_cent_is_normalised(tmp_path):
    t = np.arange(150) / 30
    log = written(tmp_path / "a.csv", "t,q1 [%],q2 [%]", t, 80 * np.sin(t), 50 * np.cos(t))
    arm = engine.load_robot("so101")
    recording = import_log(log, arm)
    assert recording.metadata["imported"]["units"]["angle"] == "%"
    assert recording.q[0, 1] == pytest.approx(arm.q_min[1] + 0.75 * (arm.q_max[1] - arm.q_min[1]))


def test_a_joint_without_limits_has_no_range(tmp_path):
    t = np.arange(150) / 30
    arm = engine.load_robot("pendulum")
    log = written(tmp_path / "a.csv", "t,q1", t, 80 * np.sin(t))
    with pytest.raises(RecordingError, match="q1 is normalised, but theta has no limits"):
        import_log(log, arm, normalised=True)
