"""Rules: inertias that no body of that mass and size can have."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import inertia_edit, repair
from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding, Repair
from armature.engine.examination.rules.defaults import is_placeholder
from armature.engine.examination.rules.together import together
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number
from armature.engine.model.inertia_rules import listed, principal_moments

# Shares of the largest moment by which the triangle inequality is broken in printed tables, and in ways that hardly matter.
ROUNDED, SLIGHT = 0.02, 0.1
HALF, MARGIN = 0.5, 0.15  # radius of gyration a body can have: of its own size, and of the arm's reach
WHEEL = 0.1  # m, that of a wheel on an arm of this reach or more
ORDERS = 3.0  # radii of gyration beyond so many reaches are no figure of that arm
_UNITS = ((1e-9, "g·mm²"), (1e-7, "g·cm²"), (1e-6, "kg·mm²"), (1e-4, "kg·cm²"), (1e-3, "g·m²"))
_DECIMALS = ((0.1, "one place"), (0.01, "two places"))


def impossible(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """I1 > I2 + I3: more than any distribution of mass has, because I2 + I3 − I1 = 2 ∫ x1² dm.

    A note where it is broken slightly, an error where no mass within the link's size could have the excess alone.
    """
    for link in figures.weighty:
        if not is_solid(link) or is_possible(link.inertia):
            continue
        moments = principal_moments(link.inertia)
        excess, gross = _excess(moments), _is_gross(figures, sizes, link)
        yield Finding(
            "inertia that no body can have",
            ERROR if gross else DOUBTFUL if excess > SLIGHT * moments[2] else NOTE,
            link.inertia_at,
            f"principal moments {listed(moments)}: the largest exceeds the sum of the others by {number(excess)} kg·m²"
            + (f", which {number(figures.likely_mass(link))} kg of the link's size cannot have at all" if gross else ""),
            "One of its figures is wrong, or in another unit than the others" if gross else _cause(link, moments),
            None if gross else _flattened(figures, link),
        )


def _flattened(figures: Figures, link: LinkFigures) -> Repair | None:
    return repair(
        "raise the smallest moments until a flat body has them", inertia_edit(figures, link, nearest_possible(link.inertia))
    )


def _excess(moments: np.ndarray) -> float:
    return float(moments[2] - moments[0] - moments[1])


def _is_gross(figures: Figures, sizes: Sizes, link: LinkFigures) -> bool:
    """True if the excess alone lies beyond all inertia that the link's mass and size let it have."""
    most = figures.likely_mass(link) * most_gyration(sizes, link) ** 2
    return bool(link.mass) and not is_possible(link.inertia) and _excess(principal_moments(link.inertia)) > most


def is_possible(inertia: np.ndarray) -> bool:
    """True if a body can have this inertia `(3, 3)` kg·m², to the digits of a printed table."""
    moments = principal_moments(inertia)
    return bool(_excess(moments) <= ROUNDED * moments[2])


def with_reversed_products(inertia: np.ndarray) -> np.ndarray:
    """The inertia `(3, 3)` kg·m² with the other sign of its products Ixy, Ixz, Iyz."""
    return np.asarray(2 * np.diag(np.diagonal(inertia)) - inertia)


def _cause(link: LinkFigures, moments: np.ndarray) -> str:
    if link.published:
        return "The source prints it so, as the remarks say"
    if moments[0] < 1e-3 * moments[2]:
        return "A moment was left out or set to 0, or the matrix was identified from motions that do not show it"
    if is_possible(with_reversed_products(link.inertia)):
        return "It was rounded too far, or its products were given with the other sign, with which a body can have it"
    return "The matrix was identified without this condition, rounded too far, or moved between frames with a wrong sign"


def nearest_possible(inertia: np.ndarray) -> np.ndarray:
    """The nearest inertia `(3, 3)` in kg·m² with I1 ≤ I2 + I3: the second moments S = tr(I)/2 − I without negative ones, and
    I = tr(S) − S again.
    """
    moments, axes = np.linalg.eigh(np.trace(inertia) / 2 * np.eye(3) - inertia)
    S = axes @ np.diag(np.maximum(moments, 0.0)) @ axes.T
    possible = np.trace(S) * np.eye(3) - S
    return np.asarray((possible + possible.T) / 2)


def out_of_size(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """k = √(I / m) far beyond the body: given in another unit, or with a lost decimal point."""

    def scaled(link: LinkFigures, factor: float) -> tuple[Edit, ...]:
        return inertia_edit(figures, link, factor * link.inertia)

    links = [link for link in figures.links if link.body >= 0 and is_solid(link)]
    yield from together(list(_out_of_size(figures, sizes)), links, "links", scaled)


def _out_of_size(figures: Figures, sizes: Sizes) -> Iterator[tuple[float, Finding]]:
    for link in figures.weighty:
        # No unit makes an impossible inertia possible, so that none is a cause of one that is grossly so.
        if not link.mass or not is_solid(link) or _is_gross(figures, sizes, link):
            continue
        moments = principal_moments(link.inertia)
        mass = figures.likely_mass(link)
        k, size = math.sqrt(moments[2] / mass), sizes.of(link)
        most = most_gyration(sizes, link)
        if k <= most:
            continue
        wild = k > ORDERS * max(sizes.reach, size)
        factor, why, only = (0.0, "A placeholder was left in", False) if is_placeholder(link) else _factor(k, most, wild)
        finding = Finding(
            "inertia too large for the link",
            ERROR if wild else DOUBTFUL,
            link.inertia_at,
            f"{number(moments[2])} kg·m² for {number(mass)} kg{_in_grams(link, mass)}, as if the mass lay {number(k)} m from its "
            f"centre; the link is {number(size)} m long, the arm {number(sizes.reach)} m",
            why,
            repair(f"{number(factor)} times the inertia", inertia_edit(figures, link, factor * link.inertia), wild and only)
            if factor
            else None,
        )
        yield factor, finding


def _in_grams(link: LinkFigures, mass: float) -> str:
    """Which mass that is, where it is not the one in the file."""
    return "" if mass == link.mass else f" ({number(link.mass)} g)"


def most_gyration(sizes: Sizes, link: LinkFigures) -> float:
    """The largest radius of gyration in m that the link's size lets it have."""
    return max(HALF * sizes.of(link) + MARGIN * sizes.reach, min(WHEEL, sizes.reach))


def _factor(k: float, most: float, wild: bool) -> tuple[float, str, bool]:
    """The factor of a unit that brings the radius of gyration nearest to half of the most, what it comes from, and whether no
    other one would do."""
    fits = [
        (abs(math.log(k * math.sqrt(factor) / (0.5 * most))), factor, text)
        for factor, text in (_UNITS if wild else _DECIMALS)
        if 0.05 * most < k * math.sqrt(factor) < (2 if wild else 1) * most
    ]
    if not fits:
        return 0.0, "The mass is too small, or the inertia is that of another body", False
    _, factor, text = min(fits)
    return factor, f"It was given in {text}" if wild else f"A decimal point may be off by {text}", len(fits) == 1


def left_out(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """A heavy link without inertia among others that have one: a point mass by mistake."""
    total, solid = figures.moving_mass, [link for link in figures.weighty if is_solid(link)]
    for link in figures.weighty:
        if is_solid(link) or not solid or link.mass < 0.02 * total:
            continue
        size = max(sizes.of(link), 0.1 * sizes.reach)
        guess = link.mass * (0.3 * size) ** 2
        yield Finding(
            "inertia left at zero",
            DOUBTFUL if link.mass >= 0.1 * total else NOTE,
            link.inertia_at,
            f"{number(link.mass)} kg without inertia, while {len(solid)} other link{'s have' if len(solid) > 1 else ' has'} one",
            "It was not given, or zeroed to make a simulator accept the file; the link then counts as a point",
            repair(
                f"a ball of that mass and the link's size: {number(guess)} kg·m²", inertia_edit(figures, link, guess * np.eye(3))
            ),
        )
