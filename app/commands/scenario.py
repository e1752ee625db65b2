"""`scenario FILE`: simulate several runs from one file, in parallel processes or on a cluster, with a table of results."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from armature.app.commands.command_arguments import Parser, UsageError, note, whole_number
from armature.app.commands.stop_signals import noted_stops
from armature.app.commands.sweep.crew import Crew
from armature.app.commands.sweep.dask_workers import LOCAL, DaskWorkers
from armature.app.commands.sweep.local_processes import LocalProcesses
from armature.app.commands.sweep.sweep_report import SweepReport
from armature.engine.files import names_instead, shipped_or_path
from armature.engine.simulation.sweeps.run_task import RunResult, RunTask
from armature.engine.simulation.sweeps.sweep import Sweep, SweepColumns
from armature.engine.simulation.sweeps.sweep_table import SweepTable

_FOLDER = ("assets", "scenarios")


def parser() -> Parser:
    """Return the argument parser of `scenario`."""
    result = Parser(
        prog="armature scenario",
        description=(
            "Simulates the runs of a scenario file in parallel and prints one line per run, in order of the file.\n"
            "Ctrl-C stops it; the results of finished runs are saved. With --table, the same command later continues\n"
            "with the remaining runs. With --cluster, the workers of a Dask cluster do the runs, with bit-identical\n"
            "results; robots and controllers are sent to them, and recordings are fetched."
        ),
        epilog=(
            "examples:\n"
            "  armature scenario payloads --jobs 2\n"
            "  armature scenario payloads --table sag.csv\n"
            "  armature scenario payloads --table sag.parquet --cluster tcp://cluster.lab:8786\n"
            "\n"
            "a scenario file:\n"
            "  [defaults]\n"
            '  robot = "puma560"\n'
            "  duration = 2.0\n"
            "\n"
            "  [[runs]]\n"
            '  name = "hold"\n'
            '  q0 = "ready"\n'
            '  controller = "pd-gravity"\n'
            "  payload = { mass = 1.0 }\n"
            "  sensors = { counts = 4096, delay = 0.002 }\n"
            '  record = "{name}.mcap"\n'
            '  sweep = { "payload.mass" = [0.5, 1.0, 2.0], frequency = [10, 20] }'
        ),
    )
    result.add_argument(
        "file", metavar="FILE", type=_file, help="scenario file, .toml, or payloads, the name of the included scenario"
    )
    result.add_argument(
        "--jobs",
        metavar="N",
        type=whole_number("a number of processes", 1, 256),
        help="number of parallel processes (default: one per core)",
    )
    help_ = "write one row of results per run, .csv or .parquet; an interrupted sweep continues with the same table"
    result.add_argument("--table", metavar="TABLE", type=Path, help=help_)
    help_ = "run on the Dask scheduler at this address, as tcp://host:8786; local: a cluster on this machine"
    result.add_argument("--cluster", metavar="ADDRESS", help=help_)
    result.add_argument("--overwrite", action="store_true", help="replace existing recordings and tables")
    result.add_argument(
        "--allow-outside",
        action="store_true",
        help="allow recordings outside the folder of the scenario file",
    )
    result.add_argument("--allow-code", action="store_true", help="run the Python controllers (.py) that the file names")
    return result


def _file(text: str) -> Path:
    if names := names_instead(text, *_FOLDER):
        raise UsageError(f"{text}: not a file, and not a shipped scenario; shipped: {names}")
    return shipped_or_path(text, *_FOLDER)


def run(args) -> int:
    """Simulate all runs; return 0, 1 if one failed, 130 if it was stopped."""
    if args.jobs is not None and args.cluster not in (None, LOCAL):
        raise UsageError("--jobs sets the processes on this machine; it cannot be used with a --cluster address")
    sweep = Sweep(args.file, args.allow_outside, args.allow_code)
    table = columns = None
    if args.table is not None:
        columns = SweepColumns(sweep)
        table = SweepTable(args.table, columns.columns, sweep.origin, args.overwrite)
    try:
        return _Performance(args, sweep, table, columns).run()
    finally:
        if table is not None:
            table.close()


class _Performance:
    """A sweep from its first run to its last, or to where it is stopped."""

    def __init__(self, args, sweep: Sweep, table: SweepTable | None, columns: SweepColumns | None):
        self._args, self._sweep, self._table, self._columns = args, sweep, table, columns
        self._ended: set[int] = set() if table is None else set(table.ended)
        self._report = SweepReport(sweep, frozenset(self._ended), 0 if table is None else len(table.failed))
        self._overwrite = args.overwrite or bool(self._ended)  # what is there of a run that has no row broke off
        self._left = [number for number in range(len(sweep)) if number not in self._ended]
        if not self._overwrite:
            self._refuse_existing()

    def run(self) -> int:
        code = self._perform() if self._left else 0
        if code:
            note(f"stopped; {self._report.done} of {len(self._sweep)} runs finished{self._kept()}")
            return code
        return self._finish()

    def _perform(self) -> int:
        """What is left of the runs; an exit code where it was stopped."""
        crew = self._crew()
        with noted_stops() as stop:
            try:
                for result in crew.results(self._tasks()):
                    if result is not None:
                        self._take(result)
                    if stop.code:
                        break
                    self._report.progress(crew.shares)
            finally:
                self._report.clear()
                crew.stop()
                if stop.code:
                    for result in filter(lambda result: result.outcome is not None, crew.finished()):
                        self._take(result)
                crew.end()
                self._report.rest()
        return stop.code

    def _take(self, result: RunResult) -> None:
        if result.settled and self._table is not None and self._columns is not None:
            self._table.add(self._columns.row(result))
            self._ended.add(result.number)
        self._report.take(result)

    def _finish(self) -> int:
        where = ""
        if self._table is not None:
            if len(self._ended) == len(self._sweep):
                self._table.finish()
                where = f"; results in {self._table.path}"
            else:
                where = self._kept()
        print(f"{self._report.total()}{where}", flush=True)
        return int(self._report.failed > 0)

    def _kept(self) -> str:
        return (
            ""
            if self._table is None or not self._ended
            else f"; results saved in {self._table.part}; run the same command to continue"
        )

    def _crew(self) -> Crew:
        jobs = min(self._args.jobs or _cores(), len(self._left))
        return LocalProcesses(jobs) if self._args.cluster is None else DaskWorkers(self._args.cluster, jobs)

    def _tasks(self) -> Iterator[RunTask]:
        for number in self._left:
            yield RunTask(number, self._sweep.run(number), self._overwrite)

    def _refuse_existing(self) -> None:
        for record in filter(None, self._sweep.records):
            if record.exists():
                raise UsageError(f"{record} already exists; use --overwrite to replace recordings")
            if not record.parent.is_dir():
                raise UsageError(f"{record}: the folder {record.parent} does not exist")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
