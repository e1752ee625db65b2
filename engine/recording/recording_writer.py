"""`RecordingWriter`: queue of states at simulation rate, and the thread that passes them to `recording_files`."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording_columns import Layout, column_names
from armature.engine.recording.recording_files import PartFile, part_path
from armature.engine.recording.recording_formats import format_of
from armature.engine.recording.recording_notes import RecordingEvent, Report
from armature.engine.rounding import in_decimals

_WALL = 9  # decimals of times on the wall
_AFTER = 1e-9  # s by which a row is later than one at the same time
FLUSH = 0.1  # seconds between two writes: what a killed process loses
QUEUE_BYTES = 64 << 20  # most bytes that wait for a slow disk
_CHUNK = 512  # rows turned into text at a time, so that the interpreter is never held for long


class RecordingClock:
    """Seconds since the recording began: simulated time while the arm moves by itself, wall time while it is posed by hand."""

    def __init__(self, wall: float):
        self._base, self._wall, self._sim = 0.0, wall, 0.0
        self._last = -np.inf

    def enter_simulation(self, sim: float, wall: float):
        """Switch to simulated time, starting at `sim`."""
        self._base, self._sim = self._posed(wall), sim

    def leave_simulation(self, sim: float, wall: float):
        """Switch to wall time; simulated time ended at `sim`."""
        self._base, self._wall = self.at(sim), wall

    def jump(self, before: float, after: float):
        """Continue without a jump after simulated time was set from `before` to `after`."""
        self._base, self._sim = self.at(before), after

    def simulated(self, t: np.ndarray) -> np.ndarray:
        """Return recording times of rising simulated times `t` `(k,)`: multiples of the step without rounding noise."""
        return self._later(self._on_axis(t))

    def at(self, t: float) -> float:
        """Return the recording time of a simulated time since it began to count."""
        return float(self._on_axis(t))

    def posed(self, wall: float) -> np.ndarray:
        """Return the recording time `(1,)` of what happens at wall time `wall`."""
        return self._later(np.array([self._posed(wall)]))

    def _on_axis(self, t: np.ndarray | float) -> np.ndarray:
        return in_decimals(self._base + (t - self._sim), np.maximum(np.abs(t), max(abs(self._sim), self._base)))

    def _posed(self, wall: float) -> float:
        return round(self._base + (wall - self._wall), _WALL)

    def _later(self, times: np.ndarray) -> np.ndarray:
        if not len(times):
            return times
        rising = np.maximum(times, round(self._last + _AFTER, _WALL)) if times[0] <= self._last else times
        self._last = float(rising[-1])
        return rising


class RecordingWriter:
    """Writes `<path>.part` on a background thread and renames it at the end; only `join` waits for the disk.

    With `measured`, rows `(k, 1 + 7n)` have the sensor readings of q, qd, tau after the state. A full disk, a missing folder or a
    disk that hangs ends the recording with a report, never with an exception in the caller.
    """

    def __init__(
        self,
        path: str | Path,
        robot: Robot,
        metadata: Mapping[str, Any],
        report: Report,
        overwrite: bool = False,
        measured: bool = False,
    ):
        self.path = Path(path).absolute()
        format_of(self.path)
        self._columns, self._metadata = column_names(robot.joint_names, measured), dict(metadata)
        self._robot, self._completer = robot, Completer(robot)
        self._overwrite, self._report = overwrite, report
        self._limit = QUEUE_BYTES // (8 * Layout(robot.n).state_width)
        self._changed = threading.Condition()
        self._queue: deque[tuple[Robot, np.ndarray]] = deque()
        self._notes: deque[Mapping[str, Any]] = deque()
        self._waiting = 0
        self._closing = self._over = self._abandoned = False
        self.rows = 0
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        """Whether rows are still taken: neither closed nor failed."""
        return not (self._over or self._closing)

    def put(self, states: np.ndarray, wait: bool = False, arm: Robot | None = None) -> bool:
        """Queue rows `(k, 1 + 4n)` of t, q, qd, qdd, tau; they must not be modified afterwards.

        `arm` is the robot with its current payload; None: the robot of the constructor.

        Returns False after the end of the recording. If too many rows wait for the disk, the recording fails or, with `wait`, the
        call blocks.
        """
        with self._changed:
            while wait and self.active and self._waiting + len(states) > self._limit and self._queue:
                self._changed.wait(FLUSH)
            if not self.active:
                return False
            if self._waiting + len(states) <= self._limit or not self._queue:
                self._queue.append((self._robot if arm is None else arm, states))
                self._waiting += len(states)
                self.rows += len(states)
                if self._waiting > 8 * _CHUNK:
                    self._changed.notify_all()
                return True
        self._end(
            RecordingEvent.FAILED,
            f"{part_path(self.path)}: recording stopped, the disk is too slow; the samples written so far are in this file",
        )
        return False

    def note(self, event: Mapping[str, Any]):
        """Queue an event at the next row: JSON values, for the metadata's `events`.

        `row`, the index of that row, is added.
        """
        with self._changed:
            if self.active:
                self._notes.append({"row": self.rows, **event})

    def close(self):
        """Finish the file in the background: queued rows are written, and the file is renamed."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def join(self, timeout: float | None = None) -> bool:
        """Waits until the file is closed; False if `timeout` seconds were not enough."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def abandon(self):
        """Stop; the `.part` remains, which `load_recording` reads."""
        self._abandoned = True
        what = "the disk was too slow, so the recording stopped"
        self._end(RecordingEvent.FAILED, f"{self.path}: {what}; open {self.path.name}.part to read it")
        self.close()

    def _run(self):
        part, why = None, ""
        try:
            part = PartFile(self.path, self._columns, self._metadata, self._overwrite)
            self._report(RecordingEvent.STARTED, str(self.path))
            closing = False
            while not closing and not self._over:
                batch, notes, closing = self._take()
                for event in notes:
                    part.note(event)
                self._write(part, batch)
                part.flush()
                part.check()
            self._finish(part)
        except RecordingError as error:
            why = str(error)
        except Exception as error:  # a fault here must reach the user, and must not reach the simulation
            why = f"{self.path}: unexpected {type(error).__name__}: {' '.join(str(error).split())}"
        refused = self._closed(part)
        if why or refused:  # reported last: the receiver may recover the file at once
            self._end(RecordingEvent.FAILED, why or refused)

    def _finish(self, part: PartFile):
        if self._over:
            return
        if not self.rows:
            part.discard()
            self._end(RecordingEvent.FAILED, f"{self.path}: no samples were recorded, so no file was written")
        else:
            with suppress(Cancelled):  # abandoned: the `.part` remains
                part.finish(lambda: self._abandoned)
                self._end(RecordingEvent.STOPPED, f"{self.rows:,} {'sample' if self.rows == 1 else 'samples'} in {self.path}")

    def _take(self) -> tuple[list[tuple[Robot, np.ndarray]], list[Mapping[str, Any]], bool]:
        """Rows and notes that wait, after at most FLUSH seconds, and whether they were the last."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._over or self._waiting > 8 * _CHUNK, timeout=FLUSH)
            batch, notes, closing = list(self._queue), list(self._notes), self._closing
            self._queue.clear()
            self._notes.clear()
            self._waiting = 0
            self._changed.notify_all()
        return batch, notes, closing

    def _write(self, part: PartFile, batch: list[tuple[Robot, np.ndarray]]):
        for _, made in groupby(batch, key=lambda item: id(item[0])):
            arms, rows = zip(*made, strict=True)
            states = np.concatenate(rows)
            for first in range(0, len(states), _CHUNK):
                if self._over:
                    return
                part.rows(self._completer.complete(states[first : first + _CHUNK], arms[0]))

    def _end(self, kind: RecordingEvent, text: str):
        """The first end counts."""
        with self._changed:
            if self._over:
                return
            self._over = True
            self._queue.clear()
            self._changed.notify_all()
        self._report(kind, text)

    def _closed(self, part: PartFile | None) -> str:
        """Closes the file; why the disk refused even that, else nothing."""
        try:
            if part is not None:
                part.close()
        except RecordingError as error:
            return str(error)
        return ""
