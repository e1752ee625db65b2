"""Detection of centres of mass and inertias that are given in another frame for all links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding, Place, number, vector
from armature.engine.examination.parameters import LinkParameters, Parameters, is_solid
from armature.engine.examination.repairs import inertia_edit, repair, vector_edit
from armature.engine.examination.rules.inertias import (
    about_centre,
    is_about_the_frame,
    is_possible,
    shows_its_point,
    with_reversed_products,
)
from armature.engine.examination.rules.masses import FAR, TIP
from armature.engine.examination.sizes import Sizes
from armature.engine.model.placed_bodies import placed_bodies

FEW, LISTED = 3, 3  # least links of a pattern; most links that a finding lists
OUTSIDE = 0.05  # of the reach, mean distance from the links; correct arms have 0.035, with measured shapes 0.005
SHARE, RIVAL = 0.25, 0.5  # of this distance: most for an accepted reading; up to this, a second reading is as good
SLENDER, ACROSS, ALONG = 2.0, 0.5, 0.95  # length over width; share of the largest second moment along a slender link
_MIRRORS = {
    "with all three signs reversed": (-1, -1, -1),
    "with the sign of x reversed": (-1, 1, 1),
    "with the sign of y reversed": (1, -1, 1),
    "with the sign of z reversed": (1, 1, -1),
}


@dataclass(frozen=True)
class Reading:
    """An interpretation of the parameters of all links: a phrase, and a function that converts a link."""

    phrase: str
    read: Callable[[LinkParameters], LinkParameters]


def with_readings(parameters: Parameters, sizes: Sizes) -> tuple[Parameters, list[Finding]]:
    """Return the parameters as probably intended, and one finding for each pattern that was corrected."""
    findings: list[Finding] = []
    for recognise in (_centres, _products, _inertia_points, _inertia_axes):
        parameters, found = recognise(parameters, sizes)
        findings += found
    return parameters, findings


def _centres(parameters: Parameters, sizes: Sizes) -> tuple[Parameters, list[Finding]]:
    """Compare the mean distance of the centres from their links, as written and for each reading."""
    judged = [link for link in parameters.weighty if link.mass and link.body not in sizes.tips]
    tips = [link for link in parameters.weighty if link.mass and link.body in sizes.tips]
    if len(judged) < 2 or len(judged) + len(tips) < FEW:
        return parameters, []
    distances = [sizes.distance(link, link.com) for link in judged]
    written = float(np.mean(distances))
    if written < OUTSIDE * sizes.reach:
        return parameters, []
    left = []
    for reading in _centre_readings(parameters):
        if all(sizes.distance(link, reading.read(link).com) <= TIP * sizes.reach for link in tips):
            left.append((float(np.mean([sizes.distance(link, reading.read(link).com) for link in judged])), reading))
    fits = sorted((row for row in left if row[0] <= RIVAL * written), key=lambda row: row[0])
    if not fits or fits[0][0] > SHARE * written:
        return parameters, []
    away, best = fits[0]
    rivals = [reading for _, reading in fits[1:] if not _same_centres(judged, best, reading, sizes)]
    meant = _read(parameters, best)
    edits = _edits(parameters, meant, lambda link: vector_edit(parameters, link.com_at, link.com))
    wild = max(distances) > FAR * sizes.reach
    phrases = " or ".join(reading.phrase for reading in (best, *rivals))
    finding = Finding(
        "centres of mass of all links",
        ERROR if wild else DOUBTFUL,
        _of_all(parameters, judged[0].com_at),
        f"{_listed(parameters)} m: on average {number(written)} m outside the links, but only {number(away)} m if "
        "the file gives them "
        f"{best.phrase}",
        f"They were probably entered {phrases}",
        None if rivals else repair(f"all converted to their link frames: {_listed(meant)} m", edits, wild),
    )
    return meant, [finding]


def _centre_readings(parameters: Parameters) -> list[Reading]:
    robot = parameters.robot
    X = placed_bodies(robot, np.zeros((1, robot.n)))[:, 0]
    poses = {name: (X[frame.body] if frame.body >= 0 else np.eye(4)) @ frame.X_BF for name, frame in robot.links.items()}
    base = next(iter(robot.links))

    def in_frame(link: LinkParameters, frame: str) -> LinkParameters:
        """Return the link with c_L = X_LG c."""
        X_LG = np.linalg.inv(poses[link.name]) @ poses[frame]
        X_LF = np.linalg.inv(link.X_BL) @ robot.links[link.name].X_BF  # the identity, except for parameters of a body
        written = np.linalg.inv(X_LF) @ np.append(link.com, 1.0)
        return replace(link, com=(X_LF @ X_LG @ written)[:3])

    def parent(link: LinkParameters) -> str:
        above = robot.bodies[link.body].parent
        of_body = next(name for name, frame in robot.links.items() if frame.body == above)
        return robot.link_parents.get(link.name, of_body)

    return [
        Reading("in the base frame (all joints at 0)", lambda link: in_frame(link, base)),
        Reading("in the parent link's frame (all joints at 0)", lambda link: in_frame(link, parent(link))),
        *(Reading(phrase, _mirrored(signs)) for phrase, signs in _MIRRORS.items()),
    ]


def _mirrored(signs: tuple[int, int, int]) -> Callable[[LinkParameters], LinkParameters]:
    return lambda link: replace(link, com=link.com * signs)


def _same_centres(links: list[LinkParameters], one: Reading, other: Reading, sizes: Sizes) -> bool:
    return all(np.abs(one.read(link).com - other.read(link).com).max() < 1e-3 * sizes.reach for link in links)


def _products(parameters: Parameters, sizes: Sizes) -> tuple[Parameters, list[Finding]]:
    """Detect reversed signs of products of inertia: two or more inertias are impossible, with reversed signs none is."""
    solid = [link for link in parameters.weighty if link.mass and is_solid(link)]
    wrong = [link for link in solid if not is_possible(link.inertia)]
    if len(wrong) < 2 or not all(is_possible(with_reversed_products(link.inertia)) for link in solid):
        return parameters, []
    return _inertias(
        parameters,
        Reading(
            "with reversed signs of their products",
            lambda link: replace(link, inertia=with_reversed_products(link.inertia)),
        ),
        f"{len(wrong)} of {len(solid)} links are physically inconsistent: the largest principal moment exceeds the sum of the "
        "others; with reversed signs of ixy, ixz, iyz all are consistent",
        "The CAD program defines the product as ∫ x y dm; a robot file needs −∫ x y dm",
        "reverse the signs of all products of inertia",
    )


def _inertia_points(parameters: Parameters, sizes: Sizes) -> tuple[Parameters, list[Finding]]:
    """Detect inertias about the link frame: most links show it, and no inertia is impossible after the shift."""
    solid = [link for link in parameters.weighty if link.mass and is_solid(link)]
    shown = [link for link in solid if shows_its_point(sizes, link)]
    wrong = [link for link in shown if is_about_the_frame(sizes, link)]
    if len(wrong) < FEW or 2 * len(wrong) <= len(shown) or not all(is_possible(about_centre(link)) for link in solid):
        return parameters, []
    return _inertias(
        parameters,
        Reading("about the origins of the link frames", lambda link: replace(link, inertia=about_centre(link))),
        f"{len(wrong)} of {len(shown)} links have more inertia about their centres of mass than a body of that mass and length "
        "can have",
        "The CAD program gave them about the link frame's origin; a robot file needs them about the centre of mass",
        "shift all inertias to the centres of mass (parallel-axis theorem)",
    )


def _inertia_axes(parameters: Parameters, sizes: Sizes) -> tuple[Parameters, list[Finding]]:
    """Detect inertias along the base axes: most slender links then have their mass along the link, not across it."""
    robot = parameters.robot
    X = placed_bodies(robot, np.zeros((1, robot.n)))[:, 0]

    def rotate(link: LinkParameters) -> LinkParameters:
        """Return the link with I_L = R_LW I R_LWᵀ."""
        R = (X[link.body] @ link.X_BL)[:3, :3].T @ robot.base[:3, :3]
        return replace(link, inertia=R @ link.inertia @ R.T)

    pairs = [(_along(sizes, link), _along(sizes, rotate(link))) for link in parameters.weighty if link.mass and is_solid(link)]
    shares = [(before, after) for before, after in pairs if before is not None and after is not None]
    wrong = sum(before < ACROSS for before, _ in shares)
    if wrong < FEW or 2 * wrong <= len(shares) or any(after < ALONG for _, after in shares):
        return parameters, []
    return _inertias(
        parameters,
        Reading("along the axes of the base", rotate),
        f"{wrong} of {len(shares)} slender links have their mass across the link; with inertias along the base axes, "
        "all have it along "
        "the link",
        "They were probably entered along the base axes (all joints at 0)",
        "rotate all inertias to the axes of their links",
    )


def _along(sizes: Sizes, link: LinkParameters) -> float | None:
    """Return the second moment of mass along the longest side of the body's box over the largest; None for a stout body."""
    sides = sizes.high[link.body] - sizes.low[link.body]
    if sides.max() < SLENDER * np.sort(sides)[1] or sides.max() < 0.15 * sizes.reach:
        return None
    R = link.X_BL[:3, :3]
    S = np.diag(R @ (np.trace(link.inertia) / 2 * np.eye(3) - link.inertia) @ R.T)
    return float(S[int(np.argmax(sides))] / S.max()) if S.max() > 0 else None


def _inertias(parameters: Parameters, reading: Reading, figure: str, cause: str, mend: str) -> tuple[Parameters, list[Finding]]:
    meant = _read(parameters, reading)
    edits = _edits(parameters, meant, lambda link: inertia_edit(parameters, link, link.inertia))
    first = next(link for link in parameters.weighty if is_solid(link))
    where = _of_all(parameters, first.inertia_at)
    return meant, [Finding(f"inertias {reading.phrase}", DOUBTFUL, where, figure, cause, repair(mend, edits))]


def _read(parameters: Parameters, reading: Reading) -> Parameters:
    """Return the parameters with this reading applied to all moving links except markers without inertia."""
    links = (
        reading.read(link) if link.body >= 0 and (link in parameters.weighty or link.com.any()) else link
        for link in parameters.links
    )
    return replace(parameters, links=tuple(links))


def _edits(parameters: Parameters, meant: Parameters, edit: Callable[[LinkParameters], tuple[Edit, ...]]) -> tuple[Edit, ...]:
    pairs = zip(parameters.links, meant.links, strict=True)
    changed = [
        new for old, new in pairs if not (np.allclose(old.com, new.com) and np.allclose(old.inertia, new.inertia, atol=0.0))
    ]
    return tuple(one for link in changed for one in edit(link))


def _of_all(parameters: Parameters, first: Place) -> Place:
    return replace(first, part=parameters.whole.part)


def _listed(parameters: Parameters) -> str:
    links = [link for link in parameters.weighty if link.mass]
    return ", ".join(vector(link.com) for link in links[:LISTED]) + ", …" * (len(links) > LISTED)
