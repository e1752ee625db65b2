"""Texts about an identification, and the rows of its table of parameters."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.app.identification.identification_jobs import COULOMB, MASSES, VISCOUS, Comparison
from armature.app.identification.identification_model import EXAMPLE, IdentificationModel
from armature.app.state.units import UNKNOWN, grouped, number, significant, uncertain

if TYPE_CHECKING:
    from armature.engine import Excitation, Identification, Robot

SURE = 2.0  # σ by which a value must differ from the file's to count as another one
SIGMAS = 3.0  # shown of a value at least
NEVER = "none: no torque depends on it"
UNTOLD = "none in these recordings: file value used"
NOTED = 3  # parameters that a message names
ROUNDING = 1e-9  # of the torque
MOTION = (
    "Parameters can only be identified if the motion excites them. An excitation trajectory moves all joints, fast and"
    " slowly, through the range that limits and floor allow."
)
ACCEPTED = "The open arm now uses the identified parameters; Undo (Ctrl+Z) restores the file's parameters."
NO_RESULT = "No result yet. Choose recordings and press “Identify”."
HINTS = {"coupling": " (“Coupled drives” under Recordings)"}
"""Places of the options that a finding about one joint refers to."""
STEP_TEXTS = {
    "disturb": (
        "1  Disturb",
        "Change the simulated arm: masses × {masses}, viscous friction × {viscous}, Coulomb friction × {coulomb}."
        " The controller still uses the model in the file.",
    ),
    "motion": ("2  Excite", "Compute a trajectory that excites all parameters within the limits of the arm."),
    "simulate": (
        "3  Simulate",
        "The changed arm follows this trajectory; its computed-torque controller uses the file's model."
        " Encoders (2¹⁷ counts) and torque"
        " sensors (1 % noise) are recorded.",
    ),
    "identify": (
        "4  Identify",
        "Estimate the parameters from the recording, except its last quarter. See Result, Torques and Parameters.",
    ),
    "compare": (
        "5  Compare",
        "Three runs of the changed arm on a new trajectory: computed torque uses the model of the robot file, the identified "
        "model, or the true model.",
    ),
}
"""Title and text of each step of the example."""


@dataclass(frozen=True)
class ParameterRow:
    """A parameter: `value` with standard deviation `sigma`, NaN if unknown, and `prior`, the value of the file.

    `instead` is the known combination of parameters that contains one that cannot be identified alone.
    """

    name: str
    value: float
    sigma: float
    prior: float
    instead: str = ""

    @property
    def change(self) -> float:
        """Difference from the value of the file."""
        return self.value - self.prior

    @property
    def percent(self) -> float:
        """The change in % of the file's value, NaN where that is 0."""
        return 100.0 * self.change / abs(self.prior) if self.prior else nan

    @property
    def sure(self) -> bool:
        """Whether the value differs from the file's by more than its uncertainty explains."""
        return isfinite(self.sigma) and abs(self.change) > SURE * self.sigma

    @property
    def span(self) -> tuple[float, float]:
        """Range of a bar: the value of the file, and the identified one with three standard deviations on either side."""
        around = SIGMAS * self.sigma if isfinite(self.sigma) else 0.0
        low, high = min(self.prior, self.value - around), max(self.prior, self.value + around)
        margin = 0.08 * (high - low) or max(1.0, abs(high))
        return low - margin, high + margin


def base_rows(found: Identification) -> list[ParameterRow]:
    """Return rows of the base parameters, friction, offsets and rotor inertias, with σ."""
    base = found.base
    figures = zip(base.names, base.values.tolist(), base.sigma.tolist(), base.prior.tolist(), strict=True)
    return [ParameterRow(*figure, "" if isfinite(figure[2]) else UNTOLD) for figure in figures]


def full_rows(found: Identification, file: Robot) -> list[ParameterRow]:
    """Return a row for each parameter of links and joints of the identified arm."""
    instead = {name: known or NEVER for name, known in found.unidentifiable}
    unknowns = found.unknowns
    figures = zip(unknowns.full_names, unknowns.full(found.robot).tolist(), unknowns.full(file).tolist(), strict=True)
    return [ParameterRow(name, value, nan, prior, instead.get(name, "")) for name, value, prior in figures]


def different(rows: list[ParameterRow]) -> list[ParameterRow]:
    """Return the rows that differ significantly from the file, the most significant first."""
    sure = [row for row in rows if row.sure]
    return sorted(sure, key=lambda row: -abs(row.change) / max(row.sigma, np.finfo(float).tiny))


# -- result ------------------------------------------------------------------------------------------------------------------


def summary(found: Identification, robot: Robot) -> list[str]:
    """Return the lines at the top of the result."""
    scales = [f"{sentence}." for sentence in found.provenance.get("scale", ())]
    told = [*_payload(found), *_gains(found), _changes(found), *_unknown(found)]
    return [_worth(found), _better(found), _consistency(found), *told, *scales, *_processing(found)]


def largest(found: Identification) -> np.ndarray:
    """Return the largest measured torque of each joint `(n,)`, N·m or N."""
    return np.max([np.abs(np.nan_to_num(curve.measured)).max(axis=0) for curve in found.curves], axis=0)


def times(factor: float) -> str:
    """Return a factor as text, such as 7.7 or 343."""
    return number(factor, 0 if factor >= 10 else 1)


def _held_out(found: Identification) -> bool:
    return bool(np.isfinite(found.residual.validation).any())


def _own(found: Identification) -> np.ndarray:
    """Return the residual of the estimate on the same data as the other residuals."""
    own = found.residual.validation if _held_out(found) else found.residual.training
    return np.where(own > ROUNDING * largest(found), own, np.nan)  # a ratio to the rounding errors of exact data has no meaning


def _worst(values: np.ndarray) -> int:
    return int(np.nanargmax(values))


def _worth(found: Identification) -> str:
    """Text about the residual, on the validation data if there are any."""
    residual = found.residual
    if not _held_out(found):
        return (
            "No data were held out, so the residuals only describe the fitted data."
            " Hold out part of a recording, or set a recording to “validate”."
        )
    k = _worst(residual.percent)
    return (
        f"On held-out data the residual is {number(float(np.nanmean(residual.percent)), 1)} % of the torque on average,"
        f" and {number(float(residual.percent[k]), 1)} % at most ({residual.joint_names[k]})."
    )


def _better(found: Identification) -> str:
    residual = found.residual
    own = _own(found)
    factor = residual.model / own
    if not np.isfinite(factor).any():
        return ""
    return f"The residual of the file model is {times(float(np.nanmedian(factor)))} times as large (median of the joints)."


def _consistency(found: Identification) -> str:
    """Text about the residual that physical consistency of the parameters adds."""
    residual = found.residual
    own = _own(found)
    cost = 100.0 * (residual.consistent / own - 1.0)
    if not np.isfinite(cost).any():
        return ""
    k = _worst(cost)
    if cost[k] < 0.5:
        return "The estimate is physically consistent; enforcing consistency does not increase the residual."
    return (
        f"Enforcing physical consistency increases the residual by up to {number(float(cost[k]), 1)} %"
        f" ({residual.joint_names[k]})."
    )


def _payload(found: Identification) -> list[str]:
    """Text about the payload."""
    held = found.payload
    if held is None:
        return []
    sigma = dict(zip(found.base.names, found.base.sigma.tolist(), strict=True)).get("payload m", np.nan)
    place = ", ".join(number(1e3 * float(value), 0) for value in held.com)
    mass = uncertain(held.mass, sigma, 2) if np.isfinite(sigma) else significant(held.mass, 4)
    return [f"Payload: {mass} kg, centre of mass at {place} mm in the tool frame."]


def _gains(found: Identification) -> list[str]:
    """Text about the torque per current of each drive."""
    if found.gains is None:
        return []
    each = ", ".join(f"{name} {significant(float(gain), 3)}" for name, gain in zip(found.residual.joint_names, found.gains))
    return [f"Torque constants in N·m/A (N/A): {each}."]


def _changes(found: Identification) -> str:
    rows = different(base_rows(found))
    if not rows:
        return "No parameter differs from the file value by more than 2σ."
    named = ", ".join(f"{row.name} ({_by(row.percent)})" for row in rows[:NOTED])
    count = f"{len(rows)} of {len(found.base.names)}"
    return f"{count} parameters differ from the file value by more than 2σ; most significant: {named}."


def _by(percent: float) -> str:
    if np.isnan(percent):
        return "0 in the file"
    return f"{'+' if percent > 0 else ''}{number(percent, 0 if abs(percent) >= 10 else 1)} %"


def _unknown(found: Identification) -> list[str]:
    count = len(found.unidentifiable)
    if not count:
        return []
    return [f"{count} parameters cannot be identified alone; “Parameters” shows the identifiable combinations."]


def _processing(found: Identification) -> list[str]:
    """Filters and rate."""
    kept = found.provenance
    filters = sorted(set(kept.get("position_filter", ())))
    parts = [f"Position filter: {'; '.join(filters)}."] if filters else []
    parts += [f"Torque filter: {kept['torque_filter']}."] if "torque_filter" in kept else []
    return parts + ([f"Fitted at {significant(float(kept['rate']), 3)} Hz, {kept['rows']} equations."] if "rows" in kept else [])


# -- motion and tables -------------------------------------------------------------------------------------------------------


def motion_text(model: IdentificationModel) -> str:
    """Describe the excitation trajectory, or the reason why it is missing."""
    motion = model.motion
    return model.motion_note or (model.why_not or MOTION if motion is None else excitation_text(motion.excitation, motion.robot))


def excitation_text(excitation: Excitation, robot: Robot) -> str:
    """Describe condition, coverage and the parameters that remain unknown, before anything is run."""
    k = int(np.argmin(excitation.coverage))
    coverage, speed = (100.0 * np.asarray(values, float) for values in (excitation.coverage, excitation.speed))
    lines = (
        f"Condition number of the scaled regressor: {significant(excitation.condition, 3)}; below 100, noise has little effect.",
        f"On average the joints cover {number(coverage.mean(), 0)} % of their range (minimum: {robot.joint_names[k]},"
        f" {number(coverage[k], 0)} %) and reach {number(speed.mean(), 0)} % of their speed limit.",
        *excitation.unidentifiable,
    )
    return "\n".join(lines)


def findings_text(found: Identification) -> str:
    """List the findings about the recordings."""
    return "\n".join(f"{one.sentence}{HINTS.get(one.kind, '') if one.joint else ''}." for one in found.findings)


def residual_rows(found: Identification, robot: Robot) -> dict[str, list[str]]:
    """Return torque residuals by joint: file model, fit, held-out data, %, and consistent model."""
    residual, torque = found.residual, largest(found)
    columns = residual.model, residual.training, residual.validation, residual.percent, residual.consistent
    rows = {}
    for k, name in enumerate(robot.joint_names):
        values = [float(column[k]) for column in columns]
        texts = [significant(value, 3, float(torque[k])) if isfinite(value) else UNKNOWN for value in values]
        texts[3] = number(values[3], 1) if isfinite(values[3]) else UNKNOWN
        rows[f"{name} [{'N' if robot.prismatic[k] else 'N·m'}]"] = texts
    return rows


# -- example -----------------------------------------------------------------------------------------------------------------


def step_text(step: str) -> str:
    """Describe a step of the example, with numbers in the language of the system."""
    factors = {"masses": MASSES, "viscous": VISCOUS, "coulomb": COULOMB}
    return STEP_TEXTS[step][1].format(**{name: significant(factor, 2) for name, factor in factors.items()})


def step_result(step: str, result: Any) -> str:
    """Describe the result of a step of the example."""
    match step:
        case "disturb":
            mass = sum(body.mass for body in result.bodies)
            return f"Its moving mass is now {significant(mass, 3)} kg instead of {significant(mass / MASSES, 3)} kg."
        case "motion":
            condition = significant(float(result.excitation.condition), 3)
            return f"Condition number {condition}; view or run it on the “Motion” tab."
        case "simulate":
            samples, seconds = grouped(len(result)), number(result.duration, 1)
            return f"{samples} samples in {seconds} s; listed under “Recordings” as “{EXAMPLE}”."
        case "identify":
            percent = number(float(np.nanmean(result.residual.percent)), 1)
            return f"{len(result.base.names)} parameters; the residual on held-out data is {percent} % of the torque."
    return comparison_text(result)


def comparison_text(found: Comparison) -> str:
    """Compare the tracking errors of the three models."""
    rms = {
        name: " and ".join(f"{significant(x, 3)} {unit}" for x, unit in zip(values.tolist(), found.units, strict=True))
        for name, values in found.rms.items()
    }
    factors = " and ".join(times(factor) for factor in found.factors.tolist())
    return (
        f"RMS tracking error: {rms['file']} with the file's model, {rms['identified']} with the identified model"
        f" ({factors} times smaller), {rms['true']} with the true model."
    )
