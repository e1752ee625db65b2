"""`Batch`: what a number of steps left behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.simulation.divergence import Divergence


@dataclass(frozen=True, eq=False)
class Batch:
    """What a batch of steps left: `states` `(k, 1 + 4n)`, the rows t, q, qd, qdd, tau at the start of each step.

    `desired` `(k, 3n)` q, qd, qdd that the controller follows, None without; `side` `(k, 7)` the pull's force in W, N, and the
    works of motor, friction, hand and stops so far, J, None for an arm that moves by itself without a ledger.
    """

    states: np.ndarray
    divergence: Divergence | None = None
    desired: np.ndarray | None = None
    side: np.ndarray | None = None


def joined(batches: list[Batch]) -> Batch:
    """Batches that followed each other as one."""
    followed, kept = batches[0].desired is not None, batches[0].side is not None
    return Batch(
        np.concatenate([batch.states for batch in batches]),
        batches[-1].divergence,
        np.concatenate([batch.desired for batch in batches if batch.desired is not None]) if followed else None,
        np.concatenate([batch.side for batch in batches if batch.side is not None]) if kept else None,
    )
