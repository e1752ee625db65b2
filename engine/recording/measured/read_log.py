"""`read_log`: the table in a file of some other program, whatever its format; and whether a file is one."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from armature.engine.errors import RecordingError
from armature.engine.files import names_instead, reason, shipped_or_path
from armature.engine.recording.measured.clock_columns import with_joined_clocks
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.text_log import read_text
from armature.engine.recording.tables.raw_format import METADATA

TEXTS = (".csv", ".txt", ".tsv", ".dat", ".log")
SUFFIXES = (*TEXTS, ".npz", ".mat", ".mcap")
_LINE = 1 << 16  # bytes of a first line
_LOOKED_THROUGH = 20 << 20  # bytes of a MAT file whose arrays are listed to see whose it is


def is_log(path: Path) -> bool:
    """True if `path` contains data that only an import can read; False for a damaged recording."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES or not path.is_file() or not path.stat().st_size:
        return False
    if suffix not in (".csv", ".npz", ".mat", ".mcap"):
        return True
    try:
        return {".csv": _csv, ".npz": _npz, ".mat": _mat, ".mcap": _mcap}[suffix](path)
    except (OSError, ValueError, zipfile.BadZipFile, csv.Error, NotImplementedError):
        return False  # opening the file reports the error


def _csv(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(_LINE)
    names = next(csv.reader([first.decode("utf-8-sig", "replace").strip("\r\n")]), [])
    return not (names[:1] == ["t"] and any(name.startswith("q.") for name in names))


def _npz(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return f"{METADATA}.npy" not in archive.namelist()


def _mat(path: Path) -> bool:
    from armature.engine.recording.tables.mat_format import arrays_in  # scipy, which only this needs

    with path.open("rb") as file:
        head = file.read(128)
        if b"recording of a robot arm by Armature" in head:
            return False
        newer = head.startswith((b"MATLAB 7.3", b"\x89HDF"))
        return newer or path.stat().st_size > _LOOKED_THROUGH or METADATA not in arrays_in(file)


def _mcap(path: Path) -> bool:
    from armature.engine.recording.mcap.mcap_reader import of_this_program  # 0.1 s, which only this needs

    with path.open("rb") as file:
        return not of_this_program(file)


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
    """Read the table in a file; raises RecordingError with file, line, column and reason.

    In text files the words `missing` mean no value, "*" any text that is not a number.
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
