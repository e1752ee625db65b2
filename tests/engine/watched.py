"""A simulation worker with what a test needs to wait for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

from armature import engine
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from tests.time_limits import WAIT, wait_until


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
        taken = self.worker.mailbox.take
        return wait_until(lambda: (snapshot := taken()) is not None and condition(snapshot) and snapshot, self.heard)

    def heard(self):
        while True:
            try:
                self.events.append(self.worker.events.get_nowait())
            except queue.Empty:
                return self.events

    def until_event(self, kind):
        event = wait_until(lambda: next((event for event in self.heard() if event.kind == kind), None), self.heard)
        self.events.remove(event)
        return event


def workers() -> Iterator:
    """For a fixture: gives `start(robot_name, **options)`; afterwards all must stop, without a fault or a thread left."""
    before = _threads()
    started = []

    def start(name: str, **options) -> Watched:
        started.append(Watched(engine.load_robot(name), **options))
        return started[-1]

    yield start
    for watched in started:
        assert watched.stop(timeout=WAIT), "the worker did not stop"
        assert not [event for event in watched.heard() if event.kind == "fault"]
    assert _threads() <= before


def _threads() -> set[threading.Thread]:
    """Threads but the one that limits calls of user code, which ends by itself a while after the last."""
    return {thread for thread in threading.enumerate() if thread.name != "call-limit"}
