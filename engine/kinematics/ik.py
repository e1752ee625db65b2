"""`ik`: inverse kinematics of a frame for a task by damped steps, and `path_ik` for the poses of a path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.obstacles import Obstacles
from armature.engine.kinematics.search.pose_search import GOALS
from armature.engine.kinematics.search.search_attempt import REACHED
from armature.engine.kinematics.search.search_problem import Found, Problem, explain
from armature.engine.kinematics.targets import target_poses
from armature.engine.kinematics.task import is_turned, path_task, task_axes
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

STARTS = 64  # random ones for a target whose first solution is in contact


@dataclass(frozen=True, eq=False)
class OtherSolution:
    """Result of `free_solution`: `q` `(n,)`, None if all `found` solutions are in contact; its `twist` `(6,)` and `error`.

    `iterations` were spent on the search.
    """

    q: np.ndarray | None
    twist: np.ndarray
    error: float
    found: int
    iterations: int


def free_solution(
    problem: Problem, obstacles: Obstacles, T: np.ndarray, near: np.ndarray, tolerance: float, seed: int, goal: int
) -> OtherSolution:
    """Search a solution without contact for the pose T `(4, 4)` from random starts; of several, the one nearest to `near` `(n,)`.

    One radian counts as half the reach.
    """
    robot: Robot = problem.robot
    low, high = joint_ranges(robot)
    starts = np.random.default_rng(seed).uniform(low, high, (STARTS, robot.n))
    found = problem.search(np.repeat(T[None], STARTS, axis=0), starts, tolerance, 0, seed, goal=goal)
    reached = np.flatnonzero(found.end == REACHED)
    q, endless = found.q[reached], problem.endless
    q[:, endless] -= 2 * np.pi * np.round((q[:, endless] - near[endless]) / (2 * np.pi))
    free = np.flatnonzero(~np.asarray(obstacles.collides(robot, q), bool)) if len(q) else np.zeros(0, int)
    spent = int(found.iterations.sum())
    if not len(free):
        return OtherSolution(None, np.zeros(6), 0.0, len(reached), spent)
    size = np.where(robot.prismatic, 1.0, robot.characteristic_length)
    best = int(free[np.linalg.norm((q[free] - near) * size, axis=1).argmin()])
    k = int(reached[best])
    return OtherSolution(q[best], found.twist[k], float(found.error[k]), len(reached), spent)


@dataclass(frozen=True, eq=False)
class IKResult(Frozen):
    """Result of `ik` for one target; for N targets every field has a leading dimension N.

    `q` `(n,)`: joint positions within the limits, rad or m. `success`: True if every coordinate of the task is met within the
    tolerance. `twist` `(6,)`: remaining motion of the frame to the target, translation in m before rotation vector in rad, world
    axes, zero outside the task. `error`: norm of `twist`, with 1 rad counted as 1 m. `iterations`: number of steps over all
    starts. `colliding`: True if the target is reached, but only in contact with the `cell`; `success` is False then.
    `reason`: the outcome in one line.
    """

    q: np.ndarray
    success: bool | np.ndarray
    error: float | np.ndarray
    iterations: int | np.ndarray
    twist: np.ndarray
    colliding: bool | np.ndarray
    _explain: Callable[[], str | tuple[str, ...]] = field(repr=False)

    @cached_property
    def reason(self) -> str | tuple[str, ...]:
        """Outcome: "reached", or the cause of failure, which is computed at the first access and takes some ms."""
        return self._explain()

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_explain": partial(_itself, self.reason)}  # how to look into it does not go along


def _itself(reason: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return reason


def ik(
    robot: Robot,
    X_target,
    q0=None,
    frame: str | None = None,
    task=None,
    seed: int = 0,
    *,
    goal: str | None = None,
    tolerance: float = 1e-6,
    restarts: int = 100,
    cell: Obstacles | None = None,
) -> IKResult:
    """Return joint positions at which a frame F reaches a target pose T, within the joint limits.

    Damped least squares from a start, with steps dq until the error e vanishes:

    dq = Aᵀ (A Aᵀ + μ 1)⁻¹ e  with  e = S (p_T − p_F, log(R_T R_Fᵀ)) on the task's rows, S = diag(1, 1, 1, L, L, L), A = −∂e/∂q,
    μ = λ |e|². p and R are positions and rotation matrices, L = `robot.characteristic_length`; λ is decreased after good steps
    and increased after others. A joint that would pass its limit in a step stops at the limit, and the other joints compensate.
    If the first start fails, random starts follow. The same arguments give the same result; with q0, the search descends from q0
    and normally ends at a solution near it.

    Args:
        X_target: pose(s) of F in the world `(4, 4)` or `(N, 4, 4)`.
        q0: start `(n,)` or `(N, n)`, rad or m, clamped to the limits; None: a random pose.
        frame: a name in `robot.frames`; None: the tool.
        task: subset of ("x", "y", "z", "rx", "ry", "rz"), the components of the error that must vanish, along the axes
            `robot.task_axes`: "world", "base", "arm" or "tool"; here "tool" means the axes of the target pose. ("x", "y", "z") is
            the position alone; without "rz", F may rotate about z. None: the task of the robot's file, or all six if it has none,
            even if the arm has fewer than six joints.
        seed: seed of the random starts.
        goal: use of redundant joints: "limits" (middle of the ranges) or "manipulability"; None: redundancy is not used.
        tolerance: largest error, m and rad.
        restarts: largest number of random starts after the first start; with 0 only the first is tried.
        cell: `Cell` of objects around the arm; if the solution found is in contact with an object, the floor or the arm itself,
            64 random starts search others, and the free one nearest to q0 is returned. None: contacts are not tested.

    Returns:
        An `IKResult`. If no start reaches the target, its q is the nearest pose found, the one with the smallest |e|, in which
        1 rad counts as L metres. If all solutions found are in contact, its q is the first of them and `colliding` is True.

    Raises:
        DimensionError, EngineError, UnknownFrameError.

    Source: Sugihara 2011, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method, IEEE T-RO 27(5).
    """
    problem = _problem(robot, frame, None if task is None else task_axes(task))
    T, single = target_poses(robot, X_target)
    if goal is not None and goal not in GOALS:
        raise EngineError(f"ik: unknown goal {goal!r}; valid: {', '.join(GOALS)}")
    if goal == "manipulability" and is_turned(robot, problem.rows):
        raise EngineError(f"ik: goal {goal!r} needs a task along the world axes, not along the {robot.task_axes} axes")
    if not (isinstance(tolerance, (int, float, np.number)) and 0 < tolerance < np.inf):
        raise EngineError(f"ik: tolerance must be a positive number, not {tolerance!r}")
    if not (isinstance(restarts, (int, np.integer)) and restarts >= 0 and isinstance(seed, (int, np.integer))):
        raise EngineError(f"ik: restarts and seed must be whole numbers, restarts not negative; got {restarts!r} and {seed!r}")
    q, single, T = _starts(robot, q0, T, single)
    given = q.copy()
    found = problem.search(T, q, tolerance, restarts, seed, from_q=q0 is not None, goal=GOALS.get(goal or "", 0))
    near = given if q0 is not None else np.zeros_like(given)
    q, success = _unwound(problem, found.q, near), found.end == REACHED
    contacts = (
        {} if cell is None else _without_contact(problem, cell, T, q, found, near, tolerance, seed, GOALS.get(goal or "", 0))
    )
    q, colliding = read_only(q), np.isin(np.arange(len(q)), list(contacts))
    twist = np.zeros((len(q), 6))
    if is_turned(robot, problem.rows):
        twist = found.twist
    else:
        twist[:, problem.rows] = found.twist[:, problem.rows]

    def reasons() -> tuple[str, ...]:
        return tuple(
            contacts.get(k, "reached")
            if success[k]
            else explain(problem, T[k], q[k], twist[k], int(found.end[k]), tolerance, restarts, seed)
            for k in range(len(q))
        )

    if single:
        return IKResult(
            q=q[0],
            success=bool(success[0] and not colliding[0]),
            error=float(found.error[0]),
            iterations=int(found.iterations[0]),
            twist=read_only(twist[0]),
            colliding=bool(colliding[0]),
            _explain=lambda: reasons()[0],
        )
    return IKResult(
        q=q,
        success=read_only(success & ~colliding, bool),
        error=read_only(found.error),
        iterations=read_only(found.iterations, np.int64),
        twist=read_only(twist),
        colliding=read_only(colliding, bool),
        _explain=reasons,
    )


def _without_contact(
    problem: Problem, cell: Obstacles, T, q: np.ndarray, found: Found, near: np.ndarray, tolerance: float, seed: int, goal: int
) -> dict[int, str]:
    """Replace solutions in contact in `q` and `found` by free ones; return the reason for each one that has none."""
    reached = np.flatnonzero(found.end == REACHED)
    hit = reached[np.asarray(cell.collides(problem.robot, q[reached]), bool)] if len(reached) else reached
    reasons: dict[int, str] = {}
    for k in map(int, hit):
        other = free_solution(problem, cell, T[k], near[k], tolerance, seed, goal)
        found.iterations[k] += other.iterations
        if other.q is not None:
            q[k], found.twist[k], found.error[k] = other.q, other.twist, other.error
            continue
        (pair,) = cell.contact_pairs(problem.robot, q[k][None])
        words = "the arm is in contact" if pair is None else f"{pair[0]} hits {pair[1]}"
        reasons[k] = f"reached only in contact: {words}, and so are the other solutions found ({other.found} of {STARTS} starts)"
    return reasons


@lru_cache(maxsize=32)
def _problem(robot: Robot, frame: str | None, task: tuple[str, ...] | None) -> Problem:
    return Problem.of(robot, frame, task)


def _starts(robot: Robot, q0, T: np.ndarray, single: bool) -> tuple[np.ndarray, bool, np.ndarray]:
    """A start `(N, n)` within the limits for each target; one target is repeated against many starts."""
    start = robot.configurations["home"] if q0 is None else q0
    (q,), one = batching.vectors(robot, q0=start)
    if not one and not single and len(q) != len(T):
        raise EngineError(f"{robot.name}: {len(q)} start poses q0 for {len(T)} targets; give one start pose, or one per target")
    N = max(len(q), len(T)) if len(q) and len(T) else 0
    q = np.minimum(np.maximum(q if len(q) == N else np.repeat(q, N, axis=0), robot.q_min), robot.q_max)
    return q, single and one, T if len(T) == N else np.repeat(T, N, axis=0)


def _unwound(problem: Problem, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """q with every joint that turns without limits brought within half a turn of `near`."""
    i = problem.endless
    if len(i):
        q[:, i] -= 2 * np.pi * np.round((q[:, i] - near[:, i]) / (2 * np.pi))
    return q


def path_ik(
    robot: Robot,
    X_target,
    q0=None,
    wish: tuple[str, ...] | None = None,
    task: tuple[str, ...] | None = None,
    restarts: int = 100,
) -> IKResult:
    """Return joints for one pose `(4, 4)` of the tool in all coordinates of `wish`, else in those of `task` only.

    The search for `task` starts from the pose that is nearest in all coordinates.

    Args:
        X_target: pose of the tool in the world.
        q0: start `(n,)`, rad or m; a random pose when None.
        wish: coordinates to be met if possible; `robot.task` when None.
        task: coordinates that must be met; `path_task(robot)` when None.
        restarts: as for `ik`.

    Raises:
        As `ik`.
    """
    wish, task = robot.task if wish is None else wish, path_task(robot) if task is None else task
    if wish == task:
        return ik(robot, X_target, q0=q0, task=task, restarts=restarts)
    near = ik(robot, X_target, q0=q0, task=wish, restarts=0)
    found = ik(robot, X_target, q0=q0, task=wish, restarts=restarts) if restarts and not near.success else near
    return found if found.success else ik(robot, X_target, q0=near.q, task=task, restarts=restarts)
