"""Rules: masses that do not fit the arm or the shape of their link."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import number_edit, repair
from armature.engine.examination.figures import Figures
from armature.engine.examination.finding import DOUBTFUL, ERROR, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number

WILD, HEAVY = 5000.0, 1500.0  # kg per cubic metre of the arm's reach, one link
OSMIUM, FOAM = 22_600.0, 3.0  # kg/m³


def too_heavy(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """A link of tonnes on an arm of a metre."""
    moving = figures.weighty
    for link in moving:
        density = link.mass / sizes.reach**3
        others = np.array([other.mass for other in moving if other is not link])
        if density <= HEAVY or link.mass < 1.0 or (others.size and link.mass < 20 * np.median(others) and density <= WILD):
            continue
        grams = not others.size or 1e-3 * link.mass < 100 * np.median(others)
        yield Finding(
            "mass too large for the arm",
            ERROR if density > WILD else DOUBTFUL,
            link.mass_at,
            f"{number(link.mass)} kg on an arm {number(sizes.reach)} m long" + _beside(others),
            "It was given in g" if grams else "The mass is that of something else",
            repair(f"{number(1e-3 * link.mass)} kg", number_edit(figures, link.mass_at, 1e-3 * link.mass)) if grams else None,
        )


def _beside(others: np.ndarray) -> str:
    return f"; the other links weigh {number(float(np.median(others)))} kg" if others.size else ""


def density(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """m / V beside what materials weigh; V is the hull of all shapes of a body, so that the true density is no lower."""
    for link in figures.weighty:
        own = [other for other in figures.links if other.body == link.body]
        if link.body not in sizes.shaped or link is not max(own, key=lambda other: other.mass):
            continue
        mass, volume = sum(other.mass for other in own), _volume(figures, link.body)
        if volume <= 0 or FOAM <= mass / volume <= OSMIUM:
            continue
        rho, heavy = mass / volume, mass / volume > OSMIUM
        yield Finding(
            "density that no material has" if heavy else "density that no robot has",
            DOUBTFUL,
            link.mass_at,
            f"{number(mass)} kg in at most {number(1e3 * volume)} litres of shape: {number(rho)} kg/m³ "
            f"({'steel has 7850' if heavy else 'foam has 30'})",
            "The mass is in g, or the shape is smaller than the link"
            if heavy
            else "The mass is a placeholder, or the shape is in mm",
        )


def _volume(figures: Figures, body: int) -> float:
    """The hull of all shapes of a body in m³; 0 where they enclose nothing."""
    from scipy.spatial import ConvexHull, QhullError  # an import that arms without shapes have no need of

    links = figures.robot.links
    points = []
    for written in figures.shapes:
        frame = links[written.shape.link]
        if frame.body == body and written.points is not None:
            points.append(written.points @ frame.X_BF[:3, :3].T + frame.X_BF[:3, 3])
    try:
        return float(ConvexHull(np.concatenate(points)).volume)
    except (QhullError, ValueError):
        return 0.0
