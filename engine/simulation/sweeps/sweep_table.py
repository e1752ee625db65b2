"""`SweepTable`: the results of a sweep in one file, which grows while the runs end and goes on where it was left."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armature.engine.errors import RecordingError
from armature.engine.files import atomic_file, is_locked, lock, reason
from armature.engine.simulation.sweeps.origin import Origin
from armature.engine.simulation.sweeps.sweep_columns import FAILED, ORIGIN, OUTCOME, RUN, Column, cells_of, line_of
from armature.engine.simulation.sweeps.table_formats import TableFormat, format_of_table

_KEPT = (RUN, OUTCOME, ORIGIN)


class SweepTable:
    """Rows as they come in `<table>.part`, a CSV file that a killed process leaves readable; sorted in the table at the end.

    `ended` are the runs, by number from 0 on, that have a row already when the table is opened; `failed` those that failed.
    """

    def __init__(self, path: Path, columns: tuple[Column, ...], origin: Origin, overwrite: bool = False):
        """Opens what is there of the same origin, or begins anew. Raises RecordingError, which names the file and why not."""
        self.path, self.part = path, path.with_name(f"{path.name}.part")
        self._columns, self._origin = columns, origin
        self._format: TableFormat = format_of_table(path)
        self._header = line_of([column.name for column in columns])
        self.ended: set[int] = set()
        self.failed: set[int] = set()
        self.is_whole = False
        self._fd = -1
        try:
            if not path.absolute().parent.is_dir():
                raise RecordingError(f"{path}: the folder {path.parent} does not exist")
            if path.is_dir():
                raise RecordingError(f"{path}: is a folder, not a file")
            if self.part.exists() and is_locked(self.part):
                raise RecordingError(f"{self.part}: another sweep is writing it")
            if not overwrite:
                self._go_on()
            if not self.is_whole:
                self._open(anew=overwrite)
        except OSError as error:
            raise RecordingError(f"{path}: {reason(error)}") from None

    def add(self, row: Mapping[str, Any]) -> None:
        """Writes the row of a run that is settled."""
        line = line_of([row.get(column.name) for column in self._columns]).encode()
        try:
            while line:
                line = line[os.write(self._fd, line) :]
        except OSError as error:
            raise RecordingError(f"{self.part}: {reason(error)}; the rows so far are saved") from None

    def finish(self) -> None:
        """Puts all rows in the order of their runs into the table."""
        if self.is_whole:
            return
        rows = sorted(self._rows(), key=lambda cells: int(cells[0]))
        try:
            with atomic_file(self.path) as table:
                self._format.write(table, self._columns, rows)
                self.close()
            self.part.unlink()
        except OSError as error:
            raise RecordingError(f"{self.path}: {reason(error)}; the rows are saved in {self.part.name}") from None

    def close(self) -> None:
        """Leaves the rows so far in the `.part` file, which goes where there are none."""
        if self._fd >= 0:
            is_empty = os.fstat(self._fd).st_size <= len(self._header.encode())
            os.close(self._fd)
            self._fd = -1
            if is_empty:
                self.part.unlink(missing_ok=True)

    def _go_on(self) -> None:
        """Takes over the rows that are there."""
        if self.part.exists():
            places = [[column.name for column in self._columns].index(name) for name in _KEPT]
            self._take(self.part, [tuple(cells[place] for place in places) for cells in self._rows()])
        elif self.path.exists():
            self._take(self.path, self._format.read(self.path, _KEPT))
            self.is_whole = True

    def _take(self, file: Path, rows: list[tuple[str, ...]]) -> None:
        for run, _, origin in rows:
            if other := self._origin.unlike(origin):
                raise RecordingError(f"{file}: has results of {other}; choose another table, or --overwrite this one")
            self.ended.add(int(run) - 1)
        self.failed = {int(run) - 1 for run, outcome, _ in rows if outcome == FAILED}

    def _rows(self) -> list[list[str]]:
        """The cells of all whole rows of the `.part` file."""
        lines = self.part.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        if lines and lines[0] != self._header and len(lines) > 1:
            raise RecordingError(f"{self.part}: its columns do not match this scenario; use --overwrite to replace it")
        rows = [cells_of(line) for line in lines[1:] if line.endswith("\n")]
        if not all(len(cells) == len(self._columns) and cells[0].isdecimal() for cells in rows):
            raise RecordingError(f"{self.part}: damaged; use --overwrite to replace it")
        return rows

    def _open(self, anew: bool) -> None:
        """Cut back to its last whole row, or anew with a header."""
        self._fd = os.open(self.part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
        lock(self._fd)
        text = b"" if anew else self.part.read_bytes()
        whole = text.rfind(b"\n") + 1
        if not text.startswith(self._header.encode()):
            whole = 0
        os.ftruncate(self._fd, whole)
        os.lseek(self._fd, whole, os.SEEK_SET)
        if not whole:
            os.write(self._fd, self._header.encode())
