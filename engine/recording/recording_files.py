"""The `.part` file that a running recording writes, and how it becomes the requested file."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.files import lock, reason
from armature.engine.recording.recording_formats import Format, format_of
from armature.engine.recording.recording_metadata import EVENTS
from armature.engine.recording.recording_notes import note_line, notes_path, read_notes, sidecar, write_sidecar
from armature.engine.recording.tables.raw_format import assemble_stream


def write_recording(
    path: Path,
    columns: Sequence[str],
    metadata: Mapping[str, Any],
    blocks: Iterable[np.ndarray],
    overwrite: bool,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Writes rows next to `path` and renames; in bounded memory, however many there are.

    Args:
        path: the file; its suffix decides the format.
        columns, metadata: of the recording.
        blocks: its rows `(k, columns)`.
        overwrite: whether a file of that name is replaced.
        cancelled: called now and then; once it says so nothing is left behind, and `Cancelled` is raised.

    Returns:
        The path written.

    Raises:
        RecordingError: another suffix, a file that is there, or one that cannot be written; and what `blocks` raises.
    """
    form = format_of(path)
    new = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    rows = new.with_suffix(".rows") if form.assemble else new
    try:
        _check_target(path, form, overwrite)
        try:
            with rows.open("wb") as file:
                _encode(file, form, columns, metadata, blocks, cancelled)
            if form.assemble:
                with new.open("wb") as file:
                    if not assemble_stream(rows, file, form.assemble, {}, cancelled):
                        raise Cancelled
            _check_target(path, form, overwrite)
            new.replace(path)
            if form.suffix == ".csv":
                write_sidecar(path, metadata)
        finally:
            new.unlink(missing_ok=True)
            rows.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"{path}: {reason(error)}") from None
    except ValueError as error:
        raise RecordingError(f"{path}: {error}") from None
    return path


def _check_target(path: Path, form: Format, overwrite: bool):
    for there in (path, sidecar(path)) if form.suffix == ".csv" else (path,):
        if there.exists() and not overwrite:
            raise RecordingError(f"{there} already exists; choose another name")


def _encode(file: BinaryIO, form: Format, columns, metadata, blocks, cancelled: Callable[[], bool]):
    encoder = form.encoder(columns, metadata)
    file.write(encoder.header())
    for block in blocks:
        if cancelled():
            raise Cancelled
        file.write(encoder.rows(block))
    file.write(encoder.end(metadata))


def part_path(target: Path) -> Path:
    """Where the recording of `target` lies while it runs."""
    return target.with_name(target.name + ".part")


class PartFile:
    """One open `.part` file. Every method may block on the disk and raises RecordingError with one line."""

    def __init__(self, target: Path, columns: Sequence[str], metadata: Mapping[str, Any], overwrite: bool = False):
        self.target, self.path = target, part_path(target)
        self._format = format_of(target)
        self._encoder = self._format.encoder(columns, metadata)
        self._overwrite, self._notes_fd = overwrite, -1
        self._beside = self._format.suffix == ".csv"  # metadata stand beside the file
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self._refuse_existing()
            if overwrite:
                self.path.unlink(missing_ok=True)
            self._fd = os.open(self.path, flags, 0o666)
        except FileExistsError:
            raise RecordingError(f"{self.path} already exists: another recording is writing it") from None
        except (OSError, ValueError) as error:
            raise self._error(error) from None
        lock(self._fd)
        try:
            notes_path(self.path).unlink(missing_ok=True)
            self.append(self._encoder.header())
            if self._beside:
                self.note({"metadata": dict(metadata)})
        except OSError as error:
            self.discard()
            raise self._error(error) from None
        except RecordingError:
            self.discard()
            raise

    def rows(self, table: np.ndarray):
        """Writes rows `(k, columns)`, or holds them back until `flush`."""
        self.append(self._encoder.rows(table))

    def flush(self):
        """Writes what was held back long enough."""
        self.append(self._encoder.flush())

    def note(self, note: Mapping[str, Any]):
        """Writes down what has no place among the rows: an event, which becomes one of the metadata's events."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            if self._notes_fd < 0:
                self._notes_fd = os.open(notes_path(self.path), flags, 0o666)
            os.write(self._notes_fd, note_line(note))
        except (OSError, ValueError) as error:
            raise self._error(error) from None

    def append(self, data: bytes):
        """Writes all of `data`; of what a full disk takes the reader gives every complete row."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            raise self._error(error) from None

    def check(self):
        """Raises RecordingError when the file is no longer where it was made: deleted, moved, or its folder gone."""
        try:
            here, there = os.fstat(self._fd), self.path.stat()
        except FileNotFoundError:
            there = None
        except OSError as error:
            raise self._error(error) from None
        if there is None or (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino):
            gone = "its folder was deleted" if not self.path.parent.is_dir() else "the file was moved or deleted"
            raise RecordingError(f"{self.path}: {gone}")

    def close(self):
        """Closes the file and leaves it as `.part`."""
        fds, self._fd, self._notes_fd = (self._fd, self._notes_fd), -1, -1
        for fd in fds:
            if fd >= 0:
                try:
                    os.close(fd)
                except OSError as error:
                    raise self._error(error) from None

    def discard(self):
        """Closes the file and removes it."""
        self.close()
        self._remove(self.path, notes_path(self.path))

    def finish(self, cancelled: Callable[[], bool]) -> bool:
        """Completes the file and gives it its final name; False if `cancelled()` stopped it and the `.part` stays."""
        self.check()
        try:
            metadata = {**self._encoder.metadata, **read_notes(self.path)}
            self.append(self._encoder.end(metadata))
            self._sync()
            self._refuse_existing(kept=True)
            done = self._assemble(cancelled, metadata) if self._format.assemble else self._rename(metadata)
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else str(error)
            raise RecordingError(f"{self.target}: {why}; the recording was saved as {self.path.name}") from None
        if done:
            self._remove(notes_path(self.path))
        return done

    def _sync(self):
        try:
            os.fsync(self._fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems know no fsync
                raise

    def _rename(self, metadata: Mapping[str, Any]) -> bool:
        if self._beside:
            write_sidecar(self.target, metadata)
        self.close()
        self.path.replace(self.target)
        return True

    def _assemble(self, cancelled: Callable[[], bool], metadata: Mapping[str, Any]) -> bool:
        """Meanwhile the `.part` stays open, and so marked as in use."""
        assert self._format.assemble is not None
        whole = self.target.with_name(self.target.name + ".tmp")
        done = False
        try:
            with whole.open("wb") as file:
                done = assemble_stream(self.path, file, self._format.assemble, {EVENTS: metadata[EVENTS]}, cancelled)
                file.flush()
                os.fsync(file.fileno())
        finally:
            if not done:
                whole.unlink(missing_ok=True)
        self.close()
        if done:
            whole.replace(self.target)
            self.path.unlink(missing_ok=True)
        return done

    def _remove(self, *paths: Path):
        try:
            for path in paths:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise self._error(error) from None

    def _refuse_existing(self, kept: bool = False):
        if self._overwrite:
            return
        after = f"; the recording was saved as {self.path.name}" if kept else "; choose another name"
        for there in (self.target, sidecar(self.target)) if self._beside else (self.target,):
            if there.exists():
                raise RecordingError(f"{there} already exists{after}")
        if not kept and self.path.exists():
            raise RecordingError(f"{self.path} is an unfinished recording; choose another name")

    def _error(self, error: OSError | ValueError) -> RecordingError:
        why = reason(error) if isinstance(error, OSError) else str(error)
        return RecordingError(f"{self.path}: {why}")
