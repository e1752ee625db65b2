"""The load on every link: what its joint transmits to it."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.newton_euler import WORK, newton_euler
from armature.engine.dynamics.vector import part, put, rotation, turned
from armature.engine.dynamics.wrench import on_bodies
from armature.engine.jit import CUBE, INT, MAT, MODEL, OUT3, kernel, lean
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.robot import Robot

_FORCE, _MOMENT = WORK - 6, WORK - 3  # columns of the Newton–Euler workspace


def link_loads(robot: Robot, q, qd, qdd, f_ext=None) -> np.ndarray:
    """Return the reaction force and moment of each joint on the link that it carries in the motion (q, qd, qdd).

    f_i = I_i a_i + v_i ×* I_i v_i − f_ext_i + Σ_children f_c

    I_i, v_i and a_i are the spatial inertia, velocity and acceleration (gravity included) of body i, f_c the reactions of the
    joints on the bodies that it carries. The component of f_i along the joint axis is tau_i − rotor_i qdd_i, because the rest of
    tau_i accelerates the rotor; bearings and links carry the other five components.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, force in N before moment in N·m, world axes,
            at the origin of the link frame; None: zero.

    Returns:
        `(n, 6)` or `(N, n, 6)`: row i for joint i and the link it moves, force in N before moment in N·m, world axes, at the
        joint's origin (on its axis). The opposite force and moment act on the link before it; on the base acts the opposite of
        the sum over its joints. With mimic joints, one row per joint of `robot.tree`.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 5.1, equation 5.20.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        q, qd, qdd = batching.on_tree(robot, q=q, qd=qd, qdd=qdd)
        return link_loads(robot.tree, q, qd, qdd, f_ext)
    (q, qd, qdd), single = batching.states(robot, q=q, qd=qd, qdd=qdd)
    if np.ndim(f_ext) == 3 and single:
        q, qd, qdd = (np.repeat(x, len(f_ext), axis=0) for x in (q, qd, qdd))
        single = False
    f = np.empty((0, 0, 0)) if f_ext is None else on_bodies(robot, q, f_ext)
    out = np.empty((len(q), robot.n, 6))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, qd, qdd, f, out, lo, hi), len(q))
    return out[0] if single else out


@lean
def _in_world(W, B, loads):
    """Forces and moments of the workspace B in world axes `(n, 6)`."""
    for i in range(len(loads)):
        R = rotation(W, i, 0)
        put(loads, i, 0, turned(R, part(B, i, _FORCE)))
        put(loads, i, 3, turned(R, part(B, i, _MOMENT)))


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT3, INT, INT)
def _many(P, q, qd, qdd, wrench, out, lo, hi):
    n = P.shape[0] - 1
    X, W, B, tau, none = np.empty((n, 12)), np.empty((n, 12)), np.empty((n + 1, WORK)), np.empty(n), np.empty((0, 6))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        newton_euler(P, X, qd[k], qdd[k], wrench[k] if wrench.size else none, tau, B)
        _in_world(W, B, out[k])
