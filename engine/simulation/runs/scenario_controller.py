"""The control law of a run in a scenario file."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.control_laws import FREQUENCY, default_gains
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_law import OwnLaw, load_law
from armature.engine.control.own_law.shipped_laws import example_laws
from armature.engine.model.file_bytes import Unreadable
from armature.engine.model.robot import Robot
from armature.engine.simulation.recorded_conditions import CONTROLLERS
from armature.engine.simulation.runs.scenario_schema import RunEntry


def controller_of(robot: Robot, entry: RunEntry, q0: np.ndarray, folder: Path | None) -> Controller | None:
    """The law of a run that starts at q0; files of laws lie from `folder` on, and are not touched where that is None.

    Raises Unreadable, EngineError.
    """
    law = {"kind": entry.controller} if isinstance(entry.controller, str) else dict(entry.controller)
    kind, figures = law.pop("kind", None), law
    if kind == "none" and not figures:
        said = {"knows_payload": not entry.knows_payload, "knows_friction": not entry.knows_friction}
        for name, says in (("frequency", entry.frequency is not None), *said.items()):
            if says:
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
        raise Unreadable("frequency: for built-in controllers only; a user-defined controller has parameters")
    return load_law(folder / file, figures)
