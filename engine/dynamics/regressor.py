"""The torque regressor, and the base parameters: combinations of inertial parameters that determine all torques."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine import batching
from armature.engine.batching import require_dynamics
from armature.engine.dynamics.newton_euler import WORK, newton_euler
from armature.engine.dynamics.vector import cross, dot, joint_twist, load3, load_matrix, plus, rotate
from armature.engine.jit import INT, MAT, MODEL, OUT3, kernel, routine
from armature.engine.model.body_placement import place_in_world
from armature.engine.model.frozen import Frozen
from armature.engine.model.packed_model import PARENT, SLIDES
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
"""Parameters of one body in pi: mass in kg, first moment m·c in kg·m, inertia about the body's origin in kg·m²."""

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


@routine
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


@routine
def _fill(P, q, qd, qdd, Y, X, W, B, tau, none):
    """Y_jc = S_j · wrench_c about the world's origin, for joint j on the way from the base to the body of parameter c."""
    n = P.shape[0] - 1
    place_in_world(P, q, X, W)
    newton_euler(P, X, qd, qdd, none, tau, B)
    Y[:, :] = 0.0
    for b in range(n):
        R, p = load_matrix(W, b, 0), load3(W, b, 9)
        for c in range(10):
            f, m = _unit_wrench(c, load3(B, b, _W), load3(B, b, _AL), load3(B, b, _A))
            f = rotate(R, f)
            m = plus(rotate(R, m), cross(p, f))
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


_ROWS_PER_COLUMN = 4  # equations for every unknown in the stack whose rank is taken
_RANK_TOLERANCE = 1e-9  # of the largest column; below it a column depends on those before
_CLEAN = 1e-9  # share of the largest coefficient below which one is rounding


@dataclass(frozen=True, eq=False)
class BaseParameters(Frozen):
    """Smallest set of inertial parameters that determines all joint torques, as `base_parameters` returns it.

    Y pi = Y[:, columns] (combination pi) at every state,  with Y the `regressor` and pi the P `parameters`, 10 per body.

    `rank` is the number r of base parameters. `columns` `(r,)` are the indices of independent columns of Y; `combination` `(r,
    P)` maps all parameters to base parameters; `values` `(r,)` are the robot's base parameters in kg, kg·m and kg·m²; `names`
    `(r,)` are texts such as "Izz1 + 0.25 m2"; `unidentifiable` `(P,)` is True for parameters that no torque depends on.
    """

    rank: int
    columns: np.ndarray
    combination: np.ndarray
    values: np.ndarray
    names: tuple[str, ...]
    unidentifiable: np.ndarray


def base_parameters(robot: Robot, seed: int = 0) -> BaseParameters:
    """Compute the base parameters: the identifiable combinations of the robot's inertial parameters pi, numerically.

    W = stack of Y at random states = Q [R1 R2; 0 0] Pᵀ (QR with pivoting),  beta = R1⁻¹ R2,  base = pi_1 + beta pi_2

    Y is the `regressor`, P the permutation of its columns, and pi_1, pi_2 the parameters of the independent and the other
    columns.

    Args:
        seed: seed of the random states; the result depends on it only by rounding.

    Returns:
        `BaseParameters`; kg, kg·m and kg·m² as in `parameters`.

    Raises:
        MissingDynamicsError: the robot has no masses.

    Source: Gautier, Numerical calculation of the base inertial parameters of robots, 1991.
    """
    from scipy.linalg import qr, solve_triangular

    require_dynamics(robot)
    W = _stack(robot, seed)
    norms = np.linalg.norm(W, axis=0)
    seen = norms > _RANK_TOLERANCE * norms.max(initial=0.0)
    # columns of one length, so that the rank does not depend on the units; later bodies first among equals
    scaled = W[:, seen] / norms[seen]
    R, order = qr(scaled, mode="r", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    rank = int(np.sum(diagonal > _RANK_TOLERANCE * diagonal.max(initial=0.0)))
    places = np.flatnonzero(seen)[order]
    kept, dependent = places[:rank], places[rank:]
    beta = solve_triangular(R[:rank, :rank], R[:rank, rank:]) * norms[dependent] / norms[kept][:, None]
    beta[np.abs(beta) < _CLEAN * max(1.0, np.abs(beta).max(initial=0.0))] = 0.0
    combination = np.zeros((rank, W.shape[1]))
    combination[np.arange(rank), kept] = 1.0
    combination[:, dependent] = beta
    rows = np.argsort(kept)
    combination = combination[rows]
    return BaseParameters(
        rank=rank,
        columns=read_only(kept[rows], np.int64),
        combination=read_only(combination),
        values=read_only(combination @ parameters(robot)),
        names=tuple(_written(row, int(column)) for row, column in zip(combination, kept[rows], strict=True)),
        unidentifiable=read_only(~seen, bool),
    )


def _stack(robot: Robot, seed: int) -> np.ndarray:
    """Regressors `(rows, P)` at random states, anywhere the joints can be turned to."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.uniform(-1, 1, (3, 10 * _ROWS_PER_COLUMN, robot.n)) * 3
    return regressor(robot, q, qd, qdd).reshape(-1, 10 * len(robot.bodies))


def _written(row: np.ndarray, first: int) -> str:
    """The combination as text, its own parameter first."""
    text = _symbol(first)
    for column in np.flatnonzero(row):
        if column != first:
            weight = abs(row[column])
            factor = "" if abs(weight - 1) < _CLEAN else f"{weight:.6g} "
            text += f" {'−' if row[column] < 0 else '+'} {factor}{_symbol(int(column))}"
    return text


def _symbol(column: int) -> str:
    body, kind = divmod(column, 10)
    return f"{PARAMETERS[kind]}{body + 1}"
