"""Recordings store the name and the hash of the cell around the arm."""

from __future__ import annotations

import re

import numpy as np
import pytest

from armature import engine
from armature.engine import notebook
from armature.engine.recording.recording_metadata import recorded_cell
from armature.engine.simulation.commands import SetCell, StartRecording, Step, StopRecording
from armature.engine.simulation.runs.scenario import build_run, load_scenario

TABLE = engine.load_cell("table")
HIGHER = TABLE.with_changes("table", xyz=(0.6, 0.0, 0.5))


def fall(**options) -> engine.Recording:
    robot = engine.load_robot("double_pendulum")
    return engine.simulate(robot, [0.1, 0.2], None, 0.05, 1e-3, **options)


@pytest.mark.parametrize("suffix", ["csv", "npz", "mat", "mcap"])
def test_every_format_stores_name_and_hash(tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(notebook, "recording_page", lambda *_: None)
    read = engine.load_recording(fall(cell=TABLE).save(tmp_path / f"run.{suffix}"))
    assert recorded_cell(read.metadata) == ("table", TABLE.hash)
    assert recorded_cell(fall().metadata) is None
    facts = read._repr_html_()
    assert "cell</th><td>table</td>" in re.sub("<th[^>]*>", "", facts) and "cell</th>" not in fall()._repr_html_()


def test_objects_that_exert_no_force_change_no_number():
    assert np.array_equal(fall(cell=TABLE).table(), fall().table())


def test_a_cell_that_is_edited_during_a_recording_is_an_event(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(SetCell(TABLE))
    worker.post(StartRecording(tmp_path / "run.npz"))
    for cell in (TABLE, HIGHER):
        worker.post(Step(20))
        worker.post(SetCell(cell))
    worker.post(Step(20))
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recording = engine.load_recording(tmp_path / "run.npz")
    assert recorded_cell(recording.metadata) == ("table", TABLE.hash)
    notes = [event for event in recording.metadata["events"] if event["kind"] == "cell"]
    assert [note["cell"] for note in notes] == [{"name": "table", "sha256": HIGHER.hash}]
    assert 40 <= notes[0]["row"] < len(recording)
    assert engine.verify_recording(recording).identical


def test_a_scenario_names_its_cell_beside_its_file(tmp_path):
    engine.save_cell(HIGHER, tmp_path / "mine.toml")
    head = '[defaults]\nrobot = "double_pendulum"\nduration = 0.05\n'
    run = '[[runs]]\nname = "{0}"\ncell = "{1}"\nrecord = "{0}.npz"\n'
    runs = run.format("a", "mine.toml") + run.format("b", "table")
    path = tmp_path / "runs.toml"
    path.write_text(head + runs)
    for entry, cell in zip(load_scenario(path), (HIGHER, TABLE), strict=True):
        run = build_run(path, entry["run"], entry["table"])
        run.perform(False, lambda _: True)
        assert recorded_cell(engine.load_recording(run.record).metadata)[1] == cell.hash
    path.write_text(head + '[[runs]]\nname = "a"\ncell = "nosuch.toml"\n')
    with pytest.raises(engine.EngineError, match=r"runs\[0\].*nosuch\.toml"):
        load_scenario(path)
