"""Rule: inertias that are about the link's frame where they should be about the centre of mass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import inertia_edit, repair
from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number
from armature.engine.model.inertia_rules import principal_moments
from armature.engine.rotations import skew

LONG = 0.15  # of the arm's reach; shorter links are as thick as they are long
# Times the most, where only the joints tell how long a link is; a rod given about its end has 4/3, one about its middle 1/3.
FULL = 1.2


def about_the_frame(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Single links whose mass would have to lie outside of them."""
    for link in figures.weighty:
        if not link.mass or not is_solid(link) or not is_about_the_frame(sizes, link):
            continue
        before, after = (_overfull(sizes, link, inertia) for inertia in (link.inertia, about_centre(link)))
        yield Finding(
            "inertia about the link frame",
            DOUBTFUL,
            link.inertia_at,
            f"{number(before)} times the maximum for this mass within the link about its centre of mass, "
            f"{number(float(np.linalg.norm(link.com)))} m from the frame; read about the frame, {number(after)} times",
            "The CAD program gave it about the link frame's origin; a robot file needs it about the centre of mass",
            repair("shift it to the centre of mass (parallel-axis theorem)", inertia_edit(figures, link, about_centre(link))),
        )


def is_about_the_frame(sizes: Sizes, link: LinkFigures) -> bool:
    """True if the mass would have to lie outside of the body, and I − m (c·c 1 − c cᵀ) fits into it.

    Mass between x = l and x = h has at most the second moment ∫ (x − c)² dm = m (h − c) (c − l) about its centre c.
    """
    moments = principal_moments(about_centre(link))
    if moments[0] <= 0 or moments[2] > 0.999 * (moments[0] + moments[1]):
        return False
    before, after = (_overfull(sizes, link, inertia) for inertia in (link.inertia, about_centre(link)))
    return before > (1.0 if link.body in sizes.shaped else FULL) and after <= 0.8 and before >= 1.5 * after


def shows_its_point(sizes: Sizes, link: LinkFigures) -> bool:
    """True if the link is long enough, and its centre far enough from both ends, to see what its inertia is about."""
    return _overfull(sizes, link, link.inertia) > 0


def about_centre(link: LinkFigures) -> np.ndarray:
    """I − m (c·c 1 − c cᵀ) `(3, 3)` kg·m²: the inertia about the centre of mass of one that is given about the link's frame."""
    return np.asarray(link.inertia + link.mass * skew(link.com) @ skew(link.com))


def _overfull(sizes: Sizes, link: LinkFigures, inertia: np.ndarray) -> float:
    """The second moment of the mass along the longest side of its body's box, beside the most there can be in that box.

    0 where the box is too short to tell, or the centre lies near an end of it.
    """
    R = link.X_BL[:3, :3]
    c, low, high = R @ link.com + link.X_BL[:3, 3], sizes.low[link.body], sizes.high[link.body]
    S = R @ (np.trace(inertia) / 2 * np.eye(3) - inertia) @ R.T / link.mass
    k = int(np.argmax(high - low))
    length, before, after = high[k] - low[k], c[k] - low[k], high[k] - c[k]
    if length < LONG * sizes.reach or min(before, after) < 0.15 * length:
        return 0.0
    return float(S[k, k] / (before * after))
