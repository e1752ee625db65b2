"""The facts about joint axes that make an arm singular by themselves, each with the words that state it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross


@dataclass(frozen=True, eq=False)
class Pattern:
    """A fact about `joints`: `kind` and `title` as in `Cause`, `condition` in words.

    Where it is about a point, `centre` is that point and `confines` `(3,)` the direction in which it cannot move.
    """

    kind: str
    title: str
    condition: str
    joints: tuple[int, ...]
    centre: Centre | None = None
    confines: np.ndarray | None = None


def of_set(axes: JointAxes, joints: tuple[int, ...]) -> Pattern | None:
    """The fact that makes the twists of two to four joints depend on each other, whatever the tool; None where there is none."""
    turning, sliding = [j for j in joints if axes.turns(j)], [j for j in joints if axes.slides(j)]
    if len(joints) == 2:
        return _pair(axes, turning, sliding)
    if len(joints) == 3:
        return _triple(axes, turning, sliding)
    if len(joints) == 4:
        return _four(axes, turning, sliding)
    return None


def _kind(axes: JointAxes, joints: Sequence[int]) -> tuple[str, str]:
    """Kind and title of a set of axes that align: the wrist's where the last joint is among them."""
    inwards = axes.chain[-3:]
    if len(axes.chain) > 3 and axes.chain[-1] in joints and sum(j in inwards for j in joints) > 1:
        return "wrist", "Wrist"
    return "alignment", "Axes aligned"


def _one_after_the_other(axes: JointAxes, turning: Sequence[int]) -> bool:
    """Whether no other joint turns between these, so that the one in the middle is the elbow of the two links beside it."""
    between = [j for j in axes.chain if axes.turns(j) and min(turning) <= j <= max(turning)]
    return len(between) == len(turning)


def _pair(axes: JointAxes, turning: list[int], sliding: list[int]) -> Pattern | None:
    if len(turning) == 2 and axes.collinear(*turning):
        return Pattern(*_kind(axes, turning), f"{axes.name(turning)} are collinear", tuple(turning))
    if len(sliding) == 2 and axes.parallel(*sliding):
        return Pattern("slide", "Prismatic axes aligned", f"{axes.slide_names(sliding)} are parallel", tuple(sliding))
    return None


def _triple(axes: JointAxes, turning: list[int], sliding: list[int]) -> Pattern | None:
    joints = tuple(sorted(turning + sliding))
    if len(turning) == 3 and axes.coplanar(*turning):
        if axes.parallel(*turning):
            words = f"{axes.name(turning)} are parallel and coplanar"
            if not _one_after_the_other(axes, turning):
                return Pattern("alignment", "Axes aligned", words, joints)
            title = f"Elbow {bend(axes, [axes.p[j] for j in joints], turning[0])}"
            return Pattern("elbow", title, words, joints)
        if axes.crossing(*turning) is not None:
            return Pattern(*_kind(axes, joints), f"{axes.name(turning)} are coplanar and intersect at one point", joints)
    if len(turning) == 2 and axes.parallel(*turning):
        i, j = turning
        across = cross(axes.z[i], axes.p[j] - axes.p[i])
        if axes.parallel_to(across, *sliding):
            words = f"{axes.slide_names(sliding)} is normal to the plane of the parallel {axes.name(turning)}"
            return Pattern("slide", "Prismatic axis normal", words, joints)
    if len(sliding) == 3 and np.linalg.svd(axes.z[sliding], compute_uv=False)[-1] < NEARLY:
        return Pattern("slide", "Prismatic axes aligned", f"{axes.slide_names(sliding)} are parallel to one plane", joints)
    return None


def _four(axes: JointAxes, turning: list[int], sliding: list[int]) -> Pattern | None:
    joints = tuple(sorted(turning + sliding))
    if len(turning) == 4 and axes.crossing(*turning) is not None:
        return Pattern(*_kind(axes, joints), f"{axes.name(turning)} intersect at one point", joints)
    if len(turning) > 1 and axes.parallel(*turning) and axes.normal(axes.z[turning[0]], *sliding):
        words = f"{axes.name(turning)} are parallel"
        if sliding:
            words += f" and {axes.slide_names(sliding)} {'is' if len(sliding) == 1 else 'are'} normal to them"
        return Pattern(*_kind(axes, joints), words, joints)
    return None


def of_line(axes: JointAxes, line: tuple[np.ndarray, np.ndarray] | None, joints: tuple[int, ...]) -> Pattern:
    """What a line (point, direction) is to all axes, which it meets or is parallel to; without one, only that `joints` cancel.

    The fallback where no smaller fact explains the loss.
    """
    general = Pattern("general", "Motions cancel", f"the motions of {axes.name(joints)} cancel at the tool", joints)
    if line is None:
        return general
    f = line[1]
    turning = [j for j in axes.chain if axes.turns(j)]
    beside = [j for j in turning if axes.parallel_to(f, j)]
    met = [j for j in turning if j not in beside]
    for pair in combinations(reversed(met), 2):
        crossing = axes.crossing(*pair)
        others = [j for j in met if j not in pair]
        if crossing is not None and beside and len(others) == 1 and not axes.carries(others[0], crossing):
            centre = Centre(crossing, pair, f"intersection of {axes.name(pair)}")
            return in_plane(axes, centre, others[0], beside, axes.chain, f)
    return Pattern("line", "Common line", f"one common line {_met(axes, met, beside)}", axes.chain)


def joined(patterns: list[Pattern]) -> Pattern:
    """Facts that only together make the arm singular, told as one: the first two, by the kind of the first that has one."""
    first = next((p for p in patterns if p.kind in ("wrist", "elbow", "shoulder")), patterns[0])
    facts = [first, *(p for p in patterns if p is not first)][:2]
    joints = tuple(sorted({j for p in facts for j in p.joints}))
    return replace(first, condition=" and ".join(p.condition for p in facts), joints=joints)


def _met(axes: JointAxes, met: Sequence[int], beside: Sequence[int]) -> str:
    """Relations of the line to the axes: "intersects axes 1 and 4, is parallel to axes 2 and 3"."""
    sliding = [j for j in axes.chain if axes.slides(j)]
    parts = [f"intersects {axes.name(met)}"] if met else []
    parts += [f"is parallel to {axes.name(beside)}"] if beside else []
    parts += [f"is normal to {axes.slide_names(sliding)}"] if sliding else []
    return enumeration(parts)


def in_plane(axes: JointAxes, centre: Centre, i: int, beside: Sequence[int], joints: tuple[int, ...], f: np.ndarray) -> Pattern:
    """The centre lies in the plane through axis i parallel to the axes `beside`, named by two axes where they lie in it."""
    inside = [j for j in beside if axes.coplanar(i, j)]
    if inside:
        plane = f"the plane of {axes.name((i, inside[0]))}"
    else:
        plane = f"the plane through {axes.name((i,))} parallel to {axes.name(beside)}"
    kind, title = ("shoulder", "Shoulder") if i == axes.chain[0] else ("line", "Common line")
    return Pattern(kind, title, f"the {centre.name} is in {plane}", joints, centre, f)


def bend(axes: JointAxes, points: Sequence[np.ndarray], i: int) -> str:
    """ "stretched" where points in the order of the chain follow each other one way across the axis i, else "folded".

    With three of them the first and the last are then farthest apart, else nearest, over the turns of the one between.
    """
    across = [(b - a) - axes.z[i] * (axes.z[i] @ (b - a)) for a, b in pairwise(points)]
    return "stretched" if all(a @ b > 0 for a, b in pairwise(across)) else "folded"
