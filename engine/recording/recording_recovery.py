"""Recovery of unfinished recordings after killed or interrupted runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from armature.engine.errors import RecordingError
from armature.engine.files import is_locked, reason
from armature.engine.recording.recording_columns import joints_of
from armature.engine.recording.recording_files import part_path, write_recording
from armature.engine.recording.recording_formats import FORMATS, NAMES
from armature.engine.recording.recording_notes import notes_path, sidecar
from armature.engine.recording.recording_reader import open_recording


@dataclass(frozen=True)
class Recoverable:
    """A recording that was not finished and that is no longer written: its `.part`, bytes, last change, robot and joints."""

    path: Path
    size: int
    changed: datetime
    robot_name: str
    joint_names: tuple[str, ...]


def find_recoverable(folder: str | Path) -> list[Recoverable]:
    """Return the unfinished recordings in a folder, newest first, without those that are being written.

    Args:
        folder: the folder to search, without subfolders; a missing folder has none.

    Returns:
        One object for each file with at least one sample: `path` of the `.part`, for `recover`, its `size` in bytes, `changed`
        (date and time of the last change), `robot_name` and `joint_names`.
    """
    try:
        parts = [path for path in Path(folder).iterdir() if _is_part(path)]
    except (OSError, ValueError):  # no folder, or no name of one
        return []
    found = [one for path in parts if (one := _look(path)) is not None]
    return sorted(found, key=lambda one: one.changed, reverse=True)


def recover(path: str | Path, target: str | Path | None = None, cancelled: Callable[[], bool] = lambda: False) -> Path:
    """Convert the `.part` of an unfinished recording into a complete file, then delete the `.part`.

    Args:
        path: the `.part` file, as from `find_recoverable`.
        target: the file to write, in any format; None: the file that the run would have written or, if this file exists, a free
            name in the same folder.
        cancelled: called repeatedly; if it returns True, Cancelled is raised and nothing changes.

    Returns:
        The path of the new file, which contains all complete samples.

    Raises:
        RecordingError: not an unfinished recording, still being written, without a complete sample, an existing `target`, or a
            disk error.
    """
    part = Path(path)
    if not _is_part(part):
        raise RecordingError(f"{part}: the name of an unfinished recording must end in {NAMES}, then .part")
    with open_recording(part) as file:
        if is_locked(part):
            raise RecordingError(f"{part}: this recording is still being written")
        first = next(file.blocks, None)
        if first is None:
            raise RecordingError(f"{part}: no complete sample")
        blocks = (block for several in ([first], file.blocks) for block in several)
        goal = Path(target) if target is not None else _own_name(part)
        written = write_recording(goal, file.columns, file.metadata, blocks, overwrite=False, cancelled=cancelled)
    _remove(part)
    return written


def discard(path: str | Path) -> None:
    """Deletes what a run left; raises RecordingError for anything else, or while it is being written."""
    part = Path(path)
    if not _is_part(part):
        raise RecordingError(f"{part}: the name of an unfinished recording must end in {NAMES}, then .part")
    if part.is_file() and is_locked(part):
        raise RecordingError(f"{part}: this recording is still being written")
    _remove(part)


def free_name(path: Path) -> Path:
    """Return `path`, or a numbered path that no recording uses, finished or not."""
    candidate, k = path, 2
    while any(there.exists() for there in (candidate, part_path(candidate), sidecar(candidate))):
        candidate, k = path.with_name(f"{path.stem} ({k}){path.suffix}"), k + 1
    return candidate


def _own_name(part: Path) -> Path:
    """Path that the run would have written, or a free name if it exists."""
    own = part.with_suffix("")
    return free_name(own) if own.exists() or sidecar(own).exists() else own


def _is_part(path: Path) -> bool:
    return path.suffix.lower() == ".part" and path.with_suffix("").suffix.lower() in FORMATS


def _look(path: Path) -> Recoverable | None:
    try:
        stat = path.stat()
        if is_locked(path):
            return None
        with open_recording(path) as file:
            if next(file.blocks, None) is None:
                return None
            robot, joints = str(file.metadata.get("robot", "")), joints_of(file.columns)
        return Recoverable(path, stat.st_size, datetime.fromtimestamp(stat.st_mtime).astimezone(), robot, joints)
    except (RecordingError, OSError):
        return None


def _remove(part: Path) -> None:
    try:
        for path in (part, notes_path(part)):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"{part}: {reason(error)}") from None
