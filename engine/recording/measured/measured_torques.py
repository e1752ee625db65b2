"""`torque_residuals`: measured torques of a recording compared with the torques of the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.errors import RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

_ALIKE = 0.5  # correlation of current and torque below which no constant is fitted


def model_torque(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """Torque of the motors `(N, n)` by the model, friction included; NaN where the motion is not known, 0 without masses."""
    tau = np.full_like(q, np.nan)
    known = np.isfinite(q).all(axis=1) & np.isfinite(qd).all(axis=1) & np.isfinite(qdd).all(axis=1)
    if not robot.has_dynamics:
        tau[known] = 0.0
    elif known.any():
        tau[known] = rnea(robot, q[known], qd[known], qdd[known]) + friction_torque(robot, qd[known])
    return tau


def fitted_constants(current: np.ndarray, model: np.ndarray) -> np.ndarray:
    """Fit torque constants `(n,)` to currents and model torques `(N, n)`; NaN where they are not correlated.

    k = Σ τ² / Σ i τ

    This is the inverse of the slope of the current over the torque: the noise is in the current, and would bias the slope of the
    torque over the current towards zero. Without correlation, or with a negative one, the constant is undefined.
    """
    both = np.isfinite(current) & np.isfinite(model)
    i, tau = np.where(both, current, 0.0), np.where(both, model, 0.0)
    product, square = (i * tau).sum(axis=0), (tau * tau).sum(axis=0)
    correlated = product > _ALIKE * np.sqrt((i * i).sum(axis=0) * square)
    return np.where(correlated, square / np.where(correlated, product, 1.0), np.nan)


def missing_constants_reason(robot: Robot, unfitted: np.ndarray) -> str:
    """Why the joints that are `untold` `(n,)` have no constant."""
    names = [name for name, one in zip(robot.joint_names, unfitted, strict=True) if one]
    if not robot.has_dynamics:
        return f"{robot.name} has no masses to fit torque constants; give the constants"
    one = len(names) == 1
    return f"the torques of {', '.join(names)} are too small to fit {'its constant' if one else 'their constants'}"


@dataclass(frozen=True, eq=False)
class TorqueResiduals(Frozen):
    """Measured torques of a recording, torques of the model, and their differences, as `torque_residuals` returns them.

    `t` `(N,)`: s. `measured` and `model` `(N, n)`: N·m or N, NaN where they are not known; `residual` is measured − model. Per
    joint `(n,)`, NaN without a measurement: `rms` and `mean` of the residual and its `largest` absolute value, N·m or N; `at`,
    the time of the largest value in s; `measured_rms`, the RMS of the measured torque, N·m or N. `remarks`: a message if the
    recording is of another robot.
    """

    joint_names: tuple[str, ...]
    t: np.ndarray
    measured: np.ndarray
    model: np.ndarray
    rms: np.ndarray
    mean: np.ndarray
    largest: np.ndarray
    at: np.ndarray
    measured_rms: np.ndarray
    remarks: tuple[str, ...] = ()

    @property
    def residual(self) -> np.ndarray:
        """Difference `measured` − `model`, `(N, n)`, N·m or N."""
        return self.measured - self.model


def torque_residuals(recording: Recording, robot: Robot) -> TorqueResiduals:
    """Compare the torques of a recording with the model torques for the same motion, per joint.

    residual = measured − model,  model = M(q) qdd + C(q, qd) qd + g(q) + friction

    Args:
        recording: a recording of `robot`. In an imported log, only joints with measured torques are compared.
        robot: the arm, including its payload (`Robot.with_payload`).

    Returns:
        `TorqueResiduals`, N·m or N, at the times of the recording.

    Raises:
        RecordingError: the recording has another number of joints than the robot, or no measured torques. MissingDynamicsError.
    """
    require_dynamics(robot)
    if len(recording.joint_names) != robot.n:
        raise RecordingError(f"the recording has {len(recording.joint_names)} joints, {robot.name} has {robot.n}")
    names = measured_joints(recording)
    if not names:
        raise RecordingError("no torque was measured; the recorded torques are computed from the model")
    model = model_torque(robot, recording.q, recording.qd, recording.qdd)
    measured = np.where([name in names for name in recording.joint_names], recording.tau, np.nan)
    off = measured - model
    known = np.isfinite(off)
    count = np.maximum(known.sum(axis=0), 1)
    some = known.any(axis=0)
    zeroed = np.where(known, off, 0.0)
    worst = np.abs(zeroed).argmax(axis=0)

    other = recording.robot_name not in ("", robot.name)

    def per_joint(values: np.ndarray) -> np.ndarray:
        return np.where(some, values, np.nan)

    return TorqueResiduals(
        recording.joint_names,
        recording.t,
        measured,
        model,
        rms=per_joint(np.sqrt((zeroed**2).sum(axis=0) / count)),
        mean=per_joint(zeroed.sum(axis=0) / count),
        largest=per_joint(np.abs(zeroed).max(axis=0)),
        at=per_joint(recording.t[worst]),
        measured_rms=per_joint(np.sqrt((np.where(known, measured, 0.0) ** 2).sum(axis=0) / count)),
        remarks=(f"the recording belongs to {recording.robot_name}, the model to {robot.name}",) if other else (),
    )


def measured_joints(recording: Recording) -> tuple[str, ...]:
    """The joints whose torque was measured; all of them where a recording is no imported log."""
    taken = recording.metadata.get(IMPORTED)
    if not isinstance(taken, dict):
        return recording.joint_names
    measured = taken.get("measured")
    names = measured.get("tau", []) if isinstance(measured, dict) else []
    return tuple(name for name in recording.joint_names if name in names)
