"""What became of each parameter: identified with its uncertainty, beside the file's value."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, nan
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from armature.engine import Identification, Robot

SURE = 2.0  # σ by which a value must differ from the file's to count as another one
SIGMAS = 3.0  # shown of a value at least
NEVER = "none: no torque depends on it"
UNTOLD = "none in these recordings: file value used"


@dataclass(frozen=True)
class ParameterRow:
    """`value` with standard deviation `sigma`, NaN where none is known, and `prior`, the file's.

    `instead` is the combination that is known in place of one that no torque tells by itself.
    """

    name: str
    value: float
    sigma: float
    prior: float
    instead: str = ""

    @property
    def change(self) -> float:
        """From the file's value."""
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
        """What a bar shows: the file's value, and the identified one with three standard deviations on either side."""
        around = SIGMAS * self.sigma if isfinite(self.sigma) else 0.0
        low, high = min(self.prior, self.value - around), max(self.prior, self.value + around)
        margin = 0.08 * (high - low) or max(1.0, abs(high))
        return low - margin, high + margin


def base_rows(found: Identification) -> list[ParameterRow]:
    """Base parameters, friction, offsets and rotors, with σ."""
    base = found.base
    figures = zip(base.names, base.values.tolist(), base.sigma.tolist(), base.prior.tolist(), strict=True)
    return [ParameterRow(*figure, "" if isfinite(figure[2]) else UNTOLD) for figure in figures]


def full_rows(found: Identification, file: Robot) -> list[ParameterRow]:
    """Every figure of links and joints, as the arm that can be simulated has it."""
    instead = {name: known or NEVER for name, known in found.unidentifiable}
    unknowns = found.unknowns
    figures = zip(unknowns.full_names, unknowns.full(found.robot).tolist(), unknowns.full(file).tolist(), strict=True)
    return [ParameterRow(name, value, nan, prior, instead.get(name, "")) for name, value, prior in figures]


def changed(rows: list[ParameterRow]) -> list[ParameterRow]:
    """Those that certainly differ from the file's, the surest first."""
    sure = [row for row in rows if row.sure]
    return sorted(sure, key=lambda row: -abs(row.change) / max(row.sigma, np.finfo(float).tiny))
