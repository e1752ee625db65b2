"""What an own law logged, beside the fixed columns of a recording: among its events, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

LOG = "log"
"""The kind of such an event; it does nothing to the arm."""
_ROWS = 5000  # in one event


class LoggedRows:
    """Takes what was logged, for so many rows each time, and makes events of it."""

    def __init__(self) -> None:
        self._first = 0
        self._rows: list[Mapping[str, Any]] = []

    def take(self, logs: Iterable[tuple[int, Mapping[str, Any]]], rows: int) -> Iterator[dict[str, Any]]:
        """The events that are full with what was logged in further `rows`, of which `logs` tells."""
        told = 0
        for count, log in logs:
            self._rows += [log] * count
            told += count
        self._rows += [{}] * (rows - told)
        if len(self._rows) >= _ROWS:
            yield from self.rest()

    def rest(self) -> Iterator[dict[str, Any]]:
        """The events of what is left."""
        for name in dict.fromkeys(name for row in self._rows for name in row):
            values = [_plain(row.get(name)) for row in self._rows]
            yield {"kind": LOG, "first": self._first, "name": name, "values": values}
        self._first, self._rows = self._first + len(self._rows), []


def logged_values(events: Iterable[Any], rows: int) -> dict[str, np.ndarray]:
    """By name, `(rows,)` or `(rows, k)`, NaN where nothing was logged; what is damaged is left out."""
    found: dict[str, np.ndarray] = {}
    for event in events:
        if not isinstance(event, Mapping) or event.get("kind") != LOG:
            continue
        try:
            name, first, values = str(event["name"]), int(event["first"]), event["values"]
            width = max(len(value) for value in values if value is not None)
            block = np.full((len(values), max(width, 1)), np.nan)
            for row, value in zip(block, values, strict=True):
                if value is not None:
                    row[: len(value)] = [np.nan if x is None else x for x in value]
            block = block[: max(0, rows - first)]  # of a killed run rows may be missing that it had logged already
            table = found.get(name, np.empty((rows, 0)))
            wider = np.full((rows, max(0, block.shape[1] - table.shape[1])), np.nan)  # another version of the law logged more
            found[name] = table = np.hstack([table, wider])
            table[first : first + len(block), : block.shape[1]] = block
        except (LookupError, TypeError, ValueError):
            continue
    return {name: table[:, 0] if table.shape[1] == 1 else table for name, table in found.items()}


def _plain(value: Any) -> list[float | None] | None:
    if value is None:
        return None
    return [float(x) if np.isfinite(x) else None for x in np.atleast_1d(value)]
