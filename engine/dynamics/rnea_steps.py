"""Intermediate quantities of recursive Newton–Euler: motion of the links, forces and moments of the joints."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.newton_euler import recursion
from armature.engine.dynamics.wrench import on_links, states_with_wrench
from armature.engine.errors import EngineError
from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot


class RneaSteps(NamedTuple):
    """Intermediate quantities of recursive Newton–Euler, each `(…, n_links, 3)`, rows as in `robot.link_names` (base first).

    All vectors are in the axes chosen in `rnea_steps`, world axes by default. `w`, `wd`: angular velocity, rad/s, and
    acceleration, rad/s²; `v`, `a`: velocity, m/s, and acceleration, m/s², of the origin of the link frame; `a_c`: acceleration of
    the centre of mass, m/s². `F` = m a_c in N and `N` = I wd + w × I w in N·m: the force and the moment about the centre of mass
    that this motion requires. `f`, `n`: force in N and moment in N·m of the joint on the link, about the joint's origin, a point
    on its axis; in the row of the base, of the ground on the base, about the origin of the base frame. `tau` `(…, n)`: component
    of n (prismatic: of f) along the joint axis, plus the rotor inertia times qdd, N·m or N.

    The base has the acceleration −gravity, so that `a`, `a_c` and `F` include weight: for an arm at rest on Earth a and a_c are
    9.81 m/s² upwards and F is 9.81 m/s² times the mass, upwards. Links that are fixed to each other form one body: `a_c` is
    that of the centre of mass of the whole body, in the rows of all its links; F, N, f and n of the body are in the row of its
    first link and 0 in the rows of its other links.
    """

    w: np.ndarray
    wd: np.ndarray
    v: np.ndarray
    a: np.ndarray
    a_c: np.ndarray
    F: np.ndarray
    N: np.ndarray
    f: np.ndarray
    n: np.ndarray
    tau: np.ndarray


def rnea_steps(robot: Robot, q, qd, qdd, f_ext=None, axes: Literal["world", "link"] = "world") -> RneaSteps:
    """Compute every intermediate quantity of recursive Newton–Euler in the motion (q, qd, qdd), link by link.

    Outward from w = wd = v = 0, a = −gravity at the base; z is the joint axis, r the vector from the origin of the parent p to
    the origin of the body (both on their joint axes), c the vector from there to the centre of mass:
        w = w_p + z qd,  wd = wd_p + z qdd + w_p × z qd for a revolute joint
        w = w_p,  wd = wd_p for a prismatic joint
        v = v_p + w_p × r,  a = a_p + wd_p × r + w_p × (w_p × r) for a revolute joint
        v = v_p + w_p × r + z qd,  a = a_p + wd_p × r + w_p × (w_p × r) + z qdd + 2 w_p × z qd for a prismatic joint
        a_c = a + wd × c + w × (w × c),  F = m a_c,  N = I wd + w × I w

    Inward, with the sums over the bodies s that the body carries, r_s the vector to their origins, and f_ext and n_ext the
    external force and its moment about the origin of the body:
        f = F − f_ext + Σ f_s,  n = N + c × F − n_ext + Σ (n_s + r_s × f_s)
        tau = z·n + I_rotor qdd for a revolute joint,  tau = z·f + I_rotor qdd for a prismatic joint

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, in the order of `robot.link_names` (base first);
            force in N before moment in N·m, always in world axes, at the origin of the link frame; None: zero.
        axes: axes of the result: "world", or "link" for the row of each link in the axes of its own frame.

    Returns:
        `RneaSteps`, with `tau` as from `rnea`; rad/s, rad/s², m/s, m/s², N, N·m.

    Raises:
        DimensionError, MissingDynamicsError; EngineError: `axes` is neither of the two.

    Source: Luh, Walker, Paul 1980; Siciliano et al., Robotics: Modelling, Planning and Control, section 7.5.
    """
    if axes not in ("world", "link"):
        raise EngineError(f"axes must be 'world' or 'link', got {axes!r}")
    batching.require_dynamics(robot)
    (q, qd, qdd), single = states_with_wrench(robot, f_ext, q=q, qd=qd, qdd=qdd)
    move, tree = robot.coupling, robot.tree
    if move is not None:
        q, qd, qdd = move.position(q), move.rate(qd), move.rate(qdd)
    tau, motion = body_motion(tree, q, qd, qdd, f_ext)
    external = np.zeros((len(q), len(robot.links), 6)) if f_ext is None else on_links(robot, len(q), f_ext)
    X_WL, steps = _link_rows(tree, motion, external, tau if move is None else move.force(tau))
    if axes == "link":
        rotated = {name: np.einsum("klji,klj->kli", X_WL[..., :3, :3], x) for name, x in steps._asdict().items() if name != "tau"}
        steps = steps._replace(**rotated)
    return RneaSteps._make(x[0] for x in steps) if single else steps


class BodyMotion(NamedTuple):
    """Recursion over the bodies of a tree at N states, in world axes; the last row of each array is the base.

    `R` `(N, n + 1, 3, 3)`: rotation of the body. The others are `(N, n + 1, 3)`: `p`, `v`, `a`: position, velocity and
    acceleration of the body's origin; `w`, `wd`: angular velocity and acceleration; `c`: vector from the origin to the centre of
    mass, `a_c`: acceleration of the centre of mass; `f`, `n`: force and moment of the joint on the body at its origin, 0 for the
    base. m, rad and s, N and N·m.
    """

    R: np.ndarray
    p: np.ndarray
    v: np.ndarray
    a: np.ndarray
    w: np.ndarray
    wd: np.ndarray
    c: np.ndarray
    a_c: np.ndarray
    f: np.ndarray
    n: np.ndarray


def body_motion(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, f_ext=None) -> tuple[np.ndarray, BodyMotion]:
    """tau `(N, n)` and the motion of all bodies of a tree; arguments `(N, n)`."""
    tau, table = recursion(robot, q, qd, qdd, f_ext)
    base = np.zeros((len(q), 1, table.shape[2]))
    base[:, 0, [0, 4, 8]], base[:, 0, 18:21] = 1.0, -robot.gravity
    table = np.concatenate([table, base], axis=1)
    R, (p, w, wd, a, f, n) = table[:, :, :9].reshape(*table.shape[:2], 3, 3), np.split(table[:, :, 9:], 6, axis=2)
    v = np.zeros_like(p)
    for i, body in enumerate(robot.bodies):
        # v = v_p + w_p × r, + z qd for a prismatic joint
        v[:, i] = v[:, body.parent] + np.cross(w[:, body.parent], p[:, i] - p[:, body.parent])
        if body.joint_type == PRISMATIC:
            v[:, i] += R[:, i, :, 2] * qd[:, i, None]
    com = np.array([*(body.com for body in robot.bodies), np.zeros(3)])
    c = np.einsum("kbij,bj->kbi", R, com)
    return tau, BodyMotion(R=R, p=p, v=v, a=a, w=w, wd=wd, c=c, a_c=_acceleration(a, w, wd, c), f=f, n=n)


def _link_rows(robot: Robot, motion: BodyMotion, f_ext: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, RneaSteps]:
    """Return X_WL `(N, n_links, 4, 4)` and the steps in world axes, with `tau`; `f_ext` `(N, n_links, 6)`."""
    body, X_BL = robot.link_table  # −1, the last row, for links of the base
    R, p, w, wd = motion.R, motion.p, motion.w, motion.wd
    f, n = motion.f, motion.n
    X_WB = np.zeros((*p.shape[:2], 4, 4))
    X_WB[..., :3, :3], X_WB[..., :3, 3], X_WB[..., 3, 3] = R, p, 1.0
    X_WL = X_WB[:, body] @ X_BL
    r = X_WL[..., :3, 3] - p[:, body]
    # F = m a_c,  N = I wd + w × I w
    inertia = np.array([*(one.inertia for one in robot.bodies), np.zeros((3, 3))])
    I = R @ inertia @ R.swapaxes(2, 3)
    F = np.array([*(one.mass for one in robot.bodies), 0.0])[:, None] * motion.a_c
    N = np.einsum("kbij,kbj->kbi", I, wd) + np.cross(w, np.einsum("kbij,kbj->kbi", I, w))
    # load of the ground: joints on the base less f_ext on the base; moments about the origin of its first link
    on_base, ground = np.flatnonzero(body < 0), X_WL[:, np.flatnonzero(body < 0)[0], None, :3, 3]
    carried = [i for i, one in enumerate(robot.bodies) if one.parent < 0]
    f[:, -1] = f[:, carried].sum(axis=1) - f_ext[:, on_base, :3].sum(axis=1)
    n[:, -1] = (n[:, carried] + np.cross(p[:, carried] - ground, f[:, carried])).sum(axis=1)
    n[:, -1] -= (f_ext[:, on_base, 3:] + np.cross(r[:, on_base] - ground, f_ext[:, on_base, :3])).sum(axis=1)
    first = np.isin(np.arange(len(body)), np.unique(body, return_index=True)[1])[:, None]
    F, N, f, n = (np.where(first, x[:, body], 0.0) for x in (F, N, f, n))
    w, wd = w[:, body], wd[:, body]
    v, a = motion.v[:, body] + np.cross(w, r), _acceleration(motion.a[:, body], w, wd, r)
    return X_WL, RneaSteps(w=w, wd=wd, v=v, a=a, a_c=motion.a_c[:, body], F=F, N=N, f=f, n=n, tau=tau)


def _acceleration(a: np.ndarray, w: np.ndarray, wd: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Acceleration of the point at r of a body:  a + wd × r + w × (w × r)."""
    return a + np.cross(wd, r) + np.cross(w, np.cross(w, r))


def link_loads(robot: Robot, q, qd, qdd, f_ext=None) -> np.ndarray:
    """Return the reaction force and moment of each joint on the link that it carries in the motion (q, qd, qdd).

    f_i = I_i a_i + v_i ×* I_i v_i − f_ext_i + Σ_children f_c

    I_i, v_i and a_i are the spatial inertia, velocity and acceleration (gravity included) of body i, f_c the reactions of the
    joints on the bodies that it carries. The component of f_i along the joint axis is tau_i − rotor_i qdd_i, because the rest of
    tau_i accelerates the rotor; bearings and links carry the other five components.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, in the order of `robot.link_names` (base first);
            force in N before moment in N·m, world axes, at the origin of the link frame; None: zero.

    Returns:
        `(n, 6)` or `(N, n, 6)`: row i for joint i and the link it moves, force in N before moment in N·m, world axes, at the
        origin of body i, which is on the joint's axis. The opposite force and moment act on the link before it, or on the base.
        With mimic joints, one row per joint of `robot.tree`.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 5.1, equation 5.20.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        q, qd, qdd = batching.on_tree(robot, q=q, qd=qd, qdd=qdd)
        return link_loads(robot.tree, q, qd, qdd, f_ext)
    (q, qd, qdd), single = states_with_wrench(robot, f_ext, q=q, qd=qd, qdd=qdd)
    loads = np.ascontiguousarray(recursion(robot, q, qd, qdd, f_ext)[1][:, :, -6:])
    return loads[0] if single else loads
