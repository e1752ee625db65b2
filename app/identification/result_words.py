"""An identification in sentences: what it rests on, what it is worth on held-out data, and what consistency costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.identification.parameter_rows import base_rows, changed
from armature.app.state.units import number, significant, uncertain

if TYPE_CHECKING:
    from armature.engine import Identification, Robot

NOTED = 3  # parameters that are named in a sentence
ROUNDING = 1e-9  # of the torque


def summary(found: Identification, robot: Robot) -> list[str]:
    """The sentences at the head of the result."""
    scales = [f"{sentence}." for sentence in found.provenance.get("scale", ())]
    told = [*_payload(found), *_gains(found), _changes(found), *_unknown(found)]
    return [_worth(found), _better(found), _consistency(found), *told, *scales, *_processing(found)]


def largest(found: Identification) -> np.ndarray:
    """The largest torque that was measured of each joint `(n,)`, N·m or N."""
    return np.max([np.abs(np.nan_to_num(curve.measured)).max(axis=0) for curve in found.curves], axis=0)


def times(factor: float) -> str:
    """How many times: 7.7, or 343."""
    return number(factor, 0 if factor >= 10 else 1)


def _held_out(found: Identification) -> bool:
    return bool(np.isfinite(found.residual.validation).any())


def _own(found: Identification) -> np.ndarray:
    """What the estimate leaves, on the data that the other residuals are of."""
    own = found.residual.validation if _held_out(found) else found.residual.training
    return np.where(own > ROUNDING * largest(found), own, np.nan)  # beside what is left of exact data, nothing says anything


def _worst(values: np.ndarray) -> int:
    return int(np.nanargmax(values))


def _worth(found: Identification) -> str:
    """The residual, on held-out data where there are such."""
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
    """What it costs that a body can have these parameters."""
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
    """What the tool held."""
    held = found.payload
    if held is None:
        return []
    sigma = dict(zip(found.base.names, found.base.sigma.tolist(), strict=True)).get("payload m", np.nan)
    place = ", ".join(number(1e3 * float(value), 0) for value in held.com)
    mass = uncertain(held.mass, sigma, 2) if np.isfinite(sigma) else significant(held.mass, 4)
    return [f"Payload: {mass} kg, centre of mass at {place} mm in the tool frame."]


def _gains(found: Identification) -> list[str]:
    """What each drive makes of its current."""
    if found.gains is None:
        return []
    each = ", ".join(f"{name} {significant(float(gain), 3)}" for name, gain in zip(found.residual.joint_names, found.gains))
    return [f"Torque constants in N·m/A (N/A): {each}."]


def _changes(found: Identification) -> str:
    rows = changed(base_rows(found))
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
