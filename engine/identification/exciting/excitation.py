"""`excitation`: what a motion can tell about an arm, said before it is run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.base_parameters import BaseParameters, base_parameters
from armature.engine.dynamics.regressor import PARAMETERS
from armature.engine.errors import DimensionError
from armature.engine.identification.exciting.excited_columns import column_names, excited_columns, scaled
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot
from armature.engine.trajectory.motion_limits import MotionLimits
from armature.engine.trajectory.trajectory import Trajectory

_STATES = 1000
_STILL = 1e-9  # rad or m: what moves no farther stands still
_LOST = 100.0  # times as uncertain as it would be if it were alone: hardly told from others


@dataclass(frozen=True, eq=False)
class Excitation(Frozen):
    """Measures of how well a trajectory identifies an arm's parameters.

    `condition`: condition number of the regressor along the trajectory; it has one column for each base parameter, viscous and
    Coulomb friction and torque offset, each scaled to length 1. 1 is best, and below 100 noise has little effect. `coverage`
    `(n,)`: used share of each joint's range, 0 to 1; `speed` `(n,)`: used share of its speed limit (2 rad/s or 0.5 m/s if the
    file has none). `unidentifiable`: messages on the parameters that no motion of this arm can identify, then on parameters that
    this motion does not identify.
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
    unit, norms = scaled(columns.reshape(-1, columns.shape[2]))
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
    """What no motion tells."""
    kinds = len(PARAMETERS)
    names = [f"{PARAMETERS[k % kinds]}{k // kinds + 1}" for k in np.flatnonzero(base.unidentifiable)]
    left = kinds * len(robot.bodies) - len(names)
    said = [f"No torque of this arm depends on {', '.join(names)}."] if names else []
    if base.rank < left:
        which = f"the {left} other" if names else f"{left}"
        said.append(f"Motion and torque identify {base.rank} combinations of {which} inertial parameters.")
    return said


def _still(robot: Robot, span: np.ndarray) -> list[str]:
    return [
        f"{name} does not move: its friction and most parameters of the links after it cannot be identified."
        for name, way in zip(robot.joint_names, span, strict=True)
        if way < _STILL
    ]


def _hardly(names: tuple[str, ...], norms: np.ndarray, s: np.ndarray, V: np.ndarray) -> list[str]:
    """What this motion does not tell, or not from something else."""
    inflation = np.sqrt(((V / np.maximum(s, 1e-15 * s[0])[:, None]) ** 2).sum(axis=0))
    unseen = [name for name, norm in zip(names, norms, strict=True) if norm == 0.0]
    said = [f"No torque in this motion depends on {', '.join(unseen)}."] if unseen else []
    mixed = [name for name, norm, times in zip(names, norms, inflation, strict=True) if norm > 0.0 and times > _LOST]
    return [*said, f"Parameters that this motion hardly distinguishes: {', '.join(mixed)}."] if mixed else said
