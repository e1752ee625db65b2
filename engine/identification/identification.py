"""`Identification`: the result, with measured and predicted torques and their residuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from armature.engine.identification.motion import Motion
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class BaseEstimate(Frozen):
    """Base parameters from weighted least squares without constraints; arrays `(m,)`.

    `names`: combinations, inertial ones first, then friction, offset, rotor inertia and coupled drives; `values` with standard
    deviations `sigma` (inf if not identifiable from the recordings; the value is then the file's); `prior`: values of the file.
    `covariance` `(m, m)` belongs to `sigma`, with 0 for parameters that are not identifiable.
    """

    names: tuple[str, ...]
    values: np.ndarray
    sigma: np.ndarray
    prior: np.ndarray
    covariance: np.ndarray = field(repr=False)

    def __post_init__(self):
        for name in ("values", "sigma", "prior", "covariance"):
            object.__setattr__(self, name, read_only(vars(self)[name]))


@dataclass(frozen=True, eq=False)
class Residuals(Frozen):
    """Root mean square of measured − predicted torque per joint `(n,)`, N·m or N; NaN for joints without measured torque.

    `training` and `validation`: base estimate on the recordings of the fit and of the validation (NaN without any); `model` and
    `consistent`: file's robot and identified robot on the validation recordings, without any on the others; `percent`:
    `validation` relative to the root mean square of the measured torque.
    """

    joint_names: tuple[str, ...]
    training: np.ndarray
    validation: np.ndarray
    model: np.ndarray
    consistent: np.ndarray
    percent: np.ndarray

    def __post_init__(self):
        for name in ("training", "validation", "model", "consistent", "percent"):
            object.__setattr__(self, name, read_only(vars(self)[name]))


@dataclass(frozen=True)
class Finding(Frozen):
    """Problem or remark about the recordings or the model.

    `kind` is one of `FINDINGS`; `joint` is a name, "" for all joints; `where` is the start time in s, None for the whole
    recording; `sentence` is the message with numbers.
    """

    kind: str
    joint: str
    where: float | None
    sentence: str


FINDINGS = ("outliers", "saturation", "motion", "sign", "gear", "shift", "offset", "consistency", "gains", "payload", "coupling")


@dataclass(frozen=True, eq=False)
class Curves(Frozen):
    """Torques `(N, n)` of one recording at the times `t` `(N,)`.

    `measured`; predictions of the file (`model`), the base parameters (`identified`) and the identified robot (`consistent`);
    NaN where the motion is unknown. `used` `(N, n)`: samples of the fit; `held_out`: the recording is for validation.
    """

    t: np.ndarray
    measured: np.ndarray
    model: np.ndarray
    identified: np.ndarray
    consistent: np.ndarray
    used: np.ndarray
    held_out: bool = False


@dataclass(frozen=True, eq=False)
class Identification(Frozen):
    """Arm identified from recordings, as `identify` returns it.

    `robot`: the arm with physically consistent bodies, which can be simulated. `base`: the least-squares estimate without that
    constraint: `names`, `values`, standard deviations `sigma`, and `prior`, the values of the file, `(m,)` each. `residual`:
    RMS of measured − model torque per joint, N·m or N, for the estimate (`training`, `validation`), the file's robot (`model`)
    and `robot` (`consistent`). `unidentifiable`: pairs of each parameter that cannot be identified alone, and the identifiable
    combination that contains it, "" if no torque depends on it. `findings`: problems of the recordings. `curves`: of each
    recording, those for validation last, the times `t` and the torques `measured`, `model` (of the file), `identified` and
    `consistent`, `(N, n)` each. `gains` and `gains_sigma` `(n,)`: drive gains in N·m/A and their standard deviations, None if
    no currents were recorded. `payload`: the payload, None unless only the payload was identified. `unknowns`: the estimated
    parameters; `unknowns.values(robot)` returns them for any robot. `provenance`: plain data: hashes of the recordings,
    cut-offs, rate, versions.
    """

    robot: Robot
    base: BaseEstimate
    residual: Residuals
    unidentifiable: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    curves: tuple[Curves, ...] = field(repr=False)
    unknowns: Unknowns = field(repr=False)
    gains: np.ndarray | None = None
    gains_sigma: np.ndarray | None = None
    payload: Payload | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))


_CHUNK = 4096


def curves_of(motion: Motion, unknowns: Unknowns, values: np.ndarray, full: np.ndarray, held_out: bool = False) -> Curves:
    """Return measured torques, and torques from the file, the base parameters `(m,)` and consistent parameters `(F,)`."""
    several = np.stack([unknowns.combination @ unknowns.full(unknowns.robot), values, unknowns.combination @ full], axis=1)
    torques = np.full((3, *motion.q.shape), np.nan)
    rows = np.flatnonzero(motion.known)
    for first in range(0, len(rows), _CHUNK):
        part = rows[first : first + _CHUNK]
        states = motion.q[part], motion.qd[part], motion.qdd[part]
        torques[:, part] = np.moveaxis(unknowns.equations(*states, motion.held[part]) @ several, 2, 0) + unknowns.known_torque(
            *states
        )
    model, identified, real = torques
    return Curves(motion.t, motion.tau, model, identified, real, motion.used, held_out)


def residuals_of(joint_names: tuple[str, ...], curves: list[Curves]) -> Residuals:
    """Return the residuals over all recordings of each kind."""
    training = [one for one in curves if not one.held_out]
    held_out = [one for one in curves if one.held_out]
    judged = held_out or training
    validation = _rms([one.measured - one.identified for one in held_out], held_out, len(joint_names))
    measured = _rms([one.measured for one in held_out], held_out, len(joint_names))
    return Residuals(
        joint_names,
        training=_rms([one.measured - one.identified for one in training], training, len(joint_names)),
        validation=validation,
        model=_rms([one.measured - one.model for one in judged], judged, len(joint_names)),
        consistent=_rms([one.measured - one.consistent for one in judged], judged, len(joint_names)),
        percent=100.0 * validation / np.where(measured > 0.0, measured, np.nan),
    )


def _rms(values: list[np.ndarray], curves: list[Curves], n: int) -> np.ndarray:
    """Return the root mean square per joint `(n,)` over used samples; NaN without any."""
    total, count = np.zeros(n), np.zeros(n)
    for one, of in zip(values, curves, strict=True):
        total += (np.where(of.used, one, 0.0) ** 2).sum(axis=0)
        count += of.used.sum(axis=0)
    return np.where(count > 0, np.sqrt(total / np.maximum(count, 1)), np.nan)


def torque_unit(robot: Robot, joint: int) -> str:
    """Return the unit of a joint's torque, N·m or N."""
    return "N" if robot.prismatic[joint] else "N·m"


def in_recording(number: int | None) -> str:
    """Return the number of the recording as text, if there are several."""
    return "" if number is None else f" in recording {number}"
