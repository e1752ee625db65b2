"""`FrameClock`: a timer of 16 ms that reads the simulation's mailbox, so that nothing is sent per step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from armature.app.state.notice import Notice

if TYPE_CHECKING:
    from armature.engine.simulation.live.simulation_worker import SimulationWorker

INTERVAL = 16  # ms
READING = 0.1  # s; numbers that change more often cannot be read


class FrameClock(QObject):
    """Polls a worker's mailbox and events, then emits `tick` every frame, for motion.

    `reading`, for numbers, is emitted ten times a second, at most every third frame; `plotting` in the other frames, so that no
    frame has the cost of both.
    """

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.snapshot, self.event_arrived = Notice(), Notice()
        self.tick, self.reading, self.plotting = Notice(), Notice(), Notice()
        self._worker: SimulationWorker | None = None
        self._read, self._frames = 0.0, 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.poll)

    def start(self):
        """Start the timer."""
        self._timer.start()

    def stop(self):
        """Stop the timer."""
        self._timer.stop()

    def watch(self, worker: SimulationWorker | None):
        """Set the worker to poll, None for none."""
        self._worker = worker

    def poll(self):
        """Emit one frame: the newest snapshot, all events, the tick, and reading or plotting."""
        if self._worker is not None:
            newest = self._worker.mailbox.take()
            if newest is not None:
                self.snapshot.emit(newest)
            self.drain_events()
        self.tick.emit()
        now = time.monotonic()
        self._frames += 1
        if self._frames > 2 and now - self._read >= READING:
            self._read, self._frames = now, 0
            self.reading.emit()
        else:
            self.plotting.emit()

    def drain_events(self):
        """Emit all waiting events."""
        while self._worker is not None and not self._worker.events.empty():
            self.event_arrived.emit(self._worker.events.get_nowait())
