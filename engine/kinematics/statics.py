"""Statics: joint torques and the tool wrench they balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine import batching
from armature.engine.errors import DimensionError
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.task import RANK_TOLERANCE, row_scale
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class StaticWrench(Frozen):
    """Tool wrench that balances joint torques at rest, and the torques that no wrench balances.

    `wrench` `(…, 6)`: force in N before moment in N·m, world axes, at the frame's origin, exerted by the arm on its surroundings.
    If several wrenches need the same torque, it is the smallest one, with moments divided by `robot.characteristic_length`.
    `unbalanced` `(…, n)`: the part of the joint torques that no tool wrench balances, N·m or N; it accelerates the arm.
    `borne` `(…, 6, 6)`: projector onto the wrenches that need no torque because the structure carries them: `wrench + borne @ x`
    needs the same torque for any x. `rank` `(…)`: number of independent wrenches that joint torques can balance.
    """

    wrench: np.ndarray
    unbalanced: np.ndarray
    borne: np.ndarray
    rank: np.ndarray


def statics_torque(robot: Robot, q, wrench, frame: str | None = None) -> np.ndarray:
    """Return the joint torques at rest for a wrench that the arm exerts on its surroundings, without gravity.

    tau = J(q)ᵀ w;  J is the `jacobian` of the frame, w the wrench. Add `gravity_torque(robot, q)` for the total motor torque.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        wrench: `(6,)` or `(N, 6)`, force in N before moment in N·m on the surroundings, world axes, at the frame's origin.
        frame: a name in `robot.frames`; None: the tool.

    Returns:
        `(n,)` or `(N, n)`, N·m or N.

    Raises:
        DimensionError, UnknownFrameError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, equation 3.111.
    """
    (q,), single = batching.vectors(robot, q=q)
    w = batching.floats(robot, "wrench", wrench)
    if w.ndim not in (1, 2) or w.shape[-1] != 6 or (w.ndim == 2 and not single and len(w) != len(q)):
        expected = "(6,) or (N, 6)" if single else f"(6,) or ({len(q)}, 6)"
        raise DimensionError(f"{robot.name}: wrench has shape {w.shape}; expected {expected}, force before moment")
    tau = np.einsum("...ij,...i->...j", jacobian(robot, q, frame), w)
    return tau[0] if single and w.ndim == 1 else tau


def statics_wrench(robot: Robot, q, tau, frame: str | None = None) -> StaticWrench:
    """Return the wrench on the surroundings that balances joint torques at rest, without gravity.

    w = least-norm solution of min ‖J(q)ᵀ w − tau‖,  unbalanced = tau − Jᵀ w,  borne = projector onto the kernel of Jᵀ

    J is the `jacobian` of the frame. In both norms, moments on the tool and torques of revolute joints are divided by
    `robot.characteristic_length`, so that all entries are in N.

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.
        tau: joint torques in addition to those against gravity, `(n,)` or `(N, n)`, N·m or N.
        frame: a name in `robot.frames`; None: the tool.

    Returns:
        A `StaticWrench`, with the leading dimension of q and tau.

    Raises:
        DimensionError, UnknownFrameError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 3.9.
    """
    (q, tau), single = batching.vectors(robot, q=q, tau=tau)
    J = jacobian(robot, q, frame)
    rows, columns = row_scale(robot, np.arange(6)), np.where(robot.prismatic, 1.0, 1 / robot.characteristic_length)
    # J' = rows J columns has no unit; w' = w / rows and tau' = columns tau are forces
    U, sigma, Vt = np.linalg.svd(rows[:, None] * J * columns, full_matrices=False)
    kept = sigma > RANK_TOLERANCE * np.maximum(sigma[:, :1], np.finfo(float).tiny)
    inverse = np.where(kept, 1 / np.where(kept, sigma, 1.0), 0.0)
    w = np.einsum("kij,kj,kjm,km->ki", U, inverse, Vt, columns * tau) * rows
    made = np.einsum("kij,kj,klj->kil", U, kept, U)
    borne = (np.eye(6) - made) * rows[:, None] / rows
    fields = [w, tau - np.einsum("kij,ki->kj", J, w), borne, kept.sum(axis=1)]
    return StaticWrench(*(read_only(x[0] if single else x, x.dtype) for x in fields))
