"""The facts about joint axes and a point that confine the point's motion: shoulder, elbow, a slide that lies across."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.singularities.axis_patterns import Pattern, bend, in_plane, of_set
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross, dependent_sets


def at_centre(axes: JointAxes, centre: Centre, rows: np.ndarray) -> list[Pattern]:
    """What confines a point, if something does: all joints that do not turn about it move it within a plane, or less.

    A force through the point along the direction that it cannot move in is then felt by no joint. `rows` are the task's, which
    bound the directions that count where the point is the tool itself.
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
    round_one_point = [p for p in patterns if p.title == "Tool on a sphere"]
    return _merged(axes, [p for p in patterns if p not in round_one_point] or round_one_point)


def _fact(axes: JointAxes, centre: Centre, joints: tuple[int, ...], f: np.ndarray | None) -> Pattern | None:
    """The fact behind joints whose motions of the centre depend on each other, none fewer of them."""
    turning, sliding = [j for j in joints if axes.turns(j)], [j for j in joints if axes.slides(j)]
    if len(joints) == 1 and turning and axes.carries(joints[0], centre.point):
        kind, title = _part(axes, joints, _on_axis(axes, centre, joints[0]))
        return Pattern(kind, title, f"the {centre.name} is on {axes.name(joints)}", joints, centre, f)
    if len(joints) == 2 and len(turning) == 2:
        return _two_turning(axes, centre, joints, f)
    if len(joints) == 2 and len(sliding) == 1:
        (i,), (j,) = turning, sliding
        if not axes.parallel_to(cross(axes.z[i], centre.point - axes.p[i]), j):
            return None
        words = f"{axes.slide_names(sliding)} is normal to the plane of {axes.name(turning)} and the {centre.name}"
        return Pattern("slide", "Prismatic axis normal", words, joints, centre, f)
    if len(joints) == 3 and turning and f is not None:
        return _three(axes, centre, turning, sliding, f)
    plain = of_set(axes, joints)
    return None if plain is None else Pattern(plain.kind, plain.title, plain.condition, joints, centre, f)


def _on_axis(axes: JointAxes, centre: Centre, joint: int) -> tuple[str, str]:
    """What brings the centre onto the axis of a joint: a slide drawn in, or one that turns, which folds the arm back to the axis.

    Where that one's own axis meets it, as the elbow of an arm with a ball for a shoulder, the arm may be stretched along it, too.
    """
    inwards = _inwards(centre, (joint,))
    first, last = (max(centre.group), joint) if inwards else (joint, min(centre.group, default=axes.robot.n))
    between = [j for j in axes.chain if first < j < last]
    turning = [j for j in between if axes.turns(j)]
    if not turning:
        return ("slide", "Prismatic joint retracted") if between else ("elbow", "Elbow stretched")
    middle = turning[-1 if inwards else 0]
    root = axes.crossing(joint, middle)
    beyond = [j for j in axes.chain if (j > joint if inwards else j < joint)]
    if root is None or not beyond:
        return "elbow", "Elbow folded"
    return "elbow", f"Elbow {bend(axes, [axes.p[beyond[0 if inwards else -1]], root, centre.point], middle)}"


def _two_turning(axes: JointAxes, centre: Centre, joints: tuple[int, ...], f: np.ndarray | None) -> Pattern | None:
    if axes.collinear(*joints):
        return Pattern("alignment", "Axes aligned", f"{axes.name(joints)} are collinear", joints, centre, f)
    if not axes.coplanar(*joints, point=centre.point):
        return None
    if axes.parallel(*joints):
        return _stretched(axes, centre, joints, f)
    kind, title = _part(axes, joints, ("alignment", "Axes aligned"))
    return Pattern(kind, title, f"the {centre.name} is in the plane of {axes.name(joints)}", joints, centre, f)


def _part(axes: JointAxes, joints: tuple[int, ...], otherwise: tuple[str, str]) -> tuple[str, str]:
    """Kind and title by the part of the arm that joints belong to: its first, its last two, or neither."""
    if axes.chain[0] in joints:
        return "shoulder", "Shoulder"
    if len(axes.chain) > 3 and any(j in axes.chain[-2:] for j in joints):
        return "wrist", "Wrist"
    return otherwise


def _stretched(axes: JointAxes, centre: Centre, joints: tuple[int, ...], f: np.ndarray | None) -> Pattern:
    points = [*axes.p[list(joints)], centre.point]
    title = f"Elbow {bend(axes, points if not _inwards(centre, joints) else [points[-1], *points[:-1]], joints[0])}"
    words = f"{axes.name(joints, f'the {centre.name}')} are coplanar"
    return Pattern("elbow", title, words, joints, centre, f)


def _inwards(centre: Centre, joints: tuple[int, ...]) -> bool:
    """Whether a point comes before all these joints on the way to the tool, as a shoulder centre does."""
    return bool(centre.group) and max(centre.group) < min(joints)


def _three(axes: JointAxes, centre: Centre, turning: list[int], sliding: list[int], f: np.ndarray) -> Pattern | None:
    """Three joints move the centre within a plane: the line through it along f meets or is parallel to every turning axis."""
    joints = tuple(sorted(turning + sliding))
    beside = [j for j in turning if axes.parallel_to(f, j)]
    met = [j for j in turning if j not in beside]
    if not (axes.normal(f, *sliding) and all(axes.meets(j, centre.point, f) for j in met)):
        return None
    if len(met) == 1 and beside:
        return in_plane(axes, centre, met[0], beside, joints, f)
    if len(met) == 3:
        if axes.crossing(*met) is not None:
            words = f"{axes.name(met)} intersect at one point, about which the {centre.name} can only rotate"
            return Pattern("alignment", "Tool on a sphere", words, joints, centre, f)
        i, j, middle = met[::-1] if _inwards(centre, joints) else met
        root = axes.crossing(i, j)
        if root is not None and not axes.carries(middle, root):
            words = (
                f"{axes.name((middle,))} intersects the line from the intersection of {axes.name((i, j))} to the {centre.name}"
            )
            title = f"Elbow {bend(axes, [root, axes.p[middle], centre.point], middle)}"
            return Pattern("elbow", title, words, joints, centre, f)
    parts = [f"intersects {axes.name(met)}"] if met else []
    parts += [f"is parallel to {axes.name(beside)}"] if beside else []
    parts += [f"is normal to {axes.slide_names(sliding)}"] if sliding else []
    return Pattern("line", "Common line", f"one common line through the {centre.name} {enumeration(parts)}", joints, centre, f)


def _merged(axes: JointAxes, patterns: list[Pattern]) -> list[Pattern]:
    """Several elbows whose axes all lie in one plane with the centre are one."""
    elbows = [p for p in patterns if p.kind == "elbow" and len(p.joints) == 2 and axes.parallel(*p.joints)]
    together = tuple(sorted({j for p in elbows for j in p.joints}))
    centre = elbows[0].centre if len(elbows) > 1 else None
    if centre is None or not axes.parallel(*together) or not axes.coplanar(*together, point=centre.point):
        return patterns
    return [_stretched(axes, centre, together, elbows[0].confines), *(p for p in patterns if p not in elbows)]
