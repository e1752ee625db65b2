"""What an import warns of: columns that nothing is made of, joints without one, limits passed, another robot; cells of words."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.engine import RecordingError, import_log
from tests.engine.awkward_logs import motion, times

COUNTS = range(1, 7)


@pytest.fixture(scope="module")
def ur5():
    return engine.load_robot("ur5")


@pytest.fixture
def log(tmp_path):
    """Writes a table as text under these names."""

    def write(names, columns, mark: str = ","):
        rows = [mark.join(f"{x:.9f}" for x in row) for row in np.column_stack(columns)]
        path = tmp_path / "log.csv"
        path.write_text("\n".join([mark.join(names), *rows]) + "\n")
        return path

    return write


def warned(recording):
    warnings = recording.metadata["imported"]["warnings"]
    assert set(warnings) <= set(recording.remarks)
    return warnings


def test_the_log_of_an_arm_of_seven_joints(ur5, log):
    t, (q, _, _) = times(), motion(times())
    path = log(["t", *(f"q{k}" for k in range(1, 8))], [t, q, np.full(len(t), 0.5)])
    assert warned(import_log(path, ur5)) == ["not used: q7; the log has positions of 7 joints, ur5 has 6"]
    assert warned(import_log(path, engine.load_robot("panda")))[0].startswith("outside joint limits: joint6 at −40.11°")


def test_limits_that_are_passed_are_told_with_their_numbers(log):
    puma, t = engine.load_robot("puma560"), times()
    q = np.outer(np.abs(np.cos(3 * t)), [0.2, -1.2, 1.0, 0.1, 0.1, 0.1])
    told = warned(import_log(log(["t", *(f"q{k}" for k in COUNTS)], [t, q]), puma))
    assert told == ["outside joint limits: joint2 at −68.75° (limits −45° to 225°), joint3 at 57.3° (limits −225° to 45°)"]
    inside = q * [1, 0.5, 0.5, 1, 1, 1]
    assert not warned(import_log(log(["t", *(f"q{k}" for k in COUNTS)], [t, inside]), puma))


def test_letters_that_mean_speeds(ur5, log):
    t, (q, qd, _) = times(), motion(times())
    names = ["t", *(f"a{k}" for k in COUNTS), *(f"v{k}" for k in COUNTS)]
    speeds = import_log(log(names, [t, q, qd]), ur5)
    assert speeds.metadata["imported"]["measured"]["qd"] == list(ur5.joint_names) and not warned(speeds)
    assert np.abs(speeds.qd - qd).max() < 1e-6
    volts = import_log(log(names, [t, q, 24 + 0.1 * q]), ur5)
    assert volts.metadata["imported"]["measured"]["qd"] == [] and "v1, v2, v3, v4, v5, v6: not used" in warned(volts)[0]
    still = import_log(log(names, [t, np.zeros_like(q), qd]), ur5)
    assert "single letters" in warned(still)[0]
    left = import_log(log(names, [t, q, qd]), ur5, {"qd": [""] * 6})
    assert warned(left) == ["not used: v1 … v6"]


def test_joints_that_only_their_place_tells(ur5, log):
    t, (q, _, _) = times(), motion(times())
    joints = ["Shoulder pan", "Shoulder lift", "Elbow", "W1", "W2", "W3"]
    recording = import_log(log(["Zeit", *(f"Winkel {name}" for name in joints)], [t, q]), ur5)
    assert np.abs(recording.q - q).max() < 1e-6 and not warned(recording)
    assert any("match only some joints of ur5; the" in line for line in recording.remarks)
    mixed = [joints[k] for k in (1, 0, 2, 3, 4, 5)]  # a name tells another place: the order is no hint
    guess = import_log(log(["Zeit", *(f"Winkel {name}" for name in mixed)], [t, q[:, [1, 0, 2, 3, 4, 5]]]), ur5)
    assert np.abs(guess.q - q)[:, :3].max() < 1e-6
    assert warned(guess) == [
        "not used: Winkel W1, Winkel W2, Winkel W3",
        "no position column for joint4, joint5, joint6; home is assumed",
    ]
    given = import_log(log(["Zeit", *joints], [t, q]), ur5, {"q": joints})
    assert not any("order of the file" in line for line in given.remarks)


def test_cells_that_are_no_numbers(ur5, log):
    t, (q, _, _) = times(), motion(times())
    path = log(["t", *(f"q{k}" for k in COUNTS)], [t, q])
    lines = path.read_text().splitlines()
    for line, word in ((203, "ERR"), (300, "Overrange")):
        cells = lines[line - 1].split(",")
        lines[line - 1] = ",".join([*cells[:5], word, *cells[6:]])
    path.write_text("\n".join(lines))
    with pytest.raises(RecordingError, match=r"line 203, column 6 \(q5\): 'ERR' is not a number; .* give it as missing"):
        import_log(path, ur5)
    with pytest.raises(RecordingError, match="line 300"):
        import_log(path, ur5, missing="err")
    for missing in (["ERR", "overrange"], "*"):
        recording = import_log(path, ur5, missing=missing)
        assert np.isfinite(recording.q).all() and np.abs(recording.q - q).max() < 1e-3
    assert any("treated as missing: line 203, column 6 (q5): 'ERR' first" in x for x in recording.remarks)


def test_residuals_beside_another_robot_say_so(ur5, log):
    t, (q, qd, qdd) = times(), motion(times())
    names = ["t", *(f"q{k}" for k in COUNTS), *(f"tau{k}" for k in COUNTS)]
    recording = import_log(log(names, [t, q, engine.rnea(ur5, q, qd, qdd)]), ur5)
    other = engine.torque_residuals(recording, engine.load_robot("puma560"))
    assert other.remarks == ("the recording belongs to ur5, the model to puma560",)
    assert engine.torque_residuals(recording, ur5.with_payload(1.0)).remarks == ()


def test_columns_in_newton_metres_are_torques_whatever_their_names(ur5, log):
    t, (q, _, _) = times(), motion(times())
    tau = np.outer(np.sin(t), COUNTS)
    path = log(["Zeit [s]", *(f"Achse{k} [rad]" for k in COUNTS), *(f"M{k} [Nm]" for k in COUNTS)], [t, q, tau])
    recording = import_log(path, ur5)
    assert recording.metadata["imported"]["measured"]["tau"] == list(ur5.joint_names)
    assert np.abs(recording.tau - tau).max() < 1e-6


def test_a_joint_whose_column_holds_no_number(ur5, log):
    t, (q, _, _) = times(), motion(times())
    q[:, 1] = np.nan
    q[:, 2] = 1e300
    told = warned(import_log(log(["t", *(f"q{k}" for k in COUNTS)], [t, q]), ur5))
    assert told == ["no numbers in q2, q3; the values computed from them are empty (NaN)"]
