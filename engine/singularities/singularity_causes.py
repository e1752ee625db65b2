"""Causes of a singular pose: geometric facts about the joint axes, and the lost motion of the tool by each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.kinematics.task import scaled_jacobian
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross, dependent_sets, length
from armature.engine.singularities.nearest_singularity import singular_near
from armature.engine.singularities.singularity_losses import (
    Loss,
    loss_among,
    losses,
    losses_beside,
    lost_wrenches,
    tool_point,
    unfelt,
    unit_wrench,
)
from armature.engine.singularities.singularity_patterns import (
    PARTS,
    CauseName,
    Fact,
    Pattern,
    at_centre,
    join_patterns,
    of_line,
    of_set,
)

_ASIDE = 0.02  # rad per joint, of a step after which causes that meet are separate
_WAYS = (2.0, 3.7)  # rad from joint to joint: directions of these steps, until each loss has a cause
_FARTHEST = 0.1  # rad: a singular pose farther from such a step is of another surface
_AMONG = 0.9  # share of a wrench near q that must be in the span of those at q
_LARGEST_SEARCHED = 8  # joints; in longer chains only sets of up to four are looked at


@dataclass(frozen=True, eq=False)
class Cause(Frozen):
    """One cause of a singular pose.

    `name`: its name, with `kind` and `title`; `facts`: its geometric facts, with their `conditions` as texts.
    `kind`: "wrist", "elbow", "shoulder", "slide" (a prismatic axis normal to a plane), "alignment" (other axes are collinear,
    parallel or intersect), "line" (one line intersects every axis) or "general". `title`: its name as text; `condition`: the
    geometric condition; `loss`: the lost motion of the tool, as text.
    `joints`: 0-based indices of the joints with linearly dependent columns of J; `motion` `(n,)`: joint velocity of these joints,
    rad/s or m/s, a vector of length 1, that does not move the tool; zeros if no single motion belongs to this cause. `lost_twist`
    `(6,)`: motion of `point` `(3,)`, m in the world frame, that no joint velocity causes; linear in m/s before angular in rad/s,
    world axes, one of them 0 and the other of length 1; zeros if the task has more coordinates than the arm has joints and more
    than one motion is lost. `wrench` `(6,)`: force in N and moment in N·m at the frame's origin, world axes, that needs no joint
    torque, of length 1 with the moment divided by `robot.characteristic_length`; zeros where `lost_twist` is zero.
    """

    name: CauseName
    facts: tuple[Fact, ...]
    conditions: tuple[str, ...]
    loss: str
    joints: tuple[int, ...]
    motion: np.ndarray
    point: np.ndarray
    lost_twist: np.ndarray
    wrench: np.ndarray

    @property
    def kind(self) -> str:
        """Kind by the part of the arm, such as "wrist"."""
        return self.name.kind

    @property
    def title(self) -> str:
        """Name as text, such as "Wrist"."""
        return self.name.title

    @property
    def condition(self) -> str:
        """Geometric condition as text."""
        return " and ".join(self.conditions)

    @property
    def sentence(self) -> str:
        """Title, condition and loss, such as "Wrist: axes 4 and 6 are collinear, so the tool cannot rotate about z"."""
        return f"{self.title}: {self.fact}."

    @property
    def fact(self) -> str:
        """Text with `condition` and `loss`, without `title`."""
        return f"{self.condition}, so {self.loss}"


def find_causes(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> tuple[Cause, ...]:
    """Return the causes at q `(n,)`, at least one; q is singular for the task's `rows`, and the robot has no mimic joints.

    If several directions are lost, each cause is described as near q, where it is alone, with its loss at q.
    """
    axes, tool, wrenches = JointAxes.at(robot, q, frame), tool_point(robot, q, frame), lost_wrenches(robot, q, frame, rows)
    facts = find_facts(axes, frame, rows, q)
    sides = sides_at(robot, q, frame, rows, wrenches) if wrenches.shape[1] > 1 else []
    if len(sides) < 2:
        lost = losses(axes, wrenches, [pattern for pattern, _ in facts], tool)
    else:
        lost = [loss_among(axes, wrenches, side.pattern, side.wrench, tool) for side in sides]
        met = {side.pattern.name.kind for side in sides}
        facts = [fact for fact in facts if fact[0].name.kind in PARTS and fact[0].name.kind not in met]
        more = losses_beside(axes, wrenches, lost, [pattern for pattern, _ in facts], tool)
        for loss in more[len(facts) :]:
            facts.append((of_line(axes, _line(axes, loss.wrench, tool.point), axes.chain), np.zeros(robot.n)))
        facts, lost = [*((side.pattern, side.motion) for side in sides), *facts], lost + more
    return tuple(_cause(*fact, loss) for fact, loss in zip(facts, lost, strict=True))


@dataclass(frozen=True, eq=False)
class Side:
    """Cause on its own surface of singular poses, near a pose at which several directions are lost.

    `pattern`: its facts; `wrench` `(6,)`: wrench at the tool without joint torque; `motion` `(n,)`: motion that does not move the
    tool.
    """

    pattern: Pattern
    wrench: np.ndarray
    motion: np.ndarray


def sides_at(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray, wrenches: np.ndarray) -> list[Side]:
    """Causes that meet at q `(n,)`, where the d `wrenches` `(6, d)` need no joint torque.

    From steps to both sides of q, Newton's method follows each of the d + 1 lowest singular values, since more causes than losses
    may meet, to poses at which one direction is lost. The means of wrench and motion over both sides equal those at q up to the
    square of the step, and are projected onto the wrenches without joint torque and the motions without tool motion at q.
    """
    found: dict[tuple[str, ...], list[Side]] = {}
    for way in _WAYS:
        step = _ASIDE * np.cos(way * np.arange(1, robot.n + 1)) * np.where(robot.prismatic, robot.characteristic_length, 1.0)
        for start in (q + step, q - step):
            for k in range(min(wrenches.shape[1] + 1, len(rows))):
                if (side := _side(robot, start, frame, rows, k)) is not None:
                    found.setdefault((side.pattern.name.kind, *side.pattern.conditions), []).append(side)
        if len(found) >= wrenches.shape[1]:
            break
    A, size = scaled_jacobian(robot, q, frame, rows), np.repeat([1.0, 1.0 / robot.characteristic_length], 3)
    means = [_mean(sides, A, np.linalg.qr(wrenches * size[:, None])[0], size) for sides in found.values()]
    return [side for side in means if side is not None]


def _side(robot: Robot, start: np.ndarray, frame: str | None, rows: np.ndarray, k: int) -> Side | None:
    """Cause at the singular pose found along the k-th lowest singular value; None if there are several."""
    near = singular_near(robot, start, frame, rows, k)
    if near is None or near.distance > _FARTHEST:
        return None
    wrenches = lost_wrenches(robot, near.q, frame, rows)
    facts = find_facts(JointAxes.at(robot, near.q, frame), frame, rows, near.q) if wrenches.shape[1] == 1 else []
    return Side(facts[0][0], unit_wrench(wrenches[:, 0], robot.characteristic_length), facts[0][1]) if len(facts) == 1 else None


def _mean(sides: list[Side], A: np.ndarray, kept: np.ndarray, size: np.ndarray) -> Side | None:
    """Mean of the sides at q, with S J = A and an orthonormal basis `kept` `(6, d)` of the wrenches times `size`.

    None if the mean wrench is not in that span.
    """
    wrench = kept.T @ (_aligned([side.wrench for side in sides]) * size)
    if np.linalg.norm(wrench) < _AMONG:
        return None
    motion = _aligned([side.motion for side in sides])
    moving = np.flatnonzero(motion)
    if len(moving):
        _, sigma, Vt = np.linalg.svd(A[:, moving])
        idle = Vt[int(np.sum(sigma > NEARLY * sigma[0])) :]
        motion[moving] = idle.T @ (idle @ motion[moving])
        is_own = np.abs(motion[list(sides[0].pattern.joints)]).max() > 0.01 * np.abs(motion).max()
        motion = motion / np.linalg.norm(motion) if is_own else np.zeros(len(motion))  # else the motion of another cause
    return Side(sides[0].pattern, kept @ wrench / np.linalg.norm(wrench) / size, motion)


def _aligned(vectors: list[np.ndarray]) -> np.ndarray:
    """Mean of unit vectors that are equal up to sign."""
    return np.mean([v if v @ vectors[0] >= 0.0 else -v for v in vectors], axis=0)


def find_facts(axes: JointAxes, frame: str | None, rows: np.ndarray, q: np.ndarray) -> list[tuple[Pattern, np.ndarray]]:
    """Patterns of the axes at q `(n,)`, each with the joint velocity `(n,)` that does not move the tool, or zeros.

    A loss of rank appears as dependent columns of J and as wrenches without joint torque. First come points with confined motion,
    then sets of axes; if neither explains the loss, one line that intersects all axes, or the motions that cancel.

    Source: Hunt, Kinematic Geometry of Mechanisms, 1978, chapter 12; Merlet, Parallel Robots, section 6.3 (dependent lines).
    """
    robot, tool = axes.robot, tool_point(axes.robot, q, frame)
    A = scaled_jacobian(robot, q, frame, rows)
    m, n = len(rows), len(axes.chain)
    wrenches, rank = unfelt(robot, A, rows, n)
    patterns = _confined(axes, (tool,) if rows.max() < 3 else axes.centres if m == 6 else (), rows)
    motions = [np.zeros(robot.n) for _ in patterns]
    sets = dependent_sets(A, axes.chain, n - rank, rank + 1 if n <= _LARGEST_SEARCHED else 4)
    named, unnamed = [], []
    for joints, motion in sets:
        at = next((k for k, p in enumerate(patterns) if _about(p, joints)), None)
        if at is not None:
            motions[at] = motion
        elif (pattern := of_set(axes, joints)) is not None:
            named.append((pattern, motion))
        else:
            unnamed.append((joints, motion))
    if n <= m or len(patterns) < m - rank:  # of a redundant arm not every dependent set is a loss
        patterns += [p for p, _ in named]
        motions += [motion for _, motion in named]
    if not any(p.centre for p in patterns) and len(patterns) < n - rank:
        line = _line(axes, wrenches[:, 0], tool.point) if m <= n and wrenches.shape[1] == 1 else None
        joints, motion = max(unnamed, key=lambda s: len(s[0]), default=(axes.chain, np.zeros(robot.n)))
        patterns.append(of_line(axes, line, joints))
        motions.append(motion)
    if n > m and m - rank == 1 and len(patterns) > 1:
        patterns, motions = [join_patterns(patterns)], motions[:1]
    return list(zip(patterns, motions, strict=True))


def _confined(axes: JointAxes, centres: tuple[Centre, ...], rows: np.ndarray) -> list[Pattern]:
    """Patterns that confine each of the points; only one for two points that cannot move along the line through both."""
    found: list[Pattern] = []
    for centre in centres:
        facts = at_centre(axes, centre, rows)
        if facts and not any(_same_line(axes, facts[0], known) for known in found):
            found.append(join_patterns(facts))
    return found


def _same_line(axes: JointAxes, a: Pattern, b: Pattern) -> bool:
    """True if two points are confined along the line through both."""
    if a.confines is None or b.confines is None or a.centre is None or b.centre is None:
        return False
    apart = b.centre.point - a.centre.point
    size = max(float(np.linalg.norm(apart)), axes.robot.characteristic_length)
    beside = length(cross(apart, a.confines)) < 10 * NEARLY * size
    return bool(beside and length(cross(a.confines, b.confines)) < 10 * NEARLY)


def _about(pattern: Pattern, joints: tuple[int, ...]) -> bool:
    """True if a set of dependent joints consists of the joints of a confined point and joints of its centre."""
    group = pattern.centre.group if pattern.centre is not None else ()
    return set(pattern.joints) <= set(joints) <= {*pattern.joints, *group}


def _line(axes: JointAxes, wrench: np.ndarray, tool: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The line (point, unit vector) of a wrench at the tool that is a pure force: f · m = 0."""
    force, moment = wrench[:3], wrench[3:]
    size = float(np.linalg.norm(force))
    if size * axes.robot.characteristic_length < NEARLY * np.linalg.norm(moment):
        return None
    if abs(force @ moment) > NEARLY * size**2 * axes.robot.characteristic_length:
        return None
    return tool + cross(force, moment) / size**2, force / size


def _cause(pattern: Pattern, motion: np.ndarray, loss: Loss) -> Cause:
    largest = np.abs(motion).max()
    moving = tuple(int(i) for i in np.flatnonzero(np.abs(motion) > 1e-3 * largest)) if largest > 0 else pattern.joints
    return Cause(
        pattern.name,
        pattern.facts,
        pattern.conditions,
        loss.words,
        moving,
        read_only(motion if motion[np.argmax(np.abs(motion))] >= 0 else -motion),
        read_only(loss.point),
        read_only(loss.twist),
        read_only(loss.wrench),
    )
