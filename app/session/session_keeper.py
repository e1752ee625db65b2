"""`SessionKeeper`: the desk is autosaved as a session, and sessions of programs that ended unexpectedly are offered.

Each window has two files in the user's state: `NAME.armature`, replaced atomically, and `NAME.lock`, locked while it is open.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer

from armature.app.session.session_archive import SUFFIX, SessionArchive
from armature.app.session.session_file import Desk, read_manifest, save_session
from armature.app.session.session_robot import OpenArm
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.engine.errors import EngineError
from armature.engine.files import is_locked, lock, reason, user_state

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import RobotDraft

EVERY, SOON = 60_000, 2_000  # ms between two autosaves, and after an edit of the robot
SUBJECT = "autosave"
LOCK = ".lock"


class LeftSession(NamedTuple):
    """A session of a program that ended unexpectedly, the name of its robot, and when it was saved."""

    path: Path
    robot: str
    changed: datetime

    def discard(self) -> None:
        """Remove it."""
        for path in (self.path, self.path.with_suffix(LOCK)):
            with suppress(OSError):
                path.unlink()


def session_folder() -> Path:
    """Folder of autosaved sessions."""
    return user_state() / "sessions"


def left_sessions() -> list[LeftSession]:
    """Return the sessions of programs that ended unexpectedly, newest first."""
    found = []
    for path in session_folder().glob(f"*{SUFFIX}"):
        with suppress(OSError, EngineError):  # damaged, or removed by another program: left alone
            if path.with_suffix(LOCK).exists() and is_locked(path.with_suffix(LOCK)):
                continue
            with SessionArchive(path) as archive:
                robot = read_manifest(archive)[0].robot
            changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
            name = Path(robot.path).stem or robot.included or "a new robot"
            found.append(LeftSession(path, name, changed))
    return sorted(found, key=lambda left: left.changed, reverse=True)


class SessionKeeper(QObject):
    """Autosaves what `read()` returns, by reference to recordings; `open(path, then)` opens a session that is recovered."""

    def __init__(self, bench: Workbench, read: Callable[[], Desk], open_: Callable[[Path, Callable[[], None]], None]):
        super().__init__(bench.parent)
        self._bench, self._read, self._open = bench, read, open_
        self._path = session_folder() / f"{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self._lock: int | None = None
        self._kept: Desk | None = None  # as autosaved, or as at the start
        self._minute, self._soon = QTimer(self, interval=EVERY), QTimer(self, singleShot=True, interval=SOON)
        self._search, self._saving = JobRunner("find-sessions", bench.parent), JobRunner("autosave", bench.parent)
        self._left: list[LeftSession] = []

    def wire(self) -> None:
        """Begin once the program is ready."""
        self._minute.timeout.connect(self.keep)
        self._soon.timeout.connect(self.keep)
        self._bench.document.draft_changed.connect(self._on_draft)
        self._saving.failed.connect(self._complain)
        self._search.finished.connect(self._on_found)
        self._bench.startup.when(KernelStage.ALL, self._begin)

    def _begin(self) -> None:
        self._search.start(lambda _: left_sessions())
        QTimer.singleShot(0, self, self._take_start)
        self._minute.start()

    def _take_start(self) -> None:
        if self._kept is None and not self._bench.document.unsaved:
            self._kept = self._read()

    def _on_draft(self) -> None:
        if self._bench.document.unsaved and not self._soon.isActive():
            self._soon.start()

    def keep(self) -> None:
        """Save the desk in the background, if it has changed."""
        desk = self._read()
        if desk.same_as(self._kept) or self._saving.busy:
            return
        self._kept = desk
        try:
            self._hold()
        except OSError as error:
            self._complain(f"{self._path}: {reason(error)}")
            return
        self._saving.start(lambda job: save_session(desk, self._path, True, cancelled=job.cancelled))

    def put_aside(self, draft: RobotDraft) -> None:
        """Save the desk to a separate file and offer it, because another robot replaces the unsaved `draft` without a prompt."""
        left = LeftSession(self._path.with_name(f"{secrets.token_hex(6)}{SUFFIX}"), draft.robot.name, datetime.now().astimezone())
        try:
            session_folder().mkdir(parents=True, exist_ok=True)
            save_session(replace(self._read(), arm=OpenArm(draft.robot, draft)), left.path, True)
        except (EngineError, OSError) as error:
            self._complain(str(error))
            return
        text = f"Another robot was opened; unsaved changes to {draft.robot.title} can be recovered."
        self._offer(left, text, left.discard)

    def stop(self, forget: bool) -> None:
        """Stop with the window; unsaved changes remain for the next start, unless the user has discarded or saved them."""
        for timer in (self._minute, self._soon):
            timer.stop()
        self._search.stop()
        if self._bench.document.unsaved and not forget:
            self._saving.finish()
            self.keep()
            self._saving.finish()
            self._saving.stop()
        else:
            self._saving.stop()
            LeftSession(self._path, "", datetime.now().astimezone()).discard()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
            with suppress(OSError):
                self._path.with_suffix(LOCK).unlink()

    def _hold(self) -> None:
        if self._lock is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self._path.with_suffix(LOCK), os.O_RDWR | os.O_CREAT, 0o600)
            lock(self._lock)

    def _on_found(self, found: list[LeftSession]) -> None:
        """Offer the newest one, then the next."""
        self._left = found
        if found:
            when = f"{found[0].changed:%Y-%m-%d %H:%M}"
            text = f"Recover the session with {found[0].robot} of {when}, which ended unexpectedly?"
            self._offer(found[0], text, partial(self._settle, found[0]))

    def _offer(self, left: LeftSession, text: str, settled: Callable[[], None]) -> None:
        recover = partial(self._open, left.path, settled)
        self._bench.banner.show_offer(text, {"Recover": recover, "Delete": settled, "Later": lambda: None})

    def _settle(self, left: LeftSession) -> None:
        left.discard()
        self._on_found(self._left[1:])

    def _complain(self, text: str) -> None:
        text = f"The session cannot be backed up, so save it soon: {text}"
        self._bench.files.message_about.emit(SUBJECT, Severity.WARNING, text)
