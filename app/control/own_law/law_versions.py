"""`LawVersions`: a file under edit, and every version of it that has proven itself, beside the window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from armature.app.state.own_code.code_file import file_state
from armature.engine.control.own_law.law_source import read_text
from armature.engine.errors import EngineError

if TYPE_CHECKING:
    from armature.engine import Robot
    from armature.engine.control.own_law.host.user_code_host import HostedLaw, State, UserCodeHost

LOOK_EVERY = 0.02  # s; a look takes a few microseconds


class Conditions(NamedTuple):
    """What a version has to prove itself in: the arm and its state, and the version whose memory it takes over."""

    robot: Robot
    state: State
    before: HostedLaw | None


class LawVersions(QObject):
    """Tells `ready(law)`, `refused(why)`, or `unchanged()` where the text is again that of the version at work; some seconds
    after `ready` it tells `compiled(law)`, the same as compiled code, or `python(why)` where it stays Python.

    The file's place itself is looked at: notifications of the system are lost where an editor puts another file in its place,
    and for folders of other machines. `conditions` is called on other threads than the window's, which need not keep up with it.
    """

    ready = Signal(object)
    refused = Signal(str)
    unchanged = Signal()
    compiled = Signal(object)
    python = Signal(str)

    def __init__(self, conditions: Callable[[], Conditions], parent: QObject | None = None):
        super().__init__(parent)
        self._conditions = conditions
        self.path: Path | None = None
        self._host: UserCodeHost | None = None
        self._read: object = None  # the state of the file that was read
        self._seen: object = None  # the one at the last look
        self._text: str | None = None
        self._newest, self._lock, self._over = 0, threading.RLock(), threading.Event()
        self._threads: list[threading.Thread] = []  # the one that watches, and those in which versions prove themselves

    def watch(self, path: Path) -> None:
        """Another file, in every version from now on."""
        with self._lock:
            self.path, self._read, self._seen, self._text = path, None, None, None
            self._newest += 1
            if not self._threads:
                self._begin("own-law", self._watch)

    def cancel(self) -> None:
        """Ignore versions that are being tested, for another arm."""
        with self._lock:
            self._newest += 1

    def again(self) -> None:
        """The text there is has to prove itself anew."""
        with self._lock:
            if self._text is not None:
                self._make(self._text)

    def close(self) -> None:
        """End the watch and all processes."""
        self._over.set()
        with self._lock:
            self._newest += 1
            host, self._host = self._host, None
        if host is not None:
            host.close()
        for thread in self._threads:
            thread.join(3.0)

    def _watch(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            with self._lock:
                self._look()

    def _look(self) -> None:
        if self.path is None:
            return
        state, before = file_state(self.path), self._seen
        self._seen = state
        if state == self._read or state != before:  # seen already, or still being written
            return
        self._read = state
        try:
            self._text = read_text(self.path)
        except EngineError as error:
            self._newest += 1
            self.refused.emit(str(error))
        else:
            self._make(self._text)

    def _make(self, text: str) -> None:
        """Has a text prove itself on a thread of its own: a newer one need not wait for it."""
        from armature.engine.control.own_law.host.code_service import Source
        from armature.engine.control.own_law.host.user_code_host import UserCodeHost  # numba: not before the window is on screen

        self._newest += 1
        conditions, path = self._conditions(), self.path
        if conditions.before is not None and conditions.before.text == text:
            self.unchanged.emit()
        elif path is not None and not self._over.is_set():
            self._host = self._host or UserCodeHost()
            work = self._newest, self._host, Source(text, path.stem, str(path)), conditions
            self._begin("own-law-version", self._prove, *work)

    def _begin(self, name: str, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, name=name, daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def _prove(self, number: int, host: UserCodeHost, source, conditions: Conditions) -> None:
        law, why = None, ""
        try:
            law = host.controller(source, *conditions)
        except EngineError as error:
            why = str(error)
        if law is None:
            self._tell(number, self.refused, why)
        elif self._tell(number, self.ready, law):
            with suppress(EngineError):  # given up, or nothing that Python does: the version there is goes on
                made = host.compile(law, conditions.robot, conditions.state)
                self._tell(number, self.python if isinstance(made, str) else self.compiled, made)

    def _tell(self, number: int, signal, what: object) -> bool:
        """Unless there is something newer."""
        with self._lock:
            wanted = number == self._newest and not self._over.is_set()
            if wanted:
                signal.emit(what)
            return wanted
