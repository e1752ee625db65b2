"""Base parameters: the combinations of inertial parameters that motion and torque can tell apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.regressor import PARAMETERS, parameters, regressor
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

_ROWS_PER_COLUMN = 4  # equations for every unknown in the stack whose rank is taken
_RANK_TOLERANCE = 1e-9  # of the largest column; below it a column depends on those before
_CLEAN = 1e-9  # a coefficient this small beside the largest is rounding


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
