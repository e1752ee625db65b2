"""Files that appear complete or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from armature.engine import EngineError
from armature.engine.recording.file_trouble import reason


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to, which takes its place where the block ends well; EngineError for the disk's."""
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        raise EngineError(f"{path}: {reason(error)}") from None
    finally:
        with suppress(OSError):  # what could not be made cannot be removed
            part.unlink()
