"""What the tool can no longer do at a singular pose, as exact statements about twists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.singularities.axis_patterns import Pattern
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes, cross

_ANGULAR = ("wrist", "alignment")  # what is lost there is better told, and drawn, as a turn


@dataclass(frozen=True, eq=False)
class Loss:
    """`words` for what is lost, and a unit twist `(6,)` at a `point` `(3,)` in W that the joints cannot make."""

    words: str
    point: np.ndarray
    twist: np.ndarray


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
            result.append(Loss("one of its motions is lost", tool.point, np.zeros(6)))
        elif pattern.confines is not None and pattern.centre is not None:
            result.append(_confined(axes, pattern.centre, pattern.confines, tool))
        else:
            source = left if left.shape[1] else wrenches
            result.append(_of_wrench(axes, source[:, 0], pattern.kind in _ANGULAR, tool))
            left = left[:, 1:]
    return result


def _confined(axes: JointAxes, centre: Centre, f: np.ndarray, tool: Centre) -> Loss:
    """The loss where a force through the centre does no work; it is told of the centre where the last link carries that."""
    if centre is tool or axes.chain[-1] in centre.group:
        return Loss(f"the {centre.name} cannot move along {direction_words(f)}", centre.point, _linear(f))
    return Loss(f"the tool cannot move along {direction_words(f)} without turning", tool.point, _linear(f))


def _of_wrench(axes: JointAxes, wrench: np.ndarray, angular: bool, tool: Centre) -> Loss:
    """The loss that a wrench at the tool stands for, told about the wrist centre where there is one."""
    centre = axes.centres[0] if axes.centres and axes.centres[0].group == axes.chain[-3:] and wrench[3:].any() else tool
    f = wrench[:3]
    m = wrench[3:] - cross(centre.point - tool.point, f)
    force, moment = np.linalg.norm(f) * axes.robot.characteristic_length, np.linalg.norm(m)
    if force < NEARLY * moment:
        return Loss(f"the tool cannot turn about {direction_words(m)}", centre.point, _angular(m))
    if moment < NEARLY * force:
        return _confined(axes, centre, f / np.linalg.norm(f), tool)
    if angular:
        still = "in place" if centre is tool else f"with its {centre.name} still"
        return Loss(f"the tool cannot turn about {direction_words(m)} {still}", centre.point, _angular(m))
    return Loss(f"the tool cannot move along {direction_words(f)} without turning", tool.point, _linear(f))


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
