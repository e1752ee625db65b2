"""Clocks in two columns, whole seconds and the rest: one clock, at 1.7e9 s as at 0."""

from __future__ import annotations

import numpy as np
import pytest

from armature.engine import import_log
from armature.engine.recording.measured.read_log import read_log

HEADS = [
    "sec,nanosec",
    "secs,nsecs",
    "header.stamp.sec,header.stamp.nanosec",
    "/joint_states/header/stamp/secs,/joint_states/header/stamp/nsecs",
    "sec [s],nanosec [ns]",
    "stampSec,stampNanosec",
]


def written(path, head, t_ns, q, unit=1):
    """Write whole nanoseconds `(N,)` as seconds and the rest in `unit` ns, and positions; return the path."""
    rows = [f"{n // 10**9},{n % 10**9 // unit},{x:.9f}" for n, x in zip(t_ns, q, strict=True)]
    path.write_text("\n".join([f"{head},q1", *rows]) + "\n")
    return path


def stamps(began=0):
    """Return 400 rows every 10 ms, with a pause of 3 s after the 200th, in ns, and their positions."""
    n = [began * 10**9 + 10_000_000 * k + (3_000_000_000 if k >= 200 else 0) for k in range(400)]
    return n, 0.5 * np.sin((np.array(n) - began * 10**9) * 1e-9)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("began", [0, 1_700_000_000])
def test_seconds_and_nanoseconds_are_one_clock(head, began, tmp_path):
    n, q = stamps(began)
    recording = import_log(written(tmp_path / "a.csv", head, n, q), "pendulum")
    taken = recording.metadata["imported"]
    assert taken["columns"]["time"] == head.replace(",", " + ").removeprefix("/") and taken["units"]["time"] == "s"
    assert taken["sampling"]["rate"] == 100.0 and recording.duration == pytest.approx(6.99, abs=1e-9)
    known = np.isfinite(recording.q[:, 0])
    assert known.sum() == 400 and np.abs(recording.q[known, 0] - 0.5 * np.sin(recording.t[known])).max() < 1e-8
    assert recording.metadata["started"].startswith("2023-11-14T22:13:20") == bool(began)


def test_microseconds_and_a_second_clock(tmp_path):
    n, q = stamps(1_700_000_000)
    recording = import_log(written(tmp_path / "a.csv", "tv_sec,tv_usec", n, q, 1000), "pendulum")
    assert recording.metadata["imported"]["columns"]["time"] == "tv_sec + tv_usec" and recording.duration == pytest.approx(6.99)


def test_no_digit_is_lost_at_seconds_since_1970(tmp_path):
    n = [1_700_000_000 * 10**9 + 999_999_900 + 37 * k for k in range(10)]
    table = read_log(written(tmp_path / "a.csv", "sec,nanosec", n, range(10)))
    assert np.abs(np.diff(table.column("sec + nanosec")) - 37e-9).max() < 1e-15
    assert table.origins == {"sec + nanosec": 1.7e9}


def test_stamps_that_were_never_set_are_left_out(tmp_path):
    n, q = stamps(1_700_000_000)
    n[:20] = [0] * 20
    recording = import_log(written(tmp_path / "a.csv", "sec,nanosec", n, q), "pendulum")
    assert "20 rows without a time were omitted" in recording.remarks and recording.duration == pytest.approx(6.79)


def test_two_whole_clocks_are_not_joined(tmp_path):
    """Seconds with decimals next to nanoseconds from the start on, and a part of another second."""
    (tmp_path / "a.csv").write_text("secs,nsecs,q1\n" + "".join(f"{k / 100},{k * 10**7},{k / 50}\n" for k in range(200)))
    (tmp_path / "b.csv").write_text("sec,nsec,q1\n" + "".join(f"{k},{k * 10**9},{k / 50}\n" for k in range(200)))
    (tmp_path / "c.csv").write_text("a.sec,b.nsec,q1\n" + "".join(f"{k},{k},{k / 50}\n" for k in range(200)))
    for name in "abc":
        assert not any(" + " in column for column in read_log(tmp_path / f"{name}.csv").names)


def test_of_two_such_clocks_each_has_its_own_half(tmp_path):
    rows = [f"{k // 2},{k % 2 * 5 * 10**8},{k // 100},{k % 100 * 10**7},{np.sin(k / 100):.9f}" for k in range(200)]
    (tmp_path / "a.csv").write_text("\n".join(["sec,nanosec,sec,nanosec,q1", *rows]) + "\n")
    table = read_log(tmp_path / "a.csv")
    assert table.names == ("sec + nanosec", "sec (2) + nanosec (2)", "q1")
    assert table.column("sec (2) + nanosec (2)")[-1] == 1.99 and table.column("sec + nanosec")[-1] == 99.5


def test_arrays_have_such_clocks_too(tmp_path):
    n, q = stamps(1_700_000_000)
    whole = np.array(n)
    np.savez(tmp_path / "a.npz", sec=whole // 10**9, nanosec=whole % 10**9, q=q)
    recording = import_log(tmp_path / "a.npz", "pendulum")
    assert recording.metadata["imported"]["columns"]["time"] == "sec + nanosec" and recording.duration == pytest.approx(6.99)
