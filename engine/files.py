"""Files of the package and of the user: shipped files, user directories, atomic writes and file locks."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_cache_path, user_state_path

from armature.engine.errors import EngineError

if sys.platform != "win32":
    import fcntl

PACKAGE = Path(__file__).parents[1]
"""Folder `armature`; in a checkout its subfolders are links."""

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


def shipped(folder: str, *parts: str) -> Path:
    """Return the path of a folder or file of the package: `shipped("assets", "shaders")`."""
    return (PACKAGE / folder).resolve().joinpath(*parts)


def shipped_or_path(path: str | os.PathLike[str], *folder: str, suffix: str = ".toml") -> Path:
    """Return the shipped file with this bare name in `folder`, otherwise the path as given."""
    named = shipped(*folder) / f"{path}{suffix}"
    return named if _is_bare_name(path) and named.is_file() else Path(path)


def names_instead(path: str | os.PathLike[str], *folder: str, suffix: str = ".toml") -> str:
    """Return the shipped names in `folder`, as "a, b, c", if `path` is an unknown bare name; otherwise an empty string."""
    names = sorted(file.stem for file in shipped(*folder).glob(f"*{suffix}"))
    return ", ".join(names) if _is_bare_name(path) and str(path) not in names else ""


def _is_bare_name(path: str | os.PathLike[str]) -> bool:
    place = Path(path)
    return place.name == str(path) and not place.suffix and not place.exists()


def child_environment() -> dict[str, str]:
    """Return environment variables with which another Python process imports this package; a checkout need not be installed."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))}


def user_cache() -> Path:
    """Return the folder for files that can be created again."""
    return user_cache_path("armature", appauthor=False, opinion=False)


def user_state() -> Path:
    """Return the folder for unsaved work."""
    return user_state_path("armature", appauthor=False) / ("state" if sys.platform == "win32" else "")


def kernel_root() -> Path:
    """Return the folder of compiled kernels: NUMBA_CACHE_DIR if set, otherwise `user_cache()`."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else user_cache()


def reason(error: OSError) -> str:
    """Return in plain words why the system refused a file."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and error.filename:
        return f"{_REASONS[error.errno]}: {Path(os.fsdecode(error.filename)).parent}"
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


@contextmanager
def atomic_file(path: Path, failure: type[EngineError] | None = None) -> Iterator[Path]:
    """Yield a temporary path in the same folder; it replaces `path` when the block ends without an exception.

    Raises:
        OSError: the file cannot be written; `failure` with one line instead, if given.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        if failure is None:
            raise
        raise failure(f"{path}: {reason(error)}") from None
    finally:
        with suppress(OSError, ValueError):  # already renamed, or never created
            part.unlink()


def atomic_write(path: Path, data: bytes | str) -> None:
    """Write bytes, or text as UTF-8, so that the file appears complete or not at all. Raises OSError."""
    with atomic_file(path) as part:
        part.write_bytes(data.encode() if isinstance(data, str) else data)


def lock(fd: int) -> None:
    """Lock an open file until it is closed or the process ends; does nothing if the file system has no locks."""
    if sys.platform != "win32":  # there, other processes can neither rename nor delete an open file
        with suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(path: Path) -> bool:
    """Return whether a process, including this one, has locked the file."""
    if sys.platform == "win32":
        try:
            path.rename(path)
        except PermissionError:
            return True
        return False
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
