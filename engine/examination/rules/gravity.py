"""Rule: gravity in another unit, or pointing up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import repair, vector_edit
from armature.engine.examination.figures import Figures
from armature.engine.examination.finding import DOUBTFUL, Finding, Place
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number, vector

STRONGEST = 30.0  # m/s²; Jupiter has 24.8, and no planet of the solar system more
_UNITS = ((1e-3, "mm/s²"), (1e-2, "cm/s²"))
UP = 0.5  # share of gravity that points up, beyond which it is no plane that leans


def unlike_earth(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """The free fall in the world, whose z points up: stronger than on any planet, or upwards."""
    g = figures.robot.gravity
    size = float(np.linalg.norm(g))
    where = Place(figures.whole.part, figures.whole.file, None, ("gravity",))
    factor, unit = next(((k, unit) for k, unit in _UNITS if size > STRONGEST and 1.0 < k * size < STRONGEST), (1.0, ""))
    up = bool(g[2] > UP * size > 0)
    figure = f"{vector(g)} m/s²; on Earth it is [0, 0, −9.81]"
    if size > STRONGEST:
        sound = factor * np.array([1.0, 1.0, -1.0 if up else 1.0]) * g
        why = f"It was probably entered in {unit}" if unit else "The unit is wrong"
        mend = repair(f"{vector(sound)} m/s²", vector_edit(figures, where, sound)) if unit else None
        yield Finding("gravity too strong", DOUBTFUL, where, f"{number(size)} m/s²: {figure}", why, mend)
    elif up:
        down = g * [1.0, 1.0, -1.0]
        why = "The minus sign is missing: this vector is the acceleration of free fall. To hang the arm, rotate its [base]"
        yield Finding(
            "gravity points up", DOUBTFUL, where, figure, why, repair(f"{vector(down)} m/s²", vector_edit(figures, where, down))
        )
