"""Rule: links of the left and the right that are mirror images by name and not by their figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import listed_moments, number, vector
from armature.engine.model.inertia_rules import principal_moments

_LEFT = re.compile(r"(?:(?<=^)|(?<=[_\-/]))(left|l)(?=$|[_\-/\d])|left|(?<=^)[lL](?=[FHR]_|[FH]_)", re.IGNORECASE)
_PAIRS = {"left": "right", "Left": "Right", "LEFT": "RIGHT", "l": "r", "L": "R"}
MASS, CENTRE, MOMENTS = 0.02, 0.1, 0.2  # by which figures of a mirrored pair may differ, those of cables included


def unlike_sides(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Mass, the sizes of the centre's coordinates, and principal moments are the same in a mirror."""
    by_name = {link.name: link for link in figures.weighty}
    for name, left in by_name.items():
        right = by_name.get(mirrored(name))
        difference = None if right is None else _difference(left, right, sizes)
        if right is None or difference is None:
            continue
        yield Finding(
            "left and right differ",
            DOUBTFUL,
            right.mass_at,
            f"compared with {left.name}: {difference}",
            "Only one side was edited, or they are not mirror images",
        )


def mirrored(name: str) -> str:
    """The name of the other side's link; empty for one that is on neither side or on the right."""
    return _LEFT.sub(lambda match: _PAIRS.get(match[0], ""), name, count=1) if _LEFT.search(name) else ""


def _difference(left: LinkFigures, right: LinkFigures, sizes: Sizes) -> str | None:
    if abs(left.mass - right.mass) > MASS * max(left.mass, right.mass):
        return f"{number(right.mass)} kg and {number(left.mass)} kg"
    a, b = np.sort(np.abs(left.com)), np.sort(np.abs(right.com))
    if np.abs(a - b).max() > max(CENTRE * np.linalg.norm(left.com), 0.02 * sizes.reach):
        return f"centre of mass {vector(right.com)} m and {vector(left.com)} m"
    if not is_solid(left) or not is_solid(right):
        return None
    I_left, I_right = principal_moments(left.inertia), principal_moments(right.inertia)
    if np.abs(I_left - I_right).max() > MOMENTS * max(I_left[2], I_right[2]):
        return f"principal moments {listed_moments(I_right)} and {listed_moments(I_left)}"
    return None
