"""Rules: masses that do not fit the arm or the shape of their link."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import number_edit, repair
from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, ERROR, Finding
from armature.engine.examination.rules.inertias import has_length, have_plausible_gyration, most_gyration
from armature.engine.examination.rules.together import of_several
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import given, number
from armature.engine.model.inertia_rules import principal_moments

WILD, HEAVY = 5000.0, 1500.0  # kg per cubic metre of the arm's reach, one link
ALONE, FEW = 10.0, 3  # times all others together; the heaviest known is 3 times. Links that there must be for it
_MISTAKES = (
    (0.1, "with its decimal point off by one place"),
    (0.01, "with its decimal point off by two places"),
    (1e-3, "in g"),
)
OSMIUM, STEEL, FOAM = 22_600.0, 7_850.0, 3.0  # kg/m³
# A solid bar as long as the reach and a quarter of it thick has this share of the reach's cube: the links of an arm fill less.
# Of the robots that ship and those of example-robot-data, none with three links or more has over 85 kg per reach cubed.
BAR = math.pi / 64
THIN = 1.0  # kg per reach cubed; the lightest of them has 2


def too_heavy(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """A link of tonnes on an arm of a metre, or all links together too heavy for their reach or their shapes."""
    of_all = _of_all_links(figures, sizes)
    yield from _too_heavy(figures, sizes) if of_all is None else [of_all]


def _of_all_links(figures: Figures, sizes: Sizes) -> Finding | None:
    """Return one finding where the masses of most links are too large for the arm, with the readings that make an arm of them."""
    moving = [link for link in figures.weighty if link.mass]
    bulk = _bulk(figures, sizes)
    dense = _densest(list(_densities(figures, sizes)))
    if bulk <= OSMIUM * BAR and not dense:
        return None
    parts = [link for link in figures.links if link.body >= 0 and link.mass]
    by_size = [(factor, phrase) for factor, phrase in _MISTAKES if THIN < factor * bulk <= STEEL * BAR]
    known = [link for link in moving if is_solid(link) and has_length(sizes, link)]
    fits = [row for row in by_size if not known or have_plausible_gyration(figures, sizes, known, 1 / row[0])]
    scaled = bool(by_size) and not fits and have_plausible_gyration(figures, sizes, known, 1.0)
    factor = fits[0][0] if len(fits) == 1 else 0.0
    cause = f"It {given(fits or by_size)}" if by_size else "They belong to another arm, or the unit is wrong"
    cause = of_several(cause) + (", and the inertias are too large by the same factor" if scaled else "")
    total = sum(link.mass for link in moving)
    text = f"multiply the masses of all {len(parts)} links by {number(factor)}: {number(factor * total)} kg in total"
    edits = tuple(edit for link in parts for edit in number_edit(figures, link.mass_at, factor * link.mass))
    first = max(moving, key=lambda link: link.mass)
    return Finding(
        "mass too large for the arm, most links",
        ERROR if bulk > OSMIUM * BAR else DOUBTFUL,
        first.mass_at,
        f"{len(moving)} of {len(parts)} links, {number(total)} kg in total on an arm {number(sizes.reach)} m long"
        + (f"; {len(dense)} of them weigh more than {number(OSMIUM)} kg per cubic metre of their shapes" if dense else ""),
        cause,
        repair(text, edits, len(by_size) == 1) if factor else None,
    )


def _bulk(figures: Figures, sizes: Sizes) -> float:
    """Mass over the cube of the reach, kg/m³, as if all links had the median mass; 0 for fewer than three links."""
    masses = [link.mass for link in figures.weighty if link.mass]
    return len(masses) * float(np.median(masses)) / sizes.reach**3 if len(masses) >= FEW else 0.0


def _densest(rows: list[tuple[LinkFigures, float, float]]) -> list[LinkFigures]:
    """Return the links denser than any material, where they are more than half of those with shapes, and three or more."""
    dense = [link for link, mass, volume in rows if mass > OSMIUM * volume]
    return dense if len(dense) >= FEW and 2 * len(dense) > len(rows) else []


def _too_heavy(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    moving = figures.weighty
    for link in moving:
        others = np.array([other.mass for other in moving if other is not link])
        if not _is_too_heavy(link, others, sizes):
            continue
        grams = not others.size or 1e-3 * link.mass < 100 * np.median(others)
        edits = number_edit(figures, link.mass_at, 1e-3 * link.mass)
        only = 0.01 * link.mass / sizes.reach**3 > HEAVY  # no lost decimal point
        yield Finding(
            "mass too large for the arm",
            ERROR if link.mass / sizes.reach**3 > WILD else DOUBTFUL,
            link.mass_at,
            f"{number(link.mass)} kg on an arm {number(sizes.reach)} m long" + _beside(others),
            "It was probably entered in g" if grams else "The mass belongs to something else",
            repair(f"{number(1e-3 * link.mass)} kg", edits, only) if grams else None,
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
            f"It was probably entered {ways}" if ways else "It belongs to something else",
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
    rows = list(_densities(figures, sizes))
    if _densest(rows) or _bulk(figures, sizes) > OSMIUM * BAR:  # one finding of `too_heavy` is about all of them
        return
    for link, mass, volume in rows:
        if FOAM <= mass / volume <= OSMIUM:
            continue
        rho, heavy = mass / volume, mass / volume > OSMIUM
        yield Finding(
            "density above that of any material" if heavy else "density below that of any robot",
            DOUBTFUL,
            link.mass_at,
            f"{number(mass)} kg in at most {number(1e3 * volume)} litres of shape: {number(rho)} kg/m³ "
            f"({'steel has 7850' if heavy else 'foam has 30'})",
            "The mass is in g, or the shape is smaller than the link"
            if heavy
            else "The mass is a placeholder, or the shape is in mm",
        )


def _densities(figures: Figures, sizes: Sizes) -> Iterator[tuple[LinkFigures, float, float]]:
    """Yield the heaviest link of each body with measured shapes, the mass of the body in kg, and their hull in m³."""
    for link in figures.weighty:
        own = [other for other in figures.links if other.body == link.body]
        if link.body not in sizes.shaped or link is not max(own, key=lambda other: other.mass):
            continue
        volume = _volume(figures, link.body)
        if volume > 0:
            yield link, sum(other.mass for other in own), volume


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
