"""Torques that go with the motion of another joint, as where one motor turns both."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armature.engine.errors import listed
from armature.engine.identification.coupled_drives import drive_name
from armature.engine.identification.identification import Finding
from armature.engine.identification.motion import Motion
from armature.engine.identification.rows import Rows, averages
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.robot import Robot

_SHARE = 0.25  # of what a joint's own parameters leave of its torque goes with another joint's motion
_SURE = 100.0  # standard deviations²
_SIZE = 0.02  # of the joint's torque must be left for it to matter


def coupled_joints(motions: list[Motion], rows: Rows, unknowns: Unknowns) -> list[Finding]:
    """A sentence for every joint whose torque has a share that speed, acceleration and direction of one other joint explain, and
    that no parameter of bodies, rotors and friction does."""
    robot, found = unknowns.robot, dict[int, tuple[int, float]]()
    seen = [_motion_of_joint(motions, rows, k) for k in range(robot.n)]
    for j in range(robot.n):
        some = rows.share[:, j] > 0
        A, y = rows.A[some, j], rows.y[some, j]
        others = [k for k in range(robot.n) if k != j and not ((unknowns.drives[:, j] != 0) & (unknowns.drives[:, k] != 0)).any()]
        if len(y) <= 2 * A.shape[1] or not others:
            continue
        basis = _basis(A)
        left = y - basis @ (basis.T @ y)
        power = float(left @ left)
        if power < _SIZE**2 * float(y @ y):
            continue
        drops = {k: _explained(seen[k][some, j], basis, left) for k in others}
        k = max(drops, key=drops.__getitem__)
        if drops[k] > max(_SHARE * power, _SURE * power / (len(y) - A.shape[1])):
            found[j] = k, drops[k] / power
    return [_sentence(robot.joint_names, j, k, share) for j, (k, share) in found.items()]


def _motion_of_joint(motions: list[Motion], rows: Rows, k: int) -> np.ndarray:
    """Acceleration, speed and direction of joint k, averaged as the rows of each joint are, `(B, n, 3)`."""
    parts = []
    for motion, length in zip(motions, rows.lengths, strict=True):
        qd, qdd = np.nan_to_num(motion.qd[:, [k]]), np.nan_to_num(motion.qdd[:, [k]])
        wide = [np.repeat(values, motion.q.shape[1], axis=1) for values in (qdd, qd, np.sign(qd))]
        parts.append(np.stack([averages(motion, values, length) for values in wide], axis=2))
    return np.concatenate(parts)


def _basis(A: np.ndarray) -> np.ndarray:
    from scipy.linalg import qr

    scale = np.linalg.norm(A, axis=0)
    Q, R, _ = qr(A[:, scale > 0] / scale[scale > 0], mode="economic", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    return np.asarray(Q[:, diagonal > 1e-9 * diagonal.max(initial=0.0)])


def _explained(columns: np.ndarray, basis: np.ndarray, left: np.ndarray) -> float:
    """How much of the residuals² goes with these columns, beyond the basis."""
    columns = columns - basis @ (basis.T @ columns)
    made = columns @ np.linalg.lstsq(columns, left, rcond=None)[0]
    return float(made @ made)


def _sentence(names: tuple[str, ...], j: int, k: int, share: float) -> Finding:
    said = (
        f"{names[j]}: {100 * share:.2g} % of its squared residual torque depends on speed and acceleration of {names[k]}: one "
        f"motor may move both. Identify them as a coupled drive"
    )
    return Finding("coupling", names[j], None, said)


def drive_findings(robot: Robot, drives: np.ndarray, told: Mapping[str, float]) -> list[Finding]:
    """What was found of each drive; a robot's file has no such thing."""
    findings = []
    for ratios in drives:
        name, joints = drive_name(ratios), listed([robot.joint_names[j] for j in np.flatnonzero(ratios)])
        found = ", ".join(f"{kind} {told[key]:.3g}" for kind in ("Ia", "Fv", "Fc") if (key := f"{kind}({name})") in told)
        sentence = (
            f"{joints}: their common motor has {found}; a robot file cannot describe such a motor, so the identified arm omits it"
        )
        findings.append(Finding("coupling", "", None, sentence))
    return findings
