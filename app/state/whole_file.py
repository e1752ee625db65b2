"""Files that appear complete or not at all, as the window tells of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from armature.engine import EngineError
from armature.engine import whole_file as whole
from armature.engine.recording.file_trouble import reason


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to, which takes its place where the block ends well; EngineError for the disk's."""
    try:
        with whole.whole_file(path) as part:
            yield part
    except OSError as error:
        raise EngineError(f"{path}: {reason(error)}") from None
