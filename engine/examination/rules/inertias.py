"""Rules: inertias that no body of that mass and size can have."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import inertia_edit, repair
from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Finding, Repair
from armature.engine.examination.rules.defaults import is_placeholder
from armature.engine.examination.rules.together import FEW, as_one
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import given, number
from armature.engine.model.inertia_rules import listed, principal_moments

# Shares of the largest moment by which the triangle inequality is broken in printed tables, and in ways that hardly matter.
ROUNDED, SLIGHT = 0.02, 0.1
HALF, MARGIN = 0.5, 0.15  # radius of gyration a body can have: of its own size, and of the arm's reach
WHEEL = 0.1  # m, that of a wheel on an arm of this reach or more
ORDERS = 3.0  # radii of gyration beyond so many reaches are no figure of that arm
# Radius of gyration over the length of the body (the diagonal of its box), least and most. A rod has 0.29, a box between a cube
# (0.24) and a rod, a hollow box up to 0.30, a solid ball 0.18, a shell 0.24, two masses at the ends 0.5. A heavy motor on a light
# link brings it down to 0.1, and housings beyond the joints up to 0.6; the medians of the arms that ship are from 0.16 to 0.45.
# The band is narrower than a power of ten in the inertia on both sides of a rod, so that one reading is left for most bodies.
LEAST_SHARE, MOST_SHARE = 0.1, 0.6
LONG = 0.15  # of the arm's reach; a shorter link without shapes is as thick as it is long, and its length unknown
_UNUSUAL = (1e-5, 1e-8)  # powers of ten that no unit has: they may be the mistake as well, but are no repair
_READINGS = (
    (0.1, "with its decimal point off by one place"),
    (0.01, "with its decimal point off by two places"),
    (1e-3, "in g·m²"),
    (1e-4, "in kg·cm²"),
    (1e-5, "100000 times too large"),
    (1e-6, "in kg·mm²"),
    (1e-7, "in g·cm²"),
    (1e-8, "10⁸ times too large"),
    (1e-9, "in g·mm²"),
)


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
            "physically inconsistent inertia",
            ERROR if gross else DOUBTFUL if excess > SLIGHT * moments[2] else NOTE,
            link.inertia_at,
            f"principal moments {listed(moments)}: the largest exceeds the sum of the others by {number(excess)} kg·m²"
            + (f", which is impossible for {number(figures.likely_mass(link))} kg of the link's size" if gross else ""),
            "One of its values is wrong or in another unit" if gross else _cause(link, moments),
            None if gross else _flattened(figures, link),
        )


def _flattened(figures: Figures, link: LinkFigures) -> Repair | None:
    return repair("raise the smallest moments to flat-body values", inertia_edit(figures, link, nearest_possible(link.inertia)))


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
        return "As published: the remarks cite the source"
    if moments[0] < 1e-3 * moments[2]:
        return "A moment is missing or 0, or was identified from motions that do not excite it"
    if is_possible(with_reversed_products(link.inertia)):
        return "It was rounded too far, or its products have the wrong sign: with the opposite sign it is consistent"
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
    """k = √(I / m) far beyond the body: given in another unit, or with a lost decimal point.

    One finding for more than half of the links. A repair only where exactly one reading gives radii that bodies can have.
    """
    parts = [link for link in figures.links if link.body >= 0 and is_solid(link)]
    large = [link for link in figures.weighty if _is_too_large(figures, sizes, link)]
    alike = [link for link in large if not is_placeholder(link)]
    most = alike if len(alike) >= FEW and 2 * len(alike) > len(parts) else []
    if most:
        fits = _readings(figures, sizes, most)
        factor = _only(fits)
        edits = tuple(edit for link in parts for edit in inertia_edit(figures, link, factor * link.inertia))
        findings = [_out_of_size(figures, sizes, link, fits) for link in most]
        certain = all(finding.repair is not None and finding.repair.certain for finding in findings)
        mend = repair(f"multiply the values of all {len(parts)} links by {number(factor)}", edits, certain) if factor else None
        yield as_one(findings, len(parts), "links", mend)
    for link in large:
        if link not in most:
            fits = [] if is_placeholder(link) else _readings(figures, sizes, [link])
            yield _out_of_size(figures, sizes, link, fits)


def gyration(figures: Figures, link: LinkFigures) -> float:
    """Radius of gyration √(I / m) in m, by the largest principal moment."""
    return math.sqrt(principal_moments(link.inertia)[2] / figures.likely_mass(link))


def _is_too_large(figures: Figures, sizes: Sizes, link: LinkFigures) -> bool:
    # No unit makes an impossible inertia possible, so that none is a cause of one that is grossly so.
    if not link.mass or not is_solid(link) or _is_gross(figures, sizes, link):
        return False
    return gyration(figures, link) > most_gyration(sizes, link)


def _out_of_size(figures: Figures, sizes: Sizes, link: LinkFigures, fits: list[tuple[float, str]]) -> Finding:
    """Return the finding of one link, whose inertia may have been given in the ways of `fits`, pairs of factor and phrase."""
    mass, size, k = figures.likely_mass(link), sizes.of(link), gyration(figures, link)
    wild, factor = k > ORDERS * max(sizes.reach, size), _only(fits)
    if is_placeholder(link):
        cause = "It is a placeholder"
    elif fits:
        cause = f"It {given(fits)}"
    else:
        cause = "The mass is too small, or the inertia belongs to another body"
    edits = inertia_edit(figures, link, factor * link.inertia)
    return Finding(
        "inertia too large for the link",
        ERROR if wild else DOUBTFUL,
        link.inertia_at,
        f"{number(principal_moments(link.inertia)[2])} kg·m² for {number(mass)} kg{_in_grams(link, mass)}, a radius of gyration "
        f"of {number(k)} m; the link is {number(size)} m long, the arm {number(sizes.reach)} m",
        cause,
        repair(f"multiply the inertia by {number(factor)}", edits, wild and _is_certain(k / most_gyration(sizes, link)))
        if factor
        else None,
    )


def _only(fits: list[tuple[float, str]]) -> float:
    """Return the factor of the only reading, 0 where there are several or none, or where it is no usual unit."""
    return fits[0][0] if len(fits) == 1 and fits[0][0] not in _UNUSUAL else 0.0


def _is_certain(share: float) -> bool:
    """True if one unit alone brings `share`, the radius of gyration over the largest, between a twentieth and twice of it."""
    usual = (factor for factor, _ in _READINGS if factor < 0.01 and factor not in _UNUSUAL)
    return sum(0.05 < math.sqrt(factor) * share < 2 for factor in usual) == 1


def _readings(figures: Figures, sizes: Sizes, links: list[LinkFigures]) -> list[tuple[float, str]]:
    """Return the readings by which at least half of the links have a radius of gyration that a body can have."""
    known = [link for link in links if has_length(sizes, link)]
    if known:
        return [row for row in _READINGS if have_plausible_gyration(figures, sizes, known, row[0])]
    shares = [gyration(figures, link) / most_gyration(sizes, link) for link in links]
    return [row for row in _READINGS if 2 * sum(0.05 < math.sqrt(row[0]) * share <= 1 for share in shares) >= len(shares)]


def has_length(sizes: Sizes, link: LinkFigures) -> bool:
    """True if the length of the link is known: by its shapes, or by joints that are far enough apart."""
    return link.body in sizes.shaped or (link.body not in sizes.tips and sizes.of(link) >= LONG * sizes.reach)


def have_plausible_gyration(figures: Figures, sizes: Sizes, links: list[LinkFigures], factor: float) -> bool:
    """True if k √factor suits the length of at least half of the links, whose lengths are known."""
    shares = [math.sqrt(factor) * gyration(figures, link) / sizes.of(link) for link in links]
    return 2 * sum(LEAST_SHARE <= share <= MOST_SHARE for share in shares) >= len(shares)


def _in_grams(link: LinkFigures, mass: float) -> str:
    """Which mass that is, where it is not the one in the file."""
    return "" if mass == link.mass else f" ({number(link.mass)} g)"


def most_gyration(sizes: Sizes, link: LinkFigures) -> float:
    """The largest radius of gyration in m that the link's size lets it have."""
    return max(HALF * sizes.of(link) + MARGIN * sizes.reach, min(WHEEL, sizes.reach))


def left_out(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """A heavy link without inertia among others that have one: a point mass by mistake."""
    total, solid = figures.moving_mass, [link for link in figures.weighty if is_solid(link)]
    for link in figures.weighty:
        if is_solid(link) or not solid or link.mass < 0.02 * total:
            continue
        size = max(sizes.of(link), 0.1 * sizes.reach)
        guess = link.mass * (0.3 * size) ** 2
        yield Finding(
            "zero inertia",
            DOUBTFUL if link.mass >= 0.1 * total else NOTE,
            link.inertia_at,
            f"{number(link.mass)} kg without inertia; {len(solid)} other link{'s have' if len(solid) > 1 else ' has'} one",
            "It was not given, or set to 0 so that a simulator accepts the file; the link is treated as a point mass",
            repair(
                f"a ball of this mass and the link's size: {number(guess)} kg·m²", inertia_edit(figures, link, guess * np.eye(3))
            ),
        )
