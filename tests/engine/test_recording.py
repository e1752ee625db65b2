"""Recordings: columns, what is derived, formats, and the time axis."""

import csv
import json

import numpy as np
import pytest

from armature import engine
from armature.engine.recording.derived_columns import quaternions
from armature.engine.recording.recording_writer import RecordingClock

TAIL = ["tool.x", "tool.y", "tool.z", "tool.qw", "tool.qx", "tool.qy", "tool.qz", "sigma_min", "kinetic", "potential"]


@pytest.fixture(scope="module")
def robot():
    return engine.load_robot("puma560")


@pytest.fixture(scope="module")
def recording(robot):
    return engine.simulate(robot, robot.configurations["ready"], np.full(6, 0.3), 0.3, 1e-3)


def test_columns_are_those_of_the_format(robot, recording):
    joints = robot.joint_names
    groups = [f"{group}.{joint}" for group in ("q", "qd", "qdd", "tau") for joint in joints]
    assert recording.columns == ("t", *groups, *TAIL)
    assert recording.table().shape == (301, 4 * 6 + 11)


def test_derived_columns_are_what_the_engine_says(robot, recording):
    X = engine.frame_pose(robot, recording.q)
    assert np.array_equal(recording.tool[:, :3], X[:, :3, 3])
    w, x, y, z = recording.tool[150, 3:]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    assert np.allclose(R, X[150, :3, :3], atol=1e-14)
    assert np.allclose(recording.sigma_min[::50], [engine.singularity(robot, q).sigma_min for q in recording.q[::50]], atol=1e-12)
    assert np.allclose(recording.kinetic, engine.kinetic_energy(robot, recording.q, recording.qd))
    assert np.allclose(recording.potential, engine.potential_energy(robot, recording.q))


def test_quaternions_do_not_jump_over_many_turns():
    angle = np.linspace(0, 6 * np.pi, 400)
    R = np.zeros((400, 3, 3))
    R[:, 0, 0] = R[:, 1, 1] = np.cos(angle)
    R[:, 1, 0], R[:, 0, 1] = np.sin(angle), -np.sin(angle)
    R[:, 2, 2] = 1
    Q = quaternions(R)
    assert np.allclose(Q, np.column_stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)]), atol=1e-12)
    assert np.array_equal(np.vstack([quaternions(R[:130]), quaternions(R[130:], quaternions(R[:130])[-1])]), Q)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_quaternions_of_half_turns(axis):
    R = -np.eye(3)
    R[axis, axis] = 1
    assert np.allclose(np.abs(quaternions(R[None])[0]), np.eye(4)[axis + 1])


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".NPZ", ".mat", ".mcap"])
def test_every_bit_comes_back(recording, tmp_path, suffix):
    path = recording.save(tmp_path / f"run{suffix}")
    again = engine.load_recording(path)
    assert np.array_equal(again.table(), recording.table())
    assert again.joint_names == recording.joint_names
    beside = ["run.csv.meta.json"] if suffix == ".csv" else []
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"run{suffix}", *beside]
    assert dict(again.metadata) == dict(recording.metadata) and again.robot_name == "puma560"


def test_csv_is_plain(recording, tmp_path):
    path = recording.save(str(tmp_path / "run.csv"))
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    assert tuple(rows[0]) == recording.columns
    assert len(rows) == 302 and all(len(row) == 35 for row in rows)
    assert float(rows[7][3]) == recording.q[6, 2]


def test_npz_holds_one_array_per_column_and_json(recording, tmp_path):
    with np.load(recording.save(tmp_path / "run.npz"), allow_pickle=False) as data:
        assert tuple(data.files) == ("metadata", *recording.columns)
        assert np.array_equal(data["qd.joint2"], recording.qd[:, 1])
        metadata = json.loads(str(data["metadata"]))
    assert metadata["robot"] == "puma560" and metadata["dt"] == 1e-3 and metadata["integrator"] == "rk4"
    assert metadata["gravity"] == [0.0, 0.0, -9.81] and metadata["version"] and metadata["started"]


def test_an_arm_without_masses_has_no_energies(tmp_path):
    from armature.engine.recording.derived_columns import Completer

    table = Completer(engine.load_robot("irb140")).complete(np.linspace(0, 1, 50).reshape(2, 25))
    assert not table[:, -2:].any() and table[:, -3].all()


@pytest.mark.parametrize("name", ["run.bag", "run", "run.csv.part", "run.txt"])
def test_other_suffixes_are_refused_with_the_valid_ones(recording, tmp_path, name):
    with pytest.raises(engine.RecordingError, match=r"\.csv, \.npz, \.mat or \.mcap"):
        recording.save(tmp_path / name)


def test_a_folder_that_is_not_there(recording, tmp_path):
    with pytest.raises(engine.RecordingError, match="the folder does not exist"):
        recording.save(tmp_path / "nowhere" / "run.csv")


def test_arrays_are_read_only(recording):
    with pytest.raises(ValueError, match="read-only"):
        recording.q[0, 0] = 1.0


# -- the time axis ---------------------------------------------------------------------------------------------------------------


def test_time_begins_at_0_and_goes_on_through_everything():
    clock, times = RecordingClock(wall=500.0), []
    times += list(clock.posed(500.0)) + list(clock.posed(502.0))  # posed by hand for 2 s
    clock.enter_simulation(7.0, wall=503.0)  # at its own time 7
    times += list(clock.simulated(np.array([7.0, 7.5, 8.0])))
    clock.jump(8.0, 0.0)  # reset while it runs
    times += list(clock.simulated(np.array([0.5, 1.0])))
    clock.leave_simulation(1.0, wall=600.0)  # simulated slower than the clock
    times += list(clock.posed(601.0)) + list(clock.posed(601.0))
    assert np.allclose(times, [0, 2, 3, 3.5, 4, 4.5, 5, 6, 6])
    assert np.all(np.diff(times) > 0)


@pytest.mark.parametrize("dt", [1e-3, 2e-3, 0.1, 1e-7])
@pytest.mark.parametrize("began", [0.0, 12.345, 86_400.0])
def test_recorded_times_are_multiples_of_the_step_without_rounding_noise(dt, began):
    """A run at 12.345 s recorded 0.0009999999999763531."""
    clock = RecordingClock(wall=123.456)
    clock.enter_simulation(began, wall=123.456)
    k = np.arange(5000)
    expected = [float(f"{n * dt:.10f}") for n in k.tolist()]
    t = began + k * dt
    assert np.concatenate([clock.simulated(t[:1700]), clock.simulated(t[1700:])]).tolist() == expected


def test_times_after_a_pose_by_hand_are_short_in_text(tmp_path):
    clock = RecordingClock(wall=1000.1)
    first = clock.posed(1000.1)
    clock.enter_simulation(3.3, wall=1000.1 + 1 / 3)
    times = np.concatenate([first, clock.simulated(3.3 + np.arange(1000) * 1e-3)])
    assert all(len(repr(t)) <= len("0.333333333") for t in times.tolist()) and (np.diff(times) > 0).all()


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".mat", ".mcap"])
def test_a_simulation_records_clean_times_in_every_format(suffix, tmp_path):
    run = engine.simulate(engine.load_robot("pendulum"), [0.1], None, 0.05, 1e-3)
    expected = [float(f"{k * 1e-3:.3f}") for k in range(51)]
    assert run.t.tolist() == expected
    path = run.save(tmp_path / f"run{suffix}")
    assert engine.load_recording(path).t.tolist() == expected
    if suffix == ".csv":
        assert [line.split(",")[0] for line in path.read_text().splitlines()[10:12]] == ["0.009", "0.01"]
