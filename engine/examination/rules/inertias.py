"""Rules for inertias: physically inconsistent, about the link frame, default, zero, too large or small for the link."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from armature.engine.dynamics.uncompiled import inertia_cause, joints_without_inertia
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Finding, Place, Repair, number, reading_text
from armature.engine.examination.parameters import LinkParameters, Parameters, is_solid
from armature.engine.examination.repairs import FEW, as_one, inertia_edit, repair
from armature.engine.examination.sizes import Sizes
from armature.engine.model.inertia_rules import moments_text, principal_moments
from armature.engine.rotations import skew

# Violations of the triangle inequality as fractions of the largest moment: in printed tables, and negligible ones.
ROUNDED, SLIGHT = 0.02, 0.1
HALF, MARGIN = 0.5, 0.15  # largest radius of gyration over the size of the body, and over the reach of the arm
WHEEL = 0.1  # m, radius of gyration of a wheel on an arm of this reach or more
ORDERS = 3.0  # reaches; a larger radius of gyration does not belong to this arm
# Radius of gyration over the length of the body (the diagonal of its box), least and most. A rod has 0.29, a box between a cube
# (0.24) and a rod, a hollow box up to 0.30, a solid ball 0.18, a shell 0.24, two masses at the ends 0.5. A heavy motor on a light
# link brings it down to 0.1, and housings beyond the joints up to 0.6; the medians of the arms that ship are from 0.16 to 0.45.
# The band is narrower than a factor of ten in the inertia, so that one reading remains for most bodies.
LEAST_SHARE, MOST_SHARE = 0.1, 0.6
LONG = 0.15  # of the arm's reach; a shorter link without shapes has about the same width, and an unknown length
_UNUSUAL = (1e-5, 1e-8)  # factors without a usual unit: possible mistakes, but not proposed as repairs
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


def impossible_inertias(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report I1 > I2 + I3, which no mass distribution has, because I2 + I3 − I1 = 2 ∫ x1² dm.

    A note if the violation is small, an error if the excess alone is too large for the mass and size of the link.
    """
    for link in parameters.weighty:
        if not is_solid(link) or is_possible(link.inertia):
            continue
        moments = principal_moments(link.inertia)
        excess, gross = _excess(moments), _is_gross(parameters, sizes, link)
        yield Finding(
            "physically inconsistent inertia",
            ERROR if gross else DOUBTFUL if excess > SLIGHT * moments[2] else NOTE,
            link.inertia_at,
            f"principal moments {moments_text(moments)}: the largest exceeds the sum of the others by {number(excess)} kg·m²"
            + (f", which is impossible for {number(parameters.likely_mass(link))} kg in a link of this size" if gross else ""),
            "One of its values is wrong or in another unit" if gross else _cause(link, moments),
            None if gross else _flattened(parameters, link),
        )


def _flattened(parameters: Parameters, link: LinkParameters) -> Repair | None:
    return repair(
        "raise the smallest moments to the values of a flat body", inertia_edit(parameters, link, nearest_possible(link.inertia))
    )


def _excess(moments: np.ndarray) -> float:
    return float(moments[2] - moments[0] - moments[1])


def _is_gross(parameters: Parameters, sizes: Sizes, link: LinkParameters) -> bool:
    """True if the excess alone exceeds the largest inertia for the link's mass and size."""
    most = parameters.likely_mass(link) * most_gyration(sizes, link) ** 2
    return bool(link.mass) and not is_possible(link.inertia) and _excess(principal_moments(link.inertia)) > most


def is_possible(inertia: np.ndarray) -> bool:
    """True if a body can have this inertia `(3, 3)` kg·m², to the digits of a printed table."""
    moments = principal_moments(inertia)
    return bool(_excess(moments) <= ROUNDED * moments[2])


def with_reversed_products(inertia: np.ndarray) -> np.ndarray:
    """Return the inertia `(3, 3)` kg·m² with reversed signs of Ixy, Ixz, Iyz."""
    return np.asarray(2 * np.diag(np.diagonal(inertia)) - inertia)


def _cause(link: LinkParameters, moments: np.ndarray) -> str:
    if link.published:
        return "As published; the remarks name the source"
    if moments[0] < 1e-3 * moments[2]:
        return "A moment is missing or 0, or was identified from motions that do not excite it"
    if is_possible(with_reversed_products(link.inertia)):
        return "It was rounded too far, or its products of inertia have the wrong sign: with the opposite sign it is consistent"
    return "The matrix was identified without this condition, rounded too far, or moved between frames with a wrong sign"


def nearest_possible(inertia: np.ndarray) -> np.ndarray:
    """Return the nearest inertia `(3, 3)` in kg·m² with I1 ≤ I2 + I3.

    S = tr(I)/2 − I, negative eigenvalues set to 0; then I = tr(S) − S.
    """
    moments, axes = np.linalg.eigh(np.trace(inertia) / 2 * np.eye(3) - inertia)
    S = axes @ np.diag(np.maximum(moments, 0.0)) @ axes.T
    possible = np.trace(S) * np.eye(3) - S
    return np.asarray((possible + possible.T) / 2)


def inertias_beyond_link_size(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report k = √(I / m) far beyond the size of the body: wrong unit or decimal point.

    One finding if it concerns more than half of the links. A repair only if exactly one reading gives possible radii.
    """
    parts = [link for link in parameters.links if link.body >= 0 and is_solid(link)]
    large = [link for link in parameters.weighty if _is_too_large(parameters, sizes, link)]
    alike = [link for link in large if not is_placeholder(link)]
    most = alike if len(alike) >= FEW and 2 * len(alike) > len(parts) else []
    if most:
        fits = _readings(parameters, sizes, most)
        factor = _only(fits)
        edits = tuple(edit for link in parts for edit in inertia_edit(parameters, link, factor * link.inertia))
        findings = [_out_of_size(parameters, sizes, link, fits) for link in most]
        certain = all(finding.repair is not None and finding.repair.certain for finding in findings)
        mend = repair(f"multiply the values of all {len(parts)} links by {number(factor)}", edits, certain) if factor else None
        yield as_one(findings, len(parts), "links", mend)
    for link in large:
        if link not in most:
            fits = [] if is_placeholder(link) else _readings(parameters, sizes, [link])
            yield _out_of_size(parameters, sizes, link, fits)


def gyration(parameters: Parameters, link: LinkParameters) -> float:
    """Return the radius of gyration √(I / m) in m for the largest principal moment."""
    return math.sqrt(principal_moments(link.inertia)[2] / parameters.likely_mass(link))


def _is_too_large(parameters: Parameters, sizes: Sizes, link: LinkParameters) -> bool:
    # A wrong unit cannot explain a grossly impossible inertia.
    if not link.mass or not is_solid(link) or _is_gross(parameters, sizes, link):
        return False
    return gyration(parameters, link) > most_gyration(sizes, link)


def _out_of_size(parameters: Parameters, sizes: Sizes, link: LinkParameters, fits: list[tuple[float, str]]) -> Finding:
    """Return the finding of one link; `fits` are the possible readings, pairs of factor and phrase."""
    mass, size, k = parameters.likely_mass(link), sizes.of(link), gyration(parameters, link)
    wild, factor = k > ORDERS * max(sizes.reach, size), _only(fits)
    if is_placeholder(link):
        cause = "It is a placeholder"
    elif fits:
        cause = f"It {reading_text(fits)}"
    else:
        cause = "The mass is too small, or the inertia belongs to another body"
    edits = inertia_edit(parameters, link, factor * link.inertia)
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
    """Return the factor of the only reading; 0 for several or none, or without a usual unit."""
    return fits[0][0] if len(fits) == 1 and fits[0][0] not in _UNUSUAL else 0.0


def _is_certain(share: float) -> bool:
    """True if one unit alone brings `share`, the radius of gyration over the largest, between a twentieth and twice of it."""
    usual = (factor for factor, _ in _READINGS if factor < 0.01 and factor not in _UNUSUAL)
    return sum(0.05 < math.sqrt(factor) * share < 2 for factor in usual) == 1


def _readings(parameters: Parameters, sizes: Sizes, links: list[LinkParameters]) -> list[tuple[float, str]]:
    """Return the readings by which at least half of the links have a radius of gyration that a body can have."""
    known = [link for link in links if has_length(sizes, link)]
    if known:
        return [row for row in _READINGS if have_plausible_gyration(parameters, sizes, known, row[0])]
    shares = [gyration(parameters, link) / most_gyration(sizes, link) for link in links]
    return [row for row in _READINGS if 2 * sum(0.05 < math.sqrt(row[0]) * share <= 1 for share in shares) >= len(shares)]


def has_length(sizes: Sizes, link: LinkParameters) -> bool:
    """True if the length of the link is known: by its shapes, or by joints that are far enough apart."""
    return link.body in sizes.shaped or (link.body not in sizes.tips and sizes.of(link) >= LONG * sizes.reach)


def have_plausible_gyration(parameters: Parameters, sizes: Sizes, links: list[LinkParameters], factor: float) -> bool:
    """True if k √factor suits the length of at least half of the links, whose lengths are known."""
    shares = [math.sqrt(factor) * gyration(parameters, link) / sizes.of(link) for link in links]
    return 2 * sum(LEAST_SHARE <= share <= MOST_SHARE for share in shares) >= len(shares)


def _in_grams(link: LinkParameters, mass: float) -> str:
    """Return a remark on the mass if it differs from the file."""
    return "" if mass == link.mass else f" ({number(link.mass)} g)"


def most_gyration(sizes: Sizes, link: LinkParameters) -> float:
    """Return the largest radius of gyration in m for the link's size."""
    return max(HALF * sizes.of(link) + MARGIN * sizes.reach, min(WHEEL, sizes.reach))


def zero_inertias(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report a heavy link without inertia among links with inertia."""
    total, solid = parameters.moving_mass, [link for link in parameters.weighty if is_solid(link)]
    for link in parameters.weighty:
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
                f"a ball of this mass and the link's size: {number(guess)} kg·m²",
                inertia_edit(parameters, link, guess * np.eye(3)),
            ),
        )


# Of the largest value, if the length of a link is known from joints only; a rod has 4/3 about its end, 1/3 about its middle.
FULL = 1.2


def inertias_about_link_frames(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report links whose inertia requires mass outside the link."""
    for link in parameters.weighty:
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
            repair("shift it to the centre of mass (parallel-axis theorem)", inertia_edit(parameters, link, about_centre(link))),
        )


def is_about_the_frame(sizes: Sizes, link: LinkParameters) -> bool:
    """True if the inertia requires mass outside the body, and I − m (c·c 1 − c cᵀ) does not.

    Mass between x = l and x = h has at most the second moment ∫ (x − c)² dm = m (h − c) (c − l) about its centre c.
    """
    moments = principal_moments(about_centre(link))
    if moments[0] <= 0 or moments[2] > 0.999 * (moments[0] + moments[1]):
        return False
    before, after = (_overfull(sizes, link, inertia) for inertia in (link.inertia, about_centre(link)))
    return before > (1.0 if link.body in sizes.shaped else FULL) and after <= 0.8 and before >= 1.5 * after


def shows_its_point(sizes: Sizes, link: LinkParameters) -> bool:
    """True if the link is long enough, and its centre far enough from both ends, to identify the reference point."""
    return _overfull(sizes, link, link.inertia) > 0


def about_centre(link: LinkParameters) -> np.ndarray:
    """Return I − m (c·c 1 − c cᵀ) `(3, 3)` kg·m²: the inertia about the centre of mass, if I is about the link frame."""
    return np.asarray(link.inertia + link.mass * skew(link.com) @ skew(link.com))


def _overfull(sizes: Sizes, link: LinkParameters, inertia: np.ndarray) -> float:
    """Return the second moment of mass along the longest side of the body's box over the largest possible in the box.

    0 if the box is too short, or if the centre is near one of its ends.
    """
    R = link.X_BL[:3, :3]
    c, low, high = R @ link.com + link.X_BL[:3, 3], sizes.low[link.body], sizes.high[link.body]
    S = R @ (np.trace(inertia) / 2 * np.eye(3) - inertia) @ R.T / link.mass
    k = int(np.argmax(high - low))
    length, before, after = high[k] - low[k], c[k] - low[k], high[k] - c[k]
    if length < LONG * sizes.reach or min(before, after) < 0.15 * length:
        return 0.0
    return float(S[k, k] / (before * after))


def joint_inertias(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report a singular M(q): at all poses, or at home."""
    robot = parameters.robot
    joints = joints_without_inertia(robot)
    if joints:
        yield Finding(
            "joint without inertia",
            ERROR,
            _place(parameters, robot.joint_bodies[joints[-1]]),
            f"{inertia_cause(robot)}; the mass matrix is singular and the acceleration undefined",
            "The link is a point or a thin rod along the axis. Give the link an inertia about it, or the joint a rotor inertia",
        )
        return
    joints = joints_without_inertia(robot, robot.configurations["home"])
    if joints:
        names = ", ".join(robot.joint_names[k] for k in joints)
        yield Finding(
            "no inertia in the home pose",
            DOUBTFUL,
            _place(parameters, robot.joint_bodies[joints[-1]]),
            f"{names} together move no inertia at home, where the mass matrix is singular",
            "The links are points or thin rods on these joint axes, without inertia. A simulation cannot start in this pose",
        )


def _place(parameters: Parameters, body: int) -> Place:
    """Return the place of the inertia of the heaviest link on a body."""
    links = [link for link in parameters.links if link.body == body]
    return max(links, key=lambda link: link.mass).inertia_at if links else parameters.joints[body].where


PLACEHOLDERS = (1.0, 0.1, 0.01, 0.001)  # kg·m² about each axis, defaults of exporters


def default_inertias(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report equal round inertias of most links in one finding."""
    solid = [link for link in parameters.weighty if is_solid(link)]
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


def is_placeholder(link: LinkParameters, *values: float) -> bool:
    """True for an inertia with the same round value about each axis."""
    return link.inertia[0, 0] in (values or PLACEHOLDERS) and np.array_equal(link.inertia, link.inertia[0, 0] * np.eye(3))
