"""Pinocchio and MuJoCo models of an arm, for tests and benchmarks, where both are always installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from armature.engine.checks.peer_checks import depth_first_order, to_mujoco, to_pinocchio

__all__ = ["depth_first_order", "mujoco_mass_matrix", "mujoco_rnea", "to_mujoco", "to_pinocchio"]


def mujoco_mass_matrix(model: Any, data: Any, q) -> np.ndarray:
    """M(q) `(n, n)`, rotor inertia included."""
    mujoco = import_module("mujoco")
    data.qpos[:], data.qvel[:] = q, 0
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return M


def mujoco_rnea(model: Any, data: Any, q, qd, qdd) -> np.ndarray:
    """Inverse dynamics tau `(n,)` = M qdd + bias, the rotor inertia included (which `mj_rne` alone leaves out)."""
    mujoco = import_module("mujoco")
    data.qpos[:], data.qvel[:] = q, qd
    mujoco.mj_forward(model, data)
    tau = np.zeros(model.nv)
    data.qacc[:] = qdd
    mujoco.mj_rne(model, data, 1, tau)
    return tau + model.dof_armature * qdd
