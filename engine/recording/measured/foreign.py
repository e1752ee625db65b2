"""Whether a file is a log of some other program, rather than a recording: told from its first bytes."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path

from armature.engine.recording.tables.raw_format import METADATA

TEXTS = (".csv", ".txt", ".tsv", ".dat", ".log")
SUFFIXES = (*TEXTS, ".npz", ".mat", ".mcap")
_LINE = 1 << 16  # bytes of a first line
_LOOKED_THROUGH = 20 << 20  # bytes of a MAT file whose arrays are listed to see whose it is


def is_log(path: Path) -> bool:
    """Whether `path` has something in it that only an import can read; a damaged recording is none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES or not path.is_file() or not path.stat().st_size:
        return False
    if suffix not in (".csv", ".npz", ".mat", ".mcap"):
        return True
    try:
        return {".csv": _csv, ".npz": _npz, ".mat": _mat, ".mcap": _mcap}[suffix](path)
    except (OSError, ValueError, zipfile.BadZipFile, csv.Error, NotImplementedError):
        return False  # whoever opens it says what is wrong


def _csv(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(_LINE)
    names = next(csv.reader([first.decode("utf-8-sig", "replace").strip("\r\n")]), [])
    return not (names[:1] == ["t"] and any(name.startswith("q.") for name in names))


def _npz(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return f"{METADATA}.npy" not in archive.namelist()


def _mat(path: Path) -> bool:
    from armature.engine.recording.tables.mat_reader import arrays_in  # scipy, which only this needs

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
