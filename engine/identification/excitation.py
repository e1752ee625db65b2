"""`excitation`: how well a motion identifies the parameters of an arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.regressor import PARAMETERS, BaseParameters, base_parameters, regressor
from armature.engine.errors import DimensionError
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot
from armature.engine.trajectory.motion_limits import MotionLimits
from armature.engine.trajectory.trajectory import Trajectory

_STATES = 1000
_STILL = 1e-9  # rad or m; less is standstill
_LOST = 100.0  # increase of the standard deviation by correlation with others


@dataclass(frozen=True, eq=False)
class Excitation(Frozen):
    """Measures of how well a trajectory identifies an arm's parameters.

    `condition`: condition number of the regressor along the trajectory; it has one column for each base parameter, viscous and
    Coulomb friction and torque offset, each scaled to length 1. 1 is best, and below 100 noise has little effect. `coverage`
    `(n,)`: used share of each joint's range, 0 to 1; `speed` `(n,)`: used share of each joint's speed limit (2 rad/s or 0.5 m/s
    if the file has none). `unidentifiable`: messages on the parameters that no motion of this arm can identify, then on
    parameters that this motion does not identify.
    """

    condition: float
    coverage: np.ndarray
    speed: np.ndarray
    unidentifiable: tuple[str, ...]


def excitation(robot: Robot, trajectory: Trajectory) -> Excitation:
    """Compute how well a trajectory of the robot's joints identifies its parameters.

    Args:
        trajectory: planned motion of the robot's joints, rad or m.

    Returns:
        An `Excitation`: condition number of the scaled regressor, use of the ranges, and the parameters that are not
        identifiable.

    Raises:
        DimensionError: the trajectory has another number of joints; MissingDynamicsError.

    Source: Gautier, Khalil, Exciting trajectories for the identification of base inertial parameters of robots, Int. J. Robotics
    Research 11(4), 1992.
    """
    require_dynamics(robot)
    if trajectory.n != robot.n:
        raise DimensionError(f"{robot.name}: has {robot.n} joints, the trajectory {trajectory.n}")
    base = base_parameters(robot)
    q, qd, qdd = trajectory.sample(np.linspace(0.0, trajectory.duration, _STATES))
    columns = excited_columns(robot, base, q, qd, qdd)
    unit, norms = unit_columns(columns.reshape(-1, columns.shape[2]))
    _, s, V = np.linalg.svd(unit, full_matrices=False)
    low, high = joint_ranges(robot)
    span = np.ptp(q, axis=0)
    return Excitation(
        condition=float(s[0] / s[-1]) if s[-1] > 1e-12 * s[0] else float("inf"),
        coverage=span / np.maximum(high - low, _STILL),
        speed=np.abs(qd).max(axis=0) / MotionLimits.of(robot).velocity,
        unidentifiable=(*_never(robot, base), *_still(robot, span), *_hardly(column_names(robot, base), norms, s, V)),
    )


def _never(robot: Robot, base: BaseParameters) -> list[str]:
    """Report parameters that no motion identifies."""
    kinds = len(PARAMETERS)
    names = [f"{PARAMETERS[k % kinds]}{k // kinds + 1}" for k in np.flatnonzero(base.unidentifiable)]
    remaining = kinds * len(robot.bodies) - len(names)
    said = [f"No torque of this arm depends on {', '.join(names)}."] if names else []
    if base.rank < remaining:
        which = f"the {remaining} other" if names else f"{remaining}"
        said.append(f"Motion and torque identify {base.rank} combinations of {which} inertial parameters.")
    return said


def _still(robot: Robot, span: np.ndarray) -> list[str]:
    return [
        f"{name} does not move: its friction and most parameters of the links after it cannot be identified."
        for name, way in zip(robot.joint_names, span, strict=True)
        if way < _STILL
    ]


def _hardly(names: tuple[str, ...], norms: np.ndarray, s: np.ndarray, V: np.ndarray) -> list[str]:
    """Report parameters that this motion does not identify, or not separately."""
    inflation = np.sqrt(((V / np.maximum(s, 1e-15 * s[0])[:, None]) ** 2).sum(axis=0))
    unseen = [name for name, norm in zip(names, norms, strict=True) if norm == 0.0]
    said = [f"No torque in this motion depends on {', '.join(unseen)}."] if unseen else []
    mixed = [name for name, norm, times in zip(names, norms, inflation, strict=True) if norm > 0.0 and times > _LOST]
    return [*said, f"Parameters that this motion hardly distinguishes: {', '.join(mixed)}."] if mixed else said


FRICTION = ("viscous", "Coulomb", "offset")
"""Columns of each joint after the base parameters: qd, sign qd, 1. They also span different Coulomb friction by direction."""


def excited_columns(robot: Robot, base: BaseParameters, q, qd, qdd, rise: np.ndarray | float = 0.0) -> np.ndarray:
    """Return columns `(N, n, r + 3 n)` at states `(N, n)`; with `rise` per s, sign(qd) is tanh(qd / rise), which is smooth."""
    Y = regressor(robot, q, qd, qdd)[:, :, base.columns]
    sign = np.tanh(qd / rise) if np.any(rise) else np.sign(qd)
    columns = [kind[:, :, None] * np.eye(robot.n) for kind in (qd, sign, np.ones_like(qd))]
    return np.concatenate([Y, *columns], axis=2)


def column_names(robot: Robot, base: BaseParameters) -> tuple[str, ...]:
    """Return the parameter of each column."""
    own = [f"{kind} of {name}" for kind in FRICTION for name in robot.joint_names]
    return (*base.names, *own)


def unit_columns(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of length 1 and their original lengths; a column of zeros is unchanged."""
    norms = np.linalg.norm(W, axis=0)
    return W / np.where(norms > 0, norms, 1.0), norms


def condition(W: np.ndarray) -> float:
    """Return σ max / σ min of the columns scaled to length 1."""
    s = np.linalg.svd(unit_columns(W)[0], compute_uv=False)
    return float(s[0] / s[-1]) if s[-1] > 0 else float("inf")
