"""A simulation worker with what a test needs to wait for it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator

from armature import engine
from armature.engine.simulation.live.simulation_worker import SimulationWorker

PATIENCE = 30.0


class Watched:
    """A worker with what a test needs to wait for it."""

    def __init__(self, robot, **options):
        self.worker = SimulationWorker(robot, **options)
        self.events = []
        self.worker.start()

    def __getattr__(self, name):
        return getattr(self.worker, name)

    def until(self, condition):
        """The first snapshot that satisfies `condition`."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            snapshot = self.worker.mailbox.take()
            if snapshot is not None and condition(snapshot):
                return snapshot
            time.sleep(0.002)
        raise AssertionError(f"no such snapshot; events: {self.heard()}")

    def heard(self):
        while True:
            try:
                self.events.append(self.worker.events.get_nowait())
            except queue.Empty:
                return self.events

    def until_event(self, kind):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for event in self.heard():
                if event.kind == kind:
                    self.events.remove(event)
                    return event
            time.sleep(0.002)
        raise AssertionError(f"no event {kind!r}; heard {self.events}")


def workers() -> Iterator:
    """For a fixture: gives `start(robot_name, **options)`; afterwards all must stop, without a fault or a thread left."""
    before = _threads()
    started = []

    def start(name: str, **options) -> Watched:
        started.append(Watched(engine.load_robot(name), **options))
        return started[-1]

    yield start
    for watched in started:
        assert watched.stop(timeout=PATIENCE), "the worker did not stop"
        assert not [event for event in watched.heard() if event.kind == "fault"]
    assert _threads() <= before


def _threads() -> set[threading.Thread]:
    """Threads but the one that limits calls of user code, which ends by itself a while after the last."""
    return {thread for thread in threading.enumerate() if thread.name != "call-limit"}
