"""The command simulate: what is followed, recorded and told."""

from __future__ import annotations

import re

import numpy as np
import pytest

from armature import engine
from tests.app.test_cli import refused


def test_simulate_follows_a_trajectory_file(armature, tmp_path):
    plan = tmp_path / "way.toml"
    plan.write_text(
        'name = "way"\n[[waypoints]]\npose = "home"\n[[waypoints]]\nq = [0.5, 1.2, 0.15]\nduration = 0.6\n'
        "dwell = 0.2\ngrasp = { mass = 0.5 }\n"
    )
    path = tmp_path / "way.npz"
    code, out, err = armature("simulate", "scara", "--trajectory", plan, "--cell", "posts", "--record", path)
    assert code == 0, err
    robot = engine.load_robot("scara")
    trajectory = engine.load_trajectory(plan, robot)
    recording = engine.load_recording(path)
    assert recording.t[-1] == pytest.approx(0.8)
    expected = engine.simulate(
        robot, trajectory.start, None, 0.8, 1e-3, engine.default_gains(robot, "computed-torque"), trajectory=trajectory
    )
    np.testing.assert_array_equal(recording.q, expected.q)
    assert recording.metadata["controller"]["kind"] == "computed-torque" and recording.metadata["cell"]["name"] == "posts"
    assert re.search(r"tracking +max\. error \S+ rad at joint[12] and \S+ m at joint3", "\n".join(out))
    assert "integration error" in "\n".join(out)
    assert engine.verify_recording(recording).identical
    code, blind, _ = armature("simulate", "scara", "--trajectory", plan, "--controller", "pd-gravity", "--unknown-payload")
    assert code == 0 and "tracking" in "\n".join(blind)


@pytest.mark.parametrize("suffix", ["csv", "npz", "mat", "mcap"])
def test_simulate_records_what_the_engine_simulates(armature, tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    q0, qd0 = "-0.5, 0.25 ,1.5", "-1;2 0"
    options = ("--dt", "0.002", "--q0", q0, "--qd0", qd0, "--record", path)
    code, out, err = armature("simulate", "scara", "--duration", "0.4", *options)
    assert (
        code == 0
        and "--q0: the initial position is outside the joint limits: joint3 at 1.5 m (0 to 0.2 m)" in err[0]
        and len(err) == 1
    )
    expected = engine.simulate(engine.load_robot("scara"), [-0.5, 0.25, 1.5], [-1, 2, 0], 0.4, 0.002)
    assert expected.remarks == ("the initial position is outside the joint limits: joint3 at 1.5 m (0 to 0.2 m)",)
    assert np.array_equal(engine.load_recording(path).table(), expected.table())
    text = "\n".join(out)
    assert "0.4 s in 200 steps of 0.002 s, rk4" in text and "steps/s" in text and "201 samples" in text
    assert f"q {expected.q[-1, 0]:+.6f} rad" in text and f"q {expected.q[-1, 2]:+.6f} m" in text


def test_simulate_takes_named_poses_and_tells_the_drift(armature):
    code, out, err = armature("simulate", "double_pendulum", "--duration", "1", "--q0", "zero", "--integrator", "rk4")
    assert code == 0 and not err
    drift = re.search(r"drift ([-+.e\d]+) J, ([-+.e\d]+) of the peak kinetic energy", "\n".join(out))
    assert abs(float(drift[1])) < 1e-8 and float(drift[2]) < 1e-9


def test_simulate_does_not_call_what_a_stop_takes_a_drift(armature):
    code, out, _ = armature("simulate", "panda", "--duration", "1", "--q0", "ready")
    assert code == 0
    assert re.search(r"change -[.e\d]+ J: stops -[.e\d]+ J; integration error", "\n".join(out))


def test_simulate_in_real_time_tells_the_factor(armature):
    code, out, _ = armature("simulate", "double_pendulum", "--duration", "0.2", "--realtime")
    assert code == 0 and re.search(r"real-time factor \d\.\d{4}", "\n".join(out))


def test_a_divergence_is_told_and_what_was_recorded_is_kept(armature, tmp_path):
    path = tmp_path / "a.csv"
    arguments = ["simulate", "double_pendulum", "--duration", "10", "--dt", "0.5", "--integrator", "euler", "--record", path]
    code, out, err = armature(*arguments, "--qd0", "0 100")
    assert code == 1 and len(err) == 1 and re.search(r"joint\d", err[0]) and "try" in err[0] and out
    assert 1 <= len(engine.load_recording(path)) < 20


def test_a_run_without_a_single_step_leaves_no_file(armature, tmp_path):
    arguments = ["simulate", "spherical_pendulum", "--duration", "1", "--q0", "zero", "--record", tmp_path / "a.csv"]
    code, _, err = armature(*arguments)
    assert code == 1 and "no samples were recorded" in err[0] and "joint phi has no inertia" in err[1]
    assert not list(tmp_path.iterdir())


def test_an_existing_recording_is_kept_unless_told_otherwise(armature, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("precious")
    arguments = ["simulate", "scara", "--duration", "0.1", "--record", path]
    assert "already exists; use --overwrite" in refused(armature, *arguments)
    assert path.read_text() == "precious"
    assert armature(*arguments, "--overwrite")[0] == 0
    assert len(engine.load_recording(path)) == 101


def test_a_recording_that_breaks_off_ends_with_exit_code_1(armature, tmp_path, monkeypatch):
    from armature.engine.errors import RecordingError
    from armature.engine.recording import recording_files

    def full(self):
        raise RecordingError(f"{self.path}: the disk is full")

    monkeypatch.setattr(recording_files.PartFile, "check", full)
    code, out, err = armature("simulate", "scara", "--duration", "0.5", "--record", tmp_path / "a.csv")
    assert code == 1 and err == [f"armature: the recording stopped: {tmp_path / 'a.csv.part'}: the disk is full"]
    assert "500 steps" in out[0]


def test_rounds_follow_a_trajectory_again_and_tell_how_far_off_each_was(armature):
    law = ("--controller", "learned_feedforward", "--parameter", "round=4.5")
    code, out, err = armature("simulate", "puma560", "--trajectory", "round_puma560", "--rounds", "3", *law)
    told = next(line for line in out if line.strip().startswith("rounds"))
    rounds = [float(text) for text in re.findall(r"([\d.e-]+) rad", told)]
    assert code == 0 and len(rounds) == 3 and rounds[0] > 1.5 * rounds[1] > 2.2 * rounds[2]
    for wrong in (("--rounds", "0"), ("--rounds", "2", "--duration", "1")):
        code, _, err = armature("simulate", "puma560", *wrong)
        assert code == 2 and "rounds" in err[-1]


def test_simulate_warns_of_gains_that_shake_the_arm(armature):
    options = ("simulate", "puma560", "--duration", "0.05", "--controller", "pd", "--frequency")
    code, _, err = armature(*options, "20")
    assert code == 0 and not err
    code, _, err = armature(*options, "4000")
    assert len(err) == 1 and "kd·dt/I = " in err[0] and "a step below" in err[0]


def test_simulate_ends_a_law_that_does_not_return(armature, tmp_path, monkeypatch):
    monkeypatch.setenv("ARMATURE_CALL_LIMIT", "0.3")
    law = tmp_path / "my_law.py"
    law.write_text("def control(t, q, qd, goal, arm, p):\n    if t > 0.0045:\n        while True: pass\n    return 0 * q\n")
    record = tmp_path / "run.csv"
    code, _, err = armature("simulate", "scara", "--duration", "0.1", "--controller", law, "--record", record)
    assert code == 1 and err == ["armature: control in my_law.py did not return within 0.3 s, line 3"]
    assert len(engine.load_recording(record)) == 5


def test_simulate_ends_at_the_first_contact_or_measures_the_clearance(armature, tmp_path):
    path = tmp_path / "drop.npz"
    options = ("panda", "--duration", "1", "--cell", "table")
    code, out, err = armature("simulate", *options, "--stop-at-contact", "--record", path)
    assert code == 0 and not err
    recording, robot = engine.load_recording(path), engine.load_robot("panda")
    expected = engine.simulate(
        robot, robot.configurations["home"], None, 1.0, 1e-3, cell=engine.load_cell("table"), stop_at_contact=True
    )
    assert np.array_equal(recording.table(), expected.table()) and len(recording) < 1001
    events = [[event for event in run.metadata["events"] if event["kind"] == "stop"] for run in (recording, expected)]
    assert len(events[0]) == 1 and events[0] == events[1]
    assert f"contact     {expected.remarks[-1]}" in "\n".join(out)
    assert "contact     link1 hits link7 at t = 0.278 s, deepest contact " in "\n".join(armature("simulate", *options)[1])
    held = "\n".join(armature("simulate", *options, "--controller", "pd-gravity")[1])
    assert "contact     smallest clearance 106 mm, link4 – link7, at t = 0.000 s" in held
    low = "\n".join(armature("simulate", *options, "--q0", "0 1.2 0 -1.2 0 2 0", "--stop-at-contact")[1])
    assert re.search(r"contact +stopped at contact: .*\n +contact +link7 hits floor at t = 0.000 s, deepest contact", low)
    assert "below the floor" not in low  # that is measured on simpler shapes
    code, _, err = armature("simulate", "--from", path, "--stop-at-contact")
    assert code == 2 and "--stop-at-contact cannot be used with --from" in err[0]
