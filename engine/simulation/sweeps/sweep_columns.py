"""The columns of a table of results, and a row of it: as values and as the line of text that says them exactly."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armature.engine.errors import one_line
from armature.engine.simulation.sweeps.run_task import RunResult
from armature.engine.simulation.sweeps.sweep import Sweep

DONE, FAILED = "done", "failed"
RUN, OUTCOME, ORIGIN = "run", "outcome", "origin"
_BY_JOINT = ("q", "qd", "peak_tau")
_LONGEST = 100_000  # characters of a cell


@dataclass(frozen=True)
class Column:
    """A name, and the type of what it holds: int, float, bool or str; a cell may also be None."""

    name: str
    kind: type


class SweepColumns:
    """What the table of a sweep holds: run, name and swept values, how it ended, end state and largest torque by joint."""

    def __init__(self, sweep: Sweep):
        self._sweep = sweep
        kinds: dict[str, set[type]] = {}
        for number in range(len(sweep)):
            for key, value in sweep.swept(number).items():
                if key != "name":  # which has a column anyway
                    kinds.setdefault(key, set()).add(type(value))
        self._swept = {key: _common(found) for key, found in kinds.items()}
        self.columns = (
            Column(RUN, int),
            Column("name", str),
            *(Column(key, kind) for key, kind in self._swept.items()),
            Column(OUTCOME, str),
            Column("steps", int),
            Column("t", float),
            *(Column(f"{group}.{joint}", float) for group in _BY_JOINT for joint in sweep.joints),
            Column("tracking_rms", float),
            Column("floor_contacts", int),
            Column("remark", str),
            Column("states_sha256", str),
            Column(ORIGIN, str),
        )

    def row(self, result: RunResult) -> dict[str, Any]:
        """The cells of a run that is settled, by column; what a run does not have is not in it."""
        sweep, outcome = self._sweep, result.outcome
        swept = {key: value for key, value in sweep.swept(result.number).items() if key in self._swept}
        row: dict[str, Any] = {RUN: result.number + 1, "name": sweep.name(result.number), ORIGIN: str(sweep.origin)}
        row |= {key: _cell(value, self._swept[key]) for key, value in swept.items()}
        if outcome is None:
            return row | {OUTCOME: FAILED, "remark": result.trouble}
        for group, values in zip(_BY_JOINT, (outcome.q, outcome.qd, outcome.peak_tau), strict=True):
            row |= {f"{group}.{joint}": float(value) for joint, value in zip(outcome.joints, values, strict=True)}
        row |= {OUTCOME: DONE, "steps": outcome.steps, "t": float(outcome.t), "tracking_rms": outcome.tracking}
        row |= {"floor_contacts": outcome.contacts, "remark": "; ".join(outcome.remarks)}
        return row | {"states_sha256": outcome.digest}


def line_of(cells: Sequence[Any]) -> str:
    """Cells as one line of CSV, its end included; every double reads back to its last bit."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_text(value) for value in cells])
    return text.getvalue()


def cells_of(line: str) -> list[str]:
    """The cells of such a line."""
    return next(csv.reader([line]))


def value_of(text: str, kind: type) -> Any:
    """What a cell of a line says. Raises ValueError."""
    if not text:
        return None
    return text == "true" if kind is bool else kind(text)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(float(value))
    return "" if value is None else one_line(str(value), _LONGEST)


def _common(kinds: set[type]) -> type:
    """The type of a column for values of these."""
    if len(kinds) == 1 and kinds <= {bool, int, float}:
        return next(iter(kinds))
    return float if kinds == {int, float} else str


def _cell(value: Any, kind: type) -> Any:
    if kind is float:
        return float(value)
    return value if kind is not str or isinstance(value, str) else json.dumps(value, default=str)
