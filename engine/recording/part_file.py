"""The `.part` file that a running recording writes, and how it becomes the file the user asked for."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

from engine.errors import RecordingError
from engine.recording.npz_format import convert_stream

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file reached the largest size allowed",
    errno.EACCES: "there is no permission to write there",
    errno.EPERM: "there is no permission to write there",
    errno.EROFS: "the disk is read-only",
    errno.ENOENT: "the folder does not exist",
    errno.ENOTDIR: "the folder does not exist",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EIO: "the disk reports a fault",
    errno.ESTALE: "the network folder is gone",
}


def reason(error: OSError) -> str:
    """Why the system refused, in plain words."""
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


def part_path(target: Path) -> Path:
    """Where the recording of `target` lies while it runs."""
    return target.with_name(target.name + ".part")


class PartFile:
    """One open `.part` file. Every method may block on the disk and raises RecordingError with one line."""

    def __init__(self, target: Path, header: bytes, overwrite: bool = False):
        self.target, self.path = target, part_path(target)
        self._overwrite = overwrite
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self._refuse_existing()
            if overwrite:
                self.path.unlink(missing_ok=True)
            self._fd = os.open(self.path, flags, 0o666)
        except FileExistsError:
            raise RecordingError(f"{self.path} is already there: another recording writes it") from None
        except (OSError, ValueError) as error:
            raise self._error(error) from None
        self._size = 0
        try:
            self.append(header)
        except RecordingError:
            self.close()
            raise

    def append(self, data: bytes):
        """Writes all of `data`, or cuts the file back to where it ended before."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self._cut_back()
            raise self._error(error) from None
        self._size += len(data)

    def check(self):
        """Raises RecordingError when the file is no longer where it was made: deleted, moved, or its folder gone."""
        try:
            here, there = os.fstat(self._fd), self.path.stat()
        except FileNotFoundError:
            there = None
        except OSError as error:
            raise self._error(error) from None
        if there is None or (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino):
            gone = "its folder is gone" if not self.path.parent.is_dir() else "the file was moved or deleted"
            raise RecordingError(f"{self.path}: {gone}")

    def close(self):
        """Closes the file and leaves it as `.part`."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            try:
                os.close(fd)
            except OSError as error:
                raise self._error(error) from None

    def discard(self):
        """Closes the file and removes it."""
        self.close()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise self._error(error) from None

    def finish(self, cancelled: Callable[[], bool]) -> bool:
        """Closes the file and gives it its final name; False if `cancelled()` stopped it and the `.part` stays."""
        self.check()
        try:
            os.fsync(self._fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems know no fsync
                raise self._error(error) from None
        self.close()
        try:
            self._refuse_existing(kept=True)
            return self._convert(cancelled) if self.target.suffix.lower() == ".npz" else self._rename(self.path)
        except OSError as error:
            raise RecordingError(f"{self.target}: {reason(error)}; the recording is kept as {self.path.name}") from None

    def _convert(self, cancelled: Callable[[], bool]) -> bool:
        whole = self.target.with_name(self.target.name + ".tmp")
        done = False
        try:
            with whole.open("wb") as file:
                done = convert_stream(self.path, file, cancelled)
                file.flush()
                os.fsync(file.fileno())
        finally:
            if not done:
                whole.unlink(missing_ok=True)
        if done:
            self._rename(whole)
            self.path.unlink(missing_ok=True)
        return done

    def _rename(self, source: Path) -> bool:
        source.replace(self.target)
        return True

    def _refuse_existing(self, kept: bool = False):
        if self._overwrite:
            return
        if self.target.exists():
            after = f"; the recording is kept as {self.path.name}" if kept else "; choose another name"
            raise RecordingError(f"{self.target} exists and is not overwritten{after}")
        if not kept and self.path.exists():
            raise RecordingError(f"{self.path} holds an unfinished recording and is not overwritten; choose another name")

    def _cut_back(self):
        try:
            os.ftruncate(self._fd, self._size)
        except OSError:
            return  # the reader drops a last row that is not complete

    def _error(self, error: OSError | ValueError) -> RecordingError:
        why = reason(error) if isinstance(error, OSError) else str(error)
        return RecordingError(f"{self.path}: {why}")
