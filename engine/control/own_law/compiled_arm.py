"""The engine's functions for one state as compiled laws call them: the kernels that serve batches, with one row."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np

from armature.engine.control.own_law.arm_functions import task_weights
from armature.engine.dynamics.forward import forward_dynamics_many
from armature.engine.dynamics.friction import subtract_friction
from armature.engine.dynamics.mass_matrix import mass_matrix_many
from armature.engine.dynamics.newton_euler import rnea_many
from armature.engine.dynamics.regressor import regressor_many
from armature.engine.jit import Kernel
from armature.engine.kinematics.pose_kernels import frame_poses_many, jacobian_many
from armature.engine.model.robot import Robot

FIGURES = ("q_min", "q_max", "qd_max", "tau_max", "home", "tau_measured")
MEASURED = FIGURES.index("tau_measured")


class CompiledArm(NamedTuple):
    """The `arm` of a compiled law.

    P is the packed model, `body` and X_BF `(4, 4)` carry the tool, `figures` `(6, n)` has the rows of `FIGURES`, and `weights`
    `(6,)` those of the task.
    """

    n: int
    P: np.ndarray
    body: int
    X_BF: np.ndarray
    figures: np.ndarray
    weights: np.ndarray


def compiled_arm(robot: Robot) -> CompiledArm:
    """The arm as a compiled law receives it; `figures` is its own, to write measured torques into."""
    tool, home = robot.tool_frame, robot.configurations["home"]
    figures = np.array([robot.q_min, robot.q_max, robot.qd_max, robot.tau_max, home, np.zeros(robot.n)])
    return CompiledArm(robot.n, robot.packed, tool.body, tool.X_BF, figures, task_weights(robot))


def serves(robot: Robot) -> bool:
    """True where these functions accept the arm: no mimic joints, and masses."""
    return robot.coupling is None and robot.has_dynamics


@cache
def compiled_functions() -> dict[str, Callable[..., Any]]:
    """By name, with the `CompiledArm` as first argument; ValueError for vectors that the engine's functions refuse."""
    rnea, mass_matrix, forward_dynamics, jacobian, pose, regressor = (
        _compiled(kernel)
        for kernel in (rnea_many, mass_matrix_many, forward_dynamics_many, jacobian_many, frame_poses_many, regressor_many)
    )

    @numba.njit
    def row(arm, vector):
        if vector.shape != (arm.n,):
            raise ValueError("expected one number per joint")
        out = np.empty((1, arm.n))
        for i in range(arm.n):
            if not np.isfinite(vector[i]):
                raise ValueError("expected finite numbers")
            out[0, i] = vector[i]
        return out

    def arm_rnea(arm, q, qd, qdd):
        out = np.empty((1, arm.n))
        rnea(arm.P, row(arm, q), row(arm, qd), row(arm, qdd), out, 0, 1)
        return out[0]

    def arm_gravity(arm, q):
        out, still = np.empty((1, arm.n)), np.zeros((1, arm.n))
        rnea(arm.P, row(arm, q), still, still, out, 0, 1)
        return out[0]

    def arm_mass_matrix(arm, q):
        out = np.empty((1, arm.n, arm.n))
        mass_matrix(arm.P, row(arm, q), out, 0, 1)
        return out[0]

    def arm_forward_dynamics(arm, q, qd, tau):
        out = np.empty((1, arm.n))
        if forward_dynamics(arm.P, row(arm, q), row(arm, qd), row(arm, tau), np.empty((0, 0, 0)), out, 0, 1) >= 0:
            raise ValueError("the mass matrix is singular")
        return out[0]

    def arm_jacobian(arm, q):
        out = np.empty((1, 6, arm.n))
        jacobian(arm.P, row(arm, q), arm.body, arm.X_BF, out, 0, 1)
        return out[0]

    def arm_pose(arm, q):
        out = np.empty((1, 4, 4))
        pose(arm.P, row(arm, q), arm.body, arm.X_BF, out, 0, 1)
        return out[0]

    def arm_regressor(arm, q, qd, qdd):
        out = np.empty((1, arm.n, 10 * arm.n))
        regressor(arm.P, row(arm, q), row(arm, qd), row(arm, qdd), out, 0, 1)
        return out[0]

    def arm_friction(arm, qd):
        out, still = np.empty(arm.n), np.zeros(arm.n)
        subtract_friction(arm.P, row(arm, qd)[0], still, out)
        return -out

    made = (arm_friction, arm_rnea, arm_gravity, arm_mass_matrix, arm_forward_dynamics, arm_jacobian, arm_pose, arm_regressor)
    return {function.__name__.removeprefix("arm_"): numba.njit(function) for function in made}


def _compiled(kernel: Kernel) -> Callable[..., Any]:
    """The function of a kernel as numba calls it from compiled code, its machine code loaded or made."""
    kernel.compile()
    return kernel.dispatcher
