"""Rules for masses, densities and centres of mass, and for links of the left and right side."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from armature.engine.examination.finding import (
    DOUBTFUL,
    ERROR,
    Edit,
    Finding,
    listed_moments,
    number,
    reading_text,
    vector,
)
from armature.engine.examination.parameters import LinkParameters, Parameters, is_solid
from armature.engine.examination.repairs import number_edit, of_several, repair, together, vector_edit
from armature.engine.examination.rules.inertias import has_length, have_plausible_gyration, most_gyration
from armature.engine.examination.sizes import Sizes
from armature.engine.model.inertia_rules import principal_moments

WILD, HEAVY = 5000.0, 1500.0  # kg per reach cubed in m³, one link
ALONE, FEW = 10.0, 3  # mass over the sum of all others (real arms: up to 3); least number of links
_MISTAKES = (
    (0.1, "with its decimal point off by one place"),
    (0.01, "with its decimal point off by two places"),
    (1e-3, "in g"),
)
OSMIUM, STEEL, FOAM = 22_600.0, 7_850.0, 3.0  # kg/m³
# A solid bar with the length of the reach and a quarter of it as thickness has this volume over reach cubed; arms have less.
# No included robot and none of example-robot-data with three links or more exceeds 85 kg per reach cubed.
BAR = math.pi / 64
THIN = 1.0  # kg per reach cubed; the lightest of them has 2


def masses_too_large(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report a link, or the sum of all links, that is too heavy for the reach or the shapes."""
    of_all = _of_all_links(parameters, sizes)
    yield from _too_heavy(parameters, sizes) if of_all is None else [of_all]


def _of_all_links(parameters: Parameters, sizes: Sizes) -> Finding | None:
    """Return one finding if the masses of most links are too large, with the readings that give plausible masses."""
    moving = [link for link in parameters.weighty if link.mass]
    bulk = _bulk(parameters, sizes)
    dense = _densest(list(_densities(parameters, sizes)))
    if bulk <= OSMIUM * BAR and not dense:
        return None
    parts = [link for link in parameters.links if link.body >= 0 and link.mass]
    by_size = [(factor, phrase) for factor, phrase in _MISTAKES if THIN < factor * bulk <= STEEL * BAR]
    known = [link for link in moving if is_solid(link) and has_length(sizes, link)]
    fits = [row for row in by_size if not known or have_plausible_gyration(parameters, sizes, known, 1 / row[0])]
    scaled = bool(by_size) and not fits and have_plausible_gyration(parameters, sizes, known, 1.0)
    factor = fits[0][0] if len(fits) == 1 else 0.0
    cause = f"It {reading_text(fits or by_size)}" if by_size else "They belong to another arm, or the unit is wrong"
    cause = of_several(cause) + (", and the inertias are too large by the same factor" if scaled else "")
    total = sum(link.mass for link in moving)
    text = f"multiply the masses of all {len(parts)} links by {number(factor)}: {number(factor * total)} kg in total"
    edits = tuple(edit for link in parts for edit in number_edit(parameters, link.mass_at, factor * link.mass))
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


def _bulk(parameters: Parameters, sizes: Sizes) -> float:
    """Return mass over reach cubed, kg/m³, computed with the median mass; 0 for fewer than three links."""
    masses = [link.mass for link in parameters.weighty if link.mass]
    return len(masses) * float(np.median(masses)) / sizes.reach**3 if len(masses) >= FEW else 0.0


def _densest(rows: list[tuple[LinkParameters, float, float]]) -> list[LinkParameters]:
    """Return links denser than any material, if they are three or more and over half of the links with shapes."""
    dense = [link for link, mass, volume in rows if mass > OSMIUM * volume]
    return dense if len(dense) >= FEW and 2 * len(dense) > len(rows) else []


def _too_heavy(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    moving = parameters.weighty
    for link in moving:
        others = np.array([other.mass for other in moving if other is not link])
        if not _is_too_heavy(link, others, sizes):
            continue
        grams = not others.size or 1e-3 * link.mass < 100 * np.median(others)
        edits = number_edit(parameters, link.mass_at, 1e-3 * link.mass)
        only = 0.01 * link.mass / sizes.reach**3 > HEAVY  # not a wrong decimal point
        yield Finding(
            "mass too large for the arm",
            ERROR if link.mass / sizes.reach**3 > WILD else DOUBTFUL,
            link.mass_at,
            f"{number(link.mass)} kg on an arm {number(sizes.reach)} m long" + _beside(others),
            "It was probably entered in g" if grams else "The mass belongs to another body",
            repair(f"{number(1e-3 * link.mass)} kg", edits, only) if grams else None,
        )


def _is_too_heavy(link: LinkParameters, others: np.ndarray, sizes: Sizes) -> bool:
    density = link.mass / sizes.reach**3
    alike = bool(others.size and link.mass < 20 * np.median(others))
    return density > HEAVY and link.mass >= 1.0 and not (alike and density <= WILD)


def masses_above_others(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report a link many times heavier than all other moving links together, but possible for the size of the arm."""
    moving = parameters.weighty
    masses = [link.mass for link in parameters.links if link.body >= 0 and link.mass > 0]
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
            f"It was probably entered {ways}" if ways else "The mass belongs to another body",
            repair(f"{number(factor * link.mass)} kg", number_edit(parameters, link.mass_at, factor * link.mass))
            if factor
            else None,
        )


def _fits(sizes: Sizes, link: LinkParameters, mass: float, others: float) -> bool:
    """True if the mass in kg is plausible compared with the `others` in kg and with the radius of gyration."""
    largest = principal_moments(link.inertia)[2] if is_solid(link) else 0.0
    return mass <= ALONE * others and math.sqrt(largest / mass) <= most_gyration(sizes, link)


def _beside(others: np.ndarray) -> str:
    return f"; the other links weigh {number(float(np.median(others)))} kg" if others.size else ""


def shape_densities(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Compare m / V with materials; V is the hull of all shapes of a body, so that the true density is at least m / V."""
    rows = list(_densities(parameters, sizes))
    if _densest(rows) or _bulk(parameters, sizes) > OSMIUM * BAR:  # one finding of `masses_too_large` is about all of them
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


def _densities(parameters: Parameters, sizes: Sizes) -> Iterator[tuple[LinkParameters, float, float]]:
    """Yield the heaviest link of each body with measured shapes, the mass of the body in kg, and the hull in m³."""
    for link in parameters.weighty:
        own = [other for other in parameters.links if other.body == link.body]
        if link.body not in sizes.shaped or link is not max(own, key=lambda other: other.mass):
            continue
        volume = _volume(parameters, link.body)
        if volume > 0:
            yield link, sum(other.mass for other in own), volume


def _volume(parameters: Parameters, body: int) -> float:
    """Return the volume of the hull of all shapes of a body in m³; 0 for flat shapes."""
    from scipy.spatial import ConvexHull, QhullError  # slow import, needed for shapes only

    links = parameters.robot.links
    points = []
    for written in parameters.shapes:
        frame = links[written.shape.link]
        if frame.body == body and written.points is not None:
            points.append(written.points @ frame.X_BF[:3, :3].T + frame.X_BF[:3, 3])
    try:
        return float(ConvexHull(np.concatenate(points)).volume)
    except (QhullError, ValueError):
        return 0.0


FAR = 1.5  # fraction of the reach, distance from the box of the body's joints and shapes
CLOSE, ODD, TIP = 0.1, 0.35, 0.6  # the same, if the shape is known, if the next joint is known, and otherwise
ROOM = 0.15  # m, from the last joint of a small arm
MILLI = 30.0  # reaches; larger values are probably in mm
_CAUSES = (
    (1e-3, "It was probably entered in mm"),
    (0.1, "The decimal point is off by one place"),
    (0.01, "The decimal point is off by two places"),
)


def centres_outside_links(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report centres of mass far outside the joints and shapes of the body."""

    def scale_com(link: LinkParameters, factor: float) -> tuple[Edit, ...]:
        return vector_edit(parameters, link.com_at, factor * link.com)

    links = [link for link in parameters.links if link.body >= 0 and link.com.any()]
    yield from together(list(_far(parameters, sizes)), links, "links", scale_com)


def _far(parameters: Parameters, sizes: Sizes) -> Iterator[tuple[float, Finding]]:
    for link in parameters.weighty:
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
                repair(vector(factor * link.com) + " m", vector_edit(parameters, link.com_at, factor * link.com), wild and only)
                if factor
                else None,
            ),
        )


def _most(sizes: Sizes, link: LinkParameters) -> float:
    """Return the largest accepted distance of a centre of mass from the body, m."""
    if link.body in sizes.shaped:
        return max(CLOSE * sizes.reach, 0.25 * sizes.of(link))
    return max(TIP * sizes.reach, ROOM) if link.body in sizes.tips else max(ODD * sizes.reach, sizes.of(link))


def _factor(sizes: Sizes, link: LinkParameters) -> tuple[float, str, bool]:
    """Return the factor that moves the centre into the body, its cause, and whether it is the only one."""
    causes = _CAUSES if np.linalg.norm(link.com) > MILLI * sizes.reach else _CAUSES[1:]
    fits = [row for row in causes if sizes.distance(link, row[0] * link.com) <= _most(sizes, link)]
    return (*fits[0], len(fits) == 1) if fits else (0.0, "It is given in another frame or for another link", False)


_LEFT = re.compile(r"(?:(?<=^)|(?<=[_\-/]))(left|l)(?=$|[_\-/\d])|left|(?<=^)[lL](?=[FHR]_|[FH]_)", re.IGNORECASE)
_PAIRS = {"left": "right", "Left": "Right", "LEFT": "RIGHT", "l": "r", "L": "R"}
MASS, CENTRE, MOMENTS = 0.02, 0.1, 0.2  # accepted relative differences of a other_side pair


def unlike_sides(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report left and right links that differ in mass, absolute centre coordinates or principal moments."""
    by_name = {link.name: link for link in parameters.weighty}
    for name, left in by_name.items():
        right = by_name.get(other_side(name))
        difference = None if right is None else _difference(left, right, sizes)
        if right is None or difference is None:
            continue
        yield Finding(
            "left and right sides differ",
            DOUBTFUL,
            right.mass_at,
            f"compared with {left.name}: {difference}",
            "Only one side was edited, or the sides are not mirror images",
        )


def other_side(name: str) -> str:
    """Return the name of the right link for a left one; empty for other names."""
    return _LEFT.sub(lambda match: _PAIRS.get(match[0], ""), name, count=1) if _LEFT.search(name) else ""


def _difference(left: LinkParameters, right: LinkParameters, sizes: Sizes) -> str | None:
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
