"""Long recordings: read and done again in blocks, told of on the way, given up at any time."""

import numpy as np
import pytest

from armature import engine
from armature.engine.recording import recording_reader
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.simulation.runs import resimulate


@pytest.fixture(scope="module")
def run():
    robot = engine.load_robot("double_pendulum")
    return engine.simulate(robot, [0.3, 0.2], None, 2.0, 1e-3)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_it_is_put_together_from_pieces(run, tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(recording_reader, "SLAB", 8 * len(run.columns) * 7)
    assert np.array_equal(engine.load_recording(run.save(tmp_path / f"a{suffix}")).table(), run.table())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reading_and_writing_tell_how_far_they_are(run, tmp_path, suffix):
    written, read, converted = [], [], []
    path = run.save(tmp_path / f"a{suffix}", lambda *at: written.append(at))
    engine.load_recording(path, lambda *at: read.append(at))
    engine.convert_recording(path, tmp_path / f"b{suffix}", progress=lambda *at: converted.append(at))
    for told in (written, read, converted):
        done, total = np.array(told).T
        assert (np.diff(done) >= 0).all() and len(set(total)) == 1 and done[0] >= 0 and done[-1] <= total[0]
    assert read[-1][0] > 0.8 * read[-1][1] == 0.8 * path.stat().st_size


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reading_and_writing_are_given_up(run, tmp_path, suffix):
    path = run.save(tmp_path / f"a{suffix}")
    with pytest.raises(engine.Cancelled):
        engine.load_recording(path, cancelled=lambda: True)
    with pytest.raises(engine.Cancelled):
        run.save(tmp_path / f"b{suffix}", cancelled=lambda: True)
    assert not list(tmp_path.glob("*b.*")) and not list(tmp_path.glob(".*"))


def test_done_again_in_blocks_it_is_the_same(run, monkeypatch):
    monkeypatch.setattr(resimulate, "BLOCK", 77)
    told = []
    assert engine.verify_recording(run, None, lambda *at: told.append(at)).identical
    assert len(told) > 20 and told[-1] == (2001, 2001)
    with pytest.raises(engine.Cancelled):
        engine.verify_recording(run, cancelled=lambda: len(told) > 0)
    table = run.table()
    table[1234, 2] += 1e-9
    found = engine.verify_recording(engine.Recording.from_table(table, run.joint_names, run.metadata))
    assert (found.identical, found.sample, found.column) == (False, 1234, run.columns[2])
