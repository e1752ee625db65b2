"""Where the names of lines stand in a drawing: beside their own line, clear of everything else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

HALF = np.array([11.0, 7.0])  # px, of the box around a name
FREE, DOT_FREE, NEARER = (
    4.0,
    8.0,
    3.0,
)  # px between a name and a line or name, a dot's centre, and what it has less to its own line
STEP = 3.0  # px between the points that stand for a line
AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
RADII, ALONG = (14.0, 18.0, 23.0, 29.0), (0.5, 0.35, 0.65, 0.2, 0.8)


def label_places(
    lines: Sequence[tuple[np.ndarray, np.ndarray]], named: Sequence[int], dots: np.ndarray, size: tuple[float, float]
) -> dict[int, np.ndarray]:
    """Centres `(2,)` of the names, by the number of their line.

    Args:
        lines: start and end `(2,)` of everything that is drawn, in px.
        named: the numbers of those that have a name.
        dots: centres `(n, 2)` of the joints' circles.
        size: width and height of the drawing.
    """
    points = [_points(*line) for line in lines]
    places: dict[int, np.ndarray] = {}
    for k in sorted(named, key=lambda k: len(points[k])):  # the short ones have less choice
        own, others = points[k], np.vstack([part for i, part in enumerate(points) if i != k] + [np.full((1, 2), 1e6)])
        at = _candidates(*lines[k])
        to_own, to_others, to_dots = (_gap(at, part) for part in (own, others, dots))
        cost = np.linalg.norm(at - (lines[k][0] + lines[k][1]) / 2, axis=1)
        cost += 100 * (_lack(to_own, FREE - 1) + _lack(to_others, FREE) + _lack(to_dots, DOT_FREE))
        cost += 20 * _lack(to_others - to_own, NEARER)
        for other in places.values():
            cost += 100 * _lack(_gap(at, other[None], 2 * HALF), FREE)
        cost += 100 * _lack(np.minimum(at - HALF, np.array(size) - HALF - at).min(axis=1), 0.0)
        places[k] = at[np.argmin(cost)]
    return places


def _points(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    count = 2 + int(np.linalg.norm(end - start) / STEP)
    return start + np.linspace(0, 1, count)[:, None] * (end - start)


def _candidates(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    turns = np.column_stack([np.cos(AROUND), np.sin(AROUND)])
    return np.vstack([start + t * (end - start) + r * turns for t in ALONG for r in RADII])


def _gap(at: np.ndarray, points: np.ndarray, half: np.ndarray = HALF) -> np.ndarray:
    """From boxes around `at` `(k, 2)` to the next of some points, in px."""
    apart = np.maximum(np.abs(at[:, None] - points[None]) - half, 0.0)
    return np.linalg.norm(apart, axis=2).min(axis=1)


def _lack(gap: np.ndarray, wanted: float) -> np.ndarray:
    return np.maximum(wanted - gap, 0.0)
