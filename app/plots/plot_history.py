"""A ring of samples for plotting: everything of a run that can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
MOST_WAITING = 64  # samples: they are taken over together, once anybody looks or so many wait
MOST_LOGGED = 200  # numbers of a law in one sample
ToolMotion = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Place, velocity and acceleration of the tool, `(k, 3)` each, from q, qd and qdd `(k, n)`."""


class History:
    """The last samples of an n-joint arm; older ones make room. What a sample does not have is not a number.

    How the tool moves is computed by `tool_motion` once it is shown.
    """

    def __init__(self, n: int, capacity: int = CAPACITY, tool_motion: ToolMotion | None = None):
        self._n, self._capacity, self._end = n, capacity, 0
        self._tool_motion, self._derived = tool_motion, 0  # of how many rows it is known
        self._waiting: list[tuple[Snapshot, float]] = []
        self._places: dict[str, slice] = {}
        at = 1
        for name in (*PER_JOINT, *OTHERS):
            width = OTHERS.get(name, n)
            self._places[name] = slice(at, at + width)
            at += width
        self._rows = np.empty((2 * capacity, at))
        self._logs: dict[str, np.ndarray] = {}  # rows of what a law logged, by the names of their signals

    def __len__(self) -> int:
        self._take_over()
        return min(self._end, self._capacity)

    def append(self, snapshot: Snapshot, sigma_min: float):
        """Take over one snapshot.

        One from before the last starts the ring anew; posing while the run is paused, which takes no time and has other torques,
        is no part of its curves.
        """
        self._waiting.append((snapshot, sigma_min))
        if len(self._waiting) >= MOST_WAITING:
            self._take_over()

    def _take_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        for snapshot, sigma_min in waiting:
            self._take(snapshot, sigma_min)

    def _take(self, snapshot: Snapshot, sigma_min: float) -> None:
        if self._end:
            last = self._rows[self._end - 1, 0]
            if snapshot.t < last:
                self._forget()
            elif snapshot.t == last and not snapshot.running:
                return
        if self._end == len(self._rows):  # the second half moves to the front, so that a window is always one block
            for rows in (self._rows, *self._logs.values()):
                rows[: self._capacity] = rows[self._capacity :]
            self._end, self._derived = self._capacity, max(0, self._derived - self._capacity)
        row, n = self._rows[self._end], self._n
        self._keep_log({} if snapshot.law is None else snapshot.law.log)
        self._end += 1
        row[:] = np.nan
        row[0] = snapshot.t
        parts = [snapshot.q, snapshot.qd, snapshot.qdd, snapshot.tau, *(snapshot.tau_terms[term] for term in TERMS)]
        desired = snapshot.q_desired, snapshot.qd_desired, snapshot.qdd_desired
        parts += [values for values in desired if values is not None]  # all of them or none
        np.concatenate(parts, out=row[1 : 1 + len(parts) * n])
        for name, told in zip(MEASURED, (snapshot.q_measured, snapshot.qd_measured, snapshot.tau_measured), strict=True):
            if told is not None:
                row[self._places[name]] = told
        if snapshot.tool_desired is not None:
            row[self._places["tool_desired"]] = snapshot.tool_desired[:3, 3]
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
        self._take_over()
        return tuple(self._logs)

    def clear(self):
        """Forget everything."""
        self._waiting = []
        self._forget()

    def _forget(self) -> None:
        self._end, self._derived, self._logs = 0, 0, {}

    def frozen(self) -> History:
        """A copy of what is there now."""
        self._take_over()
        copy = History(self._n, self._capacity, self._tool_motion)
        copy._rows, copy._end, copy._derived = self._rows.copy(), self._end, self._derived
        copy._logs = {signal: rows.copy() for signal, rows in self._logs.items()}
        return copy

    @property
    def t(self) -> np.ndarray:
        """Times `(k,)` of the samples, s."""
        self._take_over()
        return self._rows[max(0, self._end - self._capacity) : self._end, 0]

    def get(self, name: str) -> np.ndarray | None:
        """What was sampled of one signal, `(k, columns)`; None where no sample has it."""
        self._take_over()
        kept = slice(max(0, self._end - self._capacity), self._end)
        if name == "tool" or name in TOOL_RATES:
            self._derive(kept.start)
        if name not in self._places:
            return self._logs[name][kept] if name in self._logs else None
        values = self._rows[kept, self._places[name]]
        return values if len(values) == 0 or np.isfinite(values[-1, 0]) or np.isfinite(values[:, 0]).any() else None

    def _derive(self, first: int) -> None:
        """Fill in how the tool moves and is wanted to move, of the samples from `first` on that lack it."""
        first, self._derived = max(first, self._derived), self._end
        if self._tool_motion is None or first == self._end:
            return
        for names, of in ((("tool", *TOOL_RATES[:2]), ""), (TOOL_RATES[2:], "_desired")):
            rows = self._rows[first : self._end]
            motion = [np.ascontiguousarray(rows[:, self._places[f"{name}{of}"]]) for name in ("q", "qd", "qdd")]
            known = np.flatnonzero(np.isfinite(np.hstack(motion)).all(axis=1))
            if len(known):
                place_and_rates = self._tool_motion(*(values[known] for values in motion))
                for name, values in zip(names, place_and_rates[-len(names) :], strict=True):
                    rows[known, self._places[name]] = values
