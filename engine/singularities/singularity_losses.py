"""Lost motions of the tool at a singular pose, as exact statements about twists."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task import row_scale, scaled_jacobian
from armature.engine.model.robot import Robot
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross, length
from armature.engine.singularities.singularity_patterns import Pattern

_LOST = 1e-7  # of the largest singular value: a direction with a smaller one counts as lost
_STEP = 1e-5  # rad, of the differences for the slopes of A
_SLOPE = 1e-4  # of the characteristic length, per rad: smaller slopes are rounding

SAME = ("the tool loses no motion beyond the one already named", "the tool loses no motion beyond those already named")
"""Loss of a cause beyond the number of lost directions: of one, of several."""

_ANGULAR = ("wrist", "alignment")  # kinds whose loss is described and drawn as a rotation


@dataclass(frozen=True, eq=False)
class Loss:
    """Lost motion: its text `words`, a unit `twist` `(6,)` at a `point` `(3,)` in W, and the `wrench` `(6,)` at the tool.

    The wrench does work on the twist and needs no joint torque.
    """

    words: str
    point: np.ndarray
    twist: np.ndarray
    wrench: np.ndarray


def tool_point(robot: Robot, q: np.ndarray, frame: str | None) -> Centre:
    """Origin of the frame at q `(n,)` as a `Centre`."""
    return Centre(frame_pose(robot, q, frame)[:3, 3], (), "tool")


def unfelt(robot: Robot, A: np.ndarray, rows: np.ndarray, joints: int) -> tuple[np.ndarray, int]:
    """Wrenches `(6, m − rank)` at the tool without joint torque, for A = S J `(m, n)` with a number of `joints`; and the rank."""
    U, sigma, _ = np.linalg.svd(A)
    rank = min(int(np.sum(sigma > _LOST * max(sigma[0], robot.characteristic_length * _LOST))), min(len(rows), joints) - 1)
    wrenches = np.zeros((6, len(rows) - rank))
    wrenches[rows] = U[:, rank:] * row_scale(robot, rows)[:, None]
    return wrenches, rank


def lost_wrenches(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
    """Wrenches `(6, d)` at the tool without joint torque at q, but with one near q.

    With more coordinates than joints some wrenches never need joint torque. The loss at q alone is then the part of (∂A/∂q_k) v
    outside the range of A, for motions v with A v = 0; `(6, 0)` if it has several directions.
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
    """Return the loss of each pattern. `wrenches` `(6, d)` at the tool span those without joint torque: f · v + m · w = 0.

    So v along f is impossible without rotation, and w along m is impossible with a fixed reference point of m.
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
    """Loss of a pattern with its `wrench` `(6,)`, if several `wrenches` `(6, d)` at the tool need no joint torque."""
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
    """Losses of patterns beyond the `known` ones, if the `wrenches` `(6, d)` need no joint torque; then the remaining losses."""
    scale = np.repeat([1.0, 1.0 / axes.robot.characteristic_length], 3)[:, None]
    basis = np.linalg.qr(wrenches * scale)[0]
    U, sigma, _ = np.linalg.svd(basis.T @ (np.array([loss.wrench for loss in known]).T * scale))
    left = basis @ U[:, int(np.sum(sigma > NEARLY)) :] / scale
    angular = [pattern.name.kind in _ANGULAR for pattern in patterns] + [False] * left.shape[1]
    found = [_of_wrench(axes, wrench, turns, tool) for wrench, turns in zip(left.T, angular)]
    return found + [replace(known[0], words=SAME[1])] * (len(patterns) - len(found))


def _confined(axes: JointAxes, centre: Centre, f: np.ndarray, tool: Centre) -> Loss:
    """Loss if a force through the centre does no work; a motion of the centre if the last link carries it."""
    wrench = unit_wrench(np.concatenate([f, cross(centre.point - tool.point, f)]), axes.robot.characteristic_length)
    if not centre.group or axes.chain[-1] in centre.group:
        return Loss(f"the {centre.name} cannot move along {direction_words(f)}", centre.point, _linear(f), wrench)
    return Loss(f"the tool cannot move along {direction_words(f)} without rotating", tool.point, _linear(f), wrench)


def _of_wrench(axes: JointAxes, wrench: np.ndarray, angular: bool, tool: Centre) -> Loss:
    """Loss of a wrench at the tool, about the wrist centre if there is one."""
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
    """Scale a wrench `(6,)` to |f|² + |m / L|² = 1."""
    return wrench / np.linalg.norm(wrench / np.array([1.0, 1.0, 1.0, L, L, L]))


def _without(wrenches: np.ndarray, known: np.ndarray, length: float) -> np.ndarray:
    """Basis of the part of the span orthogonal to a `known` member; moments are divided by the length."""
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
    """Direction in world axes as text: the name of an axis within half a degree, else its components."""
    v = v / np.linalg.norm(v)
    k = int(np.argmax(np.abs(v)))
    if abs(v[k]) > 0.99996:
        return "xyz"[k]
    parts = (f"{x:+.2f}" for x in (v if v[k] > 0 else -v))
    return f"({', '.join('0.00' if float(part) == 0 else part for part in parts)})"
