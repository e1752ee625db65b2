"""When Python looks for garbage: on the GUI's thread only, where Qt's objects may be destroyed, never amid the simulation."""

from __future__ import annotations

import gc
import sys

from pyqtgraph.util.garbage_collector import GarbageCollector

MANY = 20  # modules: fewer are looked through at once


def spare_what_is_there() -> None:
    """Leave what is there out of collections: it stays for good, and a full one looks at 200,000 objects for 100 ms."""
    gc.collect()
    gc.freeze()


def spare_the_new(*_) -> None:
    """Leave what was imported beside the window, or made for good, out of collections, without looking through it first, which
    takes 20 to 40 ms.
    """
    gc.freeze()


class Garbage(GarbageCollector):
    """Collects once a second on this thread instead of whenever and wherever, until `stop`.

    What a job has imported meanwhile, such as scipy for the first workspace, is spared: looking through it takes up to 190 ms.
    """

    def __init__(self):
        self._modules = len(sys.modules)
        super().__init__(interval=1.0)

    def check(self) -> None:
        """Called once a second."""
        if len(sys.modules) >= self._modules + MANY:
            self._modules = len(sys.modules)
            spare_the_new()
        super().check()

    def stop(self) -> None:
        """Leave it to Python again; safe to call twice."""
        self.timer.stop()
        gc.enable()
