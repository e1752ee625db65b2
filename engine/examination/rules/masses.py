"""Rules: masses that do not fit the arm or the shape of their link."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import number_edit, repair
from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding
from armature.engine.examination.rules.inertias import most_gyration
from armature.engine.examination.rules.together import together
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number
from armature.engine.model.inertia_rules import principal_moments

WILD, HEAVY = 5000.0, 1500.0  # kg per cubic metre of the arm's reach, one link
ALONE, FEW = 10.0, 3  # times all others together; the heaviest known is 3 times. Links that there must be for it
_MISTAKES = (
    (0.1, "with its decimal point off by one place"),
    (0.01, "with its decimal point off by two places"),
    (1e-3, "in g"),
)
OSMIUM, FOAM = 22_600.0, 3.0  # kg/m³


def too_heavy(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """A link of tonnes on an arm of a metre."""

    def scaled(link: LinkFigures, factor: float) -> tuple[Edit, ...]:
        return number_edit(figures, link.mass_at, factor * link.mass)

    links = [link for link in figures.links if link.body >= 0 and link.mass]
    yield from together(list(_too_heavy(figures, sizes)), links, "links", scaled)


def _too_heavy(figures: Figures, sizes: Sizes) -> Iterator[tuple[float, Finding]]:
    moving = figures.weighty
    for link in moving:
        others = np.array([other.mass for other in moving if other is not link])
        if not _is_too_heavy(link, others, sizes):
            continue
        grams = not others.size or 1e-3 * link.mass < 100 * np.median(others)
        edits = number_edit(figures, link.mass_at, 1e-3 * link.mass)
        only = 0.01 * link.mass / sizes.reach**3 > HEAVY  # no lost decimal point
        yield (
            1e-3 if grams else 0.0,
            Finding(
                "mass too large for the arm",
                ERROR if link.mass / sizes.reach**3 > WILD else DOUBTFUL,
                link.mass_at,
                f"{number(link.mass)} kg on an arm {number(sizes.reach)} m long" + _beside(others),
                "It was given in g" if grams else "The mass is that of something else",
                repair(f"{number(1e-3 * link.mass)} kg", edits, only) if grams else None,
            ),
        )


def _is_too_heavy(link: LinkFigures, others: np.ndarray, sizes: Sizes) -> bool:
    density = link.mass / sizes.reach**3
    alike = bool(others.size and link.mass < 20 * np.median(others))
    return density > HEAVY and link.mass >= 1.0 and not (alike and density <= WILD)


def beside_the_others(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """A link many times as heavy as all others that move together, though not beyond what an arm of that size may weigh."""
    moving = figures.weighty
    masses = [link.mass for link in figures.links if link.body >= 0 and link.mass > 0]
    for link in moving:
        others = sum(masses) - link.mass
        beside = np.array([other.mass for other in moving if other is not link])
        if len(masses) < FEW or link.mass <= ALONE * others or _is_too_heavy(link, beside, sizes):
            continue
        fits = [(factor, text) for factor, text in _MISTAKES if _fits(sizes, link, factor * link.mass, others)]
        factor = fits[0][0] if len(fits) == 1 else 0.0
        ways = " or ".join(f"{text} ({number(k * link.mass)} kg)" for k, text in fits)
        yield Finding(
            "mass far above the other links",
            DOUBTFUL,
            link.mass_at,
            f"{number(link.mass)} kg, {number(link.mass / others)} times the {number(others)} kg of all other links",
            f"It was given {ways}" if ways else "It is that of something else",
            repair(f"{number(factor * link.mass)} kg", number_edit(figures, link.mass_at, factor * link.mass))
            if factor
            else None,
        )


def _fits(sizes: Sizes, link: LinkFigures, mass: float, others: float) -> bool:
    """Whether the link could have that mass in kg, beside the `others` and by its inertia's radius of gyration."""
    largest = principal_moments(link.inertia)[2] if is_solid(link) else 0.0
    return mass <= ALONE * others and math.sqrt(largest / mass) <= most_gyration(sizes, link)


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
