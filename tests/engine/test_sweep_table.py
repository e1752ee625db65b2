"""Tables of a sweep: what a row says, to the last bit; where a sweep goes on, and whose table it leaves alone."""

from __future__ import annotations

import csv
import hashlib
import pickle
import sys
from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.sweeps import sweep_table
from armature.engine.simulation.sweeps.computing_facts import computing_facts, difference, facts_like, robot_facts
from armature.engine.simulation.sweeps.run_task import RunTask, perform
from armature.engine.simulation.sweeps.sweep import Sweep, SweepColumns
from armature.engine.simulation.sweeps.sweep_table import SweepTable

SCENARIO = """
[defaults]
robot = "scara"
duration = 0.05
qd0 = [1.0, 0.5, 0.0]
[[runs]]
name = "hold"
controller = "pd-gravity"
payload = { mass = 1.0 }
sweep = { "payload.mass" = [0, 0.5], seed = [3, 4] }
[[runs]]
name = "wild"
dt = 0.1
duration = 5.0
integrator = "euler"
controller = { kind = "pd", kp = 1e9, kd = 0.0, saturate = false }
"""


@pytest.fixture
def sweep(tmp_path):
    return swept(tmp_path, SCENARIO)


def swept(folder, text) -> Sweep:
    path = folder / "s.toml"
    path.write_text(text)
    return Sweep(path)


def opened(sweep, path, overwrite=False) -> SweepTable:
    return SweepTable(path, SweepColumns(sweep).columns, sweep.origin, overwrite)


def fill(sweep, table, numbers) -> list:
    results = [perform(RunTask(number, sweep.run(number)), lambda _: True) for number in numbers]
    for result in results:
        table.add(SweepColumns(sweep).row(result))
    return results


def rows(path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_has_what_was_swept_and_the_run_to_its_last_bit(sweep, tmp_path, scara):
    table = opened(sweep, tmp_path / "t.csv")
    fill(sweep, table, [4, 2, 0, 3, 1])
    assert [row["run"] for row in rows(table.part)] == ["5", "3", "1", "4", "2"]  # as they come
    table.finish()
    assert not table.part.exists()
    told = rows(table.path)
    assert [row["name"] for row in told] == ["hold-1", "hold-2", "hold-3", "hold-4", "wild"]
    assert [(row["payload.mass"], row["seed"]) for row in told] == [
        *(("0.0", "3"), ("0.0", "4"), ("0.5", "3"), ("0.5", "4"), ("", ""))
    ]
    third, run = told[2], sweep.run(2)
    alone = engine.simulate(run.robot, run.q0, run.qd0, 0.05, 1e-3, run.controller)
    assert [float(third[f"q.{joint}"]) for joint in scara.joint_names] == alone.q[-1].tolist()
    assert [float(third[f"qd.{joint}"]) for joint in scara.joint_names] == alone.qd[-1].tolist()
    assert [float(third[f"peak_tau.{joint}"]) for joint in scara.joint_names] == np.abs(alone.tau).max(axis=0).tolist()
    states = np.column_stack([alone.t, alone.q, alone.qd, alone.qdd, alone.tau])
    assert third["states_sha256"] == hashlib.sha256(states.tobytes()).hexdigest()
    assert (third["steps"], third["outcome"]) == ("50", "done")
    assert told[4]["outcome"] == "failed" and "diverge" in told[4]["remark"] and told[4]["q.joint1"] == ""


@pytest.mark.parametrize("name", ["gyroscope", "payloads", "changing_arm"])
def test_a_run_that_went_to_another_process_is_the_same_to_the_last_bit(name):
    """A pickle changes what an array says of its type, and what does not know that type may round otherwise."""
    from armature.engine.files import shipped

    sweep = Sweep(shipped("assets", "scenarios") / f"{name}.toml")
    run = replace(sweep.run(0), duration=0.3)
    sent = pickle.loads(pickle.dumps(run))
    here, there = (RunTask(0, r) for r in (run, sent))
    assert perform(here, lambda _: True).outcome.digest == perform(there, lambda _: True).outcome.digest


def test_parquet_has_the_same_with_types(sweep, tmp_path):
    from pyarrow import parquet

    for name in ("t.csv", "t.parquet"):
        table = opened(sweep, tmp_path / name)
        fill(sweep, table, range(5))
        table.finish()
    held = parquet.read_table(tmp_path / "t.parquet").to_pylist()
    for exact, text in zip(held, rows(tmp_path / "t.csv"), strict=True):
        assert {
            key: "" if value is None else repr(value) if isinstance(value, float) else str(value) for key, value in exact.items()
        } == text
    assert type(held[0]["seed"]) is int and type(held[0]["payload.mass"]) is float and held[4]["t"] is None
    again = opened(sweep, tmp_path / "t.parquet")
    assert again.is_whole and again.ended == set(range(5)) and again.failed == {4}


def test_what_was_stopped_goes_on_after_its_last_whole_row(sweep, tmp_path):
    path = tmp_path / "t.csv"
    whole = opened(sweep, tmp_path / "whole.csv")
    fill(sweep, whole, range(5))
    whole.finish()
    table = opened(sweep, path)
    fill(sweep, table, [1, 4])
    table.close()
    part = table.part.read_bytes()
    table.part.write_bytes(part[:-30])  # killed while it wrote
    table = opened(sweep, path)
    assert table.ended == {1} and not table.failed and not path.exists()
    fill(sweep, table, [0, 2, 3, 4])
    table.finish()
    assert path.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert opened(sweep, path).ended == set(range(5))


@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize("other", ["scenario", "robot file"])
def test_a_table_of_something_else_is_left_alone(tmp_path, scara, finished, other):
    robot, path = tmp_path / "mine.toml", tmp_path / "t.csv"
    robot.write_text(scara.source.read_text())
    text = SCENARIO.replace('"scara"', '"mine.toml"')
    sweep = swept(tmp_path, text)
    table = opened(sweep, path)
    fill(sweep, table, range(5))
    table.finish() if finished else table.close()
    (file,) = tmp_path.glob("t.csv*")
    before = file.read_bytes()
    if other == "robot file":
        robot.write_text(f"{robot.read_text()}\n# weighed anew\n")
    changed = swept(tmp_path, text.replace("[3, 4]", "[3, 5]") if other == "scenario" else text)
    with pytest.raises(engine.RecordingError, match=f"{file.name}: has results of another {other}; .*--overwrite"):
        opened(changed, path)
    assert file.read_bytes() == before
    assert not opened(changed, path, overwrite=True).ended and path.exists() == finished


def test_a_table_of_another_version_or_target_or_of_no_sweep_is_left_alone(sweep, tmp_path):
    path = tmp_path / "t.csv"
    table = opened(sweep, path)
    fill(sweep, table, [0])
    with pytest.raises(engine.RecordingError, match=r"another sweep is writing it"):
        opened(sweep, path)
    table.close()
    others = {
        "version": "another version of Armature",
        "target": r"another numba target \(\S+, here it is 0\)",
        "libraries": "another version of numba",
    }
    for item, complaint in others.items():
        with pytest.raises(engine.RecordingError, match=complaint):
            SweepTable(path, SweepColumns(sweep).columns, replace(sweep.origin, **{item: "0"}))
    for name in ("a.csv", "a.parquet"):
        (tmp_path / name).write_text("a,b\n1,2\n")
        with pytest.raises(engine.RecordingError, match="exists and is not a table of a sweep"):
            opened(sweep, tmp_path / name)
    for name, complaint in (("a.txt", "as .csv or .parquet"), ("no/a.csv", "does not exist")):
        with pytest.raises(engine.RecordingError, match=complaint):
            opened(sweep, tmp_path / name)


def test_parquet_without_its_package_says_what_to_install(sweep, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(engine.RecordingError, match=r'needs the package pyarrow: pip install "armature\[cluster\]"'):
        opened(sweep, tmp_path / "t.parquet")


def test_rows_that_the_disk_refuses_are_told(sweep, tmp_path, monkeypatch):
    table = opened(sweep, tmp_path / "t.csv")
    fill(sweep, table, [0])

    def full(fd, data):
        raise OSError(28, "No space left on device")

    with (
        monkeypatch.context() as patch,
        pytest.raises(engine.RecordingError, match="the disk is full; the rows so far are saved"),
    ):
        patch.setattr(sweep_table.os, "write", full)
        fill(sweep, table, [1])
    table.close()
    assert opened(sweep, tmp_path / "t.csv").ended == {0}


def test_what_sets_a_worker_apart_is_named(scara):
    here = computing_facts() | robot_facts(scara)
    assert facts_like(here) == here and not difference(here, facts_like(here))
    for name, there, words in (
        ("version", "9.9.9", "has Armature 9.9.9, this computer has "),
        ("sources", "0", "has different source files of Armature"),
        ("target", "armv8", "has the numba target armv8, this computer has "),
        ("libraries", "numpy 1.0", "has numpy 1.0, this computer has "),
        ("robots/scara.toml", "0", "has a different robot file robots/scara.toml"),
        ("robots/scara.toml", "", "has no robot file robots/scara.toml"),
    ):
        assert difference(here, here | {name: there}).startswith(words)
