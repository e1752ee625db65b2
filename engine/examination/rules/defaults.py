"""Rule: figures that nobody measured."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.figures import Figures, is_solid
from armature.engine.examination.finding import DOUBTFUL, NOTE, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number

FEW = 4  # links alike that are no accident


def alike(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Many links of one mass and one inertia: the default of an exporter."""
    moving = [link for link in figures.weighty if is_solid(link)]
    groups: dict[tuple, list] = {}
    for link in moving:
        groups.setdefault((link.mass, *np.diagonal(link.inertia).tolist()), []).append(link)
    for same in groups.values():
        if len(same) < FEW or 2 * len(same) <= len(moving):
            continue
        ones = same[0].mass == 1.0 and np.array_equal(same[0].inertia, np.eye(3))
        yield Finding(
            "default values left in",
            DOUBTFUL if ones else NOTE,
            same[0].mass_at,
            f"{len(same)} of {len(moving)} links have the same {number(same[0].mass)} kg and Ixx of "
            f"{number(float(same[0].inertia[0, 0]))} kg·m²",
            "An exporter's default, or a placeholder",
        )
