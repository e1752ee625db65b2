"""`scenario --cluster`: runs on the workers of a Dask cluster, some of which do not live to the end; and what is refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from armature import engine
from armature.app import cli
from tests.time_limits import PROCESS, wait_until

ROOT = Path(__file__).resolve().parents[2]
LAW = """
import os, pathlib, time
HERE = pathlib.Path({folder!r})

def control(t, q, qd, goal, arm, p):
    if t == 0.0:
        with (HERE / "begun").open("a") as file:
            print(p.mark, os.getpid(), file=file)
        while p.mark == 2 and (HERE / "block").exists():
            time.sleep(0.02)
    return -p.kp * qd

control.p = {{"mark": (0, 9, 0), "kp": (0, 100, 10)}}
"""
SCENARIO = """
[defaults]
robot = "scara"
duration = 0.2
qd0 = [1.0, 0.5, 0.0]
[[runs]]
name = "a"
record = "{name}.csv"
controller = { kind = "mine.py", mark = 1 }
sweep = { "controller.mark" = [1, 2, 3, 4], seed = [7] }
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "mine.py").write_text(LAW.format(folder=str(tmp_path)))
    (tmp_path / "block").touch()
    path = tmp_path / "s.toml"
    path.write_text(SCENARIO)
    return path


@contextmanager
def program(path, *arguments):
    command = [sys.executable, "main.py", "scenario", path, "--allow-code", "--table", path.with_name("t.csv"), *arguments]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {**os.environ, "ARMATURE_CALL_LIMIT": "0"}  # a call that is blocked waits for the test, however slow it is
    process = subprocess.Popen([*map(str, command)], cwd=ROOT, env=environment, text=True, start_new_session=True, **pipe)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(process, there):
    wait_until(lambda: process.poll() is not None or there())
    assert process.poll() is None, process.communicate()


def begun(path) -> list[tuple[int, int]]:
    """Which runs were begun in which process."""
    file = path.with_name("begun")
    lines = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
    return [(int(float(mark)), int(pid)) for mark, pid in lines]


def expected(path) -> tuple[bytes, dict[str, bytes]]:
    """Table and recordings of the sweep done here, one run after the other."""
    from armature.engine.simulation.sweeps.run_task import RunTask, perform
    from armature.engine.simulation.sweeps.sweep import Sweep, SweepColumns
    from armature.engine.simulation.sweeps.sweep_table import SweepTable

    sweep = Sweep(path, allow_code=True)
    columns = SweepColumns(sweep)
    table = SweepTable(path.with_name("here.csv"), columns.columns, sweep.origin)
    for number in range(len(sweep)):
        table.add(columns.row(perform(RunTask(number, sweep.run(number), overwrite=True), lambda _: True)))
    table.finish()
    return table.path.read_bytes(), recordings(path)


def recordings(path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.glob("a-*.csv")}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_worker_that_is_killed_costs_nothing_but_time(file):
    with program(file, "--cluster", "local", "--jobs", 2) as process:
        wait_for(process, lambda: any(mark == 2 for mark, _ in begun(file)))
        file.with_name("block").unlink()
        (victim,) = [pid for mark, pid in begun(file) if mark == 2]
        os.kill(victim, signal.SIGSTOP)  # so that the run is not over before
        os.kill(victim, signal.SIGKILL)
        out, err = process.communicate(timeout=PROCESS)
    assert (process.returncode, err) == (0, ""), err
    assert [line.split(":")[0] for line in out.splitlines()[:-1]] == [
        f"a-{k} (controller.mark = {k}, seed = 7)" for k in range(1, 5)
    ]
    assert out.splitlines()[-1] == f"4 of 4 runs done; results in {file.with_name('t.csv')}"
    assert len([mark for mark, _ in begun(file) if mark == 2]) == 2 and len({pid for _, pid in begun(file)}) > 1
    table, recorded = file.with_name("t.csv").read_bytes(), recordings(file)
    assert expected(file) == (table, recorded)
    assert engine.verify_recording(engine.load_recording(file.with_name("a-2.csv")), allow_code=True).identical
    assert not [*file.parent.glob("*.part"), *file.parent.glob("*.tmp")]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_sweep_whose_client_was_killed_goes_on_here_where_it_was(file):
    part = file.with_name("t.csv.part")
    with program(file, "--cluster", "local", "--jobs", 2) as process:
        wait_for(process, lambda: part.exists() and part.read_text().count("\n") == 4 and len(begun(file)) == 4)
        process.kill()
        process.wait()
    first = begun(file)
    file.with_name("block").unlink()
    with program(file, "--jobs", 1) as process:
        out, err = process.communicate(timeout=PROCESS)
    assert (process.returncode, err) == (0, ""), err
    assert out.splitlines()[0].startswith("a-2 (") and "4 of 4 runs done (3 of them earlier); results in" in out
    assert [mark for mark, _ in begun(file)[len(first) :]] == [2]
    table, recorded = file.with_name("t.csv").read_bytes(), recordings(file)
    assert expected(file) == (table, recorded)


FOREIGN = """
import asyncio, sys
from distributed import Scheduler, Worker
from armature.engine import version

async def serve():
    version.VERSION = "9.9.9"
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler, Worker(scheduler.address, nthreads=1) as worker:
        print(scheduler.address, worker.address, flush=True)
        await asyncio.Event().wait()

asyncio.run(serve())
"""


def test_a_worker_of_another_version_is_refused_by_its_address_and_so_is_a_worker_for_a_scheduler(tmp_path, armature):
    path = tmp_path / "s.toml"
    path.write_text('[[runs]]\nname = "a"\nrobot = "scara"\nduration = 0.1\n')
    process = subprocess.Popen([sys.executable, "-c", FOREIGN], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        scheduler, worker = process.stdout.readline().split()
        code, out, err = armature("scenario", path, "--cluster", scheduler, "--table", tmp_path / "t.csv")
        assert (code, out) == (2, [])
        assert err == [
            f"armature: worker {worker} has Armature 9.9.9, this computer has {engine.version.VERSION}; "
            "results would not be bit-identical"
        ]
        code, out, err = armature("scenario", path, "--cluster", worker)
        assert (code, out, err) == (
            2,
            [],
            [f"armature: --cluster: {worker} is a Dask worker; give the address of the scheduler"],
        )
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("there", "'there' is not an address; valid: local, or a scheduler's address such as tcp://host:8786"),
        ("tcp://127.0.0.1:99999", "is not an address"),
        ("", "'' is not an address"),
        ("tcp://127.0.0.1:1", "no connection to tcp://127.0.0.1:1 (connection refused)"),
    ],
)
def test_an_address_where_no_cluster_is_is_told_in_one_line(capsys, tmp_path, address, complaint):
    assert cli.main(["scenario", "payloads", "--table", str(tmp_path / "t.csv"), "--cluster", address]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and complaint in err, err
    assert not list(tmp_path.iterdir())  # no table of no rows


def test_without_dask_one_line_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main(["scenario", "payloads", "--cluster", "local"]) == 2
    assert capsys.readouterr().err == 'armature: --cluster needs the package “distributed”: pip install "armature[cluster]"\n'


def test_jobs_belong_to_this_machine(capsys):
    assert cli.main(["scenario", "payloads", "--cluster", "tcp://127.0.0.1:1", "--jobs", "2"]) == 2
    assert "cannot be used with a --cluster address" in capsys.readouterr().err


def test_dask_is_imported_only_when_it_is_used():
    code = "import sys, armature.app.commands.scenario; assert not {'distributed', 'dask', 'pyarrow'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=PROCESS)
