"""What Foxglove and PlotJuggler ask of an `.mcap`: an index to seek in, times that rise, frames that are named."""

import json

import numpy as np
import pytest
from mcap.reader import make_reader

import engine
from engine.recording.metadata import metadata_of
from engine.recording.writer import RecordingWriter

ROWS = 5000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same rows, saved at once, and recorded live in small batches."""
    robot, folder = engine.load_robot("puma560"), tmp_path_factory.mktemp("mcap")
    states = np.random.default_rng(2).normal(size=(ROWS, 1 + 4 * robot.n))
    states[:, 0] = np.arange(ROWS) * 1e-3
    tape = RecordingWriter(folder / "live.mcap", robot, metadata_of(robot, 1e-3, "rk4"), lambda *_: None)
    for first in range(0, ROWS, 40):
        assert tape.put(states[first : first + 40], wait=True)
    tape.close()
    assert tape.join(60)
    engine.load_recording(folder / "live.mcap").save(folder / "saved.mcap")
    return folder


@pytest.mark.parametrize("name", ["live.mcap", "saved.mcap"])
def test_the_summary_tells_everything_without_a_look_at_the_messages(files, name):
    with (files / name).open("rb") as file:
        summary = make_reader(file).get_summary()
    counts = summary.statistics
    assert counts.channel_message_counts == {1: ROWS, 2: ROWS, 3: ROWS} and counts.chunk_count == len(summary.chunk_indexes) > 5
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
        assert (np.diff(times) >= 0).all() and len(times) == 3 * ROWS
        at = begin + 3_210_000_000
        _, channel, message = next(reader.iter_messages(topics=["/joint_states"], starting_at=at))
        stamp = json.loads(message.data)["timestamp"]
    assert (channel.topic, message.log_time, message.sequence) == ("/joint_states", at, 3210)
    assert message.publish_time == message.log_time == stamp["sec"] * 10**9 + stamp["nsec"]
