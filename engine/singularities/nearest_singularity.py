"""The singular configuration nearest to a pose, and the metric of the joint space in which it is nearest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np

from armature.engine import batching
from armature.engine.kinematics.chain_arm import ChainArm, chain_arm, world_axes_arm
from armature.engine.kinematics.task import singular_rows
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import Matrix, Vector, read_only
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.singularities.singular_problem import SingularityProblem

_FARTHEST = np.pi  # rad: beyond half a turn every revolute joint is nearer the other way round


@dataclass(frozen=True, eq=False)
class NearestSingularity(Frozen):
    """Singular pose `q` `(n,)`, rad or m, and its `distance` in rad from the start of the search; 0 if the start is singular.

    distance² = Σ Δq_i² over revolute joints + Σ (Δq_i / L)² over prismatic joints, with the change Δq of the joint positions and
    L = `robot.characteristic_length` in m.
    """

    q: np.ndarray
    distance: float


@overload
def nearest_singularity(robot: Robot, q: Vector, frame: str | None = None, task=None) -> NearestSingularity | None: ...
@overload
def nearest_singularity(
    robot: Robot, q: Matrix, frame: str | None = None, task=None
) -> tuple[NearestSingularity | None, ...]: ...
def nearest_singularity(
    robot: Robot, q, frame: str | None = None, task=None
) -> NearestSingularity | tuple[NearestSingularity | None, ...] | None:
    """Return the singular configuration nearest to q in joint space, within the joint limits.

    min |q* − q|_Q with C(q*) x = 0, |x| = 1: q* is the singular configuration and x the lost direction; C = Aᵀ of the scaled task
    Jacobian A = S J of `singularity`, or A if that has more rows than columns; Q weights a radian with 1 and a metre of a
    prismatic joint with 1/L, L = `robot.characteristic_length`. Lagrange–Newton with exact second derivatives, started along all
    singular directions and from every singular pose met by rays in the planes of two joints.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; None: the tool.
        task: as for `singularity`.

    Returns:
        A `NearestSingularity`; for N poses a tuple of N. None where no singular pose lies within the joint limits at a distance
        |q* − q|_Q of at most π.

    Raises:
        DimensionError, EngineError (also if a mimic joint moves the frame), UnknownFrameError.
    """
    part = chain_arm(robot, frame)
    if part is not None and part.robot is not robot:
        return _of_chain(robot, part, q, frame, task)
    (batch,), single = batching.states(robot, q=q)
    if (other := world_axes_arm(robot, frame, singular_rows(robot, task))) is not None:
        there = nearest_singularity(other.robot, other.pose(batch), None, [TASK_AXES[row] for row in other.rows])
        here = tuple(
            near and NearestSingularity(read_only(other.pose_of_other(near.q, pose)), near.distance)
            for pose, near in zip(batch, there, strict=True)
        )
        return here[0] if single else here
    from armature.engine.singularities.singular_search import nearest_many  # numba: not while a window opens

    best, distance = np.empty_like(batch), np.empty(len(batch))
    problem = SingularityProblem.of(robot, frame, task)
    arm, deciding = problem.arm(robot.q_min, robot.q_max), problem.deciding()
    batching.run(lambda lo, hi: nearest_many.call(arm, batch, deciding, _FARTHEST, best, distance, lo, hi), len(batch), 2)
    found = tuple(
        NearestSingularity(read_only(x), float(d)) if np.isfinite(d) else None for x, d in zip(best, distance, strict=True)
    )
    return found[0] if single else found


def _of_chain(robot: Robot, part: ChainArm, q, frame: str | None, task):
    """`nearest_singularity` of the joints between base and frame, with the others at q."""
    (batch,), single = batching.vectors(robot, q=q)
    poses = zip(batch, nearest_singularity(part.robot, batch[:, part.joints], frame, task), strict=True)
    found = tuple(near and NearestSingularity(read_only(part.within(pose, near.q)), near.distance) for pose, near in poses)
    return found[0] if single else found


def singular_near(robot: Robot, q: np.ndarray, frame: str | None, rows: np.ndarray, k: int) -> NearestSingularity | None:
    """Singular pose found by Newton steps along the k-th lowest singular value at q `(n,)`, without limits; or None."""
    from armature.engine.singularities.singular_search import restore_many  # numba: not while a window opens

    other = world_axes_arm(robot, frame, rows)
    problem = SingularityProblem(robot, frame, rows) if other is None else SingularityProblem(other.robot, None, other.rows)
    start = np.ascontiguousarray(q if other is None else other.pose(q))[None]
    out, reached, free = np.empty_like(start), np.empty(1), np.full(start.shape[1], np.inf)
    if other is not None:
        free[list(other.locked)] = 0.0
    restore_many.call(problem.arm(-free, free), start, k, out, reached, 0, 1)
    if not np.isfinite(reached[0]):
        return None
    there = out[0] if other is None else other.pose_of_other(out[0], q)
    return NearestSingularity(read_only(there), float(reached[0]))
