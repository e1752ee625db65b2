"""`SweepReport`: one printed line per run of a sweep, in their order, and a progress line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from armature.engine.errors import one_line
from armature.engine.simulation.sweeps.run_task import RunResult
from armature.engine.simulation.sweeps.sweep import Sweep

LONGEST = 60  # characters of a swept value that are told


class SweepReport:
    """Counts and tells; `earlier` are runs that need no word, as they were done before, and `failed` how many of them failed."""

    def __init__(self, sweep: Sweep, earlier: frozenset[int], failed: int):
        self._sweep, self._earlier = sweep, earlier
        self.done, self.failed = len(earlier) - failed, failed
        self._results: dict[int, RunResult] = {}  # of runs that wait for one before them to be told
        self._next = 0  # run to be told

    def take(self, result: RunResult) -> None:
        """Tells the runs whose turn it is."""
        good = result.outcome is not None
        self.done, self.failed = self.done + good, self.failed + (not good)
        self._results[result.number] = result
        self.clear()
        while self._next in self._results or self._next in self._earlier:
            if self._next not in self._earlier:
                self._tell(self._next)
            self._next += 1

    def rest(self) -> None:
        """Tells what is finished, though some before it never will be."""
        self.clear()
        for number in sorted(self._results):
            self._tell(number)

    def progress(self, shares: Mapping[int, float]) -> None:
        """Shows the runs that are under way, where a person looks."""
        if sys.stderr.isatty():
            running = ", ".join(f"{self._sweep.name(k)} {100 * share:.0f} %" for k, share in shares.items())
            line = f"  {self.done + self.failed} of {len(self._sweep)} runs; {running}"
            print(f"\r\x1b[2K{line[:110]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Takes that line away."""
        if sys.stderr.isatty():
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)

    def total(self) -> str:
        """At the end."""
        earlier = f" ({len(self._earlier)} of them earlier)" if self._earlier else ""
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {len(self._sweep)} runs done{failed}{earlier}"

    def _tell(self, number: int) -> None:
        result = self._results.pop(number)
        if result.outcome is None:
            print(f"{self._label(number)}: {result.trouble}", file=sys.stderr, flush=True)
        else:
            text = result.outcome.sentence(self._sweep.records[number])
            print(f"{self._label(number)}: {text}, {result.seconds:.1f} s", flush=True)

    def _label(self, number: int) -> str:
        """The run's name and what makes it one of its sweep: `sag-2 (payload.mass = 0.5, frequency = 20)`."""
        swept = self._sweep.swept(number).items()
        values = ", ".join(f"{key} = {one_line(json.dumps(value, default=str), LONGEST)}" for key, value in swept)
        return self._sweep.name(number) + (f" ({values})" if values else "")
