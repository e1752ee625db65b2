"""The formats of recordings, by suffix: what each is while it runs, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from armature.engine.errors import RecordingError
from armature.engine.recording.row_encoder import Encoder
from armature.engine.recording.tables.csv_format import CsvEncoder
from armature.engine.recording.tables.mat_format import write_mat
from armature.engine.recording.tables.npz_format import write_npz
from armature.engine.recording.tables.raw_format import Assemble, RawEncoder


def _mcap(*arguments) -> Encoder:
    from armature.engine.recording.mcap.mcap_format import McapEncoder  # 0.1 s, which only this needs

    return McapEncoder(*arguments)


@dataclass(frozen=True)
class Format:
    """`title` for people; `encoder(columns, metadata)` writes rows; `assemble` makes the file, where these are a raw stream."""

    suffix: str
    title: str
    encoder: Callable[..., Encoder]
    assemble: Assemble | None = None


FORMATS = {
    one.suffix: one
    for one in (
        Format(".csv", "CSV text", CsvEncoder),
        Format(".npz", "NumPy archive", RawEncoder, write_npz),
        Format(".mat", "MATLAB and Octave", RawEncoder, write_mat),
        Format(".mcap", "Foxglove and PlotJuggler", _mcap),
    )
}
SUFFIXES = tuple(FORMATS)
NAMES = ", ".join(SUFFIXES[:-1]) + f" or {SUFFIXES[-1]}"


def format_of(path: Path) -> Format:
    """The format of a file to write; raises RecordingError naming the valid suffixes."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        given = f"the suffix {path.suffix!r} is not one of them" if path.suffix else "it has no suffix"
        raise RecordingError(f"{path}: recordings are written as {NAMES}; {given}")
    return FORMATS[suffix]
