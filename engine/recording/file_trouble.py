"""Why the system refused a file, in plain words."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from armature.engine.errors import RecordingError

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is exceeded",
    errno.EFBIG: "the file exceeds the largest allowed size",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EROFS: "the disk is read-only",
    errno.ENOENT: "the folder does not exist",
    errno.ENOTDIR: "the folder does not exist",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EIO: "the disk reports an error",
    errno.ESTALE: "the network folder is not available",
}


def reason(error: OSError) -> str:
    """Why the system refused."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and error.filename:
        return f"{_REASONS[error.errno]}: {Path(os.fsdecode(error.filename)).parent}"
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Convert errors of reading `path` to a RecordingError of one line."""
    try:
        yield
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else reason(error)
        raise RecordingError(f"{path}: {why}") from None
    except MemoryError:
        raise RecordingError(f"{path}: not enough memory to read it") from None
    except ValueError as error:
        why = "not a text file" if isinstance(error, UnicodeDecodeError) else " ".join(str(error).split())
        raise RecordingError(f"{path}: not an Armature recording: {why}") from None
