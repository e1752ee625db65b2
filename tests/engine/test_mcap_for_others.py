"""What Foxglove and PlotJuggler ask of an `.mcap`: an index to seek in, times that rise, numbers that fit the schemas."""

import json

import jsonschema
import numpy as np
import pytest
from mcap.reader import make_reader

from armature import engine
from armature.engine.recording.mcap.mcap_scene import SCENE_UPDATE
from armature.engine.recording.mcap.mcap_schemas import SAMPLE_TOPICS
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_writer import RecordingWriter
from tests.time_limits import WAIT

ROWS = 5000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same rows, saved at once, and recorded live in small batches."""
    robot, folder = engine.load_robot("puma560"), tmp_path_factory.mktemp("mcap")
    states = np.random.default_rng(2).normal(size=(ROWS, 1 + 4 * robot.n))
    states[:, 0] = np.arange(ROWS) * 1e-3
    writer = RecordingWriter(folder / "live.mcap", robot, metadata_of(robot, 1e-3, "rk4"), lambda *_: None)
    for first in range(0, ROWS, 40):
        assert writer.put(states[first : first + 40], wait=True)
    writer.close()
    assert writer.join(WAIT)
    engine.load_recording(folder / "live.mcap").save(folder / "saved.mcap")
    return folder


@pytest.mark.parametrize("name", ["live.mcap", "saved.mcap"])
def test_the_summary_tells_everything_without_a_look_at_the_messages(files, name):
    with (files / name).open("rb") as file:
        summary = make_reader(file).get_summary()
    counts = summary.statistics
    assert (
        counts.channel_message_counts == {1: ROWS, 2: ROWS, 3: ROWS, 4: 1}
        and counts.chunk_count == len(summary.chunk_indexes) > 5
    )
    assert counts.message_end_time - counts.message_start_time == (ROWS - 1) * 1_000_000
    assert {channel.message_encoding for channel in summary.channels.values()} == {"json"}
    assert {schema.encoding for schema in summary.schemas.values()} == {"jsonschema"}
    assert all(json.loads(schema.data)["type"] == "object" for schema in summary.schemas.values())
    ends = np.array([(chunk.message_start_time, chunk.message_end_time) for chunk in summary.chunk_indexes])
    assert (ends[:, 0] <= ends[:, 1]).all() and (ends[1:, 0] >= ends[:-1, 1]).all(), "chunks overlap"
    assert all(chunk.message_index_offsets and chunk.compression == "zstd" for chunk in summary.chunk_indexes)


@pytest.mark.parametrize("name", ["live.mcap", "saved.mcap"])
def test_times_rise_and_a_moment_is_found_by_the_index(files, name):
    with (files / name).open("rb") as file:
        reader = make_reader(file)
        begin = reader.get_summary().statistics.message_start_time
        times = [message.log_time for _, _, message in reader.iter_messages(log_time_order=False)]
        assert (np.diff(times) >= 0).all() and len(times) == 3 * ROWS + 1
        at = begin + 3_210_000_000
        _, channel, message = next(reader.iter_messages(topics=["/joint_states"], starting_at=at))
        stamp = json.loads(message.data)["timestamp"]
    assert (channel.topic, message.log_time, message.sequence) == ("/joint_states", at, 3210)
    assert message.publish_time == message.log_time == stamp["sec"] * 10**9 + stamp["nsec"]


def plain(schema):
    """Whether Foxglove 1 makes sense of a schema: it knows one type per field, and wants the properties of every object."""
    if schema["type"] == "object":
        return all(map(plain, schema["properties"].values()))
    return plain(schema["items"]) if schema["type"] == "array" else schema["type"] in ("number", "integer", "string", "boolean")


@pytest.mark.parametrize("schema", [*SAMPLE_TOPICS.values(), SCENE_UPDATE], ids=lambda schema: schema["title"])
def test_the_schemas_are_plain_and_say_what_the_fields_mean(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    assert plain(schema)
    text = json.dumps(schema)
    assert '"required": []' not in text and text.count('"description"') == text.count('"type"')


# -- numbers that JSON has not ---------------------------------------------------------------------------------------------------


def odd() -> engine.Recording:
    """Four samples: whole, a joint that is not finite, a pose of which one number is not, energies that are not."""
    table = np.random.default_rng(4).normal(size=(4, 19))
    table[:, 0] = np.arange(4) / 7
    table[1, 1:6] = np.nan, np.inf, -np.inf, -0.0, 5e-324
    table[2, 10] = np.nan
    table[3, 17:] = -np.inf, np.inf
    return engine.Recording.from_table(table, ("a", "b"), {"robot": "odd", "joints": ["a", "b"]})


def messages(path) -> dict[str, list[dict]]:
    found = {topic: [] for topic in SAMPLE_TOPICS}
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file).iter_messages():
            data = json.loads(message.data, parse_constant=pytest.fail)
            jsonschema.Draft202012Validator(json.loads(schema.data)).validate(data)
            found[channel.topic].append(data)
    return found


def test_what_is_not_finite_is_left_out_and_comes_back_to_the_bit(tmp_path):
    path = odd().save(tmp_path / "a.mcap")
    found = messages(path)
    a, b = found["/joint_states"][1]["joints"]
    assert sorted(a) == ["acceleration", "effort", "name"] and sorted(b) == ["acceleration", "effort", "name", "velocity"]
    assert [len(row["transforms"]) for row in found["/tf"]] == [1, 1, 0, 1]
    assert "sigma_min" in found["/armature"][3] and "kinetic" not in found["/armature"][3]
    assert ["row" in sample for sample in found["/armature"]] == [False, True, True, True]
    assert engine.load_recording(path).table().tobytes() == odd().table().tobytes()


def foreign(path, texts):
    """An `.mcap` with these messages as its samples, by an older version or another program."""
    from mcap.writer import Writer

    with path.open("wb") as file:
        writer = Writer(file)
        writer.start()
        writer.add_metadata("armature", {"joints": '["a"]', "robot": '"old"'})
        channels = [writer.register_channel(topic, "json", 0) for topic in SAMPLE_TOPICS]
        for number, sample in enumerate(texts):
            for channel, text in zip(channels, sample, strict=True):
                writer.add_message(channel, number, text.encode(), number, number)
        writer.finish()
    return engine.load_recording(path)


OLD = (
    '{"timestamp":{"sec":0,"nsec":0},"joints":[{"name":"a","position":%s,"velocity":null,"acceleration":1e999,"effort":-1e999}]}',
    '{"transforms":[{"timestamp":{"sec":0,"nsec":0},"parent_frame_id":"world","child_frame_id":"tool","translation":'
    '{"x":%s,"y":1,"z":null},"rotation":{"x":0.1,"y":0.2,"z":0.3,"w":0.4}}]}',
    '{"timestamp":{"sec":0,"nsec":0},"t":%s,"sigma_min":null,"kinetic":1e999,"potential":0.25}',
)


def test_files_of_the_version_before_are_read(tmp_path):
    inf, nan = np.inf, np.nan
    run = foreign(tmp_path / "a.mcap", [[text % number for text in OLD] for number in (0.1, 0.30000000000000004)])
    rows = [[x, x, nan, inf, -inf, x, 1.0, nan, 0.4, 0.1, 0.2, 0.3, nan, inf, 0.25] for x in (0.1, 0.30000000000000004)]
    assert run.table().tobytes() == np.array(rows).tobytes() and run.metadata["tree"] is None


def test_what_is_absent_is_not_a_number(tmp_path):
    nothing = ['{"joints":[{"name":"a","effort":2.5}]}', '{"transforms":[]}', '{"t":0.5}']
    others = '{"transforms":[{"child_frame_id":"hand","translation":{"x":1,"y":1,"z":1},"rotation":{"x":0,"y":0,"z":0,"w":1}}]}'
    run = foreign(tmp_path / "a.mcap", [nothing, [nothing[0], others, nothing[2]]])
    for row in run.table():
        assert row[[0, 4]].tolist() == [0.5, 2.5] and np.isnan(row[[1, 2, 3, *range(5, 15)]]).all()


@pytest.mark.parametrize(
    "sample",
    [
        ('{"joints":[{"name":"b"}]}', '{"transforms":[]}', '{"t":0}'),
        ('{"joints":[{"name":"a"},{"name":"a"}]}', '{"transforms":[]}', '{"t":0}'),
        ('{"joints":[{"name":"a","effort":"much"}]}', '{"transforms":[]}', '{"t":0}'),
        ('{"joints":[{"name":"a"}]}', '{"transforms":[]}', '{"t":0,"row":["1","2"]}'),
        ('{"joints":[{"name":"a","effort":1%s}]}' % ("0" * 400), '{"transforms":[]}', '{"t":0}'),
        ('{"joints":[{"name":"a"}]}', '{"transforms":[]}', '{"t":1%s}' % ("0" * 5000)),
        ('{"joints":[{"name":"a"}]}', '{"transforms":%s}' % ("[" * 100_000), '{"t":0}'),
        (
            '{"joints":[{"name":"a"}]}',
            '{"transforms":[]}',
            '{"t":0,"row":["x","1","1","1","1","1","1","1","1","1","1","1","1","1","1"]}',
        ),
        ('{"joints":[{"name":"a"}]},{"joints":[{"name":"a"}]}', '{"transforms":[]}', '{"t":0}'),
    ],
)
def test_messages_that_are_no_sample_are_told_with_their_number(tmp_path, sample):
    good = ['{"joints":[{"name":"a"}]}', '{"transforms":[]}', '{"t":0}']
    with pytest.raises(engine.RecordingError, match="messages of sample 3 do not match the joints"):
        foreign(tmp_path / "a.mcap", [good, good, sample])
