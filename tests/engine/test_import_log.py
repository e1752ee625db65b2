"""Logs of real robots become recordings: awkward files, units, filters, gaps, and numbers that are known."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import RecordingError, import_log
from tests.engine import awkward_logs
from tests.engine.awkward_logs import ALL, RATE, motion, times


@pytest.fixture(scope="module")
def ur5():
    return engine.load_robot("ur5")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    return {name: write(folder / name) for name, write in ALL.items()}


def held(recording):
    return recording.metadata["imported"]


@pytest.mark.parametrize("name", ALL)
def test_awkward_files_tell_their_motion(name, logs, ur5, tmp_path):
    recording = import_log(logs[name], ur5)
    measured = [ur5.joint_names.index(joint) for joint in held(recording)["measured"]["q"]]
    assert measured == ([0, 1, 3, 4] if name == "restarted.tsv" else list(range(6))), recording.remarks
    q, qd, qdd = motion(recording.t)
    if name == "stamped.csv":
        q[:, 5] += 3.0
    known = np.isfinite(recording.q).all(axis=1)
    assert known.mean() > (0.84 if name == "gappy.csv" else 0.999)
    inner = known & (recording.t > 0.5) & (recording.t < 3.4)
    if name == "gappy.csv":  # what was bridged is a guess, and so are the ends at a gap
        inner &= (np.abs(recording.t - 1.84) > 0.6) & (np.abs(recording.t - 0.82) > 0.2)
    jitter = {"irregular.txt": 0.02, "gappy.csv": 0.02}.get(name, 0.004)  # rad/s
    turn = 2 * np.pi * np.round((recording.q - q)[known][0] / (2 * np.pi))
    off = np.abs(recording.q - turn - q)[known][:, measured].max(axis=0)
    assert (off < (2e-3 if name == "irregular.txt" else 1e-5 if name != "gappy.csv" else 3e-3)).all(), off
    assert np.abs(recording.qd - qd)[inner][:, measured].max() < jitter
    assert np.abs(recording.qdd - qdd)[inner][:, measured].max() < 30 * jitter
    assert np.isfinite(recording.tau[known]).all() and np.isfinite(recording.sigma_min[known]).all()
    again = engine.load_recording(recording.save(tmp_path / "r.mcap"))
    assert np.array_equal(again.table(), recording.table(), equal_nan=True) and held(again) == held(recording)


def test_what_is_met_is_told(logs, ur5):
    def told(name):
        return " | ".join(import_log(logs[name], ur5).remarks)

    assert "2 gaps" not in told("german.csv") and "after a zero-phase low-pass at 10 Hz" in told("german.csv")
    gappy = told("gappy.csv")
    assert "gaps of up to 0.1 s are filled" in gappy and "1 gap of more than 0.1 s is empty" in gappy
    assert "the last row is incomplete" in gappy and "one comment or repeated header line" in gappy
    restarted = told("restarted.tsv")
    assert "overflowed once" in restarted and "1 rows with the same time" in restarted and "out of order" in restarted
    assert "no position column for joint3, joint6; home is assumed" in restarted
    assert "jumps of one turn" in told("stamped.csv")
    assert "current · 11" in told("irregular.txt") and "Akima" in told("irregular.txt")
    assert "Python objects, which are not loaded" in told("toolbox.npz")


def test_the_derivative_of_a_sine_is_as_the_filter_says(ur5, tmp_path):
    path = tmp_path / "sine.csv"
    t, f, fc = np.arange(2000) / 200.0, 4.0, 8.0
    q = np.sin(2 * np.pi * f * t)
    path.write_text("t,q1\n" + "\n".join(f"{a:.6f},{b:.12f}" for a, b in zip(t, q)))
    recording = import_log(path, ur5, cutoff=fc)
    gain = 1 / (1 + (np.tan(np.pi * f / 200) / np.tan(np.pi * fc / 200)) ** 4)
    inner = slice(400, -400)
    expected = gain * 2 * np.pi * f * np.cos(2 * np.pi * f * t)
    assert np.abs(recording.qd[inner, 0] - expected[inner]).max() < 1e-3 * gain * 2 * np.pi * f
    assert np.abs(recording.q[:, 0] - q).max() < 1e-9  # positions stay as they were measured
    assert held(recording)["filter"]["cutoff"] == fc


def test_degrees_and_radians(ur5, tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("t,q1\n" + "\n".join(f"{k / 100},{0.5 * np.sin(k / 50):.9f}" for k in range(300)))
    as_rad, as_deg = import_log(path, ur5), import_log(path, ur5, degrees=True)
    assert np.allclose(as_deg.q[:, 0], np.radians(as_rad.q[:, 0])) and np.allclose(as_deg.qd[:, 0], np.radians(as_rad.qd[:, 0]))
    assert "deg" not in as_rad.metadata["imported"]["units"]["angle"]


def test_columns_as_they_are_given(logs, ur5):
    swapped = import_log(logs["german.csv"], ur5, {"q": ["A2", "A1", "", "", "", ""]})
    q = motion(times())[0]
    assert np.allclose(swapped.q[:, :2], q[:, [1, 0]], atol=1e-6)
    one = import_log(logs["german.csv"], ur5, {"q.joint1": "A6"})
    assert np.allclose(one.q[:, 0], q[:, 5], atol=1e-6)
    assert one.metadata["imported"]["columns"]["q"][5] == ""  # it was the guess for joint 6
    for columns, why in (
        ({"q": ["A9"] * 6}, "unknown column 'A9'; valid: Zeit, A1"),
        ({"q": ["A1"]}, "ur5 has 6 joints, got 1 columns"),
        ({"p": "A1"}, "'q.joint1'"),
        (
            {"q": ["A1", "A2", "A1", "", "", ""]},
            "german.csv: the column 'A1' is used twice, for q of joint 1 and for q",
        ),
        ({"q": ["Zeit", "A2", "", "", "", ""]}, "'Zeit' is used twice, for the time and for q of joint 1"),
        ({"q": [""] * 6}, "german.csv: no column is assigned to a joint position"),
    ):
        with pytest.raises(RecordingError, match=why):
            import_log(logs["german.csv"], ur5, columns)


def test_a_bag_in_the_other_order_of_bytes(logs, ur5, tmp_path):
    big = import_log(awkward_logs.bag(tmp_path / "big.mcap", ">"), ur5)
    little = import_log(logs["bag.mcap"], ur5)
    assert np.array_equal(big.table(), little.table(), equal_nan=True) and held(big)["measured"]["tau"] == list(ur5.joint_names)


def test_rates_gaps_and_cut_offs_that_are_asked_for(logs, ur5):
    recording = import_log(logs["gappy.csv"], ur5, rate=50.0, cutoff=5.0, max_gap=1.0)
    assert np.allclose(np.diff(recording.t), 0.02) and np.isfinite(recording.table()).all()
    assert held(recording)["sampling"]["gaps_left"] == 0 and held(recording)["filter"]["cutoff"] == 5.0
    with pytest.raises(RecordingError, match=r"cut-off of 70 Hz must be below half the rate, 62.5 Hz"):
        import_log(logs["german.csv"], ur5, cutoff=70.0)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.csv", b"", "the file is empty"),
        ("words.csv", b"dear diary,\ntoday nothing moved\n", "no rows of numbers"),
        (
            "wrong.csv",
            b"t,q1\n" + b"0.1,0\n0.2,1\n" * 20 + b"0.3,3 apples\n",
            r"line 42, column 2 \(q1\): '3 apples' is not a number",
        ),
        (
            "width.csv",
            b"t,q1\n" + b"0.1,0\n0.2,1\n" * 20 + b"0.3,1,2,3\n0.4,1,2\n0.5,1\n",
            "line 42 and line 43 do not have 2 fields",
        ),
        ("still.csv", b"t,q1\n" + b"1.0,0\n" * 20, "no time column found; name the time column, or give the period"),
        (
            "prices.csv",
            b"apples,pears\n1,2\n3,4\n5,9\n",
            "no column name indicates a joint position; give the columns. Columns: apples",
        ),
        ("none.npz", b"PK\x05\x06" + b"\0" * 18, "no numeric array of shape"),
        ("bad.npz", b"PK\x03\x04 nonsense", "damaged"),
        (
            "new.mat",
            b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512),
            "version 7.3 are not supported; in MATLAB, save it with -v7",
        ),
        ("bad.mat", b"\0" * 200, "not a MAT file"),
        ("bad.mcap", b"\x89MCAP0\r\n" + b"\1" * 40, "not an MCAP file, or damaged"),
        ("binary.csv", bytes(range(256)) * 20, "not a text file"),
        ("log.xlsx", b"PK", "a log must be a"),
    ],
)
def test_what_cannot_be_is_one_line(name, content, why, ur5, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=why) as told:
        import_log(path, ur5)
    assert name in str(told.value) and "\n" not in str(told.value)


def test_what_it_says_about_itself(logs, ur5):
    recording = import_log(logs["stamped.csv"], ur5)
    assert recording.metadata["started"].startswith("2026-03-04T12:59:58") and recording.robot_name == "ur5"
    assert held(recording)["sampling"]["rate"] == RATE
    with pytest.raises(RecordingError, match="it was measured, not simulated"):
        engine.verify_recording(recording)
