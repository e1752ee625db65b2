"""`load_scenario`: several runs from one TOML file, with sweeps over any of their values."""

from __future__ import annotations

import itertools
import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from armature.engine.batching import require_dynamics
from armature.engine.contact.cell import Cell
from armature.engine.contact.cell_file import load_cell
from armature.engine.control.control_laws import FREQUENCY, default_gains
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_law import OwnLaw, load_law
from armature.engine.control.own_law.shipped_laws import example_laws
from armature.engine.errors import EngineError
from armature.engine.model.file_bytes import Unreadable, real_path
from armature.engine.model.file_entries import Entry
from armature.engine.model.load_robot import load_robot
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import complaint, error_line, toml_table
from armature.engine.model.toml.toml_kind import SCENARIO, expect_kind
from armature.engine.recording.recording_formats import format_of
from armature.engine.simulation.recorded_conditions import CONTROLLERS
from armature.engine.simulation.run_loop import Change
from armature.engine.simulation.runs.scenario_run import ScenarioRun
from armature.engine.simulation.runs.scenario_schema import MAX_RUNS, LoadEntry, RunEntry, ScenarioFile
from armature.engine.simulation.sensors.sensors import Sensors, sensors_from
from armature.engine.simulation.simulation_arguments import joint_vector
from armature.engine.trajectory.plan_file import load_trajectory
from armature.engine.trajectory.trajectory import Trajectory

_REQUIRED = {
    "name": 'give the run a name, such as name = "fall"',
    "robot": 'give a shipped robot or a robot file, such as robot = "puma560"',
    "runs": "give one [[runs]] table per run",
    "mass": "give its mass in kg",
}
_NAME = "{name}"


def load_scenario(path: str | os.PathLike[str], allow_outside: bool = False, allow_code: bool = False) -> list[dict[str, Any]]:
    """Return the runs of a scenario file, one per combination of swept values, as dicts with keys `run`, `table`, `swept`.

    `build_run` returns the `ScenarioRun` of `run` and `table`. Every run is built once, to find errors before the first.

    Args:
        path: a `.toml` file: [defaults], and per [[runs]] the keys of `RunEntry` and a table `sweep` of arrays.
        allow_outside: permit recordings outside the file's folder.
        allow_code: permit controllers in Python files, which run when they are loaded.

    Raises:
        EngineError: one line that names the file, the run and the field, what is wrong and what is valid.
    """
    place = Path(path)
    try:
        file = ScenarioFile.model_validate(expect_kind(toml_table(place, "scenario file", "[[runs]]"), SCENARIO, place))
    except ValidationError as error:
        raise EngineError(error_line(place, complaint(error, lambda _: ScenarioFile, _REQUIRED))) from None
    except Unreadable as error:
        raise EngineError(error_line(place, str(error))) from None
    runs = [{**file.defaults, **run} for run in file.runs]
    sweeps = [_sweep(place, k, run) for k, run in enumerate(runs)]
    if sum(math.prod(map(len, sweep.values())) for sweep in sweeps) > MAX_RUNS:
        raise EngineError(error_line(place, f"the sweeps make more than {MAX_RUNS:,} runs; use fewer values"))
    tables = [(k, *made) for k, run in enumerate(runs) for made in _swept(place, k, run, sweeps[k])]
    names: set[str] = set()
    targets: set[Path] = set()
    for k, table, _ in tables:
        run = build_run(place, k, table, allow_outside, allow_code)
        if run.name in names:
            raise EngineError(error_line(place, f"runs[{k}].name: {run.name!r} is already the name of another run"))
        names.add(run.name)
        if run.record in targets:
            raise EngineError(
                error_line(place, f"runs[{k}].record: two runs write to {run.record}; use {_NAME} in the file name")
            )
        if run.record is not None:
            targets.add(run.record)
    return [{"run": k, "table": table, "swept": swept} for k, table, swept in tables]


def build_run(
    scenario: Path, k: int, table: Mapping[str, Any], allow_outside: bool = False, allow_code: bool = False
) -> ScenarioRun:
    """Return the run of the k-th table of `[[runs]]`; raises EngineError."""
    try:
        return _built(scenario.absolute().parent, RunEntry.model_validate(dict(table)), allow_outside, allow_code)
    except ValidationError as error:
        what = f".{complaint(error, _table_at, _REQUIRED)}"
    except Unreadable as error:
        what = f".{error}"
    except EngineError as error:
        what = f": {error}"
    raise EngineError(error_line(scenario, f"runs[{k}]{what}"))


def _table_at(loc: list[Any]) -> type[Entry]:
    return LoadEntry if loc[:1] == ["payload"] else RunEntry


def _sweep(place: Path, k: int, run: dict[str, Any]) -> dict[str, list[Any]]:
    """Remove the table `sweep` from a run and return it: values by key."""
    sweep = run.pop("sweep", {})
    if not isinstance(sweep, dict) or not all(isinstance(values, list) and values for values in sweep.values()):
        raise EngineError(
            error_line(place, f'runs[{k}].sweep: must be a table of arrays, such as sweep = {{"payload.mass" = [0.5, 1]}}')
        )
    return sweep


def _swept(place: Path, k: int, run: dict[str, Any], sweep: dict[str, list[Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return a run for every combination of the values in its `sweep`, with these values by key."""
    combinations = list(itertools.product(*sweep.values()))
    tables = []
    for number, values in enumerate(combinations, start=1):
        table = dict(run)
        for key, value in zip(sweep, values, strict=True):
            *path, last = key.split(".")
            inner = table
            for part in path:
                further = inner.get(part, {})
                if not isinstance(further, dict):
                    raise EngineError(error_line(place, f"runs[{k}].sweep: the run has no table for {key!r}"))
                inner[part] = dict(further)
                inner = inner[part]
            inner[last] = value
        if sweep and isinstance(table.get("name"), str):
            table["name"] = f"{table['name']}-{number:0{len(str(len(combinations)))}d}"
        tables.append((table, dict(zip(sweep, values, strict=True))))
    return tables


def _built(folder: Path, entry: RunEntry, allow_outside: bool, allow_code: bool) -> ScenarioRun:
    place = str(folder / entry.robot) if Path(entry.robot).suffix else entry.robot
    file = _robot(place, _state(place))
    bare = _changed(file, entry)
    payload = entry.payload
    robot = bare if payload is None else bare.with_payload(payload.mass, payload.com, payload.inertia)
    model = bare if payload is not None and not entry.knows_payload else None if entry.knows_friction else robot
    trajectory = None
    if entry.trajectory is not None:
        path = str(folder / entry.trajectory)
        trajectory = _trajectory(path, _state(path), file)
    duration = entry.duration or (None if trajectory is None else trajectory.duration)
    if duration is None:
        raise Unreadable("duration: missing; give it, or a trajectory")
    q0 = _start(robot, entry, trajectory)
    run = ScenarioRun(
        name=entry.name,
        robot=robot,
        q0=q0,
        qd0=None if entry.qd0 is None else joint_vector(robot, "qd0", entry.qd0),
        duration=duration,
        dt=entry.dt,
        integrator=entry.integrator,
        controller=_controller(model or robot, entry, q0, folder if allow_code else None),
        model=model,
        knows_payload=entry.knows_payload,
        trajectory=trajectory,
        sensors=_sensors(entry),
        seed=entry.seed,
        changes=tuple(_changes(entry, robot)),
        cell=None if entry.cell is None else _cell_of(folder, entry.cell),
        stop_at_contact=entry.stop_at_contact,
        record=None if entry.record is None else _target(folder, _record(entry.record, entry.name), allow_outside),
    )
    run.stepper()
    return run


def _record(pattern: str, name: str) -> str:
    """Return the file name for the run `name`."""
    unknown = [found for found in re.findall(r"\{[^{}]*\}", pattern) if found != _NAME]
    if unknown:
        raise Unreadable(f"record: unknown placeholder {unknown[0]}; valid: {_NAME}, the name of the run")
    return pattern.replace(_NAME, name)


def _target(folder: Path, name: str, allow_outside: bool) -> Path:
    """Return the path of a recording; a scenario file, which may come from anywhere, must not write into other folders."""
    try:
        place, home = real_path(folder / name), real_path(folder)
    except (OSError, ValueError) as error:  # links in a circle, a character that no name has
        raise Unreadable(f"record: {folder / name} cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if not (allow_outside or place.is_relative_to(home)):
        raise Unreadable(f"record: {place} is outside the scenario's folder {home}; use --allow-outside to permit this")
    format_of(place)
    return place


def _state(path: str) -> tuple[int, ...]:
    """Return values that change when a file is written, empty for one that is not there, such as a shipped name."""
    try:
        state = Path(path).stat()
    except OSError:
        return ()
    return state.st_ino, state.st_size, state.st_mtime_ns


@cache
def _robot(path: str, _file: tuple[int, ...]) -> Robot:
    robot = load_robot(path)
    require_dynamics(robot)
    return robot


@cache
def _trajectory(path: str, _file: tuple[int, ...], robot: Robot) -> Trajectory:
    return load_trajectory(path, robot)


def _cell_of(folder: Path, name: str) -> Cell:
    """Return the cell of a file in `folder`, or the included cell of this name."""
    path = str(folder / name) if Path(name).suffix else name
    return _cell(path, _state(path))


@cache
def _cell(path: str, _file: tuple[int, ...]) -> Cell:
    return load_cell(path)


def _changed(robot: Robot, entry: RunEntry) -> Robot:
    if entry.floor is not None:
        robot = robot.with_floor(entry.floor)
    if entry.gravity is not None:
        robot = robot.with_gravity(entry.gravity)
    return robot if entry.friction else robot.without_friction()


def _changes(entry: RunEntry, robot: Robot) -> Iterator[Change]:
    """Yield the changes of the arm, initially `robot`."""
    for k, change in enumerate(entry.changes):
        if change.payload is None and change.wear is None:
            raise Unreadable(f"changes[{k}]: empty; give a payload, or a friction factor such as wear = 2.0")
        if change.wear is not None:
            yield change.at, with_wear(robot, change.wear)
        if (load := change.payload) is not None:
            yield change.at, Payload(load.mass, np.array(load.com), np.array(load.inertia)) if load.mass else None


def _start(robot: Robot, entry: RunEntry, trajectory: Trajectory | None) -> np.ndarray:
    if trajectory is not None and "q0" not in entry.model_fields_set:
        q0 = trajectory.start.copy()
    elif isinstance(entry.q0, list):
        q0 = joint_vector(robot, "q0", entry.q0).copy()
    elif entry.q0 in robot.configurations:
        q0 = robot.configurations[entry.q0].copy()
    else:
        raise Unreadable(f"q0: {robot.name} has no pose {entry.q0!r}; it has {', '.join(robot.configurations)}")
    if entry.spread:
        if entry.seed is None:
            raise Unreadable("seed: missing; random values need one, such as seed = 1")
        q0 += np.random.default_rng(entry.seed).uniform(-entry.spread, entry.spread, robot.n)
    return q0


def _sensors(entry: RunEntry) -> Sensors | None:
    """Return the sensors; their noise has the seed of the run, unless they have their own."""
    seed = {} if entry.seed is None else {"seed": entry.seed}
    return None if entry.sensors is None else sensors_from(seed | entry.sensors)


def with_wear(robot: Robot, wear: float) -> Robot:
    """Return the robot with `wear` times the friction in every joint."""
    bodies = (robot.bodies[body] for body in robot.joint_bodies)
    return robot.with_friction({name: body.friction.worn(wear) for name, body in zip(robot.joint_names, bodies, strict=True)})


def _controller(robot: Robot, entry: RunEntry, q0: np.ndarray, folder: Path | None) -> Controller | None:
    """Return the controller of a run that starts at q0; `folder` of Python files, None if loading them is not permitted."""
    law = {"kind": entry.controller} if isinstance(entry.controller, str) else dict(entry.controller)
    kind, figures = law.pop("kind", None), law
    if kind == "none" and not figures:
        given = {"knows_payload": not entry.knows_payload, "knows_friction": not entry.knows_friction}
        for name, is_given in (("frequency", entry.frequency is not None), *given.items()):
            if is_given:
                raise Unreadable(f"{name}: needs a controller, but the run has none")
        return None
    shipped = example_laws()
    if isinstance(kind, str) and kind in shipped:
        return _own_law(shipped[kind].name, figures, entry, shipped[kind].parent)
    if isinstance(kind, str) and Path(kind).suffix == ".py":
        return _own_law(kind, figures, entry, folder)
    if not isinstance(kind, str) or kind not in CONTROLLERS:
        known = f"none, {', '.join(CONTROLLERS)}, the examples {', '.join(shipped)}, or a Python file, .py"
        raise Unreadable(f"controller: unknown {kind!r}; valid: {known}")
    if not figures and kind != "torque":
        return default_gains(robot, kind, entry.frequency or FREQUENCY, q0)
    valid = [item.name for item in fields(CONTROLLERS[kind])]
    for name in figures:
        if name not in valid:
            raise Unreadable(f"controller: {kind} has no {name!r}; valid: {', '.join(valid)}")
    try:
        return CONTROLLERS[kind](**figures)
    except TypeError:
        raise Unreadable(f"controller: {kind} needs {', '.join(valid)}") from None


def _own_law(file: str, figures: dict[str, Any], entry: RunEntry, folder: Path | None) -> OwnLaw:
    if folder is None:
        raise Unreadable(f"controller: {file} is Python code, which runs with your permissions; use --allow-code if you trust it")
    if entry.frequency is not None:
        raise Unreadable("frequency: for built-in controllers only; for a user-defined controller, set its parameters")
    return load_law(folder / file, figures)
