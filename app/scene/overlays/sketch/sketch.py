"""`Sketch`: arrows, lines and names that explain something at the arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class SketchArrow(NamedTuple):
    """From `start` to `tip` `(3,)` in W, "#rrggbb", with a name at its tip; a `thin` one stands back."""

    start: np.ndarray
    tip: np.ndarray
    colour: str
    name: str = ""
    thin: bool = False


class Stroke(NamedTuple):
    """A line through `points` `(k, 3)` in W, its width and dash in logical pixels."""

    points: np.ndarray
    colour: str
    width: float = 3.0
    dash: float = 0.0


class Caption(NamedTuple):
    """A text beside a point `(3,)` in W."""

    text: str
    colour: str
    point: np.ndarray


@dataclass(frozen=True, eq=False)
class Sketch:
    """Everything that is drawn."""

    arrows: tuple[SketchArrow, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    captions: tuple[Caption, ...] = ()
    replaces_frames: bool = False  # where it draws frames of its own
