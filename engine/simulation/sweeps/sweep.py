"""`Sweep`: all runs of a scenario file, the columns of their results, and the origin of a row."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from armature.engine.errors import one_line
from armature.engine.model.robot_changes import fingerprint
from armature.engine.simulation.runs.scenario import build_run, load_scenario
from armature.engine.simulation.runs.scenario_run import ScenarioRun
from armature.engine.simulation.sweeps.computing_facts import computing_facts
from armature.engine.simulation.sweeps.run_task import RunResult

_DIFFERENCES = {"scenario": "another scenario", "robots": "another robot file", "version": "another version of Armature"}
_DIFFERENCES |= {"target": "another numba target", "libraries": "another version of numba, numpy or the system"}


@dataclass(frozen=True)
class Origin:
    """Origin of a row: digests of the runs, the robot files, Armature and the libraries that round; the target of numba."""

    version: str
    target: str
    libraries: str
    robots: str
    scenario: str

    def __str__(self) -> str:
        return " ".join(f"{item.name}={getattr(self, item.name)}" for item in fields(self))

    def difference(self, text: str) -> str:
        """Return the first difference from another origin as text, such as "another scenario"; empty if they are the same."""
        parts = dict(re.findall(r"(\w+)=(\S+)", text))
        other = next((name for name in _DIFFERENCES if parts.get(name) != getattr(self, name)), "")
        named = f" ({parts.get(other)}, here it is {self.target})" if other == "target" else ""
        return f"{_DIFFERENCES[other]}{named}" if other else ""


class Sweep:
    """Runs of a scenario by their number, from 0; each is built on request.

    `joints`: joints of all robots, in the order of the runs; `records`: recording of each run, None for none. `has_cell`: whether
    a run has a cell.
    """

    def __init__(self, path: Path, allow_outside: bool = False, allow_code: bool = False):
        self._path, self._allowed = path, (allow_outside, allow_code)
        self.entries = load_scenario(path, allow_outside, allow_code)
        self.records: list[Path | None] = []
        self.has_cell = False
        joints: dict[str, None] = {}
        robots, parameters = hashlib.sha256(), hashlib.sha256()
        for number, entry in enumerate(self.entries):
            run = self.run(number)
            self.records.append(run.record)
            self.has_cell |= run.cell is not None
            joints |= dict.fromkeys(run.robot.joint_names)
            robots.update(f"{run.robot.file_hash} {run.robot.companion_hash} {fingerprint(run.robot)}\n".encode())
            parameters.update(_parameters(entry, run))
        facts = computing_facts()
        self.joints = tuple(joints)
        self.origin = Origin(
            version=f"{facts['version']}-{facts['sources'][:8]}",
            target=facts["target"],
            libraries=hashlib.sha256(facts["libraries"].encode()).hexdigest()[:8],
            robots=robots.hexdigest()[:16],
            scenario=parameters.hexdigest()[:16],
        )

    def __len__(self) -> int:
        return len(self.entries)

    def run(self, number: int) -> ScenarioRun:
        """Return a run. Raises EngineError if one of its files has changed."""
        entry = self.entries[number]
        return build_run(self._path, entry["run"], entry["table"], *self._allowed)

    def name(self, number: int) -> str:
        """Return the name of a run."""
        return self.entries[number]["table"]["name"]

    def swept(self, number: int) -> dict[str, Any]:
        """Return the swept values of a run, by key."""
        return self.entries[number]["swept"]


def _parameters(entry: dict[str, Any], run: ScenarioRun) -> bytes:
    """Return the parameters of a run, trajectory and controller included, as bytes for a digest."""
    controller = None if run.controller is None or callable(run.controller) else run.controller.describe()
    cell = "" if run.cell is None else run.cell.hash
    text = json.dumps([entry["table"], controller, cell], sort_keys=True, default=str).encode()
    return text if run.trajectory is None else text + run.trajectory.breaks.tobytes() + run.trajectory.coefficients.tobytes()


DONE, FAILED = "done", "failed"
RUN, OUTCOME, ORIGIN = "run", "outcome", "origin"
_BY_JOINT = ("q", "qd", "peak_tau")
TRACKING = ("tracking_rms", "tracking_rms_prismatic")
"""Columns of the tracking error: revolute joints in rad, prismatic joints in m."""
_CLEARANCE: dict[str, type] = {"clearance": float, "clearance_pair": str, "first_contact": float}
_LONGEST = 100_000  # characters of a cell


@dataclass(frozen=True)
class Column:
    """Name and type of a column: int, float, bool or str; a cell may also be None."""

    name: str
    kind: type


class SweepColumns:
    """Columns of the table of a sweep: run, name, swept values, outcome, final state and largest torque by joint."""

    def __init__(self, sweep: Sweep):
        self._sweep = sweep
        kinds: dict[str, set[type]] = {}
        for number in range(len(sweep)):
            for key, value in sweep.swept(number).items():
                if key != "name":  # has its own column
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
            *(Column(name, float) for name in TRACKING),
            Column("floor_contacts", int),
            *(Column(name, kind) for name, kind in _CLEARANCE.items() if sweep.has_cell),
            Column("remark", str),
            Column("states_sha256", str),
            Column(ORIGIN, str),
        )

    def row(self, result: RunResult) -> dict[str, Any]:
        """Return the cells of a finished run, by column; absent values are omitted."""
        sweep, outcome = self._sweep, result.outcome
        swept = {key: value for key, value in sweep.swept(result.number).items() if key in self._swept}
        row: dict[str, Any] = {RUN: result.number + 1, "name": sweep.name(result.number), ORIGIN: str(sweep.origin)}
        row |= {key: _cell(value, self._swept[key]) for key, value in swept.items()}
        if outcome is None:
            return row | {OUTCOME: FAILED, "remark": result.trouble}
        for group, values in zip(_BY_JOINT, (outcome.q, outcome.qd, outcome.peak_tau), strict=True):
            row |= {f"{group}.{joint}": float(value) for joint, value in zip(outcome.joints, values, strict=True)}
        row |= {OUTCOME: DONE, "steps": outcome.steps, "t": float(outcome.t)}
        row |= {name: error for name, error in zip(TRACKING, outcome.tracking or (), strict=False) if error is not None}
        row |= {"floor_contacts": outcome.contacts, "remark": "; ".join(outcome.remarks)}
        if (found := outcome.clearance) is not None:
            first = None if found.first_contact is None else found.first_contact[0]
            row |= dict(zip(_CLEARANCE, (found.distance, " – ".join(found.pair), first), strict=True))
        return row | {"states_sha256": outcome.digest}


def line_of(cells: Sequence[Any]) -> str:
    """Return cells as one line of CSV with its end; every double reads back to its last bit."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_text(value) for value in cells])
    return text.getvalue()


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of CSV."""
    return next(csv.reader([line]))


def value_of(text: str, kind: type) -> Any:
    """Return the value of a cell, None if it is empty. Raises ValueError."""
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
    """Return the type of a column for values of these types."""
    if len(kinds) == 1 and kinds <= {bool, int, float}:
        return next(iter(kinds))
    return float if kinds == {int, float} else str


def _cell(value: Any, kind: type) -> Any:
    if kind is float:
        return float(value)
    return value if kind is not str or isinstance(value, str) else json.dumps(value, default=str)
