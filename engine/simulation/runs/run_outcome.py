"""`RunOutcome`: what a run of a scenario has come to, for a line that people read and a row of a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, eq=False)
class RunOutcome:
    """`q`, `qd` `(n,)` at the end, rad or m (per s); `peak_tau` `(n,)` the largest |tau| of each joint, N·m or N.

    `steps` made, up to time `t` in s; `tracking` the root mean square of |q − q_d| over all of the trajectory, None without one;
    `contacts` with the floor; `digest` the SHA-256 over every state, t, q, qd, qdd and tau of each step as little-endian doubles.
    """

    joints: tuple[str, ...]
    steps: int
    t: float
    q: np.ndarray
    qd: np.ndarray
    peak_tau: np.ndarray
    tracking: float | None
    contacts: int
    remarks: tuple[str, ...]
    digest: str

    def sentence(self, record: Path | None) -> str:
        """What was done, in one line."""
        done = f"{self.steps:,} steps" if record is None else f"{self.steps + 1:,} samples in {record}"
        return "; ".join((f"{done}, ends at q ({', '.join(f'{x:.5f}' for x in self.q)})", *self.remarks))
