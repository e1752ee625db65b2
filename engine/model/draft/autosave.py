"""Autosave of drafts: saved on disk while they are edited, and recovered after the program was killed.

Each `Autosave` has two files in the user's state: `NAME.draft` with the text, replaced atomically, and `NAME.lock`, which is
locked while the process runs.
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
    """Folder of unsaved drafts."""
    return user_state() / "drafts"


class Autosave:
    """Saves one edited draft on disk; `close` it after saving or discarding the draft.

    Args:
        folder: folder of the files, created when needed; None: `draft_folder()`.
    """

    def __init__(self, folder: Path | None = None):
        self._folder = draft_folder() if folder is None else folder
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: int | None = None
        self._kept = ""

    def keep(self, draft: RobotDraft) -> None:
        """Save an unsaved draft atomically, or remove its file once the draft is saved. Raises ModelError."""
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
        """Remove the saved draft."""
        if self._kept:
            _remove(self._folder / (self._name + _DRAFT))
            self._kept = ""

    def close(self) -> None:
        """Remove the saved draft and release the lock."""
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
        """Return the draft, unsaved. Raises ModelError if the text is no longer a valid robot file."""
        return replace(draft_from_text(self.text, self.path), disk_hash=self.disk_hash)

    def discard(self) -> None:
        """Removes it."""
        _remove(self.place)
        _remove(self.place.with_suffix(_LOCK))


def left_drafts(folder: Path | None = None) -> list[LeftDraft]:
    """Drafts of killed processes, newest first, without drafts that are being edited.

    Args:
        folder: folder to search, which may be missing; None: `draft_folder()`.
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
    saved = {"format": _FORMAT, "name": draft.robot.name, "path": path, "disk_hash": draft.disk_hash, "text": draft.text}
    return json.dumps(saved, ensure_ascii=False)


def _edited_now(place: Path) -> bool:
    try:
        return is_locked(place.with_suffix(_LOCK))
    except OSError:  # none
        return False


def _read(place: Path) -> LeftDraft | None:
    try:
        stat = place.stat()
        saved: Any = json.loads(place.read_text(encoding="utf-8")) if stat.st_size < 8 * MAX_BYTES else None
        if saved["format"] != _FORMAT:
            return None
        path = None if saved["path"] is None else Path(saved["path"])
        changed = datetime.fromtimestamp(stat.st_mtime).astimezone()
        return LeftDraft(place, str(saved["name"]), path, changed, str(saved["text"]), str(saved["disk_hash"]))
    except (OSError, ValueError, KeyError, TypeError):  # damaged, or of another version: left alone
        return None


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
