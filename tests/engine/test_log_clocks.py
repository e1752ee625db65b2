"""Times of logs: the period is the typical step, whatever the clock did, and no log becomes many times its rows."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import RecordingError, import_log

DT = 0.01


def written(path, names, *columns):
    """Write a table of these columns, with cells as they are printed with 17 digits, and return its path."""
    rows = [",".join("" if np.isnan(x) else f"{x:.17g}" for x in row) for row in np.column_stack(columns)]
    path.write_text("\n".join([names, *rows]) + "\n")
    return path


def imported(path, robot="pendulum", **options):
    """Return the recording with its rate and remarks in one line."""
    recording = import_log(path, robot, **options)
    return recording, recording.metadata["imported"]["sampling"]["rate"], " | ".join(recording.remarks)


@pytest.mark.parametrize("burst", [2, 3, 8])
@pytest.mark.parametrize("within", [0.0, 1e-6])
def test_rows_that_come_in_bursts_have_the_period_of_the_bursts(burst, within, tmp_path):
    """60 rows in pairs, 10 ms apart, made 290,002 at 1 MHz."""
    t = np.repeat(np.arange(30) * DT, burst) + np.tile(within * np.arange(burst), 30)
    recording, rate, remarks = imported(written(tmp_path / "a.csv", "t,q1", t, 0.2 * t))
    assert len(recording) == 30 and rate == 100.0
    near = ", or up to 1 µs later," if within else ""
    assert f"{30 * (burst - 1)} rows with the same time as the row before{near} were omitted" in remarks
    assert np.abs(recording.qd).max() == pytest.approx(0.2, rel=1e-3)


def test_a_few_tiny_steps_are_no_period(tmp_path):
    t = np.arange(200) * DT
    t = np.sort(np.concatenate([t, t[10:40:3] + 1e-6]))
    recording, rate, _ = imported(written(tmp_path / "a.csv", "t,q1", t, np.sin(t)))
    assert len(recording) == 200 and rate == 100.0 and np.abs(recording.q[:, 0] - np.sin(recording.t)).max() < 1e-5


def test_bursts_that_are_not_of_the_same_time_make_as_many_rows_as_the_log_has(tmp_path):
    t = np.sort(np.concatenate([np.arange(100) * DT, np.arange(100) * DT + 0.001]))
    recording, rate, _ = imported(written(tmp_path / "a.csv", "t,q1", t, np.sin(t)))
    assert 100 <= len(recording) <= 400 and 100 <= rate <= 400


@pytest.mark.parametrize("lost", [0.1, 0.3])
def test_lost_rows_do_not_change_the_rate(lost, tmp_path):
    kept = np.random.default_rng(4).random(1000) > lost
    t = (np.arange(1000) * DT)[kept]
    _, rate, _ = imported(written(tmp_path / "a.csv", "t,q1", t, np.sin(t)))
    assert rate == 100.0


def test_a_long_pause_is_refused_with_its_place_unless_the_rate_is_given(tmp_path):
    t = np.concatenate([np.arange(100) * DT, 3600 + np.arange(100) * DT])
    log = written(tmp_path / "a.csv", "t,q1", t, np.sin(t))
    with pytest.raises(
        RecordingError, match=r"200 rows over 3,600.99 s would be 360,100 samples .*3,599 s, at t = 0.99 s.* rate"
    ):
        import_log(log, "pendulum")
    recording = import_log(log, "pendulum", rate=10.0)
    assert len(recording) == 36_010 and np.isfinite(recording.q[0, 0]) and np.isnan(recording.q[18_000, 0])


def test_a_clock_that_steps_back_is_named_and_makes_no_speed(tmp_path):
    """The stamp of row 51 is 8.65 ms before that of row 50, and the clock stays 10 ms late."""
    stamps = 729_416_943 + 10_000_000 * np.arange(100.0)
    stamps[50] -= 18_653_652
    stamps[51:] -= 10_063_898
    angle = 0.1 * np.arange(100) * DT
    recording, rate, remarks = imported(written(tmp_path / "a.csv", "time_ns,q1", stamps, angle))
    assert "the time steps back at row 51, by 0.008654 s; the times after it were shifted to continue one period later" in remarks
    assert len(recording) == 100 and rate == 100.0 and np.abs(recording.qd - 0.1).max() < 1e-6
    assert "order" not in remarks


@pytest.mark.parametrize("step", [0.004, 0.01, 0.05, 0.3])
def test_a_clock_that_stays_behind_continues(step, tmp_path):
    t = np.arange(200) * DT
    t[80:] -= step + DT
    recording, rate, remarks = imported(written(tmp_path / "a.csv", "t,q1", t, 0.1 * np.arange(200) * DT))
    assert f"the time steps back at row 81, by {step:g} s" in remarks
    assert rate == 100.0 and len(recording) == 200 and np.abs(recording.qd - 0.1).max() < 1e-6


def test_rows_that_came_late_are_put_in_order_and_the_first_is_named(tmp_path):
    t = np.arange(200) * DT
    order = np.arange(200)
    order[[40, 41, 90, 92]] = order[[41, 40, 92, 90]]
    recording, rate, remarks = imported(written(tmp_path / "a.csv", "t,q1", t[order], np.sin(t[order])))
    assert "rows were out of order and were sorted, the first: row 42, 0.01 s earlier than the row before" in remarks
    assert "steps back" not in remarks and rate == 100.0 and np.abs(recording.q[:, 0] - np.sin(t)).max() < 1e-9


@pytest.mark.parametrize("stamp", [0.0, 5000.0])
def test_a_single_time_far_from_its_neighbours_is_left_out(stamp, tmp_path):
    t = 10 + np.arange(200) * DT
    t[60] = stamp
    recording, rate, remarks = imported(written(tmp_path / "a.csv", "t,q1", t, np.sin(np.arange(200) * DT)))
    assert rate == 100.0 and recording.duration == pytest.approx(1.99) and "restarted" not in remarks
    assert "row 61 has a time far" in remarks or "1 rows without a time were omitted" in remarks


def test_stamps_that_are_not_set_yet_are_no_times(tmp_path):
    t = 1_780_000_000 + np.arange(200) * DT
    t[:20], t[100:103] = 0.0, np.nan
    recording, rate, remarks = imported(written(tmp_path / "a.csv", "stamp,q1", t, np.sin(np.arange(200) * DT)))
    assert rate == 100.0 and recording.duration == pytest.approx(1.79, abs=1e-6)
    assert "23 rows without a time were omitted" in remarks


@pytest.mark.parametrize(("unit", "scale"), [("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
@pytest.mark.parametrize("began", [0, 1_780_000_000])
def test_whole_stamps_have_the_unit_in_which_the_rows_are_as_near_as_those_of_logs(unit, scale, began, tmp_path):
    stamps = [int((began * 1000 + 10 * k) * scale // 1000) for k in range(200)]
    (tmp_path / "a.csv").write_text("timestamp,q1\n" + "\n".join(f"{n},{np.sin(k * DT):.9f}" for k, n in enumerate(stamps)))
    recording, rate, _ = imported(tmp_path / "a.csv")
    assert recording.metadata["imported"]["units"]["time"] == unit and rate == 100.0 and recording.duration == pytest.approx(1.99)


@pytest.mark.parametrize(("name", "wrap"), [("t_us", 2**32), ("t_ms", 2**16), ("t [s]", 2**32 * 1e-6)])
def test_counters_that_run_over_continue(name, wrap, tmp_path):
    per_s = {"t_us": 1e6, "t_ms": 1e3, "t [s]": 1.0}[name]
    t = (np.arange(200) * DT * per_s + wrap - 70.2 * DT * per_s) % wrap
    recording, rate, remarks = imported(written(tmp_path / "a.csv", f"{name},q1", t, np.sin(np.arange(200) * DT)))
    assert "the time counter overflowed once" in remarks and rate == 100.0 and recording.duration == pytest.approx(1.99)


def side_by_side(path, ragged: bool, clock_first: bool = True):
    """Write a table of temperatures every 5 s beside one of a joint every 10 ms, each with its clock; return its path."""
    lines = []
    for k in range(300):
        joint = [f"{k * DT:.2f}", f"{0.42 * np.sin(1.2 * k * DT):.7f}", f"{0.504 * np.cos(1.2 * k * DT):.7f}", "-8"]
        warm = [f"{5.0 * k}", f"{41 + k % 2}"] if k < 20 else [] if ragged else ["", ""]
        lines.append(",".join(warm + joint if clock_first else joint + warm))
    heads = ["Temperature Time [s],Temp [C]", "States Time [s],Position [rad],Velocity [rad/s],Effort [mA]"]
    path.write_text("\n".join([",".join(heads if clock_first else heads[::-1]), *lines]) + "\n")
    return path


@pytest.mark.parametrize(("ragged", "clock_first"), [(False, True), (False, False), (True, False)])
def test_of_two_tables_side_by_side_the_clock_of_the_joint_counts(ragged, clock_first, tmp_path):
    recording, rate, _ = imported(side_by_side(tmp_path / "a.csv", ragged, clock_first))
    columns = recording.metadata["imported"]["columns"]
    assert columns["time"] == "States Time [s]" and columns["q"] == ["Position [rad]"]
    assert columns["qd"] == ["Velocity [rad/s]"] and columns["tau"] == ["Effort [mA]"]
    assert len(recording) == 300 and rate == 100.0
    assert np.abs(recording.q[:, 0] - 0.42 * np.sin(1.2 * recording.t)).max() < 1e-6


def test_the_clock_next_to_the_joints_counts_where_both_are_as_long(tmp_path):
    t = np.arange(200) * DT
    log = written(tmp_path / "a.csv", "t_motor,temp,t_arm,q1", 0.5 * t, 40 + t, t, np.sin(t))
    assert imported(log)[0].metadata["imported"]["columns"]["time"] == "t_arm"
    log = written(tmp_path / "b.csv", "t_ms,stamp_s,q1", 1e3 * t, 2.0 * t, np.sin(t))
    assert imported(log)[0].metadata["imported"]["columns"]["time"] == "t_ms"


def test_a_table_that_ends_before_the_other_on_its_left_is_read(tmp_path):
    rows = [f"{5.0 * k},{40 + k % 3}" + (f",{k * DT:.2f},{np.sin(k * DT):.6f}" if k < 60 else "") for k in range(300)]
    (tmp_path / "a.csv").write_text("\n".join(["Temp Time [s],Temp [C],Time [s],Position [rad]", *rows]) + "\n")
    recording, rate, _ = imported(tmp_path / "a.csv")
    assert len(recording) == 60 and rate == 100.0 and recording.q[-1, 0] == pytest.approx(np.sin(0.59), abs=1e-5)


def test_no_unit_of_time_comes_from_the_smallest_step(tmp_path):
    t = np.sort(np.concatenate([10 * np.arange(200), 10 * np.arange(200) + 1e-3]))
    recording, rate, _ = imported(written(tmp_path / "a.csv", "time,q1", t, np.sin(1e-3 * t)))
    assert recording.metadata["imported"]["units"]["time"] == "ms" and rate == 100.0


def test_the_robot_may_be_the_arm_itself(tmp_path):
    t = np.arange(50) * DT
    assert len(import_log(written(tmp_path / "a.csv", "t,q1", t, t), engine.load_robot("pendulum"))) == 50


@pytest.mark.parametrize("head", ["t_recv,t_sent", "t_sent,t_recv"])
@pytest.mark.parametrize("began", [0.0, 1.7e9])
def test_of_two_clocks_the_more_even_one_counts_and_the_other_is_named(head, began, tmp_path):
    t = np.arange(300) * DT
    arrived = began + np.sort(t + 0.02 + np.abs(np.random.default_rng(1).normal(0, 0.3 * DT, 300)))
    clocks = {"t_sent": t, "t_recv": arrived}
    log = written(tmp_path / "a.csv", f"{head},q1", *(clocks[name] for name in head.split(",")), np.sin(t))
    recording, rate, _ = imported(log)
    assert recording.metadata["imported"]["columns"]["time"] == "t_sent" and rate == 100.0
    assert np.abs(recording.q[:, 0] - np.sin(t)).max() < 1e-9
    assert "not used: t_recv" in recording.metadata["imported"]["warnings"]


def test_a_counter_of_rows_next_to_the_clock_is_not_named(tmp_path):
    t = np.arange(50) * DT
    recording, _, remarks = imported(written(tmp_path / "a.csv", "seq,t,q1", np.arange(50.0), t, np.sin(t)))
    assert recording.metadata["imported"]["columns"]["time"] == "t" and "not used" not in remarks
