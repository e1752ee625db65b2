"""The space the tool can reach, sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial as bind

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.newton_euler import gravity_torque
from armature.engine.errors import EngineError
from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.obstacles import Obstacles
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.joint_ranges import joint_ranges, restricted
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.reach.sampled_workspace import Workspace
from armature.engine.reach.voxels import voxel_grid
from armature.engine.singularities.dexterity_measures import measure_batch

LEVER = 0.01  # of the reach: a payload right on an axis counts as this far from it

DIRECTIONS = 64


def limit_distance(robot: Robot, q: np.ndarray) -> np.ndarray:
    """How far q `(N, n)` is from the nearest joint limit, `(N,)`: 0 on it, 1 in the middle of every range.

    min_i min(q_i − q_min,i, q_max,i − q_i) / ½ (q_max,i − q_min,i), over the joints with limits.
    """
    bounded = np.isfinite(robot.q_min) & np.isfinite(robot.q_max) & (robot.q_max > robot.q_min)
    if not bounded.any():
        return np.ones(len(q))
    low, high, at = robot.q_min[bounded], robot.q_max[bounded], q[:, bounded]
    return np.clip(np.minimum(at - low, high - at) / (0.5 * (high - low)), 0.0, 1.0).min(axis=1)


def gravity_load(robot: Robot, q: np.ndarray) -> np.ndarray:
    """The largest share of a motor's torque limit that gravity takes at q `(N, n)`, in percent `(N,)`.

    100 max_i |g_i(q)| / tau_max,i.
    """
    limited = np.isfinite(robot.tau_max)
    return 100.0 * (np.abs(gravity_torque(robot, q)[:, limited]) / robot.tau_max[limited]).max(axis=1)


def payload_capacity(robot: Robot, q: np.ndarray) -> np.ndarray:
    """The largest point mass at the tool that the motors hold still at q `(N, n)`, kg `(N,)`.

    |g_i − m (J_vᵀ a_g)_i| ≤ tau_max,i for every joint, a_g the gravity vector; 0 where the empty arm is too heavy already.
    """
    limited = np.isfinite(robot.tau_max)
    tau_max = robot.tau_max[limited]
    g = gravity_torque(robot, q)[:, limited]
    per_kg = -np.einsum("kci,c->ki", jacobian(robot, q)[:, :3], robot.gravity)[:, limited]
    shortest = LEVER * robot.reach * float(np.linalg.norm(robot.gravity))
    lever = np.where(np.abs(per_kg) < shortest, np.where(per_kg < 0, -shortest, shortest), per_kg)
    room = np.where(lever > 0, tau_max - g, -tau_max - g) / lever
    return np.maximum(room.min(axis=1), 0.0)


def density(space: Workspace) -> np.ndarray:
    """Samples around each point relative to the mean over all voxels, `(N,)`."""
    grid = voxel_grid(space)
    return grid.counts[grid.index(space.points)] / grid.counts[grid.counts > 0].mean()


def dexterity(space: Workspace) -> np.ndarray:
    """Share of directions from which the tool reaches the voxel around each point, `(N,)`, 0…1.

    Of 64 directions spread evenly over the sphere, those that some sample in the voxel comes near to with the tool's z axis;
    where that axis never turns, 64 headings of the x axis. Few samples find few directions, so it is a lower bound.
    """
    grid, bins = voxel_grid(space), np.empty(len(space.q), np.int64)
    for first in range(0, len(bins), 1 << 15):
        R = frame_pose(space.robot, space.q[first : first + (1 << 15)])[:, :3, :3]
        bins[first : first + (1 << 15)] = _direction_bins(R)
    at = grid.index(space.points)
    seen = np.zeros((grid.counts.size, DIRECTIONS), bool)
    flat = np.ravel_multi_index(at, grid.counts.shape)
    seen[flat, bins] = True
    return seen.mean(axis=1)[flat]


def _direction_bins(R: np.ndarray) -> np.ndarray:
    """Number `(N,)` of the direction nearest to each tool's approach."""
    z = R[:, :, 2]
    if np.ptp(z, axis=0).max() < 1e-9:
        heading = np.arctan2(R[:, 1, 0], R[:, 0, 0])
        return np.floor((heading / (2 * np.pi) % 1.0) * DIRECTIONS).astype(np.int64) % DIRECTIONS
    k = np.arange(DIRECTIONS) + 0.5
    height, turn = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - height**2)
    return np.argmax(z @ np.stack([ring * np.cos(turn), ring * np.sin(turn), height]), axis=1)


def _of_jacobian(name: str) -> Callable:
    return lambda robot, q: measure_batch(robot, q, name)


def _at_tool(measure: Callable) -> Callable:
    return lambda robot, q: (measure(robot, q), frame_pose(robot, q)[:, :3, 3])


MEASURES: dict[str, Callable] = {
    **{name: _of_jacobian(name) for name in ("manipulability", "sigma_min", "inverse_condition")},
    "limit_distance": _at_tool(limit_distance),
    "gravity_load": _at_tool(gravity_load),
    "payload": _at_tool(payload_capacity),
}
"""By name: (robot, q `(N, n)`) → values `(N,)` and points `(N, 3)`."""

AFTERWARDS: dict[str, Callable] = {"density": density, "dexterity": dexterity}
"""Quantities that are computed after all points are sampled, by name."""

QUANTITIES = (*MEASURES, *AFTERWARDS)


def check_reach_quantity(robot: Robot, quantity: str) -> None:
    """Raise EngineError for an unknown quantity, or for one without parameters in the robot's file."""
    if quantity not in QUANTITIES:
        raise EngineError(f"unknown quantity {quantity!r}; valid are {', '.join(QUANTITIES)}")
    if quantity in ("gravity_load", "payload"):
        batching.require_dynamics(robot)
        if not np.isfinite(robot.tau_max).any():
            raise EngineError(f"{robot.name}: quantity {quantity} needs torque limits, which the robot does not have")


_LEAST = 1e-3  # share of all poses that must be above the floor and without contact
_CHUNK = 1 << 15  # a power of two keeps the Sobol points balanced
_CHUNK_OF_CONTACTS = 1 << 12  # contacts take longer, and the caller may cancel between chunks


def workspace(
    robot: Robot,
    samples: int = 100_000,
    quantity: str = "manipulability",
    seed: int = 0,
    limits: bool = True,
    joints: Sequence[int] | None = None,
    q=None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    partial: Callable[[Workspace], None] | None = None,
    above_floor: bool = False,
    *,
    cell: Obstacles | None = None,
) -> Workspace:
    """Sample the points, m in the world frame, that the origin of the tool reaches, from Sobol samples of the joint space.

    Args:
        samples: number of samples.
        quantity: the quantity that `Workspace.values` contains: "manipulability", "sigma_min", "inverse_condition" (as in
            `singularity`), "limit_distance" (0 at a joint limit, 1 in the middle of all ranges), "gravity_load" (gravity torque
            in % of the torque limit), "payload" (largest point mass in kg that the motors hold), "density" (samples around the
            point relative to the mean) or "dexterity" (share of directions of the tool, 0 to 1).
        seed: seed of the scrambled samples; the same seed gives the same points.
        limits: whether to respect the joint limits; if False, revolute joints cover the full circle and prismatic joints keep
            their limits.
        joints: moving joints, 0-based; None: all. The others are fixed at q.
        q: positions `(n,)` of the fixed joints, rad or m; None: the home pose.
        progress: called with (number of computed samples, `samples`) from the computing thread after every chunk.
        cancel: called before every chunk; if it returns True, the samples computed so far are returned.
        partial: called with the `Workspace` so far, whenever it has 25 % more samples than at the last call.
        above_floor: whether to use only poses with no link below the robot's floor; without a floor, all poses.
        cell: `Cell` of objects around the arm: use only poses in which the arm touches neither itself nor its floor nor an
            object, with `armature.Cell()` neither itself nor its floor. None: contacts are not tested.

    Returns:
        A `Workspace`; if cancelled, with the samples so far.

    Raises:
        EngineError: invalid argument, almost no pose above the floor or without contact, or the quantity needs torque limits and
            the robot has none.
        MissingDynamicsError: the quantity needs masses and the robot has none.

    Source: Sobol' 1967; Yoshikawa 1985 for the manipulability measure.
    """
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)) or samples < 1:
        raise EngineError(f"samples must be a whole number ≥ 1, got {samples!r}")
    check_reach_quantity(robot, quantity)
    from scipy.stats import qmc  # half a second to import, and only this needs it

    arm = restricted(robot if above_floor else replace(robot, floor=None), limits, joints, q)
    low, high = joint_ranges(arm)
    collides = None if cell is None else bind(cell.collides, robot)
    conditions = _conditions(arm, collides)
    chunk = _CHUNK if cell is None else _CHUNK_OF_CONTACTS
    sobol = qmc.Sobol(robot.n, scramble=True, rng=seed)
    table, values, points = np.empty((samples, robot.n)), np.empty(samples), np.empty((samples, 3))
    measure = MEASURES.get(quantity, MEASURES["manipulability"])
    done, reported, drawn = 0, 0, 0

    def so_far(complete: bool) -> Workspace:
        at, value, pose = (_seen(part[:done]) for part in (points, values, table))
        space = Workspace(at, value, pose, quantity, seed, complete, arm, collides)
        return replace(space, values=read_only(AFTERWARDS[quantity](space))) if quantity in AFTERWARDS and done else space

    while done < samples and not (cancel is not None and cancel()):
        poses = low + sobol.random(chunk)[: None if conditions else samples - done] * (high - low)
        drawn += chunk
        for holds, problem in conditions:
            poses = poses[holds(poses)]
            if drawn >= _CHUNK and done + len(poses) < _LEAST * drawn:
                raise EngineError(f"{robot.name}: almost no pose is {problem}")
        poses = poses[: samples - done]
        part = slice(done, done + len(poses))
        table[part] = poses
        values[part], points[part] = measure(robot, poses)
        done = part.stop
        if progress is not None:
            progress(done, samples)
        if partial is not None and 1.25 * reported <= done < samples:
            reported = done
            partial(so_far(False))
    return so_far(done == samples)


def _conditions(
    arm: Robot, collides: Callable[[np.ndarray], np.ndarray] | None
) -> list[tuple[Callable[[np.ndarray], np.ndarray], str]]:
    """Return what the sampled poses q `(N, n)` must fulfil, as functions that return `(N,)` bool, each with an error text."""
    result: list[tuple[Callable[[np.ndarray], np.ndarray], str]] = []
    if arm.floor is not None:
        result.append((FloorDepths(arm).above, f"above the floor at z = {arm.floor:g} m; lower it or set above_floor=False"))
    if collides is not None:
        result.append((lambda q: ~collides(q), "without contact; move the objects of the cell away from the arm"))
    return result


def _seen(part: np.ndarray) -> np.ndarray:
    """Return a read-only view."""
    part.setflags(write=False)
    return part


__all__ = ["QUANTITIES", "Workspace", "joint_ranges", "restricted", "workspace"]
