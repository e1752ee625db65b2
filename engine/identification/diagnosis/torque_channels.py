"""Torque channels that do not fit the others: a wrong sign, a wrong gear ratio or unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.identification.identification import Finding
from armature.engine.identification.least_squares import Solution
from armature.engine.identification.rows import Rows
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

_TOLD = 4.0  # times its noise: so much of a channel must be bound to the others
_BETTER = 0.3  # of the residuals² beyond noise goes with the right factor
_UNFIT = 1.05  # residuals² beside those of noise, from which something is wrong
_SURE = 100.0  # standard deviations²
_FACTOR = 1.3  # a gear ratio that is wrong by less is left to the estimate
_TURNED = 2.5  # a wrong sign is told as such up to this factor
_DRIVES, _DRIVEN = 10.0, 0.1  # standard deviations, and share of all power, with which friction drives a joint
_OVERALL = 5.0  # all channels together may differ so much from the file
_ALIKE, _VERY_ALIKE = 0.5, 0.8  # correlations with the file's torques from which they tell something
_FILE_AGREES = 1.5  # a factor is believed that is as near to the file's
_BY_FILE = 3.0  # a channel that no other joint tells about may differ so much from the file


@dataclass(frozen=True, eq=False)
class Fit(Frozen):
    """Equations whitened by the noise `(n,)` of each joint by itself: `Q` `(B n, m)` spans them, `joint` `(B n,)` says whose a
    row is, `rows` how many count."""

    Q: np.ndarray
    joint: np.ndarray
    noise: np.ndarray
    rows: int

    @property
    def freedom(self) -> int:
        """What the residuals² of noise alone are."""
        return max(self.rows - self.Q.shape[1], 1)

    def left(self, y: np.ndarray) -> np.ndarray:
        """What of torques `(B, n)` no parameters make, `(B n,)` in units of noise."""
        flat = (y / self.noise).ravel()
        return flat - self.Q @ (self.Q.T @ flat)


def fit_of(rows: Rows, floor: np.ndarray) -> Fit:
    """The equations with each joint's own noise, which a wrong channel elsewhere does not spoil, at least `floor` `(n,)`."""
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
    """An orthonormal basis of the columns, and how many there are."""
    from scipy.linalg import qr

    Q, R, _ = qr(A, mode="economic", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    rank = int((diagonal > 1e-9 * diagonal.max(initial=0.0)).sum())
    return Q[:, :rank], rank


def channel_findings(rows: Rows, fit: Fit, robot: Robot, measured: np.ndarray, model: np.ndarray) -> list[Finding]:
    """What is wrong with whole channels.

    A channel tau_j is judged by the others: with a column tau_j in its rows, A x + a tau_j = y, it would fit as (1 − a) tau_j.
    `measured` and `model` `(B, n)` are all torques and those of the file; a channel like the file's is not the one that is wrong.
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
    """A line for every joint of whose torque `(B, n)` the others do not tell how large it is: no wrong factor is seen there."""
    sentences = []
    for k, name in enumerate(robot.joint_names):
        alone = np.zeros_like(measured)
        alone[:, k] = measured[:, k]
        bound = fit.left(alone)
        if float(bound @ bound) < _TOLD * (fit.joint == k).sum():
            said = "the scale of its torque is poorly determined: a gear ratio or motor constant wrong by less than"
            sentences.append(f"{name}: {said} a factor of {_BY_FILE:g} would look like more or less friction and inertia")
    return sentences


def _worst(y: np.ndarray, torque: np.ndarray, fit: Fit, files: np.ndarray) -> tuple[int, float] | None:
    """The channel whose factor explains most of what is left, and that factor; None where none explains much."""
    left = fit.left(y)
    total = float(left @ left)
    if total < _UNFIT * fit.freedom:
        return None
    usual = float(np.nanmedian(files)) if np.isfinite(files).any() else 1.0  # the arm may be heavier than its file throughout
    best, found = max(_BETTER * (total - fit.freedom), _SURE), None
    for k in range(y.shape[1]):
        alone = np.zeros_like(y)
        alone[:, k] = torque[:, k]
        bound = fit.left(alone)
        size = float(bound @ bound)
        if size < _TOLD * (fit.joint == k).sum():
            continue
        a = float(bound @ left) / size
        drop, factor = a * a * size, 1.0 - a
        unlike_file = not 1 / _FILE_AGREES < files[k] / factor / usual < _FILE_AGREES
        if drop > best and (factor < 0.0 or not 1 / _FACTOR < factor < _FACTOR) and not (unlike_file and np.isfinite(files[k])):
            best, found = drop, (k, factor)
    return found


def _towards(y: np.ndarray, model: np.ndarray, alike: float) -> np.ndarray:
    """By which factors columns `(B, k)` would be most like those of the model, `(k,)`; NaN where they are hardly alike."""
    product, square = (y * model).sum(axis=0), (model**2).sum(axis=0)
    sizes = np.sqrt((y**2).sum(axis=0) * square)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(product) > alike * sizes, square / product, np.nan)


def _whole(factor: float) -> Finding:
    """All channels by the same factor."""
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
    """Joints whose friction would drive them: their torques have the wrong sign, be it that no other joint tells it.

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
