"""Vertices of a convex hull and the edges between them."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import EngineError

_THIN = 1e-10  # share of the largest extent below which a hull is flat


def hull_graph(points) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices `(k, 3)` of the convex hull of points `(m, 3)`, and its edges.

    Edges `(e, 2)` are pairs of indices in both directions, sorted. On this graph a linear function has no maximum but the
    largest. Flat, straight and single points have hulls, too. Raises EngineError.

    Source: Barber, Dobkin, Huhdanpaa, The Quickhull algorithm, ACM TOMS 22, 1996.
    """
    from scipy.spatial import ConvexHull, QhullError  # a tenth of a second to import, and only hulls need it

    points = np.asarray(points, float)
    if points.ndim != 2 or points.shape[1:] != (3,) or not len(points) or not np.isfinite(points).all():
        raise EngineError(
            f"a hull needs at least one vertex, as an array (k, 3) of finite numbers in m; got shape {points.shape}"
        )
    points = np.unique(points, axis=0)
    centre = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - centre, full_matrices=False)
    local = (points - centre) @ axes.T
    extents = np.ptp(local, axis=0)
    dimension = int((extents > max(_THIN * extents[0], 1e-300)).sum())
    if dimension == 0:
        return points[:1], np.zeros((0, 2), int)
    if dimension == 1:
        ends = points[[local[:, 0].argmin(), local[:, 0].argmax()]]
        return ends, np.array([[0, 1], [1, 0]])
    try:
        hull = ConvexHull(local[:, :dimension])
    except QhullError as error:
        raise EngineError(f"no convex hull of {len(points)} vertices: {str(error).splitlines()[0]}") from None
    used, ends = np.unique(hull.simplices, return_inverse=True)
    ends = ends.reshape(hull.simplices.shape)
    edges = np.concatenate([ends[:, [i, j]] for i in range(dimension) for j in range(dimension) if i != j])
    return points[used], np.unique(edges, axis=0)
