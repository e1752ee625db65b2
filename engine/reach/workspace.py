"""The space the tool can reach, sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial as bind

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.kinematics.obstacles import Obstacles
from armature.engine.model.joint_ranges import joint_ranges, restricted
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.reach.reach_quantities import AFTERWARDS, MEASURES, QUANTITIES, check_reach_quantity
from armature.engine.reach.sampled_workspace import Workspace

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
