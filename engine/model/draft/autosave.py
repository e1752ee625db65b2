"""Drafts that were not saved: kept on the disk while they are edited, and found again after the program was killed.

Each `Autosave` has two files in the user's state: `NAME.draft` with the text, replaced in one step, and `NAME.lock`, which is
locked as long as the process lives.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from armature.engine.errors import ModelError
from armature.engine.files import atomic_write, is_locked, lock, user_state
from armature.engine.model.draft.new_drafts import draft_from_text
from armature.engine.model.draft.robot_draft import RobotDraft
from armature.engine.model.toml.robot_file import MAX_BYTES

_FORMAT = 1
_DRAFT, _LOCK, _PART = ".draft", ".lock", ".part"
_DAY = 86400.0  # s


def draft_folder() -> Path:
    """Where unsaved drafts are kept."""
    return user_state() / "drafts"


class Autosave:
    """The place on the disk of the one draft that is being edited; `close` it when it is saved or given up.

    Args:
        folder: where to; `draft_folder()` when None. It is made when something is to be kept.
    """

    def __init__(self, folder: Path | None = None):
        self._folder = draft_folder() if folder is None else folder
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: int | None = None
        self._kept = ""

    def keep(self, draft: RobotDraft) -> None:
        """Writes an unsaved draft in one step; forgets what was kept once the draft is saved. Raises ModelError."""
        if not draft.changed:
            self.forget()
            return
        text = _told(draft)
        if text == self._kept:
            return
        path = self._folder / (self._name + _DRAFT)
        try:
            self._hold()
            atomic_write(path, text)
        except OSError as error:
            raise ModelError(f"{path}: unsaved changes cannot be saved as a draft: {error.strerror or error}") from None
        self._kept = text

    def forget(self) -> None:
        """Removes what is kept."""
        if self._kept:
            _remove(self._folder / (self._name + _DRAFT))
            self._kept = ""

    def close(self) -> None:
        """Removes what is kept and lets go of the place."""
        self.forget()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
            _remove(self._folder / (self._name + _LOCK))

    def _hold(self) -> None:
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self._folder / (self._name + _LOCK), os.O_RDWR | os.O_CREAT, 0o600)
            lock(self._lock)


@dataclass(frozen=True)
class LeftDraft:
    """A draft that a process left when it was killed: its `place`, the robot's `name`, the `path` of its file if it had one,
    the last change, and its text with what the file on the disk was then."""

    place: Path
    name: str
    path: Path | None
    changed: datetime
    text: str
    disk_hash: str

    def recovered(self) -> RobotDraft:
        """The draft as it was, not saved. Raises ModelError for a text that is no robot file any more."""
        return replace(draft_from_text(self.text, self.path), disk_hash=self.disk_hash)

    def discard(self) -> None:
        """Removes it."""
        _remove(self.place)
        _remove(self.place.with_suffix(_LOCK))


def left_drafts(folder: Path | None = None) -> list[LeftDraft]:
    """What killed processes left, the newest first; drafts that a window is editing now are none.

    Args:
        folder: where to look; `draft_folder()` when None. One that does not exist holds none.
    """
    try:
        files = list((draft_folder() if folder is None else folder).iterdir())
    except OSError:  # no folder
        return []
    places = [place for place in files if place.suffix == _DRAFT]
    for file in files:
        if file.suffix in (_LOCK, _PART) and file.with_suffix(_DRAFT) not in places:
            _sweep(file)
    found = [left for place in places if not _edited_now(place) and (left := _read(place)) is not None]
    return sorted(found, key=lambda left: left.changed, reverse=True)


def _sweep(file: Path) -> None:
    """Removes what a killed process left that holds nothing; a day later, since one that is starting has no draft yet either."""
    with contextlib.suppress(OSError):
        if time.time() - file.stat().st_mtime > _DAY and not is_locked(file):
            file.unlink()


def _told(draft: RobotDraft) -> str:
    path = None if draft.path is None else str(draft.path.absolute())
    told = {"format": _FORMAT, "name": draft.robot.name, "path": path, "disk_hash": draft.disk_hash, "text": draft.text}
    return json.dumps(told, ensure_ascii=False)


def _edited_now(place: Path) -> bool:
    try:
        return is_locked(place.with_suffix(_LOCK))
    except OSError:  # none
        return False


def _read(place: Path) -> LeftDraft | None:
    try:
        stat = place.stat()
        told: Any = json.loads(place.read_text(encoding="utf-8")) if stat.st_size < 8 * MAX_BYTES else None
        if told["format"] != _FORMAT:
            return None
        path = None if told["path"] is None else Path(told["path"])
        changed = datetime.fromtimestamp(stat.st_mtime).astimezone()
        return LeftDraft(place, str(told["name"]), path, changed, str(told["text"]), str(told["disk_hash"]))
    except (OSError, ValueError, KeyError, TypeError):  # damaged, or of another version: left alone
        return None


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
