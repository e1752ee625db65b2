"""External wrenches: on links in world axes, as the user gives them; on bodies in their own axes, as kernels take them."""

from __future__ import annotations

import numpy as np

from engine import batching
from engine.errors import DimensionError
from engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, inner, kernel
from engine.model.placement import place_in_world
from engine.model.robot import Robot


def on_bodies(robot: Robot, q: np.ndarray, f_ext) -> np.ndarray:
    """Wrenches `(N, n, 6)` at the body origins in body axes, from `f_ext` on links; q is `(N, n)`.

    f_B = Σ R_WBᵀ f_L,  n_B = Σ R_WBᵀ n_L + p_BL × R_WBᵀ f_L over the links L of body B; a wrench on the base moves nothing.
    Raises DimensionError.
    """
    f = on_links(robot, len(q), f_ext)
    body, X_BL = robot.link_table
    out = np.zeros((len(q), robot.n, 6))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, f, body, X_BL, out, lo, hi), len(q))
    return out


def on_links(robot: Robot, N: int, f_ext) -> np.ndarray:
    """`f_ext` on links as a C-contiguous `(N, n_links, 6)` float array. Raises DimensionError."""
    f = batching.floats(robot, "f_ext", f_ext)
    L = len(robot.links)
    if f.shape not in ((L, 6), (N, L, 6)):
        expected = f"({L}, 6) or ({N}, {L}, 6), links {', '.join(robot.link_names)}"
        raise DimensionError(f"{robot.name}: f_ext has shape {f.shape}; expected {expected}")
    return np.ascontiguousarray(np.broadcast_to(f, (N, L, 6)))


@inner
def to_body_axes(W, body, wrench, out):
    """Rotates `wrench` `(6,)` from world axes into those of `body` and adds it to `out` `(6,)`."""
    for c in range(3):
        out[c] += W[body, c] * wrench[0] + W[body, 3 + c] * wrench[1] + W[body, 6 + c] * wrench[2]
        out[3 + c] += W[body, c] * wrench[3] + W[body, 3 + c] * wrench[4] + W[body, 6 + c] * wrench[5]


@kernel(MODEL, MAT, CUBE, INTS, CUBE, OUT3, INT, INT)
def _many(P, q, f, body, X_BL, out, lo, hi):
    n = P.shape[0] - 1
    X, W, g = np.empty((n, 12)), np.empty((n, 12)), np.empty(6)
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        for link in range(body.size):
            b = body[link]
            if b >= 0:
                g[:] = 0.0
                to_body_axes(W, b, f[k, link], g)
                g[3:] += np.cross(X_BL[link, :3, 3], g[:3])
                out[k, b] += g
