"""Geometric facts about joint axes, and about a point, that make an arm singular, with their names and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import combinations, pairwise

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross, dependent_sets


class CauseName(Enum):
    """Name of a cause: `kind`, by the part of the arm, and `title`."""

    WRIST = "wrist", "Wrist"
    SHOULDER = "shoulder", "Shoulder"
    STRETCHED = "elbow", "Elbow stretched"
    FOLDED = "elbow", "Elbow folded"
    NORMAL_SLIDE = "slide", "Prismatic axis perpendicular"
    ALIGNED_SLIDES = "slide", "Prismatic axes aligned"
    RETRACTED_SLIDE = "slide", "Prismatic joint retracted"
    ALIGNED = "alignment", "Axes aligned"
    SPHERE = "alignment", "Tool on a sphere"
    LINE = "line", "Common line"
    CANCEL = "general", "Motions cancel"

    def __init__(self, kind: str, title: str):
        self.kind, self.title = kind, title


class Fact(Enum):
    """Geometric fact behind a cause; `CONDITIONS` has its text."""

    COLLINEAR = auto()
    PARALLEL = auto()
    PARALLEL_NORMAL = auto()
    PARALLEL_COPLANAR = auto()
    COPLANAR_CROSSING = auto()
    CROSSING = auto()
    PARALLEL_SLIDES = auto()
    SLIDES_IN_PLANE = auto()
    SLIDE_NORMAL_TO_AXES = auto()
    SLIDE_NORMAL_TO_POINT = auto()
    POINT_ON_AXIS = auto()
    POINT_IN_PLANE = auto()
    POINT_COPLANAR = auto()
    POINT_ON_SPHERE = auto()
    ELBOW_LINE = auto()
    LINE_THROUGH_POINT = auto()
    COMMON_LINE = auto()
    CANCELLING = auto()


CONDITIONS = {
    Fact.COLLINEAR: "{axes} are collinear",
    Fact.PARALLEL: "{axes} are parallel",
    Fact.PARALLEL_NORMAL: "{axes} are parallel and {slides} {verb} normal to them",
    Fact.PARALLEL_COPLANAR: "{axes} are parallel and coplanar",
    Fact.COPLANAR_CROSSING: "{axes} are coplanar and intersect at one point",
    Fact.CROSSING: "{axes} intersect at one point",
    Fact.PARALLEL_SLIDES: "{slides} are parallel",
    Fact.SLIDES_IN_PLANE: "{slides} are parallel to one plane",
    Fact.SLIDE_NORMAL_TO_AXES: "{slides} is normal to the plane of the parallel {axes}",
    Fact.SLIDE_NORMAL_TO_POINT: "{slides} is normal to the plane of {axes} and the {point}",
    Fact.POINT_ON_AXIS: "the {point} is on {axes}",
    Fact.POINT_IN_PLANE: "the {point} is in {plane}",
    Fact.POINT_COPLANAR: "{axes} are coplanar",
    Fact.POINT_ON_SPHERE: "{axes} intersect at one point, about which the {point} can only rotate",
    Fact.ELBOW_LINE: "{middle} intersects the line from the intersection of {axes} to the {point}",
    Fact.LINE_THROUGH_POINT: "one common line through the {point} {relations}",
    Fact.COMMON_LINE: "one common line {relations}",
    Fact.CANCELLING: "the motions of {axes} cancel at the tool",
}
"""Condition of each fact, with the names of axes and points in braces."""

PARTS = ("wrist", "elbow", "shoulder")
"""Kinds that name a part of the arm."""

FALLBACKS = (Fact.CANCELLING, Fact.COMMON_LINE, Fact.LINE_THROUGH_POINT)
"""Facts that only list the joints that compensate for another fact, or that replace one if none is found."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """Facts about `joints` under one name, with the condition of each as text.

    `centre` is the point that they are about, `confines` `(3,)` the direction in which it cannot move; None for axes alone.
    """

    name: CauseName
    facts: tuple[Fact, ...]
    conditions: tuple[str, ...]
    joints: tuple[int, ...]
    centre: Centre | None = None
    confines: np.ndarray | None = None


def _pattern(
    name: CauseName,
    fact: Fact,
    joints: tuple[int, ...],
    centre: Centre | None = None,
    confines: np.ndarray | None = None,
    **words: str,
) -> Pattern:
    """Return the pattern of one fact; `words` are the names for the braces of its condition."""
    if centre is not None:
        words["point"] = centre.name
    return Pattern(name, (fact,), (CONDITIONS[fact].format(**words),), joints, centre, confines)


def of_set(axes: JointAxes, joints: tuple[int, ...]) -> Pattern | None:
    """Pattern that makes the twists of two to four joints linearly dependent for any tool; None without one."""
    turning, sliding = [j for j in joints if axes.turns(j)], [j for j in joints if axes.slides(j)]
    if len(joints) == 2:
        return _pair(axes, turning, sliding)
    if len(joints) == 3:
        return _triple(axes, turning, sliding)
    if len(joints) == 4:
        return _four(axes, turning, sliding)
    return None


def _aligned(axes: JointAxes, joints: Sequence[int]) -> CauseName:
    """Name of a set of aligned axes: WRIST if the last joint is among them."""
    inwards = axes.chain[-3:]
    if len(axes.chain) > 3 and axes.chain[-1] in joints and sum(j in inwards for j in joints) > 1:
        return CauseName.WRIST
    return CauseName.ALIGNED


def _one_after_the_other(axes: JointAxes, turning: Sequence[int]) -> bool:
    """True if no other joint between these is revolute, so that the middle one is the elbow of two links."""
    between = [j for j in axes.chain if axes.turns(j) and min(turning) <= j <= max(turning)]
    return len(between) == len(turning)


def _pair(axes: JointAxes, turning: list[int], sliding: list[int]) -> Pattern | None:
    if len(turning) == 2 and axes.collinear(*turning):
        return _pattern(_aligned(axes, turning), Fact.COLLINEAR, tuple(turning), axes=axes.name(turning))
    if len(sliding) == 2 and axes.parallel(*sliding):
        slides = axes.slide_names(sliding)
        return _pattern(CauseName.ALIGNED_SLIDES, Fact.PARALLEL_SLIDES, tuple(sliding), slides=slides)
    return None


def _triple(axes: JointAxes, turning: list[int], sliding: list[int]) -> Pattern | None:
    joints = tuple(sorted(turning + sliding))
    if len(turning) == 3 and axes.coplanar(*turning):
        if axes.parallel(*turning):
            name = CauseName.ALIGNED
            if _one_after_the_other(axes, turning):
                name = bend(axes, [axes.p[j] for j in joints], turning[0])
            return _pattern(name, Fact.PARALLEL_COPLANAR, joints, axes=axes.name(turning))
        if axes.crossing(*turning) is not None:
            return _pattern(_aligned(axes, joints), Fact.COPLANAR_CROSSING, joints, axes=axes.name(turning))
    if len(turning) == 2 and axes.parallel(*turning):
        i, j = turning
        across = cross(axes.z[i], axes.p[j] - axes.p[i])
        if axes.parallel_to(across, *sliding):
            slides, pair = axes.slide_names(sliding), axes.name(turning)
            return _pattern(CauseName.NORMAL_SLIDE, Fact.SLIDE_NORMAL_TO_AXES, joints, slides=slides, axes=pair)
    if len(sliding) == 3 and np.linalg.svd(axes.z[sliding], compute_uv=False)[-1] < NEARLY:
        slides = axes.slide_names(sliding)
        return _pattern(CauseName.ALIGNED_SLIDES, Fact.SLIDES_IN_PLANE, joints, slides=slides)
    return None


def _four(axes: JointAxes, turning: list[int], sliding: list[int]) -> Pattern | None:
    joints = tuple(sorted(turning + sliding))
    if len(turning) == 4 and axes.crossing(*turning) is not None:
        return _pattern(_aligned(axes, joints), Fact.CROSSING, joints, axes=axes.name(turning))
    if len(turning) > 1 and axes.parallel(*turning) and axes.normal(axes.z[turning[0]], *sliding):
        if not sliding:
            return _pattern(_aligned(axes, joints), Fact.PARALLEL, joints, axes=axes.name(turning))
        slides, verb = axes.slide_names(sliding), "is" if len(sliding) == 1 else "are"
        return _pattern(_aligned(axes, joints), Fact.PARALLEL_NORMAL, joints, axes=axes.name(turning), slides=slides, verb=verb)
    return None


def of_line(axes: JointAxes, line: tuple[np.ndarray, np.ndarray] | None, joints: tuple[int, ...]) -> Pattern:
    """Pattern of a line (point, direction) that intersects or is parallel to all axes; without a line, that `joints` cancel.

    Used if no simpler fact explains the loss.
    """
    if line is None:
        return _pattern(CauseName.CANCEL, Fact.CANCELLING, joints, axes=axes.name(joints))
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
    return _pattern(CauseName.LINE, Fact.COMMON_LINE, axes.chain, relations=_relations(axes, met, beside))


def join_patterns(patterns: list[Pattern]) -> Pattern:
    """Return the first two of several patterns that only together make the arm singular as one, named after a part of the arm."""
    first = next((p for p in patterns if p.name.kind in PARTS), patterns[0])
    both = [first, *(p for p in patterns if p is not first)][:2]
    joints = tuple(sorted({j for p in both for j in p.joints}))
    facts, conditions = (sum((getattr(p, field) for p in both), ()) for field in ("facts", "conditions"))
    return replace(first, facts=facts, conditions=conditions, joints=joints)


def _relations(axes: JointAxes, met: Sequence[int], beside: Sequence[int], sliding: Sequence[int] | None = None) -> str:
    """Relations of a line to the axes, such as "intersects axes 1 and 4 and is parallel to axes 2 and 3"."""
    if sliding is None:
        sliding = [j for j in axes.chain if axes.slides(j)]
    parts = [f"intersects {axes.name(met)}"] if met else []
    parts += [f"is parallel to {axes.name(beside)}"] if beside else []
    parts += [f"is normal to {axes.slide_names(sliding)}"] if sliding else []
    return enumeration(parts)


def in_plane(axes: JointAxes, centre: Centre, i: int, beside: Sequence[int], joints: tuple[int, ...], f: np.ndarray) -> Pattern:
    """Pattern of a centre in the plane through axis i parallel to the axes `beside`, one of which may be in that plane."""
    inside = [j for j in beside if axes.coplanar(i, j)]
    if inside:
        plane = f"the plane of {axes.name((i, inside[0]))}"
    else:
        plane = f"the plane through {axes.name((i,))} parallel to {axes.name(beside)}"
    name = CauseName.SHOULDER if i == axes.chain[0] else CauseName.LINE
    return _pattern(name, Fact.POINT_IN_PLANE, joints, centre, f, plane=plane)


def bend(axes: JointAxes, points: Sequence[np.ndarray], i: int) -> CauseName:
    """STRETCHED if points in the order of the chain follow each other in one direction across the axis i, else FOLDED.

    With three of them the first and the last are then farthest apart, else nearest, over the turns of the one between.
    """
    across = [(b - a) - axes.z[i] * (axes.z[i] @ (b - a)) for a, b in pairwise(points)]
    return CauseName.STRETCHED if all(a @ b > 0 for a, b in pairwise(across)) else CauseName.FOLDED


def at_centre(axes: JointAxes, centre: Centre, rows: np.ndarray) -> list[Pattern]:
    """Patterns that confine a point: all joints outside its `group` move it within a plane, or less.

    A force through the point along the direction in which it cannot move then needs no joint torque. `rows` of the task bound the
    directions that count if the point is the tool itself.
    """
    rest = tuple(j for j in axes.chain if j not in centre.group)
    kept = np.arange(3) if centre.group else rows
    V = np.zeros((3, axes.robot.n))
    V[:, list(rest)] = axes.velocities(centre.point, rest)
    V *= np.where(axes.robot.prismatic, 1.0, 1.0 / axes.robot.characteristic_length)
    U, sigma, _ = np.linalg.svd(V[kept])
    rank = int(np.sum(sigma > NEARLY * max(sigma[0], NEARLY)))
    if rank == min(len(kept), len(rest)):
        return []
    f = None
    if len(rest) >= len(kept):
        f = np.zeros(3)
        f[kept] = U[:, -1]
    sets = dependent_sets(V[kept], rest, len(rest) - rank, rank + 1)
    patterns = [p for joints, _ in sets if (p := _fact(axes, centre, joints, f)) is not None]
    round_one_point = [p for p in patterns if p.name is CauseName.SPHERE]
    return _merged(axes, [p for p in patterns if p not in round_one_point] or round_one_point)


def _fact(axes: JointAxes, centre: Centre, joints: tuple[int, ...], f: np.ndarray | None) -> Pattern | None:
    """Pattern of a smallest set of joints that move the centre in dependent directions."""
    turning, sliding = [j for j in joints if axes.turns(j)], [j for j in joints if axes.slides(j)]
    if len(joints) == 1 and turning and axes.carries(joints[0], centre.point):
        name = _part(axes, joints, _on_axis(axes, centre, joints[0]))
        return _pattern(name, Fact.POINT_ON_AXIS, joints, centre, f, axes=axes.name(joints))
    if len(joints) == 2 and len(turning) == 2:
        return _two_turning(axes, centre, joints, f)
    if len(joints) == 2 and len(sliding) == 1:
        (i,), (j,) = turning, sliding
        if not axes.parallel_to(cross(axes.z[i], centre.point - axes.p[i]), j):
            return None
        slides = axes.slide_names(sliding)
        return _pattern(
            CauseName.NORMAL_SLIDE, Fact.SLIDE_NORMAL_TO_POINT, joints, centre, f, slides=slides, axes=axes.name(turning)
        )
    if len(joints) == 3 and turning and f is not None:
        return _three(axes, centre, turning, sliding, f)
    plain = of_set(axes, joints)
    return None if plain is None else replace(plain, joints=joints, centre=centre, confines=f)


def _on_axis(axes: JointAxes, centre: Centre, joint: int) -> CauseName:
    """Name for a centre on the axis of a joint: a retracted prismatic joint, or a revolute one that folds the arm to the axis.

    If that revolute axis intersects it, as the elbow of an arm with a spherical shoulder does, the arm may also be stretched.
    """
    inwards = _inwards(centre, (joint,))
    first, last = (max(centre.group), joint) if inwards else (joint, min(centre.group, default=axes.robot.n))
    between = [j for j in axes.chain if first < j < last]
    turning = [j for j in between if axes.turns(j)]
    if not turning:
        return CauseName.RETRACTED_SLIDE if between else CauseName.STRETCHED
    middle = turning[-1 if inwards else 0]
    root = axes.crossing(joint, middle)
    beyond = [j for j in axes.chain if (j > joint if inwards else j < joint)]
    if root is None or not beyond:
        return CauseName.FOLDED
    return bend(axes, [axes.p[beyond[0 if inwards else -1]], root, centre.point], middle)


def _two_turning(axes: JointAxes, centre: Centre, joints: tuple[int, ...], f: np.ndarray | None) -> Pattern | None:
    if axes.collinear(*joints):
        return _pattern(CauseName.ALIGNED, Fact.COLLINEAR, joints, centre, f, axes=axes.name(joints))
    if not axes.coplanar(*joints, point=centre.point):
        return None
    if axes.parallel(*joints):
        return _stretched(axes, centre, joints, f)
    plane = f"the plane of {axes.name(joints)}"
    return _pattern(_part(axes, joints, CauseName.ALIGNED), Fact.POINT_IN_PLANE, joints, centre, f, plane=plane)


def _part(axes: JointAxes, joints: tuple[int, ...], otherwise: CauseName) -> CauseName:
    """Name by the part of the arm: SHOULDER with the first joint, WRIST with one of the last two, else `otherwise`."""
    if axes.chain[0] in joints:
        return CauseName.SHOULDER
    if len(axes.chain) > 3 and any(j in axes.chain[-2:] for j in joints):
        return CauseName.WRIST
    return otherwise


def _stretched(axes: JointAxes, centre: Centre, joints: tuple[int, ...], f: np.ndarray | None) -> Pattern:
    points = [*axes.p[list(joints)], centre.point]
    name = bend(axes, points if not _inwards(centre, joints) else [points[-1], *points[:-1]], joints[0])
    return _pattern(name, Fact.POINT_COPLANAR, joints, centre, f, axes=axes.name(joints, f"the {centre.name}"))


def _inwards(centre: Centre, joints: tuple[int, ...]) -> bool:
    """True if a point is before all these joints in the chain, as a shoulder centre is."""
    return bool(centre.group) and max(centre.group) < min(joints)


def _three(axes: JointAxes, centre: Centre, turning: list[int], sliding: list[int], f: np.ndarray) -> Pattern | None:
    """Pattern of three joints that move the centre in a plane: the line through it along f meets or is parallel to every axis."""
    joints = tuple(sorted(turning + sliding))
    beside = [j for j in turning if axes.parallel_to(f, j)]
    met = [j for j in turning if j not in beside]
    if not (axes.normal(f, *sliding) and all(axes.meets(j, centre.point, f) for j in met)):
        return None
    if len(met) == 1 and beside:
        return in_plane(axes, centre, met[0], beside, joints, f)
    if len(met) == 3:
        if axes.crossing(*met) is not None:
            return _pattern(CauseName.SPHERE, Fact.POINT_ON_SPHERE, joints, centre, f, axes=axes.name(met))
        i, j, middle = met[::-1] if _inwards(centre, joints) else met
        root = axes.crossing(i, j)
        if root is not None and not axes.carries(middle, root):
            name, names = bend(axes, [root, axes.p[middle], centre.point], middle), (axes.name((middle,)), axes.name((i, j)))
            return _pattern(name, Fact.ELBOW_LINE, joints, centre, f, middle=names[0], axes=names[1])
    relations = _relations(axes, met, beside, sliding)
    return _pattern(CauseName.LINE, Fact.LINE_THROUGH_POINT, joints, centre, f, relations=relations)


def _merged(axes: JointAxes, patterns: list[Pattern]) -> list[Pattern]:
    """Merge elbow singularities whose joint axes and common wrist or shoulder centre are in one plane."""
    elbows = [p for p in patterns if p.name.kind == "elbow" and len(p.joints) == 2 and axes.parallel(*p.joints)]
    together = tuple(sorted({j for p in elbows for j in p.joints}))
    centre = elbows[0].centre if len(elbows) > 1 else None
    if centre is None or not axes.parallel(*together) or not axes.coplanar(*together, point=centre.point):
        return patterns
    return [_stretched(axes, centre, together, elbows[0].confines), *(p for p in patterns if p not in elbows)]
