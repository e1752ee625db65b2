"""The GUI's heartbeat: one 16 ms timer looks into the simulation's mailbox, so that nothing is sent per step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from armature.app.state.notice import Notice

if TYPE_CHECKING:
    from armature.engine.simulation.live.simulation_worker import SimulationWorker

INTERVAL = 16  # ms
READING = 0.1  # s; nobody reads numbers that change more often


class FrameClock(QObject):
    """Polls a worker's mailbox and events, then ticks.

    What moves hangs on `tick`, every frame; what is read hangs on `reading`, ten times a second and every third frame
    where frames are slow; plots hang on `plotting`, the other frames, so that none pays for both.
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
        """Begin ticking."""
        self._timer.start()

    def stop(self):
        """Stop ticking."""
        self._timer.stop()

    def watch(self, worker: SimulationWorker | None):
        """Poll this worker's mailbox and events from now on; None for none."""
        self._worker = worker

    def poll(self):
        """One frame: the newest snapshot, every event, then the tick, and reading or plotting."""
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
        """Pass on all events that wait."""
        while self._worker is not None and not self._worker.events.empty():
            self.event_arrived.emit(self._worker.events.get_nowait())
