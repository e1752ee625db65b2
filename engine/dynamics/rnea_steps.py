"""Recursive Newton–Euler with everything it finds on its way: speeds and accelerations outward, forces and moments inward."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.wrench import on_links
from armature.engine.errors import EngineError
from armature.engine.model.body import PRISMATIC, Body
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
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, force in N before moment in N·m, always in world
            axes, at the origin of the link frame; None: zero.
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
    (q, qd, qdd), single = batching.vectors(robot, q=q, qd=qd, qdd=qdd)
    if np.ndim(f_ext) == 3 and single:
        q, qd, qdd = (np.repeat(x, len(f_ext), axis=0) for x in (q, qd, qdd))
        single = False
    rotor = np.array([body.rotor_inertia for body in robot.bodies])
    move = robot.coupling
    tree_motion = (q, qd, qdd) if move is None else (move.position(q), move.rate(qd), move.rate(qdd))
    walk = Recursion(robot.tree, *tree_motion)
    walk.outward()
    along = walk.inward(None if f_ext is None else on_links(robot, len(q), f_ext))
    tau = along + rotor * tree_motion[2]
    rows = walk.link_rows()
    if axes == "link":
        rows = [np.einsum("klji,klj->kli", walk.link_axes, row) for row in rows]
    steps = (*rows, tau if move is None else move.force(tau))
    return RneaSteps(*(x[0] for x in steps)) if single else RneaSteps(*steps)


class Recursion:
    """The recursion over the bodies of a tree at N states; all in world axes, arrays `(N, n, 3)`."""

    def __init__(self, robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray):
        self.robot, self.q, self.qd, self.qdd = robot, q, qd, qdd
        self.N, n = q.shape
        self.R, self.p = np.empty((self.N, n, 3, 3)), np.empty((self.N, n, 3))
        self.w, self.wd, self.v, self.a, self.c, self.a_c, self.F, self.M, self.f, self.m = np.zeros((10, self.N, n, 3))

    def outward(self) -> None:
        for i, body in enumerate(self.robot.bodies):
            self._place(i, body)
            self._move(i, body)
            # a_c = a + wd × c + w × (w × c),  F = m a_c,  N = I wd + w × I w
            w, wd, R = self.w[:, i], self.wd[:, i], self.R[:, i]
            self.c[:, i] = R @ body.com
            self.a_c[:, i] = _carried(self.a[:, i], w, wd, self.c[:, i])
            self.F[:, i] = body.mass * self.a_c[:, i]
            I = R @ body.inertia @ R.swapaxes(1, 2)
            self.M[:, i] = _times(I, wd) + _cross(w, _times(I, w))

    def _place(self, i: int, body: Body) -> None:
        """R_WB = R_WP R_PJ Rot_z(q),  p_WB = p_WP + R_WP p_PJ;  for a slide Rot_z(0) and + z q."""
        k, slides, q = body.parent, body.joint_type == PRISMATIC, self.q[:, i]
        R, p = body.X_PJ[:3, :3], body.X_PJ[:3, 3]
        R_WJ = np.broadcast_to(R, (self.N, 3, 3)) if k < 0 else self.R[:, k] @ R
        p_WJ = np.broadcast_to(p, (self.N, 3)) if k < 0 else self.p[:, k] + self.R[:, k] @ p
        z = R_WJ[:, :, 2]
        if slides:
            self.R[:, i], self.p[:, i] = R_WJ, p_WJ + z * q[:, None]
        else:
            c, s = np.cos(q)[:, None], np.sin(q)[:, None]
            x, y = R_WJ[:, :, 0], R_WJ[:, :, 1]
            self.R[:, i], self.p[:, i] = np.stack([x * c + y * s, y * c - x * s, z], axis=2), p_WJ

    def _move(self, i: int, body: Body) -> None:
        k, z = body.parent, self.R[:, i, :, 2]
        zero = np.zeros((self.N, 3))
        w, wd, v = (zero, zero, zero) if k < 0 else (self.w[:, k], self.wd[:, k], self.v[:, k])
        a = zero - self.robot.gravity if k < 0 else self.a[:, k]
        r = zero if k < 0 else self.p[:, i] - self.p[:, k]
        u, ud = z * self.qd[:, i, None], z * self.qdd[:, i, None]
        # v = v_p + w_p × r,  a = a_p + wd_p × r + w_p × (w_p × r)
        v, a = v + _cross(w, r), _carried(a, w, wd, r)
        if body.joint_type == PRISMATIC:
            # v += z qd,  a += z qdd + 2 w_p × z qd
            v, a = v + u, a + ud + 2.0 * _cross(w, u)
        else:
            # w = w_p + z qd,  wd = wd_p + z qdd + w_p × z qd
            w, wd = w + u, wd + ud + _cross(w, u)
        self.w[:, i], self.wd[:, i], self.v[:, i], self.a[:, i] = w, wd, v, a

    def inward(self, f_ext: np.ndarray | None) -> np.ndarray:
        """Fills f and m (the moments n); returns the part along each axis `(N, n)`. `f_ext` `(N, n_links, 6)` on links."""
        bodies, along = self.robot.bodies, np.empty((self.N, len(self.robot.bodies)))
        self.f += self.F
        self.m += self.M + _cross(self.c, self.F)
        self._lay_links()
        self.ground = np.zeros((2, self.N, 3))
        if f_ext is not None:
            for link, b in enumerate(self.body_of):
                force, moment = f_ext[:, link, :3], f_ext[:, link, 3:]
                r = self.link_at[:, link] - (self.link_at[:, self.first[-1]] if b < 0 else self.p[:, b])
                f, m = (self.ground[0], self.ground[1]) if b < 0 else (self.f[:, b], self.m[:, b])
                f -= force
                m -= moment + _cross(r, force)
        for i in reversed(range(len(bodies))):
            k = bodies[i].parent
            # f_p += f,  n_p += n + r × f
            f, m = (self.ground[0], self.ground[1]) if k < 0 else (self.f[:, k], self.m[:, k])
            r = self.p[:, i] - (self.link_at[:, self.first[-1]] if k < 0 else self.p[:, k])
            f += self.f[:, i]
            m += self.m[:, i] + _cross(r, self.f[:, i])
            carried = self.f if bodies[i].joint_type == PRISMATIC else self.m
            along[:, i] = np.sum(self.R[:, i, :, 2] * carried[:, i], axis=1)
        return along

    def _lay_links(self) -> None:
        """X_WL of the link frames, and the link that stands for each body: the first that hangs on it."""
        bodies, X_BL = self.robot.link_table
        self.body_of = [int(b) for b in bodies]
        self.first = {b: link for link, b in reversed(list(enumerate(self.body_of)))}
        self.link_axes = np.empty((self.N, len(bodies), 3, 3))
        self.link_at = np.empty((self.N, len(bodies), 3))
        for link, b in enumerate(self.body_of):
            R, p = X_BL[link, :3, :3], X_BL[link, :3, 3]
            self.link_axes[:, link] = R if b < 0 else self.R[:, b] @ R
            self.link_at[:, link] = p if b < 0 else self.p[:, b] + self.R[:, b] @ p

    def link_rows(self) -> list[np.ndarray]:
        """w wd v a a_c F N f n per link, `(N, n_links, 3)` each."""
        w, wd, v, a, a_c, F, M, f, m = rows = np.zeros((9, self.N, len(self.body_of), 3))
        a[:] = a_c[:] = -self.robot.gravity
        for link, b in enumerate(self.body_of):
            if b >= 0:
                w[:, link], wd[:, link], a_c[:, link] = self.w[:, b], self.wd[:, b], self.a_c[:, b]
                r = self.link_at[:, link] - self.p[:, b]
                v[:, link] = self.v[:, b] + _cross(self.w[:, b], r)
                a[:, link] = _carried(self.a[:, b], self.w[:, b], self.wd[:, b], r)
            if self.first[b] == link:
                forces = (0.0, 0.0, *self.ground) if b < 0 else (self.F[:, b], self.M[:, b], self.f[:, b], self.m[:, b])
                F[:, link], M[:, link], f[:, link], m[:, link] = forces
        return list(rows)


def _carried(a: np.ndarray, w: np.ndarray, wd: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Acceleration of a point at r:  a + wd × r + w × (w × r)."""
    return a + _cross(wd, r) + _cross(w, _cross(w, r))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of vectors `(N, 3)`; np.cross takes three times as long for one state."""
    (a0, a1, a2), (b0, b1, b2) = a.T, b.T
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]).T


def _times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A x for A `(N, 3, 3)` and x `(N, 3)`."""
    return (A @ x[:, :, None])[:, :, 0]
