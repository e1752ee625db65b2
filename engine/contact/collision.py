"""`collision`: what an arm hits, or how near it comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.engine import batching
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.contact_model import TOUCHING, ContactModel, Distances
from armature.engine.contact.freeing_motion import freeing_motions
from armature.engine.errors import EngineError, shown
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

if TYPE_CHECKING:
    from armature.engine.contact.cell import Cell

NO_PAIR = ("", "")


@dataclass(frozen=True, eq=False)
class Contact(Frozen):
    """A pair of links, or of a link and an object, and their signed distance.

    Attributes:
        pair: two names.
        distance: m; negative: depth of penetration.
        points: nearest points on the two `(2, 3)`, m in W; of a penetration, the deepest points.
        normal: unit vector `(3,)` in W from the second to the first; p_1 − p_2 = distance · normal.
        gradient: ∂distance/∂q `(n,)`, m/rad (prismatic: 1).
    """

    pair: tuple[str, str]
    distance: float
    points: np.ndarray
    normal: np.ndarray
    gradient: np.ndarray

    @property
    def caption(self) -> str:
        """The pair with its distance or depth, such as "forearm hits table, 12 mm deep"."""
        one, other = self.pair
        if self.distance > TOUCHING:
            return f"{one}–{other}, {length(self.distance)} apart"
        return f"{one} hits {other}, {length(-self.distance)} deep"


@dataclass(frozen=True, eq=False)
class Collision(Frozen):
    """Contacts of an arm in one pose, or in N poses, then every array has `(N,)` in front.

    Attributes:
        colliding: whether any pair touches, bool or `(N,)`.
        distance: smallest signed distance of all pairs, m or `(N,)`; negative: depth of penetration; inf without pairs.
        pair: the two names of that pair, or `(N, 2)`.
        points: its nearest points on the two `(2, 3)`, m in W.
        normal: unit vector `(3,)` in W from the second to the first; p_1 − p_2 = distance · normal.
        gradient: ∂distance/∂q `(n,)`, m/rad (prismatic: 1); it is not continuous where the pair or its features change.
        pair_index: index of the pair in `pair_names`, −1 without pairs.
        pair_names: names of all tested pairs.
        pairs: in one pose, all pairs nearer than the margin, nearest first; with the margin 0, the contacts. Empty for N poses.
    """

    colliding: Any
    distance: Any
    pair: Any
    points: np.ndarray
    normal: np.ndarray
    gradient: np.ndarray
    pair_index: Any
    pair_names: tuple[tuple[str, str], ...]
    pairs: tuple[Contact, ...] = ()
    explanation: str = field(default="", repr=False)


def collision(
    robot: Robot,
    q,
    cell: Cell | None = None,
    margin: float = 0.0,
    cancelled: Callable[[], bool] | None = None,
) -> Collision:
    """Return which links of an arm touch each other, the floor or objects, and the smallest signed distance.

    distance = min over pairs (A, B) of  min |a − b|, a ∈ A, b ∈ B, if apart, else −(smallest translation that separates A and B)

    Links are the convex shapes of the robot's file: collision shapes, else visual shapes, a mesh counts as its convex hull, else
    the drawn solids. Not tested are links joined by one joint, links fixed to each other, pairs that always touch
    (`collision_pairs`) and pairs that the file ignores; links that no joint moves are not tested with objects.

    Args:
        robot: arm, with its floor.
        q: joint positions `(n,)` or `(N, n)`, rad or m, or the name of a pose.
        cell: `Cell` of objects around the arm; None: only the arm and its floor.
        margin: distance in m below which a pair is listed in `pairs`.
        cancelled: called every few thousand poses; `Cancelled` is raised after it returned True.

    Returns:
        `Collision` with colliding, distance, pair, points, normal, gradient, pairs and explanation.

    Raises:
        DimensionError; EngineError: an invalid margin; Cancelled.

    Source: Gilbert, Johnson, Keerthi, A fast procedure for computing the distance between complex objects, IEEE J. Robotics and
    Automation 4, 1988; van den Bergen, Collision Detection in Interactive 3D Environments, 2003 (penetration depth).
    """
    if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 <= margin < np.inf:
        raise EngineError(f"margin must be a distance in m, 0 or more, got {shown(margin)}")
    model = cell_contacts(robot, cell)
    (rows,), single = batching.vectors(robot, q=q)
    return pose_collision(model, rows[0], margin) if single else _many(model, rows, cancelled)


def pose_collision(model: ContactModel, q: np.ndarray, margin: float = 0.0) -> Collision:
    """Return the collision report of one pose q `(n,)`, which is not checked."""
    nearest, names = model.nearest(q), model.pair_names
    k, distance = int(nearest.pair_index), float(nearest.distance)
    contacts = near_contacts(model, q, margin) if k >= 0 and distance < margin + TOUCHING else ()
    return Collision(
        colliding=distance <= TOUCHING,
        distance=distance,
        pair=names[k] if k >= 0 else NO_PAIR,
        points=nearest.points,
        normal=nearest.normal,
        gradient=nearest.gradient,
        pair_index=k,
        pair_names=names,
        pairs=contacts,
        explanation=_explanation(model, q, nearest, contacts),
    )


def touching_pairs(model: ContactModel, q: np.ndarray) -> np.ndarray:
    """Return the indices `(k,)` of the pairs of a model that touch at q `(n,)`, which is not checked."""
    if not model.collides(q):
        return np.zeros(0, int)
    return np.flatnonzero(model.distances(q, TOUCHING).pair_index >= 0)


def _many(model: ContactModel, q: np.ndarray, cancelled: Callable[[], bool] | None) -> Collision:
    nearest, names = model.nearest(q, cancelled=cancelled), model.pair_names
    return Collision(
        colliding=nearest.distance <= TOUCHING,
        distance=nearest.distance,
        pair=np.array([*names, NO_PAIR])[nearest.pair_index],
        points=nearest.points,
        normal=nearest.normal,
        gradient=nearest.gradient,
        pair_index=nearest.pair_index,
        pair_names=names,
    )


def pair_contact(model: ContactModel, q: np.ndarray) -> Contact | None:
    """Return the nearest pair of a model at q `(n,)`, which is not checked; None without pairs."""
    nearest = model.nearest(q)
    k = int(nearest.pair_index)
    return (
        None if k < 0 else Contact(model.pair_names[k], float(nearest.distance), nearest.points, nearest.normal, nearest.gradient)
    )


def near_contacts(model: ContactModel, q: np.ndarray, margin: float = 0.0) -> tuple[Contact, ...]:
    """Return the pairs of a model at most `margin` m apart at q `(n,)`, which is not checked, the nearest first."""
    all_pairs, names = model.distances(q, margin + TOUCHING), model.pair_names
    near = [int(k) for k in np.argsort(all_pairs.distance, kind="stable") if all_pairs.pair_index[k] >= 0]
    return tuple(
        Contact(names[k], float(all_pairs.distance[k]), all_pairs.points[k], all_pairs.normal[k], all_pairs.gradient[k])
        for k in near
    )


def _explanation(model: ContactModel, q: np.ndarray, nearest: Distances, contacts: tuple[Contact, ...]) -> str:
    """Text: the pair that touches, its depth and the joint motion that ends the contact; or the nearest pair."""
    k, distance = int(nearest.pair_index), float(nearest.distance)
    if k < 0:
        return "no pair of links can touch"
    one, other = model.pair_names[k]
    if distance > TOUCHING:
        return f"nearest: {one}–{other}, {length(distance)}"
    others = sum(contact.distance <= TOUCHING for contact in contacts) - 1
    more = f", and {others} more pair{'s' * (others > 1)} touch{'es' * (others == 1)}" if others > 0 else ""
    motions = freeing_motions(model, q, distance, nearest.gradient)
    way = joint_motion(model.robot, *motions[0]) if motions else "no small motion of one joint"
    return f"{contacts[0].caption}{more}: {way} frees it"


def length(x: float) -> str:
    """Return a distance in m as text, such as "12 mm" or "0.4 mm"."""
    if x < 5e-5:
        return "less than 0.1 mm"
    return f"{1e3 * x:.0f} mm" if x >= 0.00995 else f"{1e3 * x:.1f} mm"


def joint_motion(robot: Robot, j: int, motion: float) -> str:
    """Return a motion of one joint as text, such as "elbow −3.1°" or "joint3 +12.0 mm"."""
    value = f"{1e3 * motion:+.1f} mm" if robot.prismatic[j] else f"{np.degrees(motion):+.1f}°"
    return f"{robot.joint_names[j]} {value.replace('-', '−')}"
