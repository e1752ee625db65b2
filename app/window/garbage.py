"""When Python looks for garbage: on the GUI's thread only, where Qt's objects may be destroyed, never amid the simulation."""

from __future__ import annotations

import gc

from pyqtgraph.util.garbage_collector import GarbageCollector


def spare_what_is_there() -> None:
    """Leave what is there out of collections: it stays for good, and a full one looks at 200,000 objects for 100 ms."""
    gc.collect()
    gc.freeze()


def spare_imports(*_) -> None:
    """Leave what was imported beside the window out of collections, without looking through it, which takes 20 to 40 ms."""
    gc.freeze()


class Garbage:
    """Collects once a second on this thread instead of whenever and wherever, until `stop`."""

    def __init__(self):
        self._collector = GarbageCollector(interval=1.0)

    def stop(self) -> None:
        """Leave it to Python again; safe to call twice."""
        self._collector.timer.stop()
        gc.enable()
