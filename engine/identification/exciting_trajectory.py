"""`exciting_trajectory`: a Fourier trajectory that identifies the parameters as well as the limits allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.dynamics.regressor import BaseParameters, base_parameters
from armature.engine.errors import TrajectoryError
from armature.engine.identification.excitation import condition, excited_columns, unit_columns
from armature.engine.identification.one_thread import on_one_thread
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot
from armature.engine.simulation.floor_watch import FloorWatch
from armature.engine.trajectory.joint_space import minimum_jerk
from armature.engine.trajectory.motion_limits import MotionLimits, check_limits
from armature.engine.trajectory.trajectory import Trajectory

_INSET = 0.02  # of a joint's range, margin at both ends for overshoot of a controller
_DRAWN, _STARTS = 24, 2  # random shapes; number of the best ones that are optimized
_ITERATIONS = 25  # of each
_NODES = 12  # per period of the fastest harmonic, joined by pieces of degree 5
_LOOKS = 4  # checks of the floor per node
_LARGEST, _SMALLER, _SMALLEST = 0.999, 0.95, 0.2  # of the amplitude: first, factor of each reduction, least


@on_one_thread
def exciting_trajectory(
    robot: Robot,
    *,
    duration: float = 10.0,
    harmonics: int = 5,
    limits: MotionLimits | None = None,
    floor: float | None = None,
    seed: int = 0,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Trajectory:
    """Compute an excitation trajectory: the Fourier series that best identifies base parameters and friction.

    q(t) = q_c + Σ_k a_k sin kωt + b_k cos kωt,  ω = 2π / duration

    From several initial series, the search minimises the sum of the variances of all parameters, with the columns of the
    regressor scaled to length 1. The result with the smallest condition number of this regressor is returned.

    The motion is periodic and begins and ends at rest, without acceleration, so it can run once or, `looped()`, repeatedly.
    Positions have a margin of 2 % of each range at its ends, computed torques have a margin of 10 % of `tau_max`, which
    remains for the controller, and links are at least 2 cm above the floor. `excitation` rates the result.

    Args:
        robot: arm with masses, which are used only for the torque limits.
        duration: s, of one period.
        harmonics: number of harmonics of 1 / duration, 2 … 20.
        limits: limits of velocity, acceleration and jerk; None: `MotionLimits.of(robot)`.
        floor: height in m, along the z axis of the world; None: the robot's floor.
        seed: seed of the initial series; the same seed gives the same motion.
        progress: called with the completed fraction 0 … 1; an exception that it raises stops the search.

    Returns:
        A `Trajectory` of quintic pieces, 12 per period of its fastest harmonic; `save_plan(plan_through(...))` writes it to a
        file.

    Raises:
        TrajectoryError: no motion within all limits was found; names the limit that is exceeded. MissingDynamicsError.

    Source: Swevers et al., Optimal robot excitation and identification, IEEE Trans. Robotics and Automation 13(5), 1997.
    """
    from scipy.optimize import minimize

    require_dynamics(robot)
    if floor is not None:
        robot = replace(robot, floor=float(floor))
    series = excitation_series(robot, duration, harmonics, limits)
    cost = ExcitationCost(robot, base_parameters(robot), series)
    rng = np.random.default_rng(seed)
    drawn = sorted((series.random_shape(rng) for _ in range(_DRAWN)), key=cost.value)
    done = 0

    def report(xk: np.ndarray) -> None:
        nonlocal done
        done += 1
        progress(min(done / (_STARTS * _ITERATIONS), 1.0))

    found, refusal = [], ""
    for start in range(_STARTS):
        done = start * _ITERATIONS
        best = minimize(
            cost,
            drawn[start].ravel(),
            jac=True,
            method="L-BFGS-B",
            callback=report,
            options={"maxiter": _ITERATIONS, "maxfun": 2 * _ITERATIONS},
        )
        shape = best.x.reshape(series.size)
        trajectory, refusal = largest_within(robot, series, shape)
        if trajectory is not None:
            found.append((cost.condition(shape), trajectory))
    progress(1.0)
    if not found:
        raise TrajectoryError(f"no excitation trajectory found within the limits: {refusal}")
    return min(found, key=lambda pair: pair[0])[1]


def excitation_series(robot: Robot, duration: float, harmonics: int, limits: MotionLimits | None) -> FourierSeries:
    if not (isinstance(duration, (int, float, np.number)) and 0.1 <= duration <= 1000):
        raise TrajectoryError(f"excitation trajectory: the duration must be 0.1 to 1000 s, got {duration!r}")
    if not (isinstance(harmonics, (int, np.integer)) and 2 <= harmonics <= 20):
        raise TrajectoryError(f"excitation trajectory: it must have 2 to 20 harmonics, got {harmonics!r}")
    low, high = joint_ranges(robot)
    if (stuck := np.flatnonzero(high - low <= 0)).size:
        raise TrajectoryError(f"{robot.name}: the position limits of {robot.joint_names[stuck[0]]} leave no range to move")
    inset = _INSET * (high - low)
    bounds = MotionLimits.of(robot) if limits is None else limits
    return FourierSeries(int(harmonics), float(duration), low + inset, high - inset, bounds)


def largest_within(robot: Robot, series: FourierSeries, shape: np.ndarray) -> tuple[Trajectory | None, str]:
    """Return the motion with the largest amplitude within all limits, or the violated limit of the smallest."""
    share, refusal = _LARGEST, ""
    while share > _SMALLEST:
        trajectory = _pieces(series.with_share(share), shape)
        refusal = _refusal(robot, series.limits, trajectory)
        if not refusal:
            return trajectory, ""
        share *= _SMALLER
    return None, refusal


def _pieces(series: FourierSeries, shape: np.ndarray) -> Trajectory:
    count = _NODES * series.harmonics
    t = np.linspace(0.0, series.duration, count + 1)
    q = series.motion(shape, series.rows(t))[0]
    q[-1] = q[0]
    trajectory = minimum_jerk(q, np.diff(t))
    return replace(trajectory, marks=tuple(float(at) for at in trajectory.breaks[1:]))


def _refusal(robot: Robot, limits: MotionLimits, trajectory: Trajectory) -> str:
    """Return the first violated limit, empty for none."""
    modest = replace(robot, tau_max=TORQUE * robot.tau_max, floor=None)  # the floor is checked below, with a clearance
    if (broken := check_limits(modest, trajectory, limits, torque=True)) is not None:
        return broken.text + (f", {TORQUE:.0%} of the joint's limit" if broken.quantity == "torque" else "")
    if robot.floor is None:
        return ""
    t = np.linspace(0.0, trajectory.duration, _LOOKS * len(trajectory.marks))
    depths = FloorWatch(robot).depths(trajectory.sample(t)[0])
    lowest = -float(depths.max(initial=-np.inf))
    if lowest >= CLEARANCE:
        return ""
    return f"{robot.name}: a link is only {lowest:.3g} m above the floor; the required clearance is {CLEARANCE:g} m"


TORQUE = 0.9  # of tau_max; the rest is for the controller
CLEARANCE = 0.02  # m above the floor
_PER_PERIOD = 10  # states per period of the fastest harmonic
_RISE = 0.05  # of the largest speed, width of the smoothed Coulomb friction
_STEP = 1e-6  # of differences, rad or m (per s, s²)
_RIDGE = 1e-12
_OUTSIDE = 300.0  # weight of a violated limit


class ExcitationCost:
    """Cost log tr (ŴᵀŴ)⁻¹ plus penalties for torque limits and floor,  Ŵ: the stacked columns, each of length 1.

    tr (ŴᵀŴ)⁻¹ is the sum of the parameters' variances, each relative to that of the parameter alone. Its root is the condition
    number in the Frobenius norm, an upper bound of `condition` that is differentiable everywhere.

    Source: Presse, Gautier, New criteria of exciting trajectories for robot identification, ICRA 1993.
    """

    def __init__(self, robot: Robot, base: BaseParameters, series: FourierSeries):
        self._robot, self._base, self.excitation_series = robot, base, series
        self.t = np.linspace(0.0, series.duration, _PER_PERIOD * series.harmonics, endpoint=False)
        self._rows = series.rows(self.t)
        self._rise = _RISE * series.limits.velocity
        self._watch = None if robot.floor is None else FloorWatch(robot)

    def value(self, shape: np.ndarray) -> float:
        """Return the cost."""
        motion = self.excitation_series.motion(shape, self._rows, smooth=True)
        columns = excited_columns(self._robot, self._base, motion[0], motion[1], motion[2], self._rise)
        return _spread(columns.reshape(-1, columns.shape[2]))[0] + float(self._beyond(motion).sum())

    def condition(self, shape: np.ndarray) -> float:
        """Return the condition number of the scaled columns."""
        q, qd, qdd = self.excitation_series.motion(shape, self._rows)
        columns = excited_columns(self._robot, self._base, q, qd, qdd)
        return condition(columns.reshape(-1, columns.shape[2]))

    def __call__(self, flat: np.ndarray) -> tuple[float, np.ndarray]:
        """Return cost and gradient for a flattened shape."""
        shape = flat.reshape(self.excitation_series.size)
        motion = self.excitation_series.motion(shape, self._rows, smooth=True)
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
        """Return the weighted violation of torque limits and floor of each state, `(N,)`."""
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
        """Return the gradient by the coefficients; the motion of a joint depends only on its own."""
        result = np.empty_like(shape)
        for k in range(shape.shape[1]):
            step = np.zeros_like(shape)
            step[:, k] = _STEP
            ahead, back = (self.excitation_series.motion(shape + s * step, self._rows, smooth=True) for s in (1, -1))
            result[:, k] = ((ahead - back) * by_state).sum(axis=(0, 1)) / (2 * _STEP)
        return result


def _beside(motion: np.ndarray) -> np.ndarray:
    """Return states `(3, (1 + 3 n) N, n)`: unchanged, then with one step of each q, qd and qdd."""
    n = motion.shape[2]
    steps = np.zeros((3, 1 + 3 * n, 1, n))
    for kind in range(3):
        for joint in range(n):
            steps[kind, 1 + kind * n + joint, 0, joint] = _STEP
    return (motion[:, None] + steps).reshape(3, -1, n)


def _spread(W: np.ndarray) -> tuple[float, np.ndarray]:
    """Return log tr (ŴᵀŴ)⁻¹ and its gradient by W."""
    unit, norms = unit_columns(W)
    inverse = np.linalg.inv(unit.T @ unit + _RIDGE * np.eye(W.shape[1]))
    total = float(np.trace(inverse))
    G = -2.0 / total * unit @ (inverse @ inverse)
    G -= unit * (unit * G).sum(axis=0)
    return float(np.log(total)), G / np.where(norms > 0, norms, 1.0)


_SMOOTH = 40.0  # exponent of the norm that approximates the maximum


@dataclass(frozen=True)
class FourierSeries:
    """Fourier series q(t) = q_c + Σ_k a_k sin kωt + b_k cos kωt,  ω = 2π / duration,  with Σ k a_k = Σ k² b_k = 0.

    Therefore qd = qdd = 0 at t = 0 and at the end. A shape `(n, 2 harmonics − 1)` has the free coefficients of each joint and,
    last, the centre in its range. The amplitude is the largest within the limits of position, speed, acceleration and jerk.
    `low`, `high` `(n,)` are the ends of the ranges; `share` of the amplitude is used.

    Source: Swevers, Ganseman, Tükel, De Schutter, Van Brussel, Optimal robot excitation and identification, IEEE Trans. Robotics
    and Automation 13(5), 1997.
    """

    harmonics: int
    duration: float
    low: np.ndarray
    high: np.ndarray
    limits: MotionLimits
    share: float = 1.0

    @property
    def size(self) -> tuple[int, int]:
        return len(self.low), 2 * self.harmonics - 1

    def random_shape(self, rng: np.random.Generator) -> np.ndarray:
        """Return a random initial shape."""
        shape = rng.normal(size=self.size)
        shape[:, -1] *= 0.3
        return shape

    def with_share(self, share: float) -> FourierSeries:
        """Return the series with another share of the amplitude."""
        return replace(self, share=share)

    def rows(self, t: np.ndarray) -> np.ndarray:
        """Return the matrix `(4, N, 2 harmonics − 2)` from free coefficients to the unscaled series and its derivatives at t."""
        k = np.arange(1, self.harmonics + 1)
        w = 2 * np.pi / self.duration * k
        sin, cos = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        kinds = [(sin, cos), (cos * w, -sin * w), (-sin * w**2, -cos * w**2), (-cos * w**3, sin * w**3)]
        # the first coefficient of each kind follows from the others; harmonics are scaled to equal speed
        return np.array([np.hstack([s[:, 1:] / k[1:] - s[:, :1], c[:, 1:] / k[1:] - c[:, :1] * k[1:]]) for s, c in kinds])

    def motion(self, shape: np.ndarray, rows: np.ndarray, smooth: bool = False) -> np.ndarray:
        """Return q, qd, qdd `(3, N, n)` at the times of `rows`; `smooth`: with smooth bounds for peaks."""
        d = rows @ shape[:, :-1].T
        half, middle = 0.5 * (self.high - self.low), 0.5 * (self.high + self.low)
        bounds = np.array([half, self.limits.velocity, self.limits.acceleration, self.limits.jerk])
        ratios = np.abs(d if smooth else self._fine @ shape[:, :-1].T) / bounds[:, None, :]
        largest = ratios.max(axis=(0, 1))
        scale = largest * _norm(ratios / largest, axis=(0, 1)) if smooth else largest
        swing = _norm(ratios[0] / scale, axis=0) if smooth else ratios[0].max(axis=0) / scale
        d = d[:3] * (self.share / scale)
        d[0] += middle + half * np.tanh(shape[:, -1]) * (1.0 - swing)
        return d

    @cached_property
    def _fine(self) -> np.ndarray:
        return self.rows(np.linspace(0.0, self.duration, 200 * self.harmonics + 1))


def _norm(values: np.ndarray, axis) -> np.ndarray:
    """Return a smooth upper bound of the largest of values up to 1."""
    return (values**_SMOOTH).sum(axis=axis) ** (1.0 / _SMOOTH)
