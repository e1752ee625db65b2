"""The arrows of the block diagram: what runs along each, and which plots show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

import numpy as np

from armature.app.state.plot_names import MODES, SIGNALS, checked
from armature.app.state.units import UNKNOWN, Units, number

LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TOOL = ("tool", "tool_velocity", "tool_acceleration")


@dataclass(frozen=True)
class Arrow:
    """`symbol` stands on it, `needed` where nothing gives its numbers; a click adds the first of `plots`, its menu the others."""

    symbol: str
    words: str
    plots: tuple[str, ...]
    needed: str = ""


ARROWS = {
    "desired": Arrow("q*", "Desired motion", tuple(f"{name}:desired" for name in ("q", "qd", "qdd", *TOOL))),
    "torque": Arrow("u = τ", "Motor torque, the control input u", ("tau",), "τ required"),
    "acceleration": Arrow("q̈", "Joint acceleration", ("qdd", "qdd:both")),
    "position": Arrow("q", "Joint position", ("q", "q:both", "qd", "qd:both", "phase")),
    "tool": Arrow("x", "Tool position", (*TOOL, *(f"{name}:both" for name in TOOL))),
    "feedback": Arrow("q, q̇", "Measured joint positions and velocities", ("q:error", "qd:error", "qd")),
}


@dataclass(frozen=True, eq=False)
class Flow:
    """What runs along the arrows now: `(n,)` in SI units, `x` `(3,)` m; None where nothing does."""

    desired: np.ndarray | None
    torque: np.ndarray | None
    acceleration: np.ndarray | None
    position: np.ndarray
    feedback: np.ndarray | None
    tool: np.ndarray

    def of(self, name: str) -> np.ndarray | None:
        """What runs along the arrow of that name in `ARROWS`; along the feedback, the velocities."""
        return vars(self)[name]


@dataclass(frozen=True)
class Reading:
    """What is written at an arrow: a number and a unit for each of `names`."""

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    units: tuple[str, ...]

    def line(self, k: int) -> str:
        """One of them in words."""
        return f"{self.names[k]}  {self.numbers[k]} {self.units[k]}"

    @property
    def tags(self) -> tuple[str, ...]:
        """What stands before each number: an axis, or the joint's own number where there are several."""
        if max(map(len, self.names), default=1) == 1:
            return self.names
        return tuple(str(k + 1).translate(LOWERED) for k in range(len(self.names))) if len(self.names) > 1 else ("",)

    @property
    def unit(self) -> str:
        """The one unit of all; empty where there are two."""
        return self.units[0] if len(set(self.units)) == 1 else ""


def reading(name: str, values: np.ndarray | None, joints: Sequence[str], prismatic: np.ndarray, units: Units) -> Reading:
    """What is written at the arrow `name` of an arm whose `joints` turn or slide."""
    names = ("x", "y", "z") if name == "tool" else tuple(joints)
    slides = (True,) * 3 if name == "tool" else tuple(bool(kind) for kind in prismatic)
    if name == "torque":
        factors, symbols = (1.0,) * len(names), tuple("N" if kind else "N·m" for kind in slides)
    else:
        after = {"acceleration": "/s²", "feedback": "/s"}.get(name, "")
        factors = tuple(units.factor(kind) for kind in slides)
        symbols = tuple(units.symbol(kind) + after for kind in slides)
    known = np.full(len(names), np.nan) if values is None else values
    return Reading(names, tuple(brief(float(value) * factor) for value, factor in zip(known, factors)), symbols)


def brief(value: float) -> str:
    """A number in three digits or so, none behind the third decimal: it must not change its place while it changes."""
    if not isfinite(value):
        return UNKNOWN
    digits = 3 if abs(value) < 1e-3 else min(max(2 - floor(log10(abs(value))), 0), 3)
    return number(value, digits)


def plot_title(plot: str) -> str:
    """The name of a plot as menus have it."""
    signal, mode = checked(plot)
    return SIGNALS[signal] + ("" if mode == "actual" else f": {MODES[mode].lower()}")
