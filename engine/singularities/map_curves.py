"""Polylines on a grid: zeros of a function from its signs, and scattered points of curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, eq=False)
class Crossings:
    """Edges of a grid whose ends `a`, `b` `(E, 2)` have opposite signs."""

    a: np.ndarray
    b: np.ndarray


def sign_curves(
    x: np.ndarray, y: np.ndarray, signs: np.ndarray, roots: Callable[[Crossings], np.ndarray], apart: bool = False
) -> list[np.ndarray]:
    """Polylines `(K, 2)` on which a function of (x, y) vanishes, from its `signs` `(len(x), len(y))` at the grid's nodes.

    Marching squares: `roots` finds the zero on each edge with ends of opposite sign, and nodes of sign 0 are zeros themselves; in
    each cell the zeros on its border are joined. Cells that vanish altogether have no curve. Two branches through one cell go
    straight on across each other, or with `apart` turn off before they do: where the curves of a surface cross, it folds.
    """
    across = np.argwhere(signs[:-1] * signs[1:] < 0)  # edges from (a, b) to (a + 1, b)
    along = np.argwhere(signs[:, :-1] * signs[:, 1:] < 0)  # edges from (a, b) to (a, b + 1)
    nodes = np.argwhere(signs == 0)
    starts = np.concatenate([across, along])
    ends = np.concatenate([across + [1, 0], along + [0, 1]])
    at = lambda index: np.column_stack([x[index[:, 0]], y[index[:, 1]]])  # noqa: E731
    points = np.concatenate([roots(Crossings(at(starts), at(ends))), at(nodes)])
    n, m = signs.shape
    number = {kind: np.full((n, m), -1) for kind in ("across", "along", "node")}
    for kind, index, first in (("across", across, 0), ("along", along, len(across)), ("node", nodes, len(starts))):
        number[kind][index[:, 0], index[:, 1]] = first + np.arange(len(index))
    return _polylines(points, _segments(signs, number, apart))


def _segments(signs: np.ndarray, number: dict[str, np.ndarray], apart: bool) -> set[tuple[int, int]]:
    """Pairs of points to join, cell by cell."""
    across, along, node = number["across"], number["along"], number["node"]
    # around a cell: corner, edge, corner, edge …
    border = np.stack(
        [
            node[:-1, :-1], across[:-1, :-1], node[1:, :-1], along[1:, :-1],
            node[1:, 1:], across[:-1, 1:], node[:-1, 1:], along[:-1, :-1],
        ],
        axis=-1,
    )  # fmt: skip
    count = (border >= 0).sum(axis=-1)
    segments: set[tuple[int, int]] = set()
    for a, b in np.argwhere(count >= 2):
        ids = [int(k) for k in border[a, b] if k >= 0]
        corners = signs[a : a + 2, b : b + 2]
        if not corners.any():
            continue
        if len(ids) == 4 and (corners != 0).all():
            p, q, r, s = ids
            cut_off = [(p, q), (r, s)] if corners[0, 0] > 0 else [(s, p), (q, r)]
            pairs = cut_off if apart else [(p, r), (q, s)]
        elif len(ids) == 2:
            pairs = [(ids[0], ids[1])]
        else:
            pairs = list(pairwise(ids))
        segments |= {(min(p), max(p)) for p in pairs}
    return segments


def _polylines(points: np.ndarray, segments: set[tuple[int, int]]) -> list[np.ndarray]:
    """Segments joined end to end, from free ends and forks first, closed ones last."""
    beside: dict[int, list[int]] = {}
    for a, b in sorted(segments):
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    left = {frozenset(s) for s in segments}
    lines = []
    for start in [*(k for k, near in beside.items() if len(near) != 2), *beside]:
        for step in beside[start]:
            if frozenset((start, step)) not in left:
                continue
            line, here, there = [start], start, step
            while True:
                left.discard(frozenset((here, there)))
                line.append(there)
                onward = [k for k in beside[there] if frozenset((there, k)) in left]
                if len(beside[there]) != 2 or not onward:
                    break
                here, there = there, onward[0]
            lines.append(points[line])
    return lines


def link_points(points: np.ndarray, step: np.ndarray) -> list[np.ndarray]:
    """Scattered points `(N, 2)` of curves as polylines; `step` `(2,)` is the grid's, within two of which neighbours lie."""
    if not len(points):
        return []
    cells = np.unique(np.round(points / (0.25 * step)).astype(np.int64), axis=0, return_index=True)[1]
    points = points[np.sort(cells)]
    from scipy.spatial import cKDTree  # half a second to import, and no window needs it to open

    tree = cKDTree(points / step)
    left = set(range(len(points)))
    lines = []
    while left:
        line = [min(left)]
        left.discard(line[0])
        for end in (-1, 0):
            while True:
                near = tree.query_ball_point(points[line[end]] / step, 2.0)
                onward = [k for k in near if k in left]
                if not onward:
                    break
                here = points[line[end]] / step
                nearest = min(onward, key=lambda k: float(np.linalg.norm(points[k] / step - here)))
                left.discard(nearest)
                line.insert(len(line) if end == -1 else 0, nearest)
        lines.append(points[line])
    return lines
