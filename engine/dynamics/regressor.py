"""The torque regressor: inverse dynamics written as a matrix times the inertial parameters, in which it is linear."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.newton_euler import WORK, newton_euler
from armature.engine.dynamics.vector import cross, dot, joint_twist, part, plus, rotation, turned
from armature.engine.jit import INT, MAT, MODEL, OUT3, inner, kernel
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.packed_model import PARENT, SLIDES
from armature.engine.model.robot import Robot

PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
"""What one body contributes to pi, in this order: mass kg, first moment m·c kg·m, inertia about the body's origin kg·m²."""

# Columns of the Newton–Euler workspace: angular velocity, angular and linear acceleration of a body's origin in its own axes.
_W, _AL, _A = 0, 3, 6


def regressor(robot: Robot, q, qd, qdd) -> np.ndarray:
    """Return the regressor Y(q, qd, qdd) of the joint torques, which are linear in the inertial parameters pi.

    rnea(q, qd, qdd) = Y pi + rotor ∘ qdd,  pi = `parameters(robot)`

    rotor `(n,)` are the rotor inertias; they are not among the parameters, and Y has no columns for them.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).

    Returns:
        `(n, 10 n_bodies)` or `(N, n, 10 n_bodies)`, with n_bodies = n, or more with mimic joints. Columns 10 i … 10 i + 9 belong
        to body i, in the order m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz of `parameters`.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Atkeson, An, Hollerbach 1986; Siciliano et al., Robotics: Modelling, Planning and Control, section 7.2.2.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        Y = regressor(robot.tree, *batching.on_tree(robot, q=q, qd=qd, qdd=qdd))
        return robot.coupling.G.T @ Y
    (q, qd, qdd), single = batching.states(robot, q=q, qd=qd, qdd=qdd)
    out = np.empty((len(q), robot.n, 10 * robot.n))
    batching.run(lambda lo, hi: regressor_many.call(robot.packed, q, qd, qdd, out, lo, hi), len(q))
    return out[0] if single else out


def parameters(robot: Robot) -> np.ndarray:
    """Return the vector pi of inertial parameters, for Y pi with Y from `regressor`.

    Returns:
        `(10 n_bodies,)`: for each body the mass m in kg, the first moment of mass mx, my, mz in kg·m, and Ixx, Ixy, Iyy, Ixz,
        Iyz, Izz in kg·m², in the axes of the body about its origin.

    Raises:
        MissingDynamicsError: the robot has no masses.
    """
    batching.require_dynamics(robot)
    rows = []
    for body in robot.bodies:
        I = body.inertia_at_origin()
        rows.append([body.mass, *(body.mass * body.com), I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])
    return np.array(rows).ravel()


@inner
def _unit_wrench(c, w, al, a):
    """Force and moment at its origin that parameter c of a body needs in the motion (w, al, a), in the body's axes.

    F = m a + K h,  N = I al + w × I w + h × a,  K = [al]× + [w]×[w]×,  h and I with a single 1 in them.
    """
    zero = (0.0, 0.0, 0.0)
    if c == 0:
        return a, zero
    if c < 4:
        e = (1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0, 1.0 if c == 3 else 0.0)
        return plus(cross(al, e), cross(w, cross(w, e))), cross(e, a)
    if c == 4:
        x, y = (al[0], 0.0, 0.0), (w[0], 0.0, 0.0)
    elif c == 5:
        x, y = (al[1], al[0], 0.0), (w[1], w[0], 0.0)
    elif c == 6:
        x, y = (0.0, al[1], 0.0), (0.0, w[1], 0.0)
    elif c == 7:
        x, y = (al[2], 0.0, al[0]), (w[2], 0.0, w[0])
    elif c == 8:
        x, y = (0.0, al[2], al[1]), (0.0, w[2], w[1])
    else:
        x, y = (0.0, 0.0, al[2]), (0.0, 0.0, w[2])
    return zero, plus(x, cross(w, y))


@inner
def _fill(P, q, qd, qdd, Y, X, W, B, tau, none):
    """Y_jc = S_j · wrench_c about the world's origin, for joint j on the way from the base to the body of parameter c."""
    n = P.shape[0] - 1
    place_in_world(P, q, X, W)
    newton_euler(P, X, qd, qdd, none, tau, B)
    Y[:, :] = 0.0
    for b in range(n):
        R, p = rotation(W, b, 0), part(W, b, 9)
        for c in range(10):
            f, m = _unit_wrench(c, part(B, b, _W), part(B, b, _AL), part(B, b, _A))
            f = turned(R, f)
            m = plus(turned(R, m), cross(p, f))
            j = b
            while j >= 0:
                v, z = joint_twist(W, j, P[j, SLIDES] == 1.0)
                Y[j, 10 * b + c] = dot(v, f) + dot(z, m)
                j = int(P[j, PARENT])


@kernel(MODEL, MAT, MAT, MAT, OUT3, INT, INT)
def regressor_many(P, q, qd, qdd, out, lo, hi):
    """Y of rows lo…hi, into `out` `(N, n, 10 n)`."""
    n = P.shape[0] - 1
    X, W, B, tau, none = np.empty((n, 12)), np.empty((n, 12)), np.empty((n + 1, WORK)), np.empty(n), np.empty((0, 6))
    for k in range(lo, hi):
        _fill(P, q[k], qd[k], qdd[k], out[k], X, W, B, tau, none)
