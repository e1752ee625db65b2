"""Quantities by which the points of a workspace are coloured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.newton_euler import gravity_torque
from armature.engine.errors import EngineError
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.poses import frame_pose
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
