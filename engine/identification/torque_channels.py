"""Detection of torque channels that do not fit the others: wrong sign, gear ratio or unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.identification.identification import Finding
from armature.engine.identification.least_squares import Solution
from armature.engine.identification.rows import Rows
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

_COUPLED = 4.0  # least coupling of a channel to the others, over its noise
_BETTER = 0.3  # least part of the excess squared residuals explained by a factor
_UNFIT = 1.05  # squared residuals over the expected ones of noise that indicate a fault
_SURE = 100.0  # standard deviations²
_FACTOR = 1.3  # smaller errors of a gear ratio are not reported
_TURNED = 2.5  # a wrong sign is reported up to this factor
_DRIVES, _DRIVEN = 10.0, 0.1  # driving power of friction: standard deviations, and share of all power
_OVERALL = 5.0  # accepted factor of all channels together
_ALIKE, _VERY_ALIKE = 0.5, 0.8  # least correlations with the file's torques
_FILE_AGREES = 1.5  # a factor is accepted if it is as near to the file's
_BY_FILE = 3.0  # accepted factor of a channel that no other joint determines


@dataclass(frozen=True, eq=False)
class Fit(Frozen):
    """Equations whitened by the noise `(n,)` of each joint: `Q` `(B n, m)` is a basis, `joint` `(B n,)` each row's joint,
    `rows` the number of used rows.
    """

    Q: np.ndarray
    joint: np.ndarray
    noise: np.ndarray
    rows: int

    @property
    def freedom(self) -> int:
        """Degrees of freedom: the expected squared residual of pure noise."""
        return max(self.rows - self.Q.shape[1], 1)

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Return the part of torques `(B, n)` that no parameters explain, `(B n,)` in units of noise."""
        flat = (y / self.noise).ravel()
        return flat - self.Q @ (self.Q.T @ flat)


def fit_of(rows: Rows, floor: np.ndarray) -> Fit:
    """Whiten the equations with each joint's own noise, at least `floor` `(n,)`, N·m or N."""
    B, n, m = rows.A.shape
    noise = np.empty(n)
    for k in range(n):
        some = rows.share[:, k] > 0
        if some.sum() <= 2 * m:
            noise[k] = np.sqrt((rows.y[:, k] ** 2).mean() + floor[k] ** 2)
            continue
        A, y = rows.A[some, k], rows.y[some, k]
        scale = np.linalg.norm(A, axis=0)
        basis, rank = _span(A[:, scale > 0] / scale[scale > 0])
        noise[k] = max(float(np.linalg.norm(y - basis @ (basis.T @ y))) / np.sqrt(some.sum() - rank), floor[k])
    stack = (rows.A / noise[:, None]).reshape(B * n, m)
    scale = np.linalg.norm(stack, axis=0)
    Q, _ = _span(stack[:, scale > 0] / scale[scale > 0])
    return Fit(Q, np.tile(np.arange(n), B), noise, int((rows.share > 0).sum()))


def _span(A: np.ndarray) -> tuple[np.ndarray, int]:
    """Return an orthonormal basis of the columns, and their rank."""
    from scipy.linalg import qr

    Q, R, _ = qr(A, mode="economic", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    rank = int((diagonal > 1e-9 * diagonal.max(initial=0.0)).sum())
    return Q[:, :rank], rank


def channel_findings(rows: Rows, fit: Fit, robot: Robot, measured: np.ndarray, model: np.ndarray) -> list[Finding]:
    """Return findings about whole torque channels.

    Each channel tau_j is compared with the others: with a column tau_j in its rows, A x + a tau_j = y, it fits as (1 − a) tau_j.
    `measured` and `model` `(B, n)` are all torques and the torques of the file; a channel that agrees with the file is correct.
    """
    overall = float(_towards((measured / fit.noise).ravel()[:, None], (model / fit.noise).ravel()[:, None], _ALIKE)[0])
    overall = 1.0 if np.isnan(overall) else overall
    if overall < 0.0 or not 1 / _OVERALL < overall < _OVERALL:
        return [_whole(overall)]
    files = _towards(measured, model, _ALIKE)
    y, torque, factors = rows.y.copy(), measured.copy(), np.ones(robot.n)
    for _ in range(robot.n):
        worst = _worst(y, torque, fit, files / factors)
        if worst is None:
            break
        joint, factor = worst
        factors[joint] *= factor
        y[:, joint] += (factor - 1.0) * torque[:, joint]
        torque[:, joint] *= factor
    findings = [_channel(robot.joint_names[k], float(factors[k])) for k in np.flatnonzero(factors != 1.0)]
    files = _towards(measured, model, _VERY_ALIKE)
    far = (files < 0.0) | (files > _BY_FILE) | (files < 1 / _BY_FILE)
    return findings + [_by_file(robot.joint_names[k], float(files[k])) for k in np.flatnonzero(far & (factors == 1.0))]


def scale_sentences(fit: Fit, measured: np.ndarray, robot: Robot) -> list[str]:
    """Report each joint whose torque scale `(B, n)` the other joints do not determine."""
    sentences = []
    for k, name in enumerate(robot.joint_names):
        alone = np.zeros_like(measured)
        alone[:, k] = measured[:, k]
        bound = fit.residual(alone)
        if float(bound @ bound) < _COUPLED * (fit.joint == k).sum():
            said = "the scale of its torque is poorly determined: a gear ratio or motor constant wrong by less than"
            sentences.append(f"{name}: {said} a factor of {_BY_FILE:g} would look the same as a change of friction and inertia")
    return sentences


def _worst(y: np.ndarray, torque: np.ndarray, fit: Fit, files: np.ndarray) -> tuple[int, float] | None:
    """Return the channel whose correction explains most of the residual, and the factor; None if none explains much."""
    residual = fit.residual(y)
    total = float(residual @ residual)
    if total < _UNFIT * fit.freedom:
        return None
    usual = float(np.nanmedian(files)) if np.isfinite(files).any() else 1.0  # the whole arm may be heavier than in its file
    best, found = max(_BETTER * (total - fit.freedom), _SURE), None
    for k in range(y.shape[1]):
        alone = np.zeros_like(y)
        alone[:, k] = torque[:, k]
        bound = fit.residual(alone)
        size = float(bound @ bound)
        if size < _COUPLED * (fit.joint == k).sum():
            continue
        a = float(bound @ residual) / size
        drop, factor = a * a * size, 1.0 - a
        unlike_file = not 1 / _FILE_AGREES < files[k] / factor / usual < _FILE_AGREES
        if drop > best and (factor < 0.0 or not 1 / _FACTOR < factor < _FACTOR) and not (unlike_file and np.isfinite(files[k])):
            best, found = drop, (k, factor)
    return found


def _towards(y: np.ndarray, model: np.ndarray, alike: float) -> np.ndarray:
    """Return the factors `(k,)` that fit columns `(B, k)` to the model's; NaN for weakly correlated columns."""
    product, square = (y * model).sum(axis=0), (model**2).sum(axis=0)
    sizes = np.sqrt((y**2).sum(axis=0) * square)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(product) > alike * sizes, square / product, np.nan)


def _whole(factor: float) -> Finding:
    """Return the finding for torques of all joints that differ from the model's by the same factor."""
    if factor < 0.0:
        return Finding("sign", "", None, "all joints: the torques have the opposite sign of the file's model")
    said = f"all joints: the torques are {1 / factor:.3g} times the torques of the file's model: check their unit"
    return Finding("gear", "", None, said)


def _by_file(name: str, factor: float) -> Finding:
    if factor < 0.0:
        said = f"{name}: its torque has the wrong sign ({1 / factor:.3g} times the file's model)"
        return Finding("sign", name, None, said)
    said = f"{name}: its torque is {1 / factor:.3g} times that of the file's model: check gear ratio, motor constant or unit"
    return Finding("gear", name, None, said)


def _channel(name: str, factor: float) -> Finding:
    if factor < 0.0 and 1 / _TURNED < -factor < _TURNED:
        return Finding(
            "sign",
            name,
            None,
            f"{name}: its torque has the wrong sign ({factor:.3g} times the value consistent with the other joints)",
        )
    said = (
        f"{name}: its torque is {1 / abs(factor):.4g} times the value consistent with the other joints: "
        "check gear ratio, motor constant or unit"
    )
    return Finding("gear", name, None, said + (", and its sign" if factor < 0.0 else ""))


def driving_friction(unknowns: Unknowns, solution: Solution, rows: Rows) -> list[Finding]:
    """Report joints whose friction would drive them, which means a wrong sign of the torque.

    P = Σ tau_f qd < 0, beyond its σ
    """
    robot, findings = unknowns.robot, []
    if not unknowns.friction:
        return []
    for k, name in enumerate(robot.joint_names):
        own = unknowns.inertial + k + robot.n * np.arange(3)
        qd = rows.A[:, k, own[0]]
        c = qd @ rows.A[:, k, own]
        power = float(c @ solution.values[own])
        sigma = float(np.sqrt(max(c @ solution.covariance[np.ix_(own, own)] @ c, 0.0)))
        whole = float(np.abs(rows.y[:, k] * qd).sum())
        if power < -_DRIVES * sigma and power < -_DRIVEN * whole:
            said = f"{name}: its torque has the wrong sign: friction would have to supply {-power / whole:.2g} of its power"
            findings.append(Finding("sign", name, None, said))
    return findings
