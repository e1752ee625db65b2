"""`CodeFile`: a Python file that a person chose, made anew beside the window whenever it is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from armature.app.state.jobs import Job, JobRunner

if TYPE_CHECKING:
    from armature.engine import Robot
    from armature.engine.control.own_law.host.user_code_host import UserCodeHost

LOOK_EVERY = 200  # ms

Make = Callable[["UserCodeHost", Path, "Robot", Job], object]


class CodeFile(QObject):
    """Tells `made(what)` of each version, as `make` gives it, or `failed(why)`; the code runs in processes of its own."""

    made = Signal(object)
    failed = Signal(str)

    def __init__(self, name: str, make: Make, parent: QObject):
        super().__init__(parent)
        self.path: Path | None = None
        self._make = make
        self._robot: Robot | None = None
        self._host: UserCodeHost | None = None
        self._read: object = None  # the state of the file that was read
        self._seen: object = None  # the one at the last look
        self._runner = JobRunner(name, self)
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self.failed)
        self._looking = QTimer(self, interval=LOOK_EVERY)
        self._looking.timeout.connect(self._look)

    def open(self, path: Path, robot: Robot) -> None:
        """This file from now on, for this robot; choosing it is the consent to run it."""
        self.path, self._robot = path.absolute(), robot
        self._read = self._seen = file_state(self.path)
        self._begin()
        self._looking.start()

    def again(self) -> None:
        """Make it once more, where `make` has learned something."""
        if self.path is not None:
            self._begin()

    def forget(self) -> None:
        """No file any more."""
        self.path = None
        self._looking.stop()
        self._runner.cancel()

    def stop(self) -> None:
        """End the processes, and what is being made."""
        self.forget()
        if self._host is not None:
            self._host.close()
        self._runner.stop()

    def _look(self) -> None:
        assert self.path is not None
        before, self._seen = self._seen, file_state(self.path)
        if self._seen != self._read and self._seen == before:  # saved, and no longer being written
            self._read = self._seen
            self._begin()

    def _begin(self) -> None:
        make, path, robot = self._make, self.path, self._robot
        assert path is not None and robot is not None

        def work(job: Job) -> object:
            from armature.engine.control.own_law.host.user_code_host import (
                UserCodeHost,  # numba: not before the window is on screen
            )

            self._host = self._host or UserCodeHost()
            return make(self._host, path, robot, job)

        self._runner.start(work)

    def _on_finished(self, what: object) -> None:
        if what is not None:
            self.made.emit(what)


def file_state(path: Path) -> object:
    """Time, size and number of a file, which change when it is saved; the kind of error if it cannot be read."""
    try:
        now = path.stat()
    except OSError as error:
        return type(error)
    return now.st_mtime_ns, now.st_size, now.st_ino
