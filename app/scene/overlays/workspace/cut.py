"""Where a workspace and its surfaces are cut open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.skeleton import DEFAULT_VIEW


@dataclass(frozen=True)
class Cut:
    """A plane across a world axis 0…2 at a share 0…1 of the extent. Axis -1: no cut.

    What lies before it in the default view is taken away, or with `behind` what lies behind it.
    """

    axis: int = -1
    share: float = 0.5
    behind: bool = False

    def keeps(self, points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Which of the points `(N, 3)` stay."""
        return self.depth(points, low, high) >= 0.0

    def depth(self, points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """How far points `(N, 3)` lie behind the plane, on the side that stays; 0 where there is no cut."""
        if self.axis < 0:
            return np.zeros(len(points))
        place = low[self.axis] + self.share * (high[self.axis] - low[self.axis])
        eye_is_above = DEFAULT_VIEW[self.axis] >= 0
        return (place - points[:, self.axis]) * (1.0 if eye_is_above != self.behind else -1.0)


def clipped(vertices: np.ndarray, triangles: np.ndarray, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What of the triangles has a depth ≥ 0, with new vertices where the plane cuts them.

    Whatever columns the vertices `(V, k)` have, place, colour or normal, the new ones lie between those of their edge.
    """
    inside = (depth >= 0)[triangles]
    count, parts, added = inside.sum(axis=1), [triangles[inside.all(axis=1)]], [vertices]
    total = len(vertices)
    for corners, alone in ((1, True), (2, False)):
        chosen = triangles[count == corners]
        if not len(chosen):
            continue
        first = (inside[count == corners] == alone).argmax(axis=1)  # the corner that lies alone on its side
        a, b, c = (np.take_along_axis(chosen, (first[:, None] + k) % 3, 1)[:, 0] for k in range(3))
        ab, ac = total + np.arange(len(a)), total + len(a) + np.arange(len(a))
        for other in (b, c):
            share = (depth[a] / (depth[a] - depth[other]))[:, None]
            added.append(vertices[a] + share * (vertices[other] - vertices[a]))
        total += 2 * len(a)
        parts += [np.stack([a, ab, ac], 1)] if alone else [np.stack([ab, b, c], 1), np.stack([ab, c, ac], 1)]
    return np.concatenate(added), np.concatenate(parts)
