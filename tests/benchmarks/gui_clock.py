"""Counts the processor time that the GUI's thread spends in the program's own code, without what the GL driver draws."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import time
from collections import Counter

# what makes the driver rasterise, or wait until it has: llvmpipe finishes a target when another one is bound
DRIVER = ("glDraw", "glMultiDraw", "glClear", "glFinish", "glFlush", "glReadPixels", "glBlit", "glCopyTex", "glBindFramebuffer")
HANDLERS = ("paintGL", "paintEvent", "resizeGL", "timerEvent", "poll")


class GuiClock:
    """Seconds of one thread: `own` per event handler of app and pyqtgraph, `driver` in drawing calls of GL, and `calls`."""

    def __init__(self) -> None:
        self.own: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.driver = 0.0
        self._depth = 0
        self._thread = threading.get_ident()

    def watch_driver(self) -> None:
        """Wraps OpenGL's drawing calls; before anybody imports them by name."""
        from OpenGL import GL
        from OpenGL.raw.GL.VERSION import GL_3_1

        for module in (GL, GL_3_1):
            for name in dir(module):
                if name.startswith(DRIVER) and callable(getattr(module, name)):
                    setattr(module, name, self._driver_call(getattr(module, name)))

    def watch_handlers(self) -> None:
        """Wraps every event handler written in app or pyqtgraph; after they are imported, before objects of them exist."""
        for module in [module for name, module in sys.modules.items() if name.startswith(("armature.app.", "pyqtgraph."))]:
            for _, cls in inspect.getmembers(module, inspect.isclass):
                for name in HANDLERS:
                    method = cls.__dict__.get(name)
                    around = name == "paintEvent" and hasattr(cls, "paintGL")  # Qt's own, which calls the handler paintGL
                    if inspect.isfunction(method) and not around and not hasattr(method, "watched"):
                        setattr(cls, name, self._handler(method))

    def count_everywhere(self) -> None:
        """The driver's time counts outside of handlers, too."""
        self._depth += 1

    def reset(self) -> None:
        """Starts counting anew."""
        self.own.clear()
        self.calls.clear()
        self.driver = 0.0

    def own_per_frame(self) -> float:
        """What one frame costs: a poll of the frame clock, one drawing of the 3D view, and the other widgets' share."""
        polls, draws = max(1, self.calls["poll"]), max(1, self.calls["paintGL"])
        others = sum(self.own.values()) - self.own["poll"] - self.own["paintGL"]
        return self.own["paintGL"] / draws + (self.own["poll"] + others) / polls

    def _driver_call(self, function):
        @functools.wraps(function)
        def timed(*args, **kwargs):
            started = time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                if self._depth and threading.get_ident() == self._thread:
                    self.driver += time.thread_time() - started

        return timed

    def _handler(self, method):
        @functools.wraps(method)
        def timed(*args, **kwargs):
            if self._depth or threading.get_ident() != self._thread:
                return method(*args, **kwargs)
            self._depth += 1
            started, driver = time.thread_time(), self.driver
            try:
                return method(*args, **kwargs)
            finally:
                self._depth -= 1
                self.calls[method.__name__] += 1
                self.own[method.__name__] += time.thread_time() - started - (self.driver - driver)

        timed.watched = True
        return timed
