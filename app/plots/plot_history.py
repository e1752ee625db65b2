"""A ring of samples for plotting: everything of a run that can be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from armature.app.state.plot_names import LOG

if TYPE_CHECKING:
    from armature.engine.simulation.snapshot import Snapshot

CAPACITY = 4096  # about a minute at 60 samples a second
TERMS = ("inertia", "coriolis", "gravity", "payload", "friction", "external", "stop")
MEASURED = ("q_measured", "qd_measured", "tau_measured")
PER_JOINT = ("q", "qd", "qdd", "tau", *(f"tau.{term}" for term in TERMS), "q_desired", "qd_desired", "qdd_desired", *MEASURED)
WORKS = ("motor", "friction", "hand", "stop", "payload", "residual")  # as `Ledger.works` has them
TOOL_RATES = ("tool_velocity", "tool_acceleration", "tool_velocity_desired", "tool_acceleration_desired")
OTHERS = {"tool": 3, "tool_desired": 3, **dict.fromkeys(TOOL_RATES, 3), "sigma_min": 1, "energy": 3, "work": len(WORKS)}
MOST_LOGGED = 200  # numbers of a law in one sample
NO_RATES: Mapping[str, np.ndarray] = {}


class History:
    """The last samples of an n-joint arm; older ones make room. What a sample does not have is not a number."""

    def __init__(self, n: int, capacity: int = CAPACITY):
        self._n, self._capacity, self._end = n, capacity, 0
        self._places: dict[str, slice] = {}
        at = 1
        for name in (*PER_JOINT, *OTHERS):
            width = OTHERS.get(name, n)
            self._places[name] = slice(at, at + width)
            at += width
        self._rows = np.empty((2 * capacity, at))
        self._logs: dict[str, np.ndarray] = {}  # rows of what a law logged, by the names of their signals

    def __len__(self) -> int:
        return min(self._end, self._capacity)

    def append(self, snapshot: Snapshot, tool: np.ndarray, sigma_min: float, rates: Mapping[str, np.ndarray] = NO_RATES):
        """Take over one snapshot with its tool's place `(3,)` and, of `TOOL_RATES`, what is known of it `(3,)`.

        One from before the last starts the ring anew; posing while the run is paused, which takes no time and has other torques,
        is no part of its curves.
        """
        if self._end:
            last = self._rows[self._end - 1, 0]
            if snapshot.t < last:
                self.clear()
            elif snapshot.t == last and not snapshot.running:
                return
        if self._end == len(self._rows):  # the second half moves to the front, so that a window is always one block
            for rows in (self._rows, *self._logs.values()):
                rows[: self._capacity] = rows[self._capacity :]
            self._end = self._capacity
        row, n = self._rows[self._end], self._n
        self._keep_log({} if snapshot.law is None else snapshot.law.log)
        self._end += 1
        row[:] = np.nan
        row[0] = snapshot.t
        row[1 : 1 + 4 * n] = np.concatenate([snapshot.q, snapshot.qd, snapshot.qdd, snapshot.tau])
        row[1 + 4 * n : 1 + (4 + len(TERMS)) * n] = np.concatenate([snapshot.tau_terms[term] for term in TERMS])
        if snapshot.q_desired is not None:
            first = 1 + (4 + len(TERMS)) * n
            row[first : first + 3 * n] = np.concatenate([snapshot.q_desired, snapshot.qd_desired, snapshot.qdd_desired])
        for name, told in zip(MEASURED, (snapshot.q_measured, snapshot.qd_measured, snapshot.tau_measured), strict=True):
            if told is not None:
                row[self._places[name]] = told
        row[self._places["tool"]] = tool
        if snapshot.tool_desired is not None:
            row[self._places["tool_desired"]] = snapshot.tool_desired[:3, 3]
        for name, rate in rates.items():
            row[self._places[name]] = rate
        row[self._places["sigma_min"]] = sigma_min
        row[self._places["energy"]] = snapshot.kinetic, snapshot.potential, snapshot.kinetic + snapshot.potential
        if snapshot.ledger is not None:
            row[self._places["work"]] = *snapshot.ledger.works.values(), snapshot.ledger.residual

    def _keep_log(self, log: Mapping[str, Any]) -> None:
        for rows in self._logs.values():
            rows[self._end] = np.nan
        for name, value in log.items():
            signal, values = f"{LOG}{name}", np.atleast_1d(value)
            if signal not in self._logs or self._logs[signal].shape[1] != len(values):
                others = sum(rows.shape[1] for known, rows in self._logs.items() if known != signal)
                if not len(values) or others + len(values) > MOST_LOGGED:
                    continue
                self._logs[signal] = np.full((len(self._rows), len(values)), np.nan)
            self._logs[signal][self._end] = values

    @property
    def logged(self) -> tuple[str, ...]:
        """Signals that a law logged."""
        return tuple(self._logs)

    def clear(self):
        """Forget everything."""
        self._end, self._logs = 0, {}

    def frozen(self) -> History:
        """A copy of what is there now."""
        copy = History(self._n, self._capacity)
        copy._rows, copy._end = self._rows.copy(), self._end
        copy._logs = {signal: rows.copy() for signal, rows in self._logs.items()}
        return copy

    @property
    def t(self) -> np.ndarray:
        """Times `(k,)` of the samples, s."""
        return self._rows[max(0, self._end - self._capacity) : self._end, 0]

    def get(self, name: str) -> np.ndarray | None:
        """What was sampled of one signal, `(k, columns)`; None where no sample has it."""
        kept = slice(max(0, self._end - self._capacity), self._end)
        if name not in self._places:
            return self._logs[name][kept] if name in self._logs else None
        values = self._rows[kept, self._places[name]]
        return values if len(values) == 0 or np.isfinite(values[-1, 0]) or np.isfinite(values[:, 0]).any() else None
