"""`exciting_trajectory`: a motion that tells an arm's parameters as well as its limits let it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.base_parameters import base_parameters
from armature.engine.errors import TrajectoryError
from armature.engine.identification.exciting.excitation_cost import CLEARANCE, TORQUE, ExcitationCost
from armature.engine.identification.exciting.fourier_series import FourierSeries
from armature.engine.identification.one_thread import on_one_thread
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.robot import Robot
from armature.engine.simulation.floor_watch import FloorWatch
from armature.engine.trajectory.check_limits import check_limits
from armature.engine.trajectory.joint_space import minimum_jerk
from armature.engine.trajectory.motion_limits import MotionLimits
from armature.engine.trajectory.trajectory import Trajectory

_INSET = 0.02  # of a joint's range that stays free at either end, for what a controller overshoots
_DRAWN, _STARTS = 24, 2  # shapes drawn, and how many of the best of them are improved
_ITERATIONS = 25  # of each
_NODES = 12  # per period of the fastest harmonic, joined by pieces of degree 5
_LOOKS = 4  # per node, when the floor is looked at
_LARGEST, _SMALLER, _SMALLEST = 0.999, 0.95, 0.2  # of the amplitude: pieces miss the series by little; less where it is too much


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

    q(t) = q_c + Σ_k a_k sin kωt + b_k cos kωt,  ω = 2π / duration,  with the smallest condition number of the regressor.

    It is periodic and begins and ends at rest, without acceleration, so it can run once or, `looped()`, repeatedly. Positions
    have a margin of 2 % of each range at its ends, torques of the robot as in its file have a margin of 10 % of `tau_max` for
    the controller, and links are at least 2 cm above the floor. `excitation` rates the result.

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
    series = _series(robot, duration, harmonics, limits)
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
        trajectory, refusal = _within(robot, series, shape)
        if trajectory is not None:
            found.append((cost.condition(shape), trajectory))
    progress(1.0)
    if not found:
        raise TrajectoryError(f"no excitation trajectory found within the limits: {refusal}")
    return min(found, key=lambda pair: pair[0])[1]


def _series(robot: Robot, duration: float, harmonics: int, limits: MotionLimits | None) -> FourierSeries:
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


def _within(robot: Robot, series: FourierSeries, shape: np.ndarray) -> tuple[Trajectory | None, str]:
    """The motion with the largest amplitude that keeps all limits, or what is in the way of the smallest."""
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
    """The first limit that it breaks, empty for none."""
    modest = replace(robot, tau_max=TORQUE * robot.tau_max, floor=None)  # which is looked at below, with a clearance
    if (broken := check_limits(modest, trajectory, limits, torque=True)) is not None:
        return broken.text + (f", {TORQUE:.0%} of the joint's limit" if broken.quantity == "torque" else "")
    if robot.floor is None:
        return ""
    t = np.linspace(0.0, trajectory.duration, _LOOKS * len(trajectory.marks))
    depths = FloorWatch(robot).depths(trajectory.sample(t)[0])
    lowest = -float(depths.max(initial=-np.inf))
    if lowest >= CLEARANCE:
        return ""
    return f"{robot.name}: a link is only {lowest:.3g} m above the floor; the clearance is {CLEARANCE:g} m"
