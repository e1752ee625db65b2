"""Operational-space inertia: the mass that the tool has when it is pushed."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.forward import no_inertia
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.jit import INT, OUT3, kernel
from armature.engine.kinematics.task import RANK_TOLERANCE, row_scale, task_jacobian, task_rows
from armature.engine.linear_algebra import factor, solve_lower
from armature.engine.model.robot import Robot


def operational_inertia(robot: Robot, q, frame: str | None = None, task=None) -> np.ndarray:
    """Return the operational-space inertia Λ(q) of a frame: w = Λ a from rest, for the task's rows of force w and acceleration a.

    Λ = (J M⁻¹ Jᵀ)⁻¹ = V Σ⁻² Vᵀ  with  G⁻¹ Jᵀ = U Σ Vᵀ,  M = G Gᵀ

    J is the Jacobian of the task, M the mass matrix, and G its Cholesky factor. J M⁻¹ Jᵀ is never formed, so that nearly singular
    poses lose no more digits than their condition number costs. In a direction that is lost at a singular pose, no force moves
    the tool and the inertia is infinite; Λ is then the pseudo-inverse, with 0 in these directions. Lengths and angles are
    compared through `robot.characteristic_length`. `singularity(robot, q, frame, task).lost_twist` is such a direction.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        frame: a name in `robot.frames`; None: the tool.
        task: subset of ("x", "y", "z", "rx", "ry", "rz"), at the frame's origin along the axes `robot.task_axes`; None: the task
            of the robot.

    Returns:
        `(m, m)` or `(N, m, m)` for the m coordinates of the task, symmetric; kg, kg·m and kg·m²; rows in the order x, y, z, rx,
        ry, rz.

    Raises:
        DimensionError, EngineError, MissingDynamicsError, SingularMassMatrixError (names the joint), UnknownFrameError.

    Source: Khatib, A unified approach for motion and force control of robot manipulators, 1987.
    """
    batching.require_dynamics(robot)
    (q,), single = batching.vectors(robot, q=q)
    rows = task_rows(robot, task)
    scale = row_scale(robot, rows)
    Y = np.ascontiguousarray(np.swapaxes(task_jacobian(robot, q, frame, rows) * scale[:, None], 1, 2))
    M = mass_matrix(robot, q)
    failures: list[int] = []
    batching.run(lambda lo, hi: failures.append(_whiten.call(M, Y, lo, hi)), len(q))
    bad = [code for code in failures if code >= 0]
    if bad:
        raise no_inertia(robot, q[min(bad) // robot.n], min(bad) % robot.n)
    _, sigma, Vt = np.linalg.svd(Y, full_matrices=False)
    kept = sigma > RANK_TOLERANCE * np.maximum(sigma[:, :1], np.finfo(float).tiny)
    half = Vt * (np.where(kept, 1 / np.where(kept, sigma, 1.0), 0.0))[:, :, None] * scale
    inertia = np.swapaxes(half, 1, 2) @ half
    return inertia[0] if single else inertia


@kernel(OUT3, OUT3, INT, INT)
def _whiten(M, Y, lo, hi):
    """Y `(N, n, m)` ← L⁻¹ Y with M = L Lᵀ, factored in place; -1, or n·k + j for joint j of the first state k without inertia."""
    for k in range(lo, hi):
        bad = factor(M[k])
        if bad >= 0:
            return k * M.shape[1] + bad
        solve_lower(M[k], Y[k])
    return -1
