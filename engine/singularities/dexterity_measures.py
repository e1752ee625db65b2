"""Measures of dexterity for many configurations at once: manipulability and singular values of the task Jacobian."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.jit import INT, INTS, MAT, MODEL, OUT1, OUT2, REAL, kernel
from armature.engine.kinematics.chain_arm import chain_arm
from armature.engine.kinematics.pose_kernels import jacobian_columns
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task import is_turned, singular_rows, task_jacobian
from armature.engine.linear_algebra import signed_volume, singular_value_range, volume
from armature.engine.model.body_placement import frame_in_world, place_in_world
from armature.engine.model.robot import Robot
from armature.engine.rounding import cleared

QUANTITIES = {"manipulability": 0, "sigma_min": 1, "inverse_condition": 2, "determinant": 3}


def measure_batch(
    robot: Robot, q, quantity: str = "manipulability", frame: str | None = None, task=None
) -> tuple[np.ndarray, np.ndarray]:
    """A measure of the task Jacobian and the frame's position for each configuration.

    manipulability w = Π σ_i of the plain task Jacobian; sigma_min and inverse_condition σ_min/σ_max of the Jacobian whose
    rotational rows are scaled by the characteristic length, as in `singularity`; determinant of the plain task Jacobian, which
    must be square.

    Args:
        q: `(N, n)`, rad or m.
        quantity: one of `QUANTITIES`.

    Returns:
        values `(N,)` and points `(N, 3)` in m, world axes.

    Raises:
        DimensionError, EngineError, UnknownFrameError.
    """
    F, rows = robot.frame(frame), singular_rows(robot, task)
    part = chain_arm(robot, frame)
    if part is not None and part.robot is not robot:
        (q,), _ = batching.vectors(robot, q=q)
        return measure_batch(part.robot, q[:, part.joints], quantity, frame, task)
    check_quantity(robot, quantity, rows, frame)
    if robot.coupling is not None or is_turned(robot, rows):
        return _coupled(robot, q, quantity, frame, rows)
    (q,), _ = batching.states(robot, q=q)
    values, points = np.empty(len(q)), np.empty((len(q), 3))
    arguments = (robot.packed, q, F.body, F.X_BF, rows, robot.characteristic_length, QUANTITIES[quantity], values, points)
    batching.run(lambda lo, hi: _many.call(*arguments, lo, hi), len(q))
    return values, points


def check_quantity(robot: Robot, quantity: str, rows: np.ndarray, frame: str | None) -> None:
    """Raise EngineError for an unknown quantity, or for the determinant of a Jacobian that is not square."""
    if quantity not in QUANTITIES:
        raise EngineError(f"no quantity {quantity!r}; valid are {', '.join(QUANTITIES)}")
    columns = len(robot.moving_joints(robot.frame(frame)))
    if quantity == "determinant" and len(rows) != columns:
        raise EngineError(f"{robot.name}: a Jacobian of {len(rows)} rows and {columns} columns has no determinant")


def _coupled(robot: Robot, q, quantity: str, frame: str | None, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`measure_batch` of an arm with mimic joints, whose columns of J are sums, or for a task along other axes."""
    (q,), _ = batching.vectors(robot, q=q)
    plain = quantity in ("manipulability", "determinant")
    moving = list(robot.moving_joints(robot.frame(frame)))
    scale = np.where(rows >= 3, 1.0 if plain else robot.characteristic_length, 1.0)
    A = task_jacobian(robot, q, frame, rows)[..., moving] * scale[:, None]
    if quantity == "determinant":
        return np.linalg.det(A), frame_pose(robot, q, frame)[:, :3, 3]
    sigma = np.linalg.svd(A, compute_uv=False)
    if quantity == "manipulability":
        values = cleared(sigma, sigma[:, :1]).prod(axis=1)
    elif quantity == "sigma_min":
        values = cleared(sigma[:, -1], sigma[:, 0])
    else:
        values = cleared(sigma[:, -1], sigma[:, 0]) / np.where(sigma[:, 0] > 0, sigma[:, 0], 1.0)
    return values, frame_pose(robot, q, frame)[:, :3, 3]


def sigma_min_batch(robot: Robot, q) -> np.ndarray:
    """Smallest singular value `(N,)` of the scaled task Jacobian at the tool for q `(N, n)`, as in `singularity`."""
    return measure_batch(robot, q, "sigma_min")[0]


@kernel(MODEL, MAT, INT, MAT, INTS, REAL, INT, OUT1, OUT2, INT, INT)
def _many(P, q, body, X_BF, rows, length, quantity, values, points, lo, hi):
    n, m = P.shape[0] - 1, rows.size
    X, W, F, J = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((6, n))
    wide = m <= n
    A, B = np.empty((m, n) if wide else (n, m)), np.empty((max(m, n), max(m, n)))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, F)
        jacobian_columns(P, W, body, F[:3, 3], J)
        for c in range(3):
            points[k, c] = F[c, 3]
        for r in range(m):
            scale = length if 0 < quantity < 3 and rows[r] >= 3 else 1.0
            for c in range(n):
                if wide:
                    A[r, c] = scale * J[rows[r], c]
                else:
                    A[c, r] = scale * J[rows[r], c]
        if quantity == 0:
            values[k] = volume(A, A.shape[0])
        elif quantity == 3:
            values[k] = signed_volume(A, B)
        else:
            low, high = singular_value_range(A)
            values[k] = low if quantity == 1 else (low / high if high > 0.0 else 0.0)
