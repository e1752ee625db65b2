"""Files that appear complete or not at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to, which takes its place where the block ends well, and is removed where it does not.

    Raises:
        OSError: what the disk says.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        with suppress(OSError, ValueError):  # it has taken its place, or could not be made
            part.unlink()


def write_whole(path: Path, data: bytes | str) -> None:
    """Writes bytes, or text as UTF-8, in one step. Raises OSError."""
    with whole_file(path) as part:
        part.write_bytes(data.encode() if isinstance(data, str) else data)
