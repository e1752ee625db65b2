"""A mark that a file is being written, which ends with the process that set it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def mark(fd: int) -> None:
    """Marks the open file; where the file system knows no marks, it stays without."""
    if sys.platform != "win32":  # there an open file cannot be renamed or deleted by others anyway
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return


def marked(path: Path) -> bool:
    """Whether some process, or this one, writes the file now."""
    if sys.platform == "win32":
        return _renamed_in_place_fails(path)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False


def _renamed_in_place_fails(path: Path) -> bool:
    try:
        path.rename(path)
    except PermissionError:
        return True
    return False
