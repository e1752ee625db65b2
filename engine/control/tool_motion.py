"""Pose, Jacobian and errors of the tool, for control laws."""

from __future__ import annotations

import numpy as np

from armature.engine.control.controller import BODY, FRAME, SETUP, TASK_WEIGHTS
from armature.engine.dynamics.coupled import DRIVER, MULTIPLIER
from armature.engine.dynamics.pulling_spring import AXIS, POINT, VELOCITY
from armature.engine.errors import EngineError
from armature.engine.jit import routine
from armature.engine.kinematics.search.search_attempt import rotation_between
from armature.engine.kinematics.task import is_turned, row_scale, task_rows
from armature.engine.linear_algebra import factor, gram
from armature.engine.model.packed_model import PARENT
from armature.engine.model.robot import Robot


def pack_tool(C: np.ndarray, robot: Robot) -> None:
    """Write the frame of the tool and the weights of its task into a packed controller. Raises EngineError."""
    tool = robot.frame()
    if tool.body < 0:
        raise EngineError(f"{robot.name}: its tool {robot.tool!r} does not move and cannot be controlled")
    C[SETUP, BODY] = tool.body
    C[FRAME, :9], C[FRAME, 9:12] = tool.X_BF[:3, :3].ravel(), tool.X_BF[:3, 3]
    rows = task_rows(robot)
    rows = np.arange(6) if is_turned(robot, rows) else rows
    C[TASK_WEIGHTS, rows] = row_scale(robot, rows)


@routine
def _tool_pose(C, Z, F):
    """Store rotation and position of the tool in F `(3, 4)`."""
    b = int(C[SETUP, BODY])
    for r in range(3):
        for c in range(3):
            F[r, c] = 0.0
            for k in range(3):
                F[r, c] += Z[b, 3 * r + k] * C[FRAME, 3 * k + c]
        F[r, 3] = Z[b, POINT + r]
        for k in range(3):
            F[r, 3] += Z[b, 3 * r + k] * C[FRAME, 9 + k]


@routine
def tool_jacobian(C, P, Z, F, J):
    """Jacobian J `(6, n)` of the tool from the joint axes in Z:  (s + t × p, t) for each joint between base and tool."""
    n = J.shape[1]
    first = 0 if P.shape[0] == n + 1 else n
    J[:, :] = 0.0
    px, py, pz = F[0, 3], F[1, 3], F[2, 3]
    b = int(C[SETUP, BODY])
    while b >= 0:
        i, m = b, 1.0
        if first > 0:
            i, m = int(P[first + b, DRIVER]), P[first + b, MULTIPLIER]
        tx, ty, tz = Z[b, AXIS + 3], Z[b, AXIS + 4], Z[b, AXIS + 5]
        J[0, i] += m * (Z[b, AXIS] + ty * pz - tz * py)
        J[1, i] += m * (Z[b, AXIS + 1] + tz * px - tx * pz)
        J[2, i] += m * (Z[b, AXIS + 2] + tx * py - ty * px)
        J[3, i] += m * tx
        J[4, i] += m * ty
        J[5, i] += m * tz
        b = int(P[first + b, PARENT])


@routine
def tool_error(C, Z, Z_d, F, e, twist):
    """Tool pose F `(3, 4)`; error e `(6,)` from the tool to its desired pose, and the desired `twist` `(6,)`, world axes."""
    F_d = np.empty((3, 4))
    _tool_pose(C, Z, F)
    _tool_pose(C, Z_d, F_d)
    rotation_between(F, F_d, e)
    b = int(C[SETUP, BODY])
    px, py, pz = F_d[0, 3], F_d[1, 3], F_d[2, 3]
    wx, wy, wz = Z_d[b, VELOCITY + 3], Z_d[b, VELOCITY + 4], Z_d[b, VELOCITY + 5]
    twist[0] = Z_d[b, VELOCITY] + wy * pz - wz * py
    twist[1] = Z_d[b, VELOCITY + 1] + wz * px - wx * pz
    twist[2] = Z_d[b, VELOCITY + 2] + wx * py - wy * px
    twist[3], twist[4], twist[5] = wx, wy, wz
    for r in range(3):
        e[r] = F_d[r, 3] - F[r, 3]


@routine
def damped_square(J, damping):
    """Factored matrix J Jᵀ + λ² 1 `(6, 6)`."""
    G = np.empty((6, 6))
    gram(J, None, damping * damping, G)
    factor(G)
    return G
