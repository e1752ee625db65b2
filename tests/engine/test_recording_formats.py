"""The formats of recordings as other programs read them, and what they say about the run."""

import json
import shutil
import subprocess
import zipfile
from datetime import datetime
from io import BytesIO

import jsonschema
import numpy as np
import pandas as pd
import pytest
from mcap.reader import make_reader
from scipy.io import loadmat

from armature import engine
from armature.engine.recording.mcap import mcap_schemas
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_notes import sidecar
from armature.engine.recording.tables import npz_format, raw_format
from tests.time_limits import PROCESS

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def robot():
    return engine.load_robot("puma560").with_payload(0.851, (0, 0, 0.1)).with_gravity((0, 0, -1.62)).without_friction()


@pytest.fixture(scope="module")
def run(robot):
    return engine.simulate(robot, robot.configurations["ready"], np.full(6, 0.3), 0.3, 1e-3)


def odd(rows=3):
    """Numbers that are hard on text, names that are hard on quotes."""
    names = ('left, "upper" 100% arm', "größe\\n 手")
    table = np.random.default_rng(4).normal(size=(rows, 19)) * 10.0 ** np.arange(-310, 311, 34)[:19]
    table[:, 0] = np.arange(rows) / 3
    table[1, 1:6] = np.nan, np.inf, -np.inf, -0.0, 5e-324
    return engine.Recording.from_table(table, names, {"robot": "odd", "joints": list(names)})


# -- one model in every format ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", SUFFIXES)
@pytest.mark.parametrize("first", SUFFIXES)
def test_every_bit_goes_from_any_format_to_any(run, tmp_path, first, last):
    again = engine.load_recording(engine.load_recording(run.save(tmp_path / f"a{first}")).save(tmp_path / f"b{last}"))
    assert np.array_equal(again.table(), run.table()) and again.joint_names == run.joint_names
    assert dict(again.metadata) == dict(run.metadata) and again.robot_name == "puma560"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_odd_numbers_and_names_come_back(tmp_path, suffix):
    again = engine.load_recording(odd().save(tmp_path / f"a{suffix}"))
    assert again.joint_names == odd().joint_names
    assert again.table().tobytes() == odd().table().tobytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_samples_go_through_in_blocks(tmp_path, suffix):
    table = np.random.default_rng(5).normal(size=(45_000, 15))
    table[:, 0] = np.arange(45_000) * 1e-3
    made = engine.Recording.from_table(table, ("a",), {"joints": ["a"]})
    rows = 45_000 if suffix != ".mcap" else 4_001
    made = engine.Recording.from_table(made.table(0, rows), ("a",), made.metadata)
    assert np.array_equal(engine.load_recording(made.save(tmp_path / f"a{suffix}")).table(), made.table())


@pytest.mark.parametrize("suffix", [".npz", ".mat"])
def test_long_recordings_are_put_together_in_bounded_memory(run, tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(raw_format, "BUFFER", 8 * 301 * 3)
    monkeypatch.setattr(raw_format, "BLOCK", 10_000)
    assert np.array_equal(engine.load_recording(run.save(tmp_path / f"a{suffix}")).table(), run.table())


def test_a_large_npz_is_not_read_at_once(run, tmp_path, monkeypatch):
    path = run.save(tmp_path / "a.npz")
    monkeypatch.setattr(npz_format, "AT_ONCE", 1000)
    assert np.array_equal(engine.load_recording(path).table(), run.table())
    with path.open("rb") as file:
        _, _, blocks = npz_format.read_npz(file)
        assert isinstance(blocks.gi_frame.f_locals["columns"][0], np.memmap)


def test_the_metadata_tell_how_it_was_made(run, robot):
    data = run.metadata
    assert data["schema"] == 2 and data["robot"] == "puma560" and data["source"].endswith("robots/puma560.toml")
    assert data["file_sha256"] == robot.file_hash and len(data["file_sha256"]) == len(data["model_sha256"]) == 64
    assert data["gravity"] == [0, 0, -1.62] and data["friction"] is False and data["payload"][0]["mass"] == 0.851
    assert [next(iter(change)) for change in data["changes"]] == ["payload", "gravity", "friction"]
    assert data["controller"] == {"kind": "none"} and data["trajectory"] is None and data["seed"] is None
    assert data["dt"] == 1e-3 and data["integrator"] == "rk4" and data["version"] and data["events"] == []
    assert datetime.fromisoformat(data["started"]).tzinfo is not None


# -- .csv ------------------------------------------------------------------------------------------------------------------------


def test_pandas_reads_the_csv_as_it_is(run, tmp_path):
    table = pd.read_csv(run.save(tmp_path / "a.csv"))
    assert tuple(table.columns) == run.columns and np.array_equal(table.to_numpy(), run.table())
    assert set(table.dtypes) == {np.dtype("float64")}


def test_the_sidecar_of_a_csv_is_told_of_when_it_is_not_its_own(run, tmp_path):
    path = run.save(tmp_path / "a.csv")
    assert json.loads(sidecar(path).read_text())["robot"] == "puma560"
    for text, complaint in (("{", "cannot be read"), ('{"joints": ["x"]}', "belongs to another recording")):
        sidecar(path).write_text(text)
        with pytest.raises(engine.RecordingError, match=rf"a\.csv\.meta\.json .*{complaint}.*delete it"):
            engine.load_recording(path)
    sidecar(path).unlink()
    alone = engine.load_recording(path)
    assert np.array_equal(alone.table(), run.table()) and alone.robot_name == "" and alone.metadata["dt"] is None


# -- .mat ------------------------------------------------------------------------------------------------------------------------


def test_scipy_reads_the_mat(run, tmp_path):
    data = loadmat(run.save(tmp_path / "a.mat"))
    assert [name for name in data if not name.startswith("__")] == [
        "metadata", "joint_names", "t", "q", "qd", "qdd", "tau", "tool", "sigma_min", "kinetic", "potential",
    ]  # fmt: skip
    assert data["t"].shape == (301, 1) and np.array_equal(data["qd"], run.qd) and np.array_equal(data["tool"], run.tool)
    assert [name[0] for name in data["joint_names"][:, 0]] == list(run.joint_names)
    assert json.loads(data["metadata"][0])["robot"] == "puma560"


def test_the_mat_is_a_level_5_file(run, tmp_path):
    data = run.save(tmp_path / "a.mat").read_bytes()
    assert data.startswith(b"MATLAB 5.0 MAT-file") and data[124:128] == b"\x00\x01IM"
    at, kinds = 128, []
    while at < len(data):
        kinds.append(int.from_bytes(data[at : at + 4], "little"))
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "little")
    assert at == len(data) and kinds == [14] * 11 and len(data) % 8 == 0


@pytest.mark.skipif(
    shutil.which("octave-cli") is None, reason="Octave is not installed (127 packages); scipy reads the same file"
)
def test_octave_loads_the_mat(run, tmp_path):
    path = run.save(tmp_path / "a.mat")
    script = (
        f"load('{path}'); m = jsondecode(metadata);"
        "printf('%s %s %d %.17g %.17g', m.robot, joint_names{2}, rows(q), q(7, 3), sum(tau(:)))"
    )
    done = subprocess.run(["octave-cli", "--norc", "--eval", script], capture_output=True, text=True, timeout=PROCESS)
    name, joint, rows, one, total = done.stdout.split()
    assert (name, joint, int(rows), float(one)) == ("puma560", "joint2", 301, run.q[6, 2])
    assert float(total) == pytest.approx(run.tau.sum())


def test_a_mat_that_matlab_saved_again_is_read(run, tmp_path):
    from scipy.io import savemat

    data = {name: value for name, value in loadmat(run.save(tmp_path / "a.mat")).items() if not name.startswith("__")}
    savemat(tmp_path / "b.mat", data, do_compression=True)
    assert np.array_equal(engine.load_recording(tmp_path / "b.mat").table(), run.table())


def test_more_than_a_mat_can_hold_is_refused_before_it_is_written(tmp_path):
    from armature.engine.recording.recording_columns import column_names
    from armature.engine.recording.tables.mat_format import write_mat

    with (tmp_path / "a.mat").open("wb") as file, pytest.raises(ValueError, match=r"2 GB per array.*\.npz"):
        write_mat(file, column_names(["a"]), {}, lambda part: None, 1 << 28)
    assert not (tmp_path / "a.mat").stat().st_size


# -- .mcap -----------------------------------------------------------------------------------------------------------------------


def test_the_mcap_package_reads_messages_that_fit_their_schemas(run, tmp_path):
    counts = dict.fromkeys(mcap_schemas.SAMPLE_TOPICS, 0)
    began = round(datetime.fromisoformat(run.metadata["started"]).timestamp() * 1000) * 1_000_000
    with run.save(tmp_path / "a.mcap").open("rb") as file:
        for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages():
            if channel.topic not in counts:
                continue
            k = counts[channel.topic]
            data = json.loads(message.data)
            assert schema.encoding == "jsonschema" and channel.message_encoding == "json"
            if k % 25 == 0:
                jsonschema.Draft202012Validator(json.loads(schema.data)).validate(data)
            assert message.log_time == began + round(run.t[k] * 1e9) and message.sequence == k
            if schema.name == "foxglove.JointStates":
                assert [joint["name"] for joint in data["joints"]] == list(run.joint_names)
                values = [
                    [joint[name] for joint in data["joints"]] for name in ("position", "velocity", "acceleration", "effort")
                ]
                assert np.array_equal(values, [run.q[k], run.qd[k], run.qdd[k], run.tau[k]])
                assert data["timestamp"]["sec"] * 10**9 + data["timestamp"]["nsec"] == message.log_time
            elif schema.name == "foxglove.FrameTransforms":
                place = data["transforms"][0]
                assert (place["parent_frame_id"], place["child_frame_id"]) == ("world", "tool")
                assert [place["translation"][name] for name in "xyz"] == run.tool[k, :3].tolist()
                assert [place["rotation"][name] for name in "wxyz"] == run.tool[k, 3:].tolist()
            else:
                assert (schema.name, data["t"], data["kinetic"]) == ("armature.Sample", run.t[k], run.kinetic[k])
            counts[channel.topic] += 1
    assert set(counts.values()) == {301}


def test_the_schemas_are_those_that_foxglove_documents():
    assert [schema["title"] for schema in mcap_schemas.SAMPLE_TOPICS.values()][:2] == [
        "foxglove.JointStates",
        "foxglove.FrameTransforms",
    ]
    joint = mcap_schemas.JOINT_STATES["properties"]["joints"]["items"]
    assert joint["required"] == ["name"]
    assert list(joint["properties"]) == ["name", "position", "velocity", "acceleration", "effort"]
    transform = mcap_schemas.FRAME_TRANSFORMS["properties"]["transforms"]["items"]
    assert transform["required"] == ["timestamp", "parent_frame_id", "child_frame_id", "translation", "rotation"]


def test_an_mcap_has_its_metadata_and_an_index(run, tmp_path):
    with run.save(tmp_path / "a.mcap").open("rb") as file:
        reader = make_reader(file)
        (record,) = reader.iter_metadata()
        summary = reader.get_summary()
    assert record.name == "armature" and json.loads(record.metadata["robot"]) == "puma560"
    assert summary.statistics.message_count == 904 and summary.chunk_indexes
    assert {channel.topic for channel in summary.channels.values()} == {*mcap_schemas.SAMPLE_TOPICS, "/robot"}


def test_the_index_of_a_long_mcap_stays_small():
    from armature.engine.recording.mcap.mcap_format import CHUNK, McapEncoder
    from armature.engine.recording.recording_columns import column_names

    names = [f"joint{i}" for i in range(7)]
    encoder = McapEncoder(column_names(names), {"joints": names})
    parts = [encoder.header()]
    table = np.random.default_rng(6).normal(size=(2000, 39))
    table[:, 0] = np.arange(2000) * 1e-3
    for first in range(0, 2000, 100):
        parts.append(encoder.rows(table[first : first + 100]))
    parts.append(encoder.end(encoder.metadata))
    index = make_reader(BytesIO(b"".join(parts))).get_summary().chunk_indexes
    assert 1 < len(index) <= 2000 * 2500 / CHUNK


def test_an_npz_is_a_plain_archive_of_columns(run, tmp_path):
    with zipfile.ZipFile(run.save(tmp_path / "a.npz")) as archive:
        assert archive.namelist() == ["metadata.npy", *(f"{name}.npy" for name in run.columns)]
        assert archive.testzip() is None
