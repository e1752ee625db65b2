"""What the tool can no longer do at a singular pose, as exact statements about twists."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task import row_scale
from armature.engine.kinematics.task_axes import scaled_jacobian
from armature.engine.model.robot import Robot
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross, length
from armature.engine.singularities.singularity_patterns import Pattern

_LOST = 1e-7  # of the largest singular value: a direction with a smaller one counts as lost
_STEP = 1e-5  # rad, of the differences for the slopes of A
_SLOPE = 1e-4  # of the characteristic length, per rad: a slope that is none

SAME = ("both lose the same motion", "both lose the same motions")
"""What one more cause costs than directions are lost, of one and of several."""

_ANGULAR = ("wrist", "alignment")  # what is lost there is better told, and drawn, as a turn


@dataclass(frozen=True, eq=False)
class Loss:
    """`words` for what is lost, a unit twist `(6,)` at a `point` `(3,)` in W that the joints cannot make, and the `wrench` `(6,)`
    at the tool that does work on it and that no joint feels."""

    words: str
    point: np.ndarray
    twist: np.ndarray
    wrench: np.ndarray


def tool_point(robot: Robot, q: np.ndarray, frame: str | None) -> Centre:
    """The frame's origin at q `(n,)`, as a point that causes are about."""
    return Centre(frame_pose(robot, q, frame)[:3, 3], (), "tool")


def unfelt(robot: Robot, A: np.ndarray, rows: np.ndarray, joints: int) -> tuple[np.ndarray, int]:
    """The wrenches `(6, m − rank)` at the tool that none of so many `joints` feels where S J is A `(m, n)`, and its rank."""
    U, sigma, _ = np.linalg.svd(A)
    rank = min(int(np.sum(sigma > _LOST * max(sigma[0], robot.characteristic_length * _LOST))), min(len(rows), joints) - 1)
    wrenches = np.zeros((6, len(rows) - rank))
    wrenches[rows] = U[:, rank:] * row_scale(robot, rows)[:, None]
    return wrenches, rank


def lost_wrenches(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
    """The wrenches `(6, d)` at the tool that joints feel beside q and not at q; `(6, 0)` where there are several for an arm with
    fewer joints than coordinates.

    With more coordinates than joints some wrenches are never felt. What q alone takes is what the motions v with A v = 0 do next
    to it: the part of (∂A/∂q_k) v outside the range of A.
    """
    A = scaled_jacobian(robot, q, frame, rows)
    chain = list(robot.chain(robot.frame(frame)))
    wrenches, rank = unfelt(robot, A, rows, len(chain))
    if len(rows) <= len(chain):
        return wrenches
    U, _, Vt = np.linalg.svd(A)
    steps = _STEP * np.where(robot.prismatic, robot.characteristic_length, 1.0)
    beside = scaled_jacobian(robot, np.concatenate([q + np.diag(steps), q - np.diag(steps)]), frame, rows)
    slopes = (beside[: robot.n] - beside[robot.n :]) / (2 * _STEP)
    outside = U[:, rank:]
    idle = [v for v in Vt[rank:] if np.abs(v[chain]).max(initial=0.0) > _LOST]
    moved = np.concatenate([outside.T @ (slopes @ v).T for v in idle], axis=1) if idle else np.zeros((outside.shape[1], 0))
    W, size, _ = np.linalg.svd(moved)
    found = int(np.sum(size > _SLOPE * robot.characteristic_length))
    return wrenches @ W[:, :1] if found == 1 else np.zeros((6, 0))


def losses(axes: JointAxes, wrenches: np.ndarray, patterns: list[Pattern], tool: Centre) -> list[Loss]:
    """What each pattern costs. `wrenches` `(6, d)` at the tool span those that no joint feels: f · v + m · w = 0 always.

    So v along f is impossible without turning, and w along m is impossible while the point that m is taken about stays still.
    """
    result, left = [], wrenches
    for pattern in patterns:
        if pattern.confines is not None and pattern.centre is not None:
            force = np.concatenate([pattern.confines, cross(pattern.centre.point - tool.point, pattern.confines)])
            left = _without(left, force, axes.robot.characteristic_length)
    for pattern in patterns:
        if wrenches.shape[1] == 0:
            result.append(Loss("one of its motions is lost", tool.point, np.zeros(6), np.zeros(6)))
        elif pattern.confines is not None and pattern.centre is not None:
            result.append(_confined(axes, pattern.centre, pattern.confines, tool))
        elif left.shape[1] or not result:
            result.append(_of_wrench(axes, (left if left.shape[1] else wrenches)[:, 0], pattern.name.kind in _ANGULAR, tool))
            left = left[:, 1:]
        else:
            result.append(replace(result[0], words=SAME[0]))
    return result


def loss_among(axes: JointAxes, wrenches: np.ndarray, pattern: Pattern, wrench: np.ndarray, tool: Centre) -> Loss:
    """What a pattern costs where no joint feels any of several `wrenches` `(6, d)` at the tool, of which `wrench` `(6,)` is the
    pattern's."""
    point = None if pattern.centre is None else axes.now(pattern.centre, tool.point)
    if pattern.confines is not None and point is not None:
        moments = wrenches[3:] - np.cross(point.point - tool.point, wrenches[:3].T).T
        _, sigma, Vt = np.linalg.svd(moments / axes.robot.characteristic_length)
        forces = wrenches[:3] @ Vt[int(np.sum(sigma > NEARLY)) :].T
        f = forces @ np.linalg.lstsq(forces, wrench[:3], rcond=None)[0]
        if length(f) > 0.5 * length(wrench[:3]) > 0.0:
            return _confined(axes, point, f / length(f), tool)
    return _of_wrench(axes, wrench, pattern.name.kind in _ANGULAR, tool)


def losses_beside(axes: JointAxes, wrenches: np.ndarray, known: list[Loss], patterns: list[Pattern], tool: Centre) -> list[Loss]:
    """What patterns cost besides what is `known` to be lost, where no joint feels the `wrenches` `(6, d)`; then what else is
    lost."""
    scale = np.repeat([1.0, 1.0 / axes.robot.characteristic_length], 3)[:, None]
    basis = np.linalg.qr(wrenches * scale)[0]
    U, sigma, _ = np.linalg.svd(basis.T @ (np.array([loss.wrench for loss in known]).T * scale))
    left = basis @ U[:, int(np.sum(sigma > NEARLY)) :] / scale
    angular = [pattern.name.kind in _ANGULAR for pattern in patterns] + [False] * left.shape[1]
    found = [_of_wrench(axes, wrench, turns, tool) for wrench, turns in zip(left.T, angular)]
    return found + [replace(known[0], words=SAME[1])] * (len(patterns) - len(found))


def _confined(axes: JointAxes, centre: Centre, f: np.ndarray, tool: Centre) -> Loss:
    """The loss where a force through the centre does no work; it is told of the centre where the last link carries that."""
    wrench = unit_wrench(np.concatenate([f, cross(centre.point - tool.point, f)]), axes.robot.characteristic_length)
    if not centre.group or axes.chain[-1] in centre.group:
        return Loss(f"the {centre.name} cannot move along {direction_words(f)}", centre.point, _linear(f), wrench)
    return Loss(f"the tool cannot move along {direction_words(f)} without rotating", tool.point, _linear(f), wrench)


def _of_wrench(axes: JointAxes, wrench: np.ndarray, angular: bool, tool: Centre) -> Loss:
    """The loss that a wrench at the tool stands for, told about the wrist centre where there is one."""
    centre = axes.centres[0] if axes.centres and axes.centres[0].group == axes.chain[-3:] and wrench[3:].any() else tool
    f = wrench[:3]
    m = wrench[3:] - cross(centre.point - tool.point, f)
    force, moment = np.linalg.norm(f) * axes.robot.characteristic_length, np.linalg.norm(m)
    wrench = unit_wrench(wrench, axes.robot.characteristic_length)
    if force < NEARLY * moment:
        return Loss(f"the tool cannot rotate about {direction_words(m)}", centre.point, _angular(m), wrench)
    if moment < NEARLY * force:
        return _confined(axes, centre, f / np.linalg.norm(f), tool)
    if angular:
        still = "in place" if centre is tool else f"with a fixed {centre.name}"
        return Loss(f"the tool cannot rotate about {direction_words(m)} {still}", centre.point, _angular(m), wrench)
    return Loss(f"the tool cannot move along {direction_words(f)} without rotating", tool.point, _linear(f), wrench)


def unit_wrench(wrench: np.ndarray, L: float) -> np.ndarray:
    """A wrench `(6,)` at |f|² + |m / L|² = 1."""
    return wrench / np.linalg.norm(wrench / np.array([1.0, 1.0, 1.0, L, L, L]))


def _without(wrenches: np.ndarray, known: np.ndarray, length: float) -> np.ndarray:
    """A basis of the rest of the span: what is orthogonal to a `known` member of it, moments counted by the length."""
    scale = np.array([1.0] * 3 + [1.0 / length] * 3)[:, None]
    known = known[:, None] * scale
    rest = wrenches * scale - known @ (known.T @ (wrenches * scale)) / float((known.T @ known)[0, 0])
    U, sigma, _ = np.linalg.svd(rest, full_matrices=False)
    return U[:, sigma > 0.1 * np.linalg.norm(wrenches * scale, axis=0).max(initial=1.0)] / scale


def _linear(f: np.ndarray) -> np.ndarray:
    return np.concatenate([f / np.linalg.norm(f), np.zeros(3)])


def _angular(m: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros(3), m / np.linalg.norm(m)])


def direction_words(v: np.ndarray) -> str:
    """A direction in world axes: the name of an axis when it is one to half a degree, else its components."""
    v = v / np.linalg.norm(v)
    k = int(np.argmax(np.abs(v)))
    if abs(v[k]) > 0.99996:
        return "xyz"[k]
    parts = (f"{x:+.2f}" for x in (v if v[k] > 0 else -v))
    return f"({', '.join('0.00' if float(part) == 0 else part for part in parts)})"
