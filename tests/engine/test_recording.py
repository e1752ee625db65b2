"""Recordings: columns, formats, what damaged files say, and the time axis."""

import csv
import json
import math
import struct
import zipfile

import numpy as np
import pytest

import engine
from engine.recording.clock import RecordingClock
from engine.recording.columns import column_names
from engine.recording.npz_format import stream_header
from engine.recording.quaternion import quaternions
from engine.recording.reader import load_recording

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


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".NPZ"])
def test_every_bit_comes_back(recording, tmp_path, suffix):
    path = recording.save(tmp_path / f"run{suffix}")
    again = engine.load_recording(path)
    assert np.array_equal(again.table(), recording.table())
    assert again.joint_names == recording.joint_names
    assert [p.name for p in tmp_path.iterdir()] == [f"run{suffix}"]
    if suffix != ".csv":
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
    from engine.recording.derived import Completer

    table = Completer(engine.load_robot("irb140")).complete(np.linspace(0, 1, 50).reshape(2, 25))
    assert not table[:, -2:].any() and table[:, -3].all()


@pytest.mark.parametrize("name", ["run.mat", "run", "run.csv.part", "run.txt"])
def test_other_suffixes_are_refused_with_the_valid_ones(recording, tmp_path, name):
    with pytest.raises(engine.RecordingError, match=r"\.csv or \.npz"):
        recording.save(tmp_path / name)


def test_a_folder_that_is_not_there(recording, tmp_path):
    with pytest.raises(engine.RecordingError, match="the folder does not exist"):
        recording.save(tmp_path / "nowhere" / "run.csv")


def test_arrays_are_read_only(recording):
    with pytest.raises(ValueError, match="read-only"):
        recording.q[0, 0] = 1.0


# -- files that are not what they should be ------------------------------------------------------------------------------------


def complaint(path) -> str:
    with pytest.raises(engine.RecordingError) as caught:
        engine.load_recording(path)
    text = str(caught.value)
    assert "\n" not in text and path.name in text
    return text


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


HEADER = ",".join(column_names(["a"])) + "\n"
ROW = ",".join(["0.5"] * 15) + "\n"


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.csv", "", "empty"),
        ("a.npz", b"", "empty"),
        ("a.csv", "x,y\n1,2\n", "no column 'q.<joint>'"),
        ("a.csv", HEADER, "no complete sample"),
        ("a.csv", "t,q.a,qd.b\n", "column 3 is 'qd.b' where 'qd.a' belongs"),
        ("a.csv", HEADER.strip() + ",extra\n" + ROW, "16 columns"),
        ("a.csv", HEADER + ROW + "1,2,3\n", "line 3 has 3 numbers, the first line names 15 columns"),
        ("a.csv", HEADER + ROW + ROW.replace("0.5", "five", 1), "line 3: 'five' is not a number"),
        ("a.csv", HEADER + ROW + ROW.replace("0.5", "0.4", 1), "sample 2: its time does not follow"),
        ("a.csv", HEADER + ROW.replace("0.5", "nan", 1), "sample 1: its time"),
        ("a.csv", bytes(range(256)) * 40, "not a recording"),
        ("a.csv", b"\xff\xfe" * 1000 + b"\n", "not text"),
        ("a.csv", b"0" * (2 << 20), "its first line has no end"),
        ("a.npz", b"PK\x03\x04 but no zip", "damaged"),
        ("a.npz", b"nothing like it", "damaged"),
        ("a.npz.part", b"nothing like it", "does not begin as a recording"),
        ("a.npz.part", b"ARMATURE RECORDING 1\n\0\0\0" + struct.pack("<Q", 1 << 60), "ends within its header"),
        ("a.npz.part", b"ARMATURE RECORDING 1\n\0\0\0" + struct.pack("<Q", 8) + b"not json", "header is not readable"),
        ("a.txt", "hello", r"recordings end in .csv or .npz"),
    ],
)
def test_a_foreign_or_damaged_file_is_told_in_one_line(tmp_path, name, data, text):
    assert text in complaint(write(tmp_path / name, data))


def test_nothing_there_and_a_folder(tmp_path):
    assert "no such file" in complaint(tmp_path / "a.csv")
    (tmp_path / "b.csv").mkdir()
    assert "a folder" in complaint(tmp_path / "b.csv")


def test_a_truncated_npz(recording, tmp_path):
    data = recording.save(tmp_path / "a.npz").read_bytes()
    for size in (10, len(data) // 2, len(data) - 5):
        assert "damaged" in complaint(write(tmp_path / "cut.npz", data[:size]))


def test_an_npz_with_objects_is_not_unpickled(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (print, ("exploded",))

    path = tmp_path / "a.npz"
    arrays = {name: np.zeros(2) for name in column_names(["a"])}
    np.savez(path, **{**arrays, "metadata": np.array([Bomb()], dtype=object)})
    assert "not a recording" in complaint(path)


def test_an_npz_of_another_program(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, x=np.zeros(3))
    assert "no entry 'metadata'" in complaint(path)
    np.savez(path, **{name: np.zeros(3) for name in column_names(["a"])[:-1]}, metadata=np.array("{}"), potential=np.zeros(4))
    assert "'potential' is not a list of numbers" in complaint(path)


def test_files_too_large_are_refused_before_they_are_read(tmp_path):
    path = tmp_path / "a.csv"
    with path.open("wb") as file:
        file.write(HEADER.encode())
        file.truncate(5 << 30)  # sparse: takes no disk
    assert "recordings are read up to" in complaint(path)
    bomb = tmp_path / "b.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo("t.npy")
        archive.writestr(entry, b"\0" * 1000)
        archive.filelist[0].file_size = 5 << 30
    assert "recordings are read up to" in complaint(bomb)


def test_spreadsheets_may_have_touched_a_csv(recording, tmp_path):
    data = recording.save(tmp_path / "a.csv").read_bytes()
    path = write(tmp_path / "b.csv", b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n")
    assert np.array_equal(load_recording(path).table(), recording.table())


def test_names_with_commas_and_quotes_come_back(tmp_path):
    names = ('left, "upper" arm', "größe")
    table = np.arange(38.0).reshape(2, 19)
    made = engine.Recording.from_table(table, names, {"robot": "odd"})
    for suffix in (".csv", ".npz"):
        assert load_recording(made.save(tmp_path / f"a{suffix}")).joint_names == names


# -- what a killed run leaves ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_a_csv_part_is_read_to_its_last_complete_line(recording, tmp_path, cut):
    data = recording.save(tmp_path / "a.csv").read_bytes()
    path = write(tmp_path / "run.csv.part", data[:-cut])
    again = load_recording(path)
    complete = data[:-cut].count(b"\n") - 1
    assert len(again) == complete < 301 and again.metadata["recovered"]
    assert np.array_equal(again.table(), recording.table(0, complete))
    assert len(load_recording(tmp_path / "run.csv")) == complete  # by the name it would have got


@pytest.mark.parametrize("cut", [1, 8, 1000])
def test_an_npz_part_is_read_to_its_last_complete_row(recording, tmp_path, cut):
    data = stream_header(recording.columns, recording.metadata) + recording.table().astype("<f8").tobytes()
    again = load_recording(write(tmp_path / "run.npz.part", data[:-cut]))
    complete = 301 - math.ceil(cut / (35 * 8))
    assert np.array_equal(again.table(), recording.table(0, complete))
    assert again.robot_name == "puma560" and again.metadata["recovered"]


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


def test_simulated_time_is_kept_to_the_bit():
    clock = RecordingClock(wall=123.456)
    clock.enter_simulation(0.0, wall=123.456)
    t = np.arange(5000) * 1e-3
    assert np.array_equal(clock.simulated(t), t)
