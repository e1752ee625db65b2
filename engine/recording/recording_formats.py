"""Formats of recordings, by suffix: encoder of a running recording and writer of the final file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from armature.engine.errors import RecordingError
from armature.engine.recording.recording_columns import Encoder
from armature.engine.recording.tables.csv_format import CsvEncoder
from armature.engine.recording.tables.mat_format import write_mat
from armature.engine.recording.tables.npz_format import write_npz
from armature.engine.recording.tables.raw_format import Assemble, RawEncoder

USUAL = ".npz"
"""Default suffix, the cheapest to write and fastest to open: a minute is 17 MB and opens in 0.2 s, as `.csv` 24 MB and 1.6 s;
`.mcap` has a third of that size, and uses a tenth of a processor while recording.
"""


def _mcap(*arguments) -> Encoder:
    from armature.engine.recording.mcap.mcap_format import McapEncoder  # 0.1 s, which only this needs

    return McapEncoder(*arguments)


@dataclass(frozen=True)
class Format:
    """`title` for people; `encoder(columns, metadata)` writes rows; `assemble` makes the file, where these are a raw stream.

    `per_number` is about how many bytes a number of a simulated run takes, as measured.
    """

    suffix: str
    title: str
    encoder: Callable[..., Encoder]
    assemble: Assemble | None = None
    per_number: float = 8.0

    def size(self, rows: float, columns: int) -> float:
        """Return about how many bytes a file of so many rows takes."""
        return self.per_number * rows * columns


FORMATS = {
    one.suffix: one
    for one in (
        Format(".csv", "CSV text", CsvEncoder, per_number=11.0),
        Format(".npz", "NumPy archive", RawEncoder, write_npz),
        Format(".mat", "MATLAB and Octave", RawEncoder, write_mat),
        Format(".mcap", "Foxglove and PlotJuggler", _mcap, per_number=4.0),
    )
}
SUFFIXES = tuple(FORMATS)
NAMES = ", ".join(SUFFIXES[:-1]) + f" or {SUFFIXES[-1]}"


def format_of(path: Path) -> Format:
    """The format of a file to write; raises RecordingError naming the valid suffixes."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        given = f"the suffix {path.suffix!r} is not supported" if path.suffix else "the file name has no suffix"
        raise RecordingError(f"{path}: a recording must be saved as {NAMES}; {given}")
    return FORMATS[suffix]
