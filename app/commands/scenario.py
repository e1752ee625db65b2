"""`scenario FILE`: several runs from one file, in parallel processes."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from armature.app.commands.command_arguments import Parser, UsageError, note
from armature.app.commands.stop_signals import Stopped, stopped_by_signals
from armature.engine.errors import EngineError, one_line
from armature.engine.resources import shipped_or_path
from armature.engine.simulation.runs.scenario import build_run, load_scenario

_EVERY = 0.2  # s between two looks
LONGEST = 60  # characters of a swept value that are told


def parser() -> Parser:
    """Arguments of `scenario`."""
    result = Parser(
        prog="armature scenario",
        description=(
            "Simulates the runs of a scenario file in parallel and prints one line for each, in their order.\n"
            "Stopped with Ctrl-C, runs that are finished stay and the others leave nothing."
        ),
        epilog=(
            "example:\n"
            "  armature scenario payloads --jobs 2\n"
            "\n"
            "a file:\n"
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
    result.add_argument("file", metavar="FILE", type=_file, help="a scenario file, .toml, or a name that ships: payloads")
    result.add_argument("--jobs", metavar="N", type=_jobs, default=_cores(), help="processes at a time (default: one per core)")
    result.add_argument("--overwrite", action="store_true", help="replace recordings that exist")
    result.add_argument(
        "--allow-outside",
        action="store_true",
        help="let the file write recordings elsewhere than in its own folder and those below",
    )
    result.add_argument("--allow-code", action="store_true", help="run laws that the file names as Python files, .py beside it")
    return result


def _file(text: str) -> Path:
    return shipped_or_path(text, "assets", "scenarios")


def run(args) -> int:
    """Runs all; 0, 1 when one failed, 130 when it was stopped."""
    tables = load_scenario(args.file, args.allow_outside, args.allow_code)
    if not args.overwrite:
        _refuse_existing(args, tables)
    with stopped_by_signals():
        return _Pool(args, tables).run()


def _refuse_existing(args, tables: list[dict[str, Any]]) -> None:
    for entry in tables:
        record = build_run(args.file, entry["run"], entry["table"], args.allow_outside, args.allow_code).record
        if record is not None and record.exists():
            raise UsageError(f"{record} exists and is not overwritten; --overwrite replaces recordings")
        if record is not None and not record.parent.is_dir():
            raise UsageError(f"{record}: the folder does not exist: {record.parent}")


def _is_finished(future: Future) -> bool:
    """Whether a run came to its own end."""
    return future.done() and not future.cancelled() and future.exception() is None and future.result()[1]


class _Pool:
    """The processes, and what is told of them."""

    def __init__(self, args, tables: list[dict[str, Any]]):
        self._tables, self._failed, self._done = tables, 0, 0
        self._shares: dict[int, float] = {}
        self._results: dict[int, tuple[bool, str, float]] = {}  # of runs that wait for one before them to be told
        self._next = 0  # run to be told
        context = get_context("spawn")
        self._stop, self._told = context.Event(), context.SimpleQueue()
        self._executor = ProcessPoolExecutor(
            min(args.jobs, len(tables)), context, initializer=_begin, initargs=(self._stop, self._told)
        )
        self._options = str(args.file), args.overwrite, args.allow_outside, args.allow_code

    def run(self) -> int:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the processes inherit: only this one hears the keyboard
        try:
            waiting = self._submit()
        finally:
            signal.signal(signal.SIGINT, before)
        try:
            while waiting:
                done, _ = wait(waiting, timeout=_EVERY, return_when=FIRST_COMPLETED)
                self._show()
                for future in done:
                    self._report(future)
                    waiting.discard(future)
        except KeyboardInterrupt as stop:
            self._end()
            for future in filter(_is_finished, waiting):  # since the last look
                self._report(future)
            self._tell_all()
            note(f"stopped; {self._done} of {len(self._tables)} runs are finished")
            return stop.code if isinstance(stop, Stopped) else 130
        finally:
            self._end()
        print(f"{self._done} of {len(self._tables)} runs done" + (f", {self._failed} failed" if self._failed else ""), flush=True)
        return int(self._failed > 0)

    def _submit(self) -> set[Future]:
        jobs = enumerate(self._tables)
        return {self._executor.submit(_perform, number, entry, *self._options) for number, entry in jobs}

    def _end(self) -> None:
        self._clear()
        self._stop.set()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _report(self, future: Future) -> None:
        self._clear()
        try:
            number, ok, text, seconds = future.result()
        except BrokenProcessPool:
            self._tell_all()
            raise UsageError("a process of the runs was killed; finished runs are kept") from None
        self._shares.pop(number, None)
        self._done, self._failed = self._done + ok, self._failed + (not ok)
        self._results[number] = ok, text, seconds
        while self._next in self._results:
            self._tell(self._next)
            self._next += 1

    def _tell_all(self) -> None:
        """What is finished, though some before it never will be."""
        for number in sorted(self._results):
            self._tell(number)

    def _tell(self, number: int) -> None:
        ok, text, seconds = self._results.pop(number)
        name = _label(self._tables[number])
        print(f"{name}: {text}{f', {seconds:.1f} s' if ok else ''}", file=sys.stdout if ok else sys.stderr, flush=True)

    def _show(self) -> None:
        while not self._told.empty():
            number, share = self._told.get()
            self._shares[number] = share
        if sys.stderr.isatty():
            running = ", ".join(f"{self._tables[k]['table']['name']} {100 * share:.0f} %" for k, share in self._shares.items())
            line = f"  {self._done + self._failed} of {len(self._tables)} runs; {running}"
            print(f"\r\x1b[2K{line[:110]}", end="", file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if sys.stderr.isatty():
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


_channel: dict[str, Any] = {}  # what a process is given when it starts


def _begin(stop, told) -> None:
    """In each process, first of all."""
    _channel.update(stop=stop, told=told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _perform(
    number: int, entry: dict[str, Any], file: str, overwrite: bool, allow_outside: bool, allow_code: bool
) -> tuple[int, bool, str, float]:
    """One run, in a process of the pool: its number, whether it went well, what to say, seconds."""
    stop, told = _channel["stop"], _channel["told"]
    began, next_word = time.perf_counter(), 0.0

    def go_on(share: float) -> bool:
        nonlocal next_word
        if time.monotonic() >= next_word:
            next_word = time.monotonic() + _EVERY
            told.put((number, share))
        return not stop.is_set()

    try:
        text = build_run(Path(file), entry["run"], entry["table"], allow_outside, allow_code).perform(overwrite, go_on)
    except EngineError as error:
        return number, False, str(error), time.perf_counter() - began
    except KeyboardInterrupt:
        return number, False, "stopped", time.perf_counter() - began
    return number, True, text, time.perf_counter() - began


def _label(entry: dict[str, Any]) -> str:
    """The run's name and what makes it one of its sweep: `sag-2 (payload.mass = 0.5, frequency = 20)`."""
    values = ", ".join(f"{key} = {one_line(json.dumps(value, default=str), LONGEST)}" for key, value in entry["swept"].items())
    return entry["table"]["name"] + (f" ({values})" if values else "")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 256):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 1 to 256")
    return int(text)
