"""Rule: centres of mass that lie where no part of the arm is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import repair, vector_edit
from armature.engine.examination.figures import Figures, LinkFigures
from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding
from armature.engine.examination.rules.together import together
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number, vector

FAR = 1.5  # of the arm's reach, from the box of the body's joints and shapes
CLOSE, ODD, TIP = 0.1, 0.35, 0.6  # the same, where the shape is known, where the next joint is, and where neither is
ROOM = 0.15  # m, from the last joint of a small arm
MILLI = 30.0  # reaches beyond which figures in m are likely to be in mm
_CAUSES = (
    (1e-3, "It was probably entered in mm"),
    (0.1, "The decimal point is off by one place"),
    (0.01, "The decimal point is off by two places"),
)


def far_off(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """The centre of mass outside of the body's joints and shapes by a good part of the arm's reach."""

    def scaled(link: LinkFigures, factor: float) -> tuple[Edit, ...]:
        return vector_edit(figures, link.com_at, factor * link.com)

    links = [link for link in figures.links if link.body >= 0 and link.com.any()]
    yield from together(list(_far(figures, sizes)), links, "links", scaled)


def _far(figures: Figures, sizes: Sizes) -> Iterator[tuple[float, Finding]]:
    for link in figures.weighty:
        away = sizes.distance(link, link.com)
        if not link.mass or away <= _most(sizes, link):
            continue
        factor, why, only = _factor(sizes, link)
        wild = away > FAR * sizes.reach
        yield (
            factor,
            Finding(
                "centre of mass outside the link",
                ERROR if wild else DOUBTFUL,
                link.com_at,
                f"{vector(link.com)} m, {number(away)} m outside the link; the arm is {number(sizes.reach)} m long",
                why,
                repair(vector(factor * link.com) + " m", vector_edit(figures, link.com_at, factor * link.com), wild and only)
                if factor
                else None,
            ),
        )


def _most(sizes: Sizes, link: LinkFigures) -> float:
    """How far outside a centre of mass may lie: little where the link's shape is known, an arm's length where its end is not."""
    if link.body in sizes.shaped:
        return max(CLOSE * sizes.reach, 0.25 * sizes.of(link))
    return max(TIP * sizes.reach, ROOM) if link.body in sizes.tips else max(ODD * sizes.reach, sizes.of(link))


def _factor(sizes: Sizes, link: LinkFigures) -> tuple[float, str, bool]:
    """What brings the centre back to the body, what it comes from, and whether nothing else does."""
    causes = _CAUSES if np.linalg.norm(link.com) > MILLI * sizes.reach else _CAUSES[1:]
    fits = [row for row in causes if sizes.distance(link, row[0] * link.com) <= _most(sizes, link)]
    return (*fits[0], len(fits) == 1) if fits else (0.0, "It is given in another frame or for another link", False)
