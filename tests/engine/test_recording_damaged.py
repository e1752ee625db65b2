"""Recordings that are damaged, foreign, older or left by a killed run: read as far as they can be, else told in one line."""

import math
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.recording.recording_columns import column_names
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_reader import load_recording
from armature.engine.recording.tables.raw_format import RawEncoder

OLD = Path(__file__).resolve().parents[1] / "data" / "recordings"


@pytest.fixture(scope="module")
def recording():
    robot = engine.load_robot("puma560")
    return engine.simulate(robot, robot.configurations["ready"], np.full(6, 0.3), 0.3, 1e-3)


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
        ("a.csv", "t,q.a,qd.b\n", "column 3 is 'qd.b' instead of 'qd.a'"),
        ("a.csv", HEADER.strip() + ",extra\n" + ROW, "16 columns"),
        ("a.csv", HEADER + ROW + "1,2,3\n", "line 3 has 3 numbers, but there are 15 columns"),
        ("a.csv", HEADER + ROW + ROW.replace("0.5", "five", 1), "line 3: 'five' is not a number"),
        ("a.csv", HEADER + ROW + ROW.replace("0.5", "0.4", 1), "sample 2: its time is not later"),
        ("a.csv", HEADER + ROW.replace("0.5", "nan", 1), "sample 1: its time"),
        ("a.csv", bytes(range(256)) * 40, "not an Armature recording"),
        ("a.csv", b"\xff\xfe" * 1000 + b"\n", "not a text file"),
        ("a.csv", b"0" * (2 << 20), "its first line is too long"),
        ("a.npz", b"PK\x03\x04 but no zip", "damaged"),
        ("a.npz", b"nothing like it", "damaged"),
        ("a.npz.part", b"nothing like it", "does not start with the header"),
        ("a.npz.part", b"ARMATURE RECORDING 1\n\0\0\0" + struct.pack("<Q", 1 << 60), "ends within its header"),
        ("a.npz.part", b"ARMATURE RECORDING 1\n\0\0\0" + struct.pack("<Q", 8) + b"not json", "header cannot be read"),
        ("a.mat", b"nothing like it", "not a MAT file"),
        ("a.mat", b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x02IM", "save it with -v7"),
        ("a.mat.part", b"nothing like it", "does not start with the header"),
        ("a.mcap", b"nothing like it", "not an MCAP file"),
        ("a.mcap.part", b"nothing like it", "not an MCAP file"),
        ("a.mcap.part", bytes([137, 77, 67, 65, 80, 48, 13, 10]), "ends within its header"),
        ("a.txt", "hello", r"a recording must end in .csv, .npz, .mat or .mcap"),
    ],
)
def test_a_foreign_or_damaged_file_is_told_in_one_line(tmp_path, name, data, text):
    assert text in complaint(write(tmp_path / name, data))


def test_nothing_there_and_a_folder(tmp_path):
    assert "no such file" in complaint(tmp_path / "a.csv")
    (tmp_path / "b.csv").mkdir()
    assert "a folder" in complaint(tmp_path / "b.csv")


@pytest.mark.parametrize("suffix", [".npz", ".mat", ".mcap"])
def test_a_truncated_file(recording, tmp_path, suffix):
    data = recording.save(tmp_path / f"a{suffix}").read_bytes()
    for size in (1, 10, 130, 700, *np.linspace(1000, len(data) - 1, 25, dtype=int)):
        text = complaint(write(tmp_path / f"cut{suffix}", data[:size]))
        assert "damaged" in text or "incomplete" in text or "no array" in text


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_whatever_bytes_are_wrong_nothing_but_a_recording_error_comes(recording, tmp_path, suffix):
    random = np.random.default_rng(11)
    short = engine.Recording.from_table(recording.table(0, 20), recording.joint_names, recording.metadata)
    data = short.save(tmp_path / f"a{suffix}").read_bytes()
    for name in (f"b{suffix}", f"b{suffix}.part"):
        for k in range(150):
            bad = bytearray(data)
            for at in random.integers(0, len(bad) if k % 2 else min(600, len(bad)), 1 + k % 5):
                bad[at] = random.integers(0, 256)
            try:
                assert len(load_recording(write(tmp_path / name, bytes(bad)))) <= 20
            except engine.RecordingError as error:
                assert "\n" not in str(error) and name in str(error)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_of_another_format_under_this_name(recording, tmp_path, suffix):
    for other in SUFFIXES:
        if other != suffix:
            complaint(write(tmp_path / f"x{suffix}", recording.save(tmp_path / f"a{other}").read_bytes()))


def test_files_of_other_programs(tmp_path):
    from mcap.writer import Writer
    from scipy.io import savemat

    savemat(tmp_path / "a.mat", {"x": np.zeros(3)})
    assert "no array 't'" in complaint(tmp_path / "a.mat")
    groups = ("q", "qd", "qdd", "tau", "tool", "sigma_min", "kinetic", "potential")
    savemat(tmp_path / "a.mat", {**dict.fromkeys(groups, 1.0), "t": 0.0, "metadata": '{"joints": ["a"]}'})
    assert "'tool' is not 1 × 7 numbers" in complaint(tmp_path / "a.mat")
    with (tmp_path / "a.mcap").open("wb") as file:
        bag = Writer(file)
        bag.start()
        channel = bag.register_channel("/chatter", "json", 0)
        bag.add_message(channel, 1, b"{}", 1)
        bag.finish()
    assert "of another program, without metadata 'armature'" in complaint(tmp_path / "a.mcap")


def test_an_mcap_whose_messages_do_not_belong_together(recording, tmp_path):
    from mcap.writer import Writer

    from armature.engine.recording.mcap.mcap_format import NAME

    for message, text in ((b"{}", "the messages of sample 8 do not match"), (b"{", "the messages of sample 8 do not match")):
        with (tmp_path / "a.mcap").open("wb") as file:
            writer = Writer(file)
            writer.start()
            writer.add_metadata(NAME, {"joints": '["a"]'})
            for topic in ("/joint_states", "/tf", "/armature"):
                writer.add_message(writer.register_channel(topic, "json", 0), 1, message, 1, sequence=7)
            writer.finish()
        assert text in complaint(tmp_path / "a.mcap")


def test_metadata_that_cannot_be(recording, tmp_path):
    for text in ("[]", "{", '{"schema": 0}', '{"schema": "new"}'):
        path = tmp_path / "a.npz"
        np.savez(path, metadata=np.array(text), **{name: np.zeros(2) for name in column_names(["a"])})
        assert "its metadata" in complaint(path)


def test_a_newer_version_is_read_as_far_as_it_is_understood(tmp_path):
    path = tmp_path / "a.npz"
    text = '{"schema": 9, "robot": "later", "wheels": 4}'
    np.savez(path, metadata=np.array(text), **{name: np.zeros(2) for name in column_names(["a"])})
    again = load_recording(path)
    assert again.metadata["schema"] == 9 and again.metadata["wheels"] == 4 and again.robot_name == "later"


@pytest.mark.parametrize("name", ["version_1.csv", "version_1.npz", "version_1_killed.npz.part"])
def test_files_of_the_first_version_load(name):
    again = load_recording(OLD / name)
    assert again.joint_names == ("joint1", "joint2") and np.array_equal(again.q[0], [0.5, -0.25])
    assert len(again) == (4 if "killed" in name else 5)
    assert again.metadata["schema"] == 1 and again.metadata["controller"] is None and again.metadata["events"] is None
    if "csv" not in name:
        assert again.robot_name == "double_pendulum" and again.metadata["dt"] == 1e-3 and again.metadata["file_sha256"] == ""


def test_an_npz_with_objects_is_not_unpickled(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (print, ("exploded",))

    path = tmp_path / "a.npz"
    arrays = {name: np.zeros(2) for name in column_names(["a"])}
    np.savez(path, **{**arrays, "metadata": np.array([Bomb()], dtype=object)})
    assert "not an Armature recording" in complaint(path)


def test_an_npz_of_another_program(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, x=np.zeros(3))
    assert "no entry 'metadata'" in complaint(path)
    np.savez(path, **{name: np.zeros(3) for name in column_names(["a"])[:-1]}, metadata=np.array("{}"), potential=np.zeros(4))
    assert "'potential' is not an array of numbers" in complaint(path)


def test_files_too_large_are_refused_before_they_fill_the_memory(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    with path.open("wb") as file:
        file.write(HEADER.encode())
        file.truncate(5 << 30)  # sparse: takes no disk
    assert "a line is too long" in complaint(path)
    bomb = tmp_path / "b.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("metadata", *column_names(["a"])):
            archive.writestr(f"{name}.npy", b"\0" * 1000)
        archive.filelist[1].file_size = 5 << 30
    assert "uncompressed" in complaint(bomb)
    monkeypatch.setattr("armature.engine.recording.recording_reader.MAX_BYTES", 1000)
    assert "convert only a part of it" in complaint(write(tmp_path / "c.csv", HEADER + ROW * 20))


def test_spreadsheets_may_have_touched_a_csv(recording, tmp_path):
    data = recording.save(tmp_path / "a.csv").read_bytes()
    path = write(tmp_path / "b.csv", b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n")
    assert np.array_equal(load_recording(path).table(), recording.table())


def test_names_with_commas_and_quotes_come_back(tmp_path):
    names = ('left, "upper" arm', "größe")
    table = np.arange(38.0).reshape(2, 19)
    made = engine.Recording.from_table(table, names, {"robot": "odd", "joints": list(names)})
    for suffix in SUFFIXES:
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
    data = RawEncoder(recording.columns, recording.metadata).header() + recording.table().astype("<f8").tobytes()
    again = load_recording(write(tmp_path / "run.npz.part", data[:-cut]))
    complete = 301 - math.ceil(cut / (35 * 8))
    assert np.array_equal(again.table(), recording.table(0, complete))
    assert again.robot_name == "puma560" and again.metadata["recovered"]


def test_a_table_cut_off_in_its_last_row_says_so(recording, tmp_path):
    path = recording.save(tmp_path / "fall.csv")
    assert load_recording(path).remarks == ()
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    cut = load_recording(path)
    assert len(cut) == len(recording) - 1
    assert cut.remarks == ("the last row is incomplete and was omitted; the file may be cut off",)
    path.write_bytes(whole + b"\n  ")
    assert load_recording(path).remarks == ()


def test_fewer_rows_than_the_metadata_tell_of_are_told(recording, tmp_path):
    events = [{"row": 250, "kind": "torque", "torque": [0.0] * 6}]
    part = engine.Recording.from_table(recording.table(0, 200), recording.joint_names, {**recording.metadata, "events": events})
    (remark,) = load_recording(part.save(tmp_path / "part.npz")).remarks
    assert remark == "it has 200 rows, but 250 according to its metadata; the file may be cut off"
    whole = engine.Recording.from_table(recording.table(), recording.joint_names, {**recording.metadata, "events": events})
    assert load_recording(whole.save(tmp_path / "whole.npz")).remarks == ()
