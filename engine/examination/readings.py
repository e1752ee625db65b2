"""Centres of mass and inertias of all links in another frame: recognised together, before any single link is examined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.examination.edits import inertia_edit, repair, vector_edit
from armature.engine.examination.figures import Figures, LinkFigures, is_solid
from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding, Place
from armature.engine.examination.rules.centres import FAR, TIP
from armature.engine.examination.rules.inertia_frames import about_centre, is_about_the_frame, shows_its_point
from armature.engine.examination.rules.inertias import is_possible, with_reversed_products
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number, vector
from armature.engine.model.placed_bodies import placed_bodies

FEW, LISTED = 3, 3  # links that a pattern needs; those that a finding lists
OUTSIDE = 0.05  # of the reach, mean distance from the links; sound arms have 0.035, those with measured shapes 0.005
SHARE, RIVAL = 0.25, 0.5  # of that distance which a reading may leave, and up to which another reading is as good
SLENDER, ACROSS, ALONG = 2.0, 0.5, 0.95  # length over width; share of the largest second moment along a slender link
_MIRRORS = {
    "with all three signs reversed": (-1, -1, -1),
    "with the sign of x reversed": (-1, 1, 1),
    "with the sign of y reversed": (1, -1, 1),
    "with the sign of z reversed": (1, 1, -1),
}


@dataclass(frozen=True)
class Reading:
    """A meaning that the figures of all links may have: a phrase, and the link's figures `read` so."""

    phrase: str
    read: Callable[[LinkFigures], LinkFigures]


def with_readings(figures: Figures, sizes: Sizes) -> tuple[Figures, list[Finding]]:
    """Return the figures as they are meant, and one finding for each pattern in which they are written otherwise."""
    findings: list[Finding] = []
    for recognise in (_centres, _products, _inertia_points, _inertia_axes):
        figures, found = recognise(figures, sizes)
        findings += found
    return figures, findings


def _centres(figures: Figures, sizes: Sizes) -> tuple[Figures, list[Finding]]:
    """Mean distance of the centres from their links, as written and by each reading."""
    judged = [link for link in figures.weighty if link.mass and link.body not in sizes.tips]
    tips = [link for link in figures.weighty if link.mass and link.body in sizes.tips]
    if len(judged) < 2 or len(judged) + len(tips) < FEW:
        return figures, []
    distances = [sizes.distance(link, link.com) for link in judged]
    written = float(np.mean(distances))
    if written < OUTSIDE * sizes.reach:
        return figures, []
    left = []
    for reading in _centre_readings(figures):
        if all(sizes.distance(link, reading.read(link).com) <= TIP * sizes.reach for link in tips):
            left.append((float(np.mean([sizes.distance(link, reading.read(link).com) for link in judged])), reading))
    fits = sorted((row for row in left if row[0] <= RIVAL * written), key=lambda row: row[0])
    if not fits or fits[0][0] > SHARE * written:
        return figures, []
    away, best = fits[0]
    rivals = [reading for _, reading in fits[1:] if not _same_centres(judged, best, reading, sizes)]
    meant = _read(figures, best)
    edits = _edits(figures, meant, lambda link: vector_edit(figures, link.com_at, link.com))
    wild = max(distances) > FAR * sizes.reach
    phrases = " or ".join(reading.phrase for reading in (best, *rivals))
    finding = Finding(
        "centres of mass of all links",
        ERROR if wild else DOUBTFUL,
        _of_all(figures, judged[0].com_at),
        f"{_listed(figures)} m: on average {number(written)} m outside the links, but only {number(away)} m if they are given "
        f"{best.phrase}",
        f"They were probably entered {phrases}",
        None if rivals else repair(f"all converted to their link frames: {_listed(meant)} m", edits, wild),
    )
    return meant, [finding]


def _centre_readings(figures: Figures) -> list[Reading]:
    robot = figures.robot
    X = placed_bodies(robot, np.zeros((1, robot.n)))[:, 0]
    poses = {name: (X[frame.body] if frame.body >= 0 else np.eye(4)) @ frame.X_BF for name, frame in robot.links.items()}
    base = next(iter(robot.links))

    def given_in(link: LinkFigures, given: str) -> LinkFigures:
        """c_L = X_LG c."""
        X_LG = np.linalg.inv(poses[link.name]) @ poses[given]
        X_LF = np.linalg.inv(link.X_BL) @ robot.links[link.name].X_BF  # the identity, unless the figures are a body's
        written = np.linalg.inv(X_LF) @ np.append(link.com, 1.0)
        return replace(link, com=(X_LF @ X_LG @ written)[:3])

    def parent(link: LinkFigures) -> str:
        above = robot.bodies[link.body].parent
        of_body = next(name for name, frame in robot.links.items() if frame.body == above)
        return robot.link_parents.get(link.name, of_body)

    return [
        Reading("in the base frame (all joints at 0)", lambda link: given_in(link, base)),
        Reading("in the parent link's frame (all joints at 0)", lambda link: given_in(link, parent(link))),
        *(Reading(phrase, _mirrored(signs)) for phrase, signs in _MIRRORS.items()),
    ]


def _mirrored(signs: tuple[int, int, int]) -> Callable[[LinkFigures], LinkFigures]:
    return lambda link: replace(link, com=link.com * signs)


def _same_centres(links: list[LinkFigures], one: Reading, other: Reading, sizes: Sizes) -> bool:
    return all(np.abs(one.read(link).com - other.read(link).com).max() < 1e-3 * sizes.reach for link in links)


def _products(figures: Figures, sizes: Sizes) -> tuple[Figures, list[Finding]]:
    """Two links or more are impossible as written, and no link is with the other sign of its products."""
    solid = [link for link in figures.weighty if link.mass and is_solid(link)]
    wrong = [link for link in solid if not is_possible(link.inertia)]
    if len(wrong) < 2 or not all(is_possible(with_reversed_products(link.inertia)) for link in solid):
        return figures, []
    return _inertias(
        figures,
        Reading("with reversed products", lambda link: replace(link, inertia=with_reversed_products(link.inertia))),
        f"{len(wrong)} of {len(solid)} links are physically inconsistent: the largest principal moment exceeds the sum of the "
        "others; with reversed products (ixy, ixz, iyz) all are consistent",
        "The CAD program defines the product as ∫ x y dm; a robot file needs −∫ x y dm",
        "reverse the signs of all products of inertia",
    )


def _inertia_points(figures: Figures, sizes: Sizes) -> tuple[Figures, list[Finding]]:
    """Most links that can show it have their inertia about the frame, and no link is impossible when it is read so."""
    solid = [link for link in figures.weighty if link.mass and is_solid(link)]
    shown = [link for link in solid if shows_its_point(sizes, link)]
    wrong = [link for link in shown if is_about_the_frame(sizes, link)]
    if len(wrong) < FEW or 2 * len(wrong) <= len(shown) or not all(is_possible(about_centre(link)) for link in solid):
        return figures, []
    return _inertias(
        figures,
        Reading("about the origins of the link frames", lambda link: replace(link, inertia=about_centre(link))),
        f"{len(wrong)} of {len(shown)} links have more inertia about their centres of mass than a body of that mass and length "
        "can have",
        "The CAD program gave them about the link frame's origin; a robot file needs them about the centre of mass",
        "shift all to the centres of mass (parallel-axis theorem)",
    )


def _inertia_axes(figures: Figures, sizes: Sizes) -> tuple[Figures, list[Finding]]:
    """The mass of most slender links lies across them, and along all of them with the axes of the base."""
    robot = figures.robot
    X = placed_bodies(robot, np.zeros((1, robot.n)))[:, 0]

    def turned(link: LinkFigures) -> LinkFigures:
        """I_L = R_LW I R_LWᵀ."""
        R = (X[link.body] @ link.X_BL)[:3, :3].T @ robot.base[:3, :3]
        return replace(link, inertia=R @ link.inertia @ R.T)

    pairs = [(_along(sizes, link), _along(sizes, turned(link))) for link in figures.weighty if link.mass and is_solid(link)]
    shares = [(before, after) for before, after in pairs if before is not None and after is not None]
    wrong = sum(before < ACROSS for before, _ in shares)
    if wrong < FEW or 2 * wrong <= len(shares) or any(after < ALONG for _, after in shares):
        return figures, []
    return _inertias(
        figures,
        Reading("along the axes of the base", turned),
        f"{wrong} of {len(shares)} slender links have their mass across the link; read along the base axes, all have it along "
        "the link",
        "They were probably entered along the base axes (all joints at 0)",
        "rotate all to the axes of their links",
    )


def _along(sizes: Sizes, link: LinkFigures) -> float | None:
    """Second moment of the mass along the longest side of its body's box, as a share of the largest; None for a stout body."""
    sides = sizes.high[link.body] - sizes.low[link.body]
    if sides.max() < SLENDER * np.sort(sides)[1] or sides.max() < 0.15 * sizes.reach:
        return None
    R = link.X_BL[:3, :3]
    S = np.diag(R @ (np.trace(link.inertia) / 2 * np.eye(3) - link.inertia) @ R.T)
    return float(S[int(np.argmax(sides))] / S.max()) if S.max() > 0 else None


def _inertias(figures: Figures, reading: Reading, figure: str, cause: str, mend: str) -> tuple[Figures, list[Finding]]:
    meant = _read(figures, reading)
    edits = _edits(figures, meant, lambda link: inertia_edit(figures, link, link.inertia))
    first = next(link for link in figures.weighty if is_solid(link))
    where = _of_all(figures, first.inertia_at)
    return meant, [Finding(f"inertias {reading.phrase}", DOUBTFUL, where, figure, cause, repair(mend, edits))]


def _read(figures: Figures, reading: Reading) -> Figures:
    """The links that move by this reading; markers with their centre at the frame and without inertia stay as they are."""
    links = (
        reading.read(link) if link.body >= 0 and (link in figures.weighty or link.com.any()) else link for link in figures.links
    )
    return replace(figures, links=tuple(links))


def _edits(figures: Figures, meant: Figures, edit: Callable[[LinkFigures], tuple[Edit, ...]]) -> tuple[Edit, ...]:
    pairs = zip(figures.links, meant.links, strict=True)
    changed = [
        new for old, new in pairs if not (np.allclose(old.com, new.com) and np.allclose(old.inertia, new.inertia, atol=0.0))
    ]
    return tuple(one for link in changed for one in edit(link))


def _of_all(figures: Figures, first: Place) -> Place:
    return replace(first, part=figures.whole.part)


def _listed(figures: Figures) -> str:
    links = [link for link in figures.weighty if link.mass]
    return ", ".join(vector(link.com) for link in links[:LISTED]) + ", …" * (len(links) > LISTED)
