"""Faults of the program itself: every uncaught exception, from any thread, is logged and told to the user once per kind."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal

from armature.engine.errors import KernelsAwaitedError


@dataclass(frozen=True)
class Fault:
    """One uncaught exception: its kind (type and place), one line for people, and all of it for a report."""

    kind: str
    line: str
    details: str


def log_path() -> Path:
    """Where faults are written."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(folder or ".") / "faults.log"


def describe(kind, value, trace, where: str) -> Fault:
    """A fault from what an exception hook is given."""
    frames = traceback.extract_tb(trace)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown place"
    details = "".join(traceback.format_exception(kind, value, trace))
    text = " ".join(str(value).split()) or kind.__name__
    return Fault(f"{kind.__name__} at {place}", f"{text} ({kind.__name__} in {where}, {place})", details)


class FaultReporter(QObject):
    """Takes over the exception hooks of Python, its threads and its finalisers while installed.

    Emits `fault(Fault)` once per kind, and `refused(text)` where the window needed a kernel that is still being compiled.
    """

    fault = Signal(object)
    refused = Signal(str)
    _arrived = Signal(object)

    def __init__(self, log: Path | None = None, parent: QObject | None = None):
        super().__init__(parent)
        self._log = log
        self._seen: set[str] = set()
        self._before: tuple[Any, Any, Any] | None = None  # the hooks that were there
        self._arrived.connect(self._first_of_kind, Qt.ConnectionType.QueuedConnection)

    def install(self):
        """Set the hooks."""
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        sys.unraisablehook = self._on_unraisable

    def uninstall(self):
        """Put the hooks back that were there."""
        if self._before is not None:
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
            self._before = None

    def report(self, fault: Fault):
        """Log a fault and tell it; safe from any thread."""
        sys.stderr.write(fault.details)
        self._write(fault)
        self._arrived.emit(fault)

    def _on_exception(self, kind, value, trace):
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, value, trace)
        elif issubclass(kind, KernelsAwaitedError):
            self.refused.emit(str(value))
        else:
            self.report(describe(kind, value, trace, "the window"))

    def _on_thread_exception(self, args):
        if args.exc_type is not SystemExit:
            name = args.thread.name if args.thread else "a thread"
            self.report(describe(args.exc_type, args.exc_value, args.exc_traceback, f"thread {name}"))

    def _on_unraisable(self, args):
        self.report(describe(args.exc_type, args.exc_value, args.exc_traceback, "clean-up"))

    def _first_of_kind(self, fault: Fault):
        if fault.kind not in self._seen:
            self._seen.add(fault.kind)
            self.fault.emit(fault)

    def _write(self, fault: Fault):
        path = self._log or log_path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(f"--- {time.strftime('%Y-%m-%d %H:%M:%S')} {fault.line}\n{fault.details}\n")
        except OSError as error:
            sys.stderr.write(f"cannot write {path}: {error}\n")
