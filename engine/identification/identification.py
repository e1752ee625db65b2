"""`Identification`: what recordings tell about an arm's parameters, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.frozen import Frozen
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class BaseEstimate(Frozen):
    """Base parameters by weighted least squares, without any constraint; arrays `(m,)`.

    `names` are those of the combinations, inertial ones first, then friction, offset, rotor inertia and coupled drives; `values`,
    their standard deviations `sigma` (inf where the recordings do not tell the parameter; it then keeps the value of the file)
    and `prior`, what the robot's file says. `covariance` `(m, m)` belongs to `sigma`, with 0 for what is not told.
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
    """Root mean square of measured − predicted torque per joint `(n,)`, N·m or N; NaN where a joint's torque was not measured.

    `training` and `validation` of the base estimate, on the recordings it was made of and on those held out (NaN without any);
    `model` and `consistent` of the file's robot and of the identified one, on those held out, or on the others without any;
    `percent` is `validation` beside the measured torque's root mean square.
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
    """Something wrong, or worth knowing, in the recordings or the model.

    `kind` is one of `FINDINGS`; `joint` its name, "" for all of them; `where` the time in s it begins at, None for throughout;
    `sentence` says it with numbers.
    """

    kind: str
    joint: str
    where: float | None
    sentence: str


FINDINGS = ("outliers", "saturation", "motion", "sign", "gear", "shift", "offset", "consistency", "gains", "payload", "coupling")


@dataclass(frozen=True, eq=False)
class Curves(Frozen):
    """Torques of one recording, `(N, n)` at the times `t` `(N,)`: `measured`, by the file's `model`, by the `identified` base
    parameters and by the `consistent` robot; NaN where the motion is not known. `used` `(N, n)` tells which samples counted,
    `held_out` whether the recording was for validation."""

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
    constraint: `names`, `values`, standard deviations `sigma`, and `prior`, the values of the file, `(m,)` each. `residual`: RMS
    of measured − model torque per joint, N·m or N, for the estimate (`training`, `validation`), the file's robot (`model`) and
    `robot` (`consistent`). `unidentifiable`: pairs of each parameter that cannot be identified alone, and the identifiable
    combination that contains it, "" if no torque depends on it. `findings`: problems of the recordings. `curves`: measured and
    model torques of each recording, those for validation last. `gains` and `gains_sigma` `(n,)`: drive gains in N·m/A and their
    standard deviations, None if no currents were recorded. `payload`: the payload, None unless only the payload was identified.
    `unknowns`: the estimated parameters; `unknowns.values(robot)` returns them for any robot. `provenance`: plain data: hashes of
    the recordings, cut-offs, rate, versions.
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
