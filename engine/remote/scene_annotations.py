"""`SceneAnnotations`: plots, ghosts, arrows, texts and controls that a script adds to the view."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

import numpy as np

from armature.engine.errors import DimensionError, one_line
from armature.engine.remote.messages import Arrow, Samples, Slider, Text, Update
from armature.engine.remote.script_connection import ScriptConnection

_CURVES = 32  # of a plot
Point = Sequence[float] | np.ndarray


def numbers(values, what: str, n: int) -> list[float]:
    """n finite numbers. Raises DimensionError."""
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        array = np.full(0, np.nan)
    if array.shape != (n,) or not np.isfinite(array).all():
        seen = "values that are not finite" if array.shape == (n,) else f"an array of shape {array.shape}"
        raise DimensionError(f"{what} must be {n} finite numbers, not {seen}")
    return array.tolist()


def three(values, what: str) -> tuple[float, float, float]:
    """The three coordinates of a point or an arrow. Raises DimensionError."""
    x, y, z = numbers(values, what, 3)
    return x, y, z


def row(values, name: str, names) -> list[float]:
    """One sample of a plot: a number, or some for as many curves; they need not be finite. Raises DimensionError."""
    try:
        found = np.asarray(values, float)
    except (TypeError, ValueError):
        raise DimensionError(
            f"plot {name!r}: {one_line(repr(values), 40)} is neither a number nor a 1-D array of one number per curve"
        ) from None
    if found.ndim > 1:
        raise DimensionError(f"plot {name!r}: give a number or a 1-D array, not an array of shape {found.shape}")
    if not 0 < found.size <= _CURVES:
        raise DimensionError(f"plot {name!r}: give 1 to {_CURVES} values, not {found.size}")
    if len(names) and len(names) != found.size:
        raise DimensionError(f"plot {name!r}: give {found.size} names, one per value, or none; not {len(names)}")
    return np.atleast_1d(found).tolist()


def checked_colour(text: str, what: str) -> str:
    """A colour as "#rrggbb", "" for the usual one. Raises DimensionError."""
    if text and re.fullmatch("#[0-9a-fA-F]{6}", str(text)) is None:
        raise DimensionError(f'{what}: the colour must be "#rrggbb", not {one_line(repr(text), 40)}')
    return str(text)


class SceneAnnotations:
    """The part of a `View` that has plots, ghosts, arrows, texts, sliders and buttons."""

    def __init__(self, line: ScriptConnection):
        self._line, self._began = line, time.monotonic()
        self._forget_controls()

    def plot(self, name: str, value, t: float | None = None, names: Sequence[str] = ()) -> None:
        """Append to the plot `name` of the dock Script.

        Args:
            name: the title, with the unit.
            value: a number, or `(k,)` for k curves.
            t: s; by default the time since the script took the window.
            names: of the curves, by default 1 to k.
        """
        values = row(value, name, names)
        if self._curves.setdefault(str(name), len(values)) != len(values):
            raise DimensionError(
                f"plot {name!r}: has {self._curves[str(name)]} values per point, not {len(values)}; call clear() first"
            )
        called = list(names) or ([name] if len(values) == 1 else [str(k + 1) for k in range(len(values))])
        at = time.monotonic() - self._began if t is None else float(t)
        self._tell(lambda state: state.plot(str(name), Samples([at], [values], called)))

    def ghost(self, name: str, q) -> None:
        """Show the arm also at joint positions q `(n,)`, as a translucent ghost with its name; None removes it."""
        shown = self._line.robot
        values = None if q is None else numbers(q, f"ghost {name!r}", len(shown.joints))
        self._tell(lambda state: state.ghosts.update({str(name): values}))

    def arrow(
        self,
        p: Point | None,
        f: Point = (0.0, 0.0, 0.0),
        name: str = "",
        *,
        unit: str = "N",
        scale: float = 0.0,
        colour: str = "",
    ) -> None:
        """Show an arrow f `(3,)` at the point p `(3,)`, both in W, with its length as a number in `unit`; p None removes it.

        Args:
            name: identifies the arrow, and is displayed next to it.
            scale: m drawn per unit; by default the longest of that name so far is a third of the robot's reach.
            colour: "#rrggbb".
        """
        arrow = None
        if p is not None:
            start, vector = three(p, f"arrow {name!r}: p"), three(f, f"arrow {name!r}: f")
            arrow = Arrow(start, vector, float(scale), str(unit), checked_colour(colour, f"arrow {name!r}"))
        self._tell(lambda state: state.arrows.update({str(name): arrow}))

    def text(self, text: str, at: Point | None = None, name: str = "") -> None:
        """Show a line of text at the top of the view, or at a point `(3,)` in W; an empty text removes it."""
        shown = Text(str(text), None if at is None else three(at, "text: at")) if text else None
        self._tell(lambda state: state.texts.update({str(name): shown}))

    def slider(self, name: str, low: float, high: float, start: float | None = None) -> float:
        """The value of a slider in the dock Script, which is made by the first call."""
        low, high = float(low), float(high)
        if not (np.isfinite([low, high]).all() and low < high):
            raise DimensionError(f"slider {name!r}: the lower limit must be below the upper one, not {low:g} to {high:g}")
        first = low if start is None else float(start)
        if not low <= first <= high:
            raise DimensionError(f"slider {name!r}: the start must be between {low:g} and {high:g}, not {first:g}")
        name, wanted = str(name), Slider(low, high, first)
        self._check()
        if self._sliders.get(name) != wanted:
            self._sliders[name] = wanted
            self._line.tell(lambda state: state.sliders.update({name: wanted}))
        return min(max(self._line.report.values.get(name, first), low), high)

    def pressed(self, name: str) -> bool:
        """Whether a button in the dock Script, which is made by the first call, was pressed since the last call."""
        name = str(name)
        self._check()
        if name not in self._pressed:
            self._line.tell(lambda state: state.buttons.update({name: True}))
        count, before = self._line.report.presses.get(name, 0), self._pressed.get(name, 0)
        self._pressed[name] = min(count, before + 1)
        return count > before

    def _forget_controls(self) -> None:
        self._sliders: dict[str, Slider] = {}
        self._pressed: dict[str, int] = {}
        self._curves: dict[str, int] = {}  # of each plot

    def _check(self) -> None:
        self._line.check()

    def _tell(self, change: Callable[[Update], object]) -> None:
        self._check()
        self._line.tell(change)
