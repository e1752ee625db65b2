"""The controllers of the window: their texts come from the law's own file in `engine/control/laws` or `assets/laws`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from armature.engine.control.controller import AXES, JOINTS, SINGLE, Gain
from armature.engine.control.own_law.shipped_laws import example_laws

if TYPE_CHECKING:
    from armature.engine.control.controller import Controller

OWN = "own"


@dataclass(frozen=True)
class Law:
    """Texts and gains of one controller.

    `gains` by the names of their fields; `follows`: it tracks the desired motion; `acts`: it sets the torques, which
    otherwise are zero or set by the user; `file`: stem of the Python file of an included example.
    """

    title: str
    equation: str
    words: str
    gains: Mapping[str, Gain] = field(default_factory=dict)
    note: str = ""
    follows: bool = False
    acts: bool = True
    file: str = ""

    @property
    def rows(self) -> str:
        """Meaning of the rows of the gain table: JOINTS, AXES, SINGLE, or empty."""
        return next((gain.per for gain in self.gains.values()), "")


BY_HAND = {
    "none": Law("None", "τ = 0", "All motor torques are zero: the arm falls and swings freely.", acts=False),
    "torque": Law("Torque sliders", "τ = sliders", "The sliders in the Simulation panel set the motor torques.", acts=False),
}
"""Entries that need no compiled code."""


@cache
def laws() -> Mapping[str, Law]:
    """Return all controllers by name, in the order of the chooser. The first call imports numba, which takes a second."""
    from armature.engine.control.control_laws import LAWS

    found = dict(BY_HAND)
    for law in sorted(LAWS, key=lambda law: law.tracks):
        found.setdefault(law.law, _built_in(law))
    for name, path in example_laws().items():
        texts = _texts(path)
        if "title" in texts:
            example = Law(texts["title"], texts["equation"], texts["explanation"], follows=True, file=name)
            found[name.replace("_", "-")] = example
    found[OWN] = Law(
        "User-defined (Python)",
        "τ = control(t, q, q̇, goal, arm, p)",
        "A Python file computes the torques, in a separate process. "
        "Saving the file applies a change at once; the controller keeps its memory.",
        follows=True,
    )
    return found


def law_named(name: str) -> Law:
    """Return the texts and gains of a controller."""
    return BY_HAND[name] if name in BY_HAND else laws()[name]


def _built_in(law: type[Controller]) -> Law:
    """Texts of a built-in law."""
    return Law(law.title, law.equation, law.explanation, law.table_gains(), law.units, law.tracks)


def _texts(path: Path) -> dict[str, str]:
    """Texts that the file of an example assigns to attributes of `control`, by name; the file is not executed."""
    found = {}
    for line in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Attribute) and isinstance(line.value, ast.Constant):
            found[line.targets[0].attr] = str(line.value.value)
    return found


AXIS_NAMES = ("x", "y", "z", "rot x", "rot y", "rot z")


@dataclass(frozen=True)
class ControlOptions:
    """Options of every controller: torque limits, control period in s (None: every step), and its knowledge of the load."""

    saturate: bool = True
    period: float | None = None
    knows_payload: bool = True
    assumed_mass: float = 0.0
    knows_friction: bool = True


def shown_name(law: str, file: str) -> str:
    """Return the entry of the chooser for a law; an included example has its own entry, found by its `file`."""
    if law != OWN or not file:
        return law
    return next((name for name, offered in laws().items() if offered.file == file), law)


def row_names(law: Law, joint_names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the rows of the gain table."""
    return {JOINTS: tuple(joint_names), AXES: AXIS_NAMES, SINGLE: ("all",)}.get(law.rows, ())
