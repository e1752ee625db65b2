"""Writing recordings to disk: whole files, and the `.part` file of a running recording, which is renamed at its end."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
    """Write rows to a file, complete or not at all, in bounded memory.

    Args:
        path: the file; its suffix selects the format.
        columns, metadata: of the recording.
        blocks: its rows `(k, columns)`.
        overwrite: replace an existing file.
        cancelled: called repeatedly; True raises Cancelled, and nothing is written.

    Returns:
        The path written.

    Raises:
        RecordingError: another suffix, an existing file, or a file that cannot be written; and errors of `blocks`.
    """
    form = format_of(path)
    new = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    rows = new.with_suffix(".rows") if form.assemble else new
    with _disk_errors(path):
        _refuse_existing(path, form, overwrite)
        try:
            with rows.open("wb") as file:
                encoder = form.encoder(columns, metadata)
                file.write(encoder.header())
                for block in blocks:
                    if cancelled():
                        raise Cancelled
                    file.write(encoder.rows(block))
                file.write(encoder.end(metadata))
            if form.assemble:
                with new.open("wb") as file:
                    assemble_stream(rows, file, form.assemble, {}, cancelled)
            _refuse_existing(path, form, overwrite)
            new.replace(path)
            if form.suffix == ".csv":
                write_sidecar(path, metadata)
        finally:
            new.unlink(missing_ok=True)
            rows.unlink(missing_ok=True)
    return path


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    """Convert errors of the disk to a RecordingError of one line about `path`."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"{path}: {reason(error)}") from None
    except ValueError as error:
        raise RecordingError(f"{path}: {error}") from None


def _refuse_existing(path: Path, form: Format, overwrite: bool, hint: str = "choose another name") -> None:
    for file in (path, sidecar(path)) if form.suffix == ".csv" else (path,):
        if file.exists() and not overwrite:
            raise RecordingError(f"{file} already exists; {hint}")


def part_path(target: Path) -> Path:
    """Path of the unfinished recording of `target`."""
    return target.with_name(target.name + ".part")


class PartFile:
    """One open `.part` file. Every method may block on the disk and raises RecordingError with one line."""

    def __init__(self, target: Path, columns: Sequence[str], metadata: Mapping[str, Any], overwrite: bool = False):
        self.target, self.path = target, part_path(target)
        self._format = format_of(target)
        self._encoder = self._format.encoder(columns, metadata)
        self._overwrite, self._notes_fd = overwrite, -1
        with _disk_errors(self.path):
            _refuse_existing(target, self._format, overwrite)
            if overwrite:
                self.path.unlink(missing_ok=True)
            elif self.path.exists():
                raise RecordingError(f"{self.path} is an unfinished recording; choose another name")
            try:
                self._fd = _open(self.path, os.O_EXCL)
            except FileExistsError:
                raise RecordingError(f"{self.path} already exists: another recording is writing it") from None
        lock(self._fd)
        try:
            self._remove(notes_path(self.path))
            self.append(self._encoder.header())
            if self._format.suffix == ".csv":  # its metadata have no place in the file
                self.note({"metadata": dict(metadata)})
        except RecordingError:
            self.discard()
            raise

    def rows(self, table: np.ndarray):
        """Write rows `(k, columns)`, or hold them back until `flush`."""
        self.append(self._encoder.rows(table))

    def flush(self):
        """Write rows that were held back long enough."""
        self.append(self._encoder.flush())

    def note(self, note: Mapping[str, Any]):
        """Write an event to the notes, for the metadata's events."""
        with _disk_errors(self.path):
            if self._notes_fd < 0:
                self._notes_fd = _open(notes_path(self.path), os.O_APPEND)
            os.write(self._notes_fd, note_line(note))

    def append(self, data: bytes):
        """Write all of `data`; after a disk error the reader returns every complete row."""
        view = memoryview(data)
        with _disk_errors(self.path):
            while view:
                view = view[os.write(self._fd, view) :]

    def check(self):
        """Raise RecordingError if the file was deleted or moved, or its folder is missing."""
        with _disk_errors(self.path):
            try:
                here, there = os.fstat(self._fd), self.path.stat()
                gone = (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino)
            except FileNotFoundError:
                gone = True
        if gone:
            why = "its folder was deleted" if not self.path.parent.is_dir() else "the file was moved or deleted"
            raise RecordingError(f"{self.path}: {why}")

    def close(self):
        """Close the file, which remains as `.part`."""
        fds, self._fd, self._notes_fd = (self._fd, self._notes_fd), -1, -1
        with _disk_errors(self.path):
            for fd in fds:
                if fd >= 0:
                    os.close(fd)

    def discard(self):
        """Close and remove the file."""
        self.close()
        self._remove(self.path, notes_path(self.path))

    def finish(self, cancelled: Callable[[], bool]):
        """Complete the file and rename it; if `cancelled()`, raise Cancelled and leave the `.part`."""
        self.check()
        saved = f"the recording was saved as {self.path.name}"
        try:
            metadata = {**self._encoder.metadata, **read_notes(self.path)}
            self.append(self._encoder.end(metadata))
            self._sync()
            _refuse_existing(self.target, self._format, self._overwrite, saved)
            if self._format.assemble:
                self._assemble(cancelled, metadata)
            else:
                if self._format.suffix == ".csv":
                    write_sidecar(self.target, metadata)
                self.close()
                self.path.replace(self.target)
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else str(error)
            raise RecordingError(f"{self.target}: {why}; {saved}") from None
        self._remove(notes_path(self.path))

    def _sync(self):
        try:
            os.fsync(self._fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems know no fsync
                raise

    def _assemble(self, cancelled: Callable[[], bool], metadata: Mapping[str, Any]):
        """Write the final format; the `.part` remains open, and so marked as in use, until the end."""
        assert self._format.assemble is not None
        whole = self.target.with_name(self.target.name + ".tmp")
        try:
            with whole.open("wb") as file:
                assemble_stream(self.path, file, self._format.assemble, {EVENTS: metadata[EVENTS]}, cancelled)
                file.flush()
                os.fsync(file.fileno())
            self.close()
            whole.replace(self.target)
        finally:
            whole.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)

    def _remove(self, *paths: Path):
        with _disk_errors(self.path):
            for path in paths:
                path.unlink(missing_ok=True)


def _open(path: Path, flag: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | flag | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
