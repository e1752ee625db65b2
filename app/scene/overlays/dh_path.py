"""The path of one DH move: an arc about an axis, or a straight way along one."""

from __future__ import annotations

import numpy as np

from armature.app.scene.overlays.dh_walk import DHStep

FINE = np.radians(4.0)  # of arc per straight piece
MOST = 400


def arc_radius(step: DHStep, size: float) -> float:
    """Radius in m of the arc drawn for a turn, by the size of the frames."""
    return (0.62 if step.move.axis == 2 else 0.74) * size


def arc_spokes(step: DHStep) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors `(3,)` in W from which a turn starts and towards which it goes: x to y about z, z to −y about x."""
    R = step.before[:3, :3]
    return (R[:, 0], R[:, 1]) if step.move.axis == 2 else (R[:, 2], -R[:, 1])


def path(step: DHStep, size: float, first: float = 0.0, last: float = 1.0) -> np.ndarray:
    """Points `(K, 3)` in W of the part `first` … `last` of the move's path; one point where it goes nowhere."""
    if step.move.still or last <= first:
        return step.before[None, :3, 3]
    if not step.move.turns:
        ends = np.array([step.before[:3, 3], step.after[:3, 3]])
        return ends[0] + np.outer([first, last], ends[1] - ends[0])
    pieces = int(np.clip(np.ceil((last - first) * abs(step.move.value) / FINE), 1, MOST))
    turn = step.move.value * np.linspace(first, last, pieces + 1)
    start, side = arc_spokes(step)
    return step.before[:3, 3] + arc_radius(step, size) * (np.outer(np.cos(turn), start) + np.outer(np.sin(turn), side))


def heading(step: DHStep, size: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Where the arrow head of the part already made stands and points, `(3,)` each in W; None for none."""
    if step.move.still or step.s <= 0.0:
        return None
    done = path(step, size, 0.0, step.s)
    if not step.move.turns:
        way = step.after[:3, 3] - step.before[:3, 3]
        length = float(np.linalg.norm(way))
        return None if length < 1e-12 else (done[-1], way / length)
    turn = step.s * step.move.value
    start, side = arc_spokes(step)
    return done[-1], np.sign(step.move.value) * (np.cos(turn) * side - np.sin(turn) * start)


def label_point(step: DHStep, size: float) -> np.ndarray:
    """Where the value is written, `(3,)` in W: beside the middle of the path."""
    if step.move.still:
        return step.before[:3, 3]
    if not step.move.turns:
        return (step.before[:3, 3] + step.after[:3, 3]) / 2
    middle = path(step, size, 0.0, 0.5)[-1]
    return step.before[:3, 3] + 1.55 * (middle - step.before[:3, 3])
