"""`ExcitationCost`: how badly a shape of motion tells the parameters, with its slopes."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.base_parameters import BaseParameters
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.identification.exciting.excited_columns import condition, excited_columns, scaled
from armature.engine.identification.exciting.fourier_series import FourierSeries
from armature.engine.model.robot import Robot
from armature.engine.simulation.floor_watch import FloorWatch

TORQUE = 0.9  # of tau_max: the rest is the controller's
CLEARANCE = 0.02  # m above the floor
_PER_PERIOD = 10  # states looked at per period of the fastest harmonic
_RISE = 0.05  # of the largest speed, within which Coulomb friction changes its direction while slopes are needed
_STEP = 1e-6  # of differences, rad or m (per s, s²)
_RIDGE = 1e-12
_OUTSIDE = 300.0  # weight of being beyond a limit


class ExcitationCost:
    """log tr (ŴᵀŴ)⁻¹ + what lies beyond torque limits or below the floor,  Ŵ: the stacked columns, each of length 1

    tr (ŴᵀŴ)⁻¹ is the sum of the parameters' variances, each in units of what it would be known to if it were alone. Its root is
    the condition in the Frobenius norm, which bounds that of `condition` and, unlike it, has slopes everywhere.

    Source: Presse, Gautier, New criteria of exciting trajectories for robot identification, ICRA 1993.
    """

    def __init__(self, robot: Robot, base: BaseParameters, series: FourierSeries):
        self._robot, self._base, self._series = robot, base, series
        self.t = np.linspace(0.0, series.duration, _PER_PERIOD * series.harmonics, endpoint=False)
        self._rows = series.rows(self.t)
        self._rise = _RISE * series.limits.velocity
        self._watch = None if robot.floor is None else FloorWatch(robot)

    def value(self, shape: np.ndarray) -> float:
        """The cost without its slopes."""
        motion = self._series.motion(shape, self._rows, smooth=True)
        columns = excited_columns(self._robot, self._base, motion[0], motion[1], motion[2], self._rise)
        return _spread(columns.reshape(-1, columns.shape[2]))[0] + float(self._beyond(motion).sum())

    def condition(self, shape: np.ndarray) -> float:
        """Of the scaled columns."""
        q, qd, qdd = self._series.motion(shape, self._rows)
        columns = excited_columns(self._robot, self._base, q, qd, qdd)
        return condition(columns.reshape(-1, columns.shape[2]))

    def __call__(self, flat: np.ndarray) -> tuple[float, np.ndarray]:
        """Cost and slopes of a shape, laid out in one row."""
        shape = flat.reshape(self._series.size)
        motion = self._series.motion(shape, self._rows, smooth=True)
        states, count = _beside(motion), 1 + 3 * self._robot.n
        columns = excited_columns(self._robot, self._base, states[0], states[1], states[2], self._rise)
        columns = columns.reshape(count, -1, columns.shape[2])
        cost, G = _spread(columns[0])
        slopes = ((columns[1:] - columns[0]).reshape(count - 1, len(self.t), -1) * G.reshape(len(self.t), -1)).sum(axis=2)
        beyond = self._beyond(states).reshape(count, -1)
        slopes += beyond[1:] - beyond[0]
        by_state = (slopes / _STEP).reshape(3, self._robot.n, -1).transpose(0, 2, 1)
        return cost + float(beyond[0].sum()), self._by_shape(shape, by_state).ravel()

    def _beyond(self, states: np.ndarray) -> np.ndarray:
        """By how much each state is beyond limits of torque and floor, `(N,)`, already weighted."""
        q, qd, qdd = states
        over = np.zeros(len(q))
        if np.isfinite(self._robot.tau_max).any():
            tau = rnea(self._robot, q, qd, qdd) + friction_torque(self._robot, qd)
            over += (np.maximum(np.abs(tau) / (TORQUE * self._robot.tau_max) - 0.97, 0.0) ** 2).sum(axis=1)
        if self._watch is not None:
            depth = np.maximum(self._watch.depths(q) + 2 * CLEARANCE, 0.0) / (0.2 * self._robot.reach)
            over += (depth**2).sum(axis=1)
        return _OUTSIDE / len(self.t) * over

    def _by_shape(self, shape: np.ndarray, by_state: np.ndarray) -> np.ndarray:
        """Slopes by the coefficients; a joint's motion depends on its own alone."""
        result = np.empty_like(shape)
        for k in range(shape.shape[1]):
            step = np.zeros_like(shape)
            step[:, k] = _STEP
            ahead, back = (self._series.motion(shape + s * step, self._rows, smooth=True) for s in (1, -1))
            result[:, k] = ((ahead - back) * by_state).sum(axis=(0, 1)) / (2 * _STEP)
        return result


def _beside(motion: np.ndarray) -> np.ndarray:
    """States `(3, (1 + 3 n) N, n)`: as they are, then with each q, each qd and each qdd a step further."""
    n = motion.shape[2]
    steps = np.zeros((3, 1 + 3 * n, 1, n))
    for kind in range(3):
        for joint in range(n):
            steps[kind, 1 + kind * n + joint, 0, joint] = _STEP
    return (motion[:, None] + steps).reshape(3, -1, n)


def _spread(W: np.ndarray) -> tuple[float, np.ndarray]:
    """log tr (ŴᵀŴ)⁻¹ and its slopes by W."""
    unit, norms = scaled(W)
    inverse = np.linalg.inv(unit.T @ unit + _RIDGE * np.eye(W.shape[1]))
    total = float(np.trace(inverse))
    G = -2.0 / total * unit @ (inverse @ inverse)
    G -= unit * (unit * G).sum(axis=0)
    return float(np.log(total)), G / np.where(norms > 0, norms, 1.0)
