"""`armature import`: awkward logs from the command line, its options, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.awkward_logs import ALL, motion
from tests.engine.test_log_columns import A, B, lerobot, unnamed


@pytest.mark.parametrize("name", ALL)
def test_awkward_logs_become_recordings(name, armature, tmp_path):
    log = ALL[name](tmp_path / name)
    code, out, err = armature("import", log, "--robot", "ur5")
    assert code == 0 and not err, err
    assert out[0].startswith("  t: ") and any(line.startswith("  q [") for line in out) and "even" in "".join(out)
    recording = engine.load_recording(tmp_path / f"{log.stem}.recording.npz")
    assert f"{len(recording):,} samples" in out[-1] and recording.metadata["imported"]["file"] == name
    known = np.isfinite(recording.q).all(axis=1)
    joint = 0  # measured in all of them
    assert np.abs(recording.q[known, joint] - motion(recording.t)[0][known, joint]).max() < 5e-3
    assert armature("import", log, "--robot", "ur5")[2][0].endswith("already exists; use --overwrite to replace it")


def test_its_options(armature, tmp_path):
    log, out = ALL["german.csv"](tmp_path / "log.csv"), tmp_path / "out.csv"
    columns = ["--time", "Zeit", "--time-unit", "s", "--q", "A2,A1,,,,A6", "--radians"]
    made = ["--rate", "1000", "--cutoff", "40", "--separator", "semicolon", "--decimal", "comma", "--first-line", "14"]
    code, told, err = armature("import", log, out, "--robot", "ur5", *columns, *made)
    assert code == 0, err
    recording = engine.load_recording(out)
    taken = recording.metadata["imported"]
    assert taken["columns"]["q"] == ["A2", "A1", "", "", "", "A6"] and taken["units"]["angle"] == "rad"
    assert taken["filter"]["cutoff"] == 40 and taken["sampling"]["rate"] == 1000 and recording.duration == pytest.approx(3.912)
    assert recording.q[0, 0] == pytest.approx(np.degrees(motion(np.array([0.08]))[0][0, 1]), abs=1e-4)


def test_warnings_and_cells_of_words(armature, tmp_path):
    log = tmp_path / "seven.csv"
    rows = [f"{k / 100},0.1,-0.5,{'ERR' if k == 60 else 0.2},0,0,0,0.3" for k in range(100)]
    log.write_text("t,q1,q2,q3,q4,q5,q6,q7\n" + "\n".join(rows))
    assert "'ERR' is not a number; to treat it" in armature("import", log, "--robot", "puma560")[2][0]
    code, out, err = armature("import", log, "--robot", "puma560", "--missing", "ERR, x")
    assert code == 0 and not err and "  warning: not used: q7; the log has positions of 7 joints, puma560 has 6" in out


def test_normalised_positions_are_asked_for_and_taken(armature, tmp_path):
    log, values = lerobot(tmp_path / "arm.csv")
    code, out, (line,) = armature("import", log, "--robot", "so101")
    assert code == 2 and not out and "degrees or normalised" in line
    code, out, err = armature("import", log, "--robot", "so101", "--normalised")
    assert code == 0 and not err and any(line.startswith("  q [%]: joint1 = shoulder_pan.pos") for line in out)
    arm = engine.load_robot("so101")
    made = engine.load_recording(tmp_path / "arm.recording.npz")
    assert np.allclose(made.q, arm.q_min + (arm.q_max - arm.q_min) * (values + 100) / 200)
    assert armature("import", log, "--robot", "so101", "--normalised", "--degrees", "--overwrite")[0] == 2


def test_a_table_without_names_or_time_needs_the_period_alone(armature, tmp_path):
    log = unnamed(tmp_path / "bare.csv", A, B)
    assert "2 unnamed columns for 2 joints" in armature("import", log, "--robot", "double_pendulum")[2][0]
    code, out, err = armature("import", log, "--robot", "double_pendulum", "--period", "0.01")
    assert code == 0 and not err and out[-1].endswith("200 samples, 1.99 s")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--robot", "r2d2"], "r2d2"),
        (["--robot", "ur5", "--q", "A1,A2"], "q: ur5 has 6 joints, got 2 columns"),
        (["--robot", "ur5", "--cutoff", "-1"], "'-1' is not a number of Hz"),
        (["--robot", "ur5", "--torque-constants", "a,b"], "neither a list of numbers nor fit"),
        (["--robot", "ur5", "--time", "when"], "unknown column 'when'; valid: Zeit"),
        (["--robot", "ur5", "--q", "foo,a3,bar"], "unknown columns 'foo', 'a3' and 'bar'; valid: A3, "),
        ([], "--robot"),
    ],
)
def test_what_it_refuses_in_one_line(options, why, armature, tmp_path):
    log = ALL["german.csv"](tmp_path / "log.csv")
    code, out, err = armature("import", log, *options)
    assert code == 2 and not out and len(err) == 1 and why in err[0], err
    assert not list(tmp_path.glob("*.npz"))


def test_what_was_chosen_is_not_told_as_a_guess(armature, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("time,ax1,ax2\n" + "".join(f"{k / 100},{k / 50},{k / 70}\n" for k in range(20)))
    guess = "no column name indicates a position"
    assert armature("import", log, "--robot", "double_pendulum", "--time", "time")[1][3].startswith(f"  positions: {guess}")
    code, out, err = armature("import", log, "--robot", "double_pendulum", "--q", "ax1,ax2", "--overwrite")
    assert code == 0 and not err and "  q [rad]: joint1 = ax1, joint2 = ax2" in out and guess not in "\n".join(out)


def test_no_recording_takes_the_place_of_its_log(armature, tmp_path):
    log = ALL["german.csv"](tmp_path / "log.csv")
    text = log.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(log)
    for out in (log, link):
        code, _, (line,) = armature("import", log, out, "--robot", "ur5", "--overwrite")
        assert code == 2 and line.startswith(f"armature: {out}: the recording would overwrite the log")
    assert log.read_bytes() == text and link.is_symlink()


def test_a_log_that_ships_goes_by_its_name(armature, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = armature("import", "ur5", "--robot", "ur5")
    assert code == 0 and not err, err
    assert out[-1].startswith("ur5 → ur5.recording.npz, ")
    named, written = engine.import_log("ur5", "ur5"), engine.load_recording("ur5.recording.npz")
    assert named.metadata["imported"]["file"] == "ur5.csv" and np.array_equal(written.q, named.q)
    (refusal,) = armature("import", "ur6", "--robot", "ur5")[2]
    assert refusal.endswith("shipped: ur5")


def test_no_column_of_time_and_a_period_replace_the_stamps(armature, tmp_path):
    log = tmp_path / "a.csv"
    log.write_text("time,joint1,joint2\n" + "".join(f"{k // 10 / 10},{k / 100},{k / 200}\n" for k in range(200)))
    code, out, err = armature("import", log, "--robot", "double_pendulum", "--time", "", "--period", "0.02")
    assert code == 0 and not err and out[0] == "  t: the rows [samples]" and out[-1].endswith("200 samples, 3.98 s")
