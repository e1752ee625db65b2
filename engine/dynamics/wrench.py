"""External wrenches: on links in world axes, as the user gives them; on bodies in their own axes, as kernels take them."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.errors import DimensionError
from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, kernel
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.robot import Robot


def on_bodies(robot: Robot, q: np.ndarray, f_ext, world_axes: bool = False) -> np.ndarray:
    """Wrenches `(N, n, 6)` at the body origins, in body or in world axes, from `f_ext` on links; q is `(N, n)`.

    f_B = Σ f_L,  n_B = Σ n_L + p_BoLo × f_L over the links L of body B; a wrench on the base moves nothing.
    Raises DimensionError.
    """
    f = on_links(robot, len(q), f_ext)
    body, X_BL = robot.link_table
    out = np.zeros((len(q), robot.n, 6))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, f, body, X_BL, int(world_axes), out, lo, hi), len(q))
    return out


def on_links(robot: Robot, N: int, f_ext) -> np.ndarray:
    """`f_ext` on links as a C-contiguous `(N, n_links, 6)` float array. Raises DimensionError."""
    f = batching.floats(robot, "f_ext", f_ext)
    L = len(robot.links)
    if f.shape not in ((L, 6), (N, L, 6)):
        expected = f"({L}, 6) or ({N}, {L}, 6), links {', '.join(robot.link_names)}"
        raise DimensionError(f"{robot.name}: f_ext has shape {f.shape}; expected {expected}")
    return np.ascontiguousarray(np.broadcast_to(f, (N, L, 6)))


@kernel(MODEL, MAT, CUBE, INTS, CUBE, INT, OUT3, INT, INT)
def _many(P, q, f, body, X_BL, world_axes, out, lo, hi):
    n = P.shape[0] - 1
    X, W, R = np.empty((n, 12)), np.empty((n, 12)), np.empty((3, 3))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        for link in range(body.size):
            b = body[link]
            if b < 0:
                continue
            for c in range(9):
                R[c // 3, c % 3] = W[b, c]
            force = f[k, link, :3].copy()
            moment = f[k, link, 3:] + np.cross(R @ X_BL[link, :3, 3].copy(), force)
            out[k, b, :3] += force if world_axes else R.T @ force
            out[k, b, 3:] += moment if world_axes else R.T @ moment
