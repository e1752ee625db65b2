"""The boundary of every engine call: arguments checked once, one state or many, many in parallel."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from itertools import pairwise
from math import isfinite

import numpy as np

from armature.engine.errors import DimensionError, EngineError, MissingDynamicsError
from armature.engine.model.read_only import real_numbers
from armature.engine.model.robot import Robot

WORKERS = max(1, os.cpu_count() or 1)
_FEW = 64  # numbers that are looked at one by one
_POSITIONS = ("q", "q0")  # arguments that also take the name of a pose
_FLOAT64 = np.dtype(np.float64)
_SPLIT_FROM = 1024  # states; below, starting a thread costs more than it saves


def states(robot: Robot, **arguments) -> tuple[list[np.ndarray], bool]:
    """Joint vectors as C-contiguous `(N, n)` float arrays of one N, and whether the caller gave single states.

    Each argument is `(n,)` or `(N, n)`; a single state is repeated against a batch; q and q0 may name poses of the robot, such
    as "home". Raises DimensionError, and EngineError for an arm with mimic joints, whose joint vectors are no rows for kernels:
    see `on_tree`; `robot.tree` has every joint free.
    """
    if robot.coupling is not None:
        raise EngineError(f"{robot.name}: mimic joints are not supported here; use robot.tree, in which every joint is free")
    rows = _plain_rows(robot.n, arguments.values())
    return (rows, True) if rows is not None else vectors(robot, **arguments)


def _plain_rows(n: int, values: Iterable) -> list[np.ndarray] | None:
    """Rows `(1, n)` of single states in finite float64 vectors, which most calls pass; None for anything else."""
    rows = []
    for value in values:
        if type(value) is not np.ndarray or value.dtype is not _FLOAT64 or value.shape != (n,):
            return None
        flags = value.flags
        if not (flags.c_contiguous and flags.aligned and isfinite(value.dot(value))):
            return None
        rows.append(value.reshape(1, n))
    return rows


def on_tree(robot: Robot, **arguments) -> tuple[np.ndarray, ...]:
    """Joint vectors of an arm with mimic joints as those of its tree: q through q_b = G q + offset, all others through G.

    Each keeps its leading dimension. Raises DimensionError.
    """
    assert robot.coupling is not None
    vectors(robot, **arguments)
    move = robot.coupling
    return tuple((move.position if name == "q" else move.rate)(floats(robot, name, value)) for name, value in arguments.items())


def vectors(robot: Robot, **arguments) -> tuple[list[np.ndarray], bool]:
    """As `states`, for every arm. Raises DimensionError."""
    return unchecked(robot, **{name: floats(robot, name, value) for name, value in arguments.items()})


def unchecked(robot: Robot, **arguments) -> tuple[list[np.ndarray], bool]:
    """Return the same as `vectors` without checking for finite numbers, which the kernel does itself. Raises DimensionError."""
    rows = _plain_rows(robot.n, arguments.values())
    if rows is not None:
        return rows, True
    arrays = {name: _numbers(robot, name, value) for name, value in arguments.items()}
    for name, array in arrays.items():
        if array.ndim not in (1, 2) or array.shape[-1] != robot.n:
            expected = f"({robot.n},) or (N, {robot.n}), joints {', '.join(robot.joint_names)}"
            raise DimensionError(f"{robot.name}: {name} has shape {array.shape}; expected {expected}")
    counts = {array.shape[0] for array in arrays.values() if array.ndim == 2}
    if len(counts) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise DimensionError(f"{robot.name}: the arguments have batches of different lengths: {shapes}")
    N = counts.pop() if counts else 1
    single = all(array.ndim == 1 for array in arrays.values())
    return [np.ascontiguousarray(_rows(array, N)) for array in arrays.values()], single


def _rows(array: np.ndarray, N: int) -> np.ndarray:
    """`(n,)` or `(N, n)` as `(N, n)`."""
    if array.ndim == 2:
        return array
    return array[None] if N == 1 else np.broadcast_to(array, (N, len(array)))


def require_dynamics(robot: Robot) -> None:
    """Raises MissingDynamicsError for an arm whose file gives no masses."""
    if not robot.has_dynamics:
        raise MissingDynamicsError(
            f"{robot.name}: the robot has no masses, only kinematics; dynamics and simulation need a mass for each link"
        )


def run(task: Callable[[int, int], None], N: int, split_from: int = _SPLIT_FROM) -> None:
    """Calls the nogil `task(lo, hi)` over 0…N, split over the cores from `split_from` on; raises what any of the calls raises."""
    if split_from > N or WORKERS == 1:
        task(0, N)
        return
    errors: list[BaseException] = []

    def part(lo: int, hi: int) -> None:
        try:
            task(lo, hi)
        except BaseException as error:  # a thread's own would only be printed, and its rows returned as they are
            errors.append(error)

    edges = np.linspace(0, N, WORKERS + 1).astype(int)
    threads = [threading.Thread(target=part, args=(int(lo), int(hi))) for lo, hi in pairwise(edges[1:])]
    for thread in threads:
        thread.start()
    part(0, int(edges[1]))
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def floats(robot: Robot, name: str, value) -> np.ndarray:
    """`value` as a float64 array of finite numbers. Raises DimensionError."""
    array = _numbers(robot, name, value)
    suspect = array.size <= _FEW
    if not suspect:  # a finite sum has finite terms, and costs a fifth of looking at each; only another sum needs the look
        with np.errstate(over="ignore", invalid="ignore"):
            suspect = not np.isfinite(array.sum())
    if suspect and not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise DimensionError(f"{robot.name}: {name} has a non-finite number at index {where}")
    return array


def named_poses(robot: Robot, name: str, value):
    """A name of `robot.configurations`, or a list of them, as their joint positions; anything else, or not for q, as it is.

    Raises DimensionError with the valid names.
    """
    if name not in _POSITIONS or not (isinstance(value, str) or (type(value) is list and value and isinstance(value[0], str))):
        return value
    poses = robot.configurations
    unknown = [pose for pose in ([value] if isinstance(value, str) else value) if pose not in poses]
    if unknown:
        raise DimensionError(f"{robot.name}: unknown pose {unknown[0]!r} for {name}; valid are {', '.join(poses)}")
    return poses[value] if isinstance(value, str) else np.array([poses[pose] for pose in value])


def _numbers(robot: Robot, name: str, value) -> np.ndarray:
    value = named_poses(robot, name, value)
    try:
        return real_numbers(value)
    except (TypeError, ValueError, OverflowError):
        raise DimensionError(f"{robot.name}: {name} is not an array of real numbers") from None
