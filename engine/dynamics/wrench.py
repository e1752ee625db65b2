"""External wrenches on links, as the user passes them, converted to wrenches on bodies for the kernels."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.vector import load3, load_matrix, plus, plus_cross, rotate, rotate_transposed, store
from armature.engine.errors import DimensionError
from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, kernel
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.robot import Robot


def on_bodies(robot: Robot, q: np.ndarray, f_ext, world_axes: bool = False) -> np.ndarray:
    """Wrenches `(N, n, 6)` on the bodies at their origins, in body or in world axes, for `f_ext` on links; q is `(N, n)`.

    f_B = Σ f_L,  n_B = Σ n_L + p_BoLo × f_L over the links L of body B; wrenches on the base are ignored.
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


def states_with_wrench(robot: Robot, f_ext, **vectors) -> tuple[list[np.ndarray], bool]:
    """Joint vectors as arrays `(N, n)`, one row per wrench of a batch `f_ext`; True for a single state. Raises DimensionError."""
    states, single = (batching.states if robot.coupling is None else batching.vectors)(robot, **vectors)
    if single and np.ndim(f_ext) == 3:
        return [np.repeat(x, len(f_ext), axis=0) for x in states], False
    return list(states), single


@kernel(MODEL, MAT, CUBE, INTS, CUBE, INT, OUT3, INT, INT)
def _many(P, q, f, body, X_BL, world_axes, out, lo, hi):
    n = P.shape[0] - 1
    X, W = np.empty((n, 12)), np.empty((n, 12))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        for link in range(body.size):
            b = body[link]
            if b < 0:
                continue
            # f_B = f_L,  n_B = n_L + R p_BoLo × f_L
            R, p = load_matrix(W, b, 0), (X_BL[link, 0, 3], X_BL[link, 1, 3], X_BL[link, 2, 3])
            force = load3(f[k], link, 0)
            moment = plus_cross(load3(f[k], link, 3), rotate(R, p), force)
            if not world_axes:
                force, moment = rotate_transposed(R, force), rotate_transposed(R, moment)
            store(out[k], b, 0, plus(load3(out[k], b, 0), force))
            store(out[k], b, 3, plus(load3(out[k], b, 3), moment))
