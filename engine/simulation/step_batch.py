"""`StepBatch`: what a number of steps left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.simulation.divergence import Divergence


@dataclass(frozen=True, eq=False)
class StepBatch:
    """What a batch of steps left: `states` `(k, 1 + 4n)`, the rows t, q, qd, qdd, tau at the start of each step.

    `desired` `(k, 3n)` q, qd, qdd that the controller follows, None without; `side` `(k, 7)` the pull's force in W, N, and the
    works of motor, friction, hand and stops so far, J, None for an arm that moves by itself without a ledger; `arms` which arm,
    with what it held, made how many of the rows; `measured` `(k, 3n)` q, qd, tau as the sensors tell them, None without; `logs`
    what an own law logged, and for how many of the rows.
    """

    states: np.ndarray
    divergence: Divergence | None = None
    desired: np.ndarray | None = None
    side: np.ndarray | None = None
    arms: tuple[tuple[Robot, int], ...] = ()
    measured: np.ndarray | None = None
    logs: tuple[tuple[int, Mapping[str, Any]], ...] = ()

    def parts(self, measured: bool = False) -> Iterator[tuple[Robot, np.ndarray]]:
        """The states, arm by arm; with `measured` q, qd, tau as the law sees them behind, without sensors the true ones."""
        first, rows = 0, self.states
        if measured:
            n = (rows.shape[1] - 1) // 4
            told = np.hstack([rows[:, 1 : 2 * n + 1], rows[:, 3 * n + 1 :]]) if self.measured is None else self.measured
            rows = np.hstack([rows, told])
        for arm, count in self.arms:
            yield arm, rows[first : first + count]
            first += count


def joined(batches: list[StepBatch]) -> StepBatch:
    """Batches that followed each other as one."""
    followed, kept, sensed = (rows is not None for rows in (batches[0].desired, batches[0].side, batches[0].measured))
    return StepBatch(
        np.concatenate([batch.states for batch in batches]),
        batches[-1].divergence,
        np.concatenate([batch.desired for batch in batches if batch.desired is not None]) if followed else None,
        np.concatenate([batch.side for batch in batches if batch.side is not None]) if kept else None,
        tuple(part for batch in batches for part in batch.arms),
        np.concatenate([batch.measured for batch in batches if batch.measured is not None]) if sensed else None,
        tuple(log for batch in batches for log in batch.logs),
    )


def by_arm(batches: Iterable[StepBatch], measured: bool = False) -> Iterator[tuple[Robot, np.ndarray]]:
    """The rows of batches that followed each other, in blocks that one arm made; `measured` as of `StepBatch.parts`."""
    last, rows = None, []
    for arm, states in (part for batch in batches for part in batch.parts(measured)):
        if last is not None and arm is not last:
            yield last, np.concatenate(rows)
            rows = []
        last = arm
        rows.append(states)
    if last is not None:
        yield last, np.concatenate(rows)
