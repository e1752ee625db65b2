"""What cannot be known of an arm by itself, and what is known instead."""

from __future__ import annotations

import numpy as np

from armature.engine.identification.least_squares import Solution
from armature.engine.identification.unknowns import Unknowns

_SHOWN = 1e-6


def unidentifiable_of(unknowns: Unknowns, solution: Solution) -> tuple[tuple[str, str], ...]:
    """Pairs of a parameter and the combination that is known instead, "" where there is none.

    First those that no motion tells, then base parameters that these recordings do not tell.
    """
    found = []
    for k, name in enumerate(unknowns.full_names):
        rows = np.flatnonzero(unknowns.combination[:, k])
        alone = [row for row in rows if np.count_nonzero(unknowns.combination[row]) == 1]
        if not alone:
            found.append((name, "; ".join(unknowns.names[row] for row in rows)))
    for row in np.flatnonzero(~solution.told):
        weights = solution.dependent[row]
        parts = np.flatnonzero(np.abs(weights) > _SHOWN * np.abs(weights).max(initial=0.0))
        found.append((unknowns.names[row], _together(unknowns, int(row), parts, weights)))
    return tuple(found)


def _together(unknowns: Unknowns, row: int, parts: np.ndarray, weights: np.ndarray) -> str:
    """What is known: each of the other parameters with its share of this one."""
    return "; ".join(
        f"({unknowns.names[k]}) {'−' if weights[k] < 0 else '+'} {abs(weights[k]):.4g} ({unknowns.names[row]})" for k in parts
    )
