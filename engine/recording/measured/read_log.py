"""`read_log`: the table in a file of some other program, whatever its format; and whether a file is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from armature.engine.errors import RecordingError
from armature.engine.recording.file_trouble import reason
from armature.engine.recording.measured.foreign import SUFFIXES, TEXTS
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.split_clock import with_joined_clocks
from armature.engine.recording.measured.text.text_log import read_text
from armature.engine.resources import names_instead, shipped_or_path


def log_file(path: str | Path) -> Path:
    """The file of a log; a bare name is that of one that ships. Raises RecordingError, which names those."""
    folder = ("assets", "logs")
    if names := names_instead(path, *folder, suffix=".csv"):
        raise RecordingError(f"{path}: not a file, and not a shipped log; shipped: {names}")
    return shipped_or_path(path, *folder, suffix=".csv")


def read_log(
    path: str | Path,
    separator: str = "",
    decimal: str = "",
    first_line: int = 0,
    missing: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> LogTable:
    """The table in a file; raises RecordingError naming file, line and column of what is wrong.

    In text the words `missing` stand for no value, "*" for whatever is no number.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RecordingError(f"{path}: a log must be a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    try:
        if path.is_dir():
            raise RecordingError(f"{path}: is a folder, not a file")
        if path.stat().st_size == 0:
            raise RecordingError(f"{path}: the file is empty")
        if suffix in TEXTS:
            return with_joined_clocks(read_text(path, separator, decimal, first_line, missing, progress, cancelled))
        if suffix == ".mcap":
            from armature.engine.recording.measured.bag_log import read_bag  # 0.1 s, which only this needs

            return read_bag(path, progress, cancelled)
        from armature.engine.recording.measured.array_log import read_arrays

        return with_joined_clocks(read_arrays(path))
    except OSError as error:
        raise RecordingError(f"{path}: {'no such file' if isinstance(error, FileNotFoundError) else reason(error)}") from None
    except MemoryError:
        raise RecordingError(f"{path}: not enough memory to read it") from None
    except ValueError as error:
        raise RecordingError(f"{path}: {' '.join(str(error).split())}") from None
