"""Rule: inertias that were not measured."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number

FEW = 3  # links alike that are no accident
PLACEHOLDERS = (1.0, 0.1, 0.01, 0.001)  # kg·m² about every axis, as exporters fill in


def alike(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Most links with one and the same round inertia about every axis: one finding for all of them."""
    solid = [link for link in figures.weighty if is_solid(link)]
    for value in PLACEHOLDERS:
        same = [link for link in solid if is_placeholder(link, value)]
        if len(same) >= FEW and 2 * len(same) > len(solid):
            yield Finding(
                "default inertias",
                DOUBTFUL,
                same[0].inertia_at,
                f"{len(same)} of {len(solid)} links have {number(value)} kg·m² about every axis",
                "This is an exporter's default, not a measured or computed value",
            )


def is_placeholder(link: LinkFigures, *values: float) -> bool:
    """Whether an inertia is one of the round values about every axis."""
    return link.inertia[0, 0] in (values or PLACEHOLDERS) and np.array_equal(link.inertia, link.inertia[0, 0] * np.eye(3))
