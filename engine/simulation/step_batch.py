"""`StepBatch`: states of consecutive steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.simulation.contact_stop import RunContact
from armature.engine.simulation.divergence import Divergence


@dataclass(frozen=True, eq=False)
class StepBatch:
    """States of consecutive steps.

    `states` `(k, 1 + 4n)`: t, q, qd, qdd, tau at the start of each step. `desired` `(k, 3n)`: reference q, qd, qdd, None without.
    `side` `(k, 7)`: force of the pull in N, world axes, and the work of motor, friction, hand and stops so far, J; None for an
    arm that moves by itself without a ledger. `arms`: the arm with its payload, and how many of the rows it applies to.
    `measured` `(k, 3n)`: q, qd, tau of the sensors, None without. `logs`: values that a user-defined controller logged, and how
    many rows each applies to. `contact`: the first contact, in the last step, if the run stops there.
    """

    states: np.ndarray
    divergence: Divergence | None = None
    desired: np.ndarray | None = None
    side: np.ndarray | None = None
    arms: tuple[tuple[Robot, int], ...] = ()
    measured: np.ndarray | None = None
    logs: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    contact: RunContact | None = None

    def parts(self, measured: bool = False) -> Iterator[tuple[Robot, np.ndarray]]:
        """Yield the states of each arm; with `measured` followed by q, qd, tau of the sensors, exact ones without sensors."""
        first, rows = 0, self.states
        if measured:
            n = (rows.shape[1] - 1) // 4
            exact = np.hstack([rows[:, 1 : 2 * n + 1], rows[:, 3 * n + 1 :]])
            rows = np.hstack([rows, exact if self.measured is None else self.measured])
        for arm, count in self.arms:
            yield arm, rows[first : first + count]
            first += count


def join(batches: list[StepBatch]) -> StepBatch:
    """Join consecutive batches."""
    followed, kept, sensed = (rows is not None for rows in (batches[0].desired, batches[0].side, batches[0].measured))
    return StepBatch(
        np.concatenate([batch.states for batch in batches]),
        batches[-1].divergence,
        np.concatenate([batch.desired for batch in batches if batch.desired is not None]) if followed else None,
        np.concatenate([batch.side for batch in batches if batch.side is not None]) if kept else None,
        tuple(part for batch in batches for part in batch.arms),
        np.concatenate([batch.measured for batch in batches if batch.measured is not None]) if sensed else None,
        tuple(log for batch in batches for log in batch.logs),
        batches[-1].contact,
    )
