"""Logs from text files: any separator, decimal commas, heads of several lines, dates, gaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from armature.engine.errors import Cancelled
from armature.engine.recording.measured.log_table import STAMPS, LogTable, clean, unique_names
from armature.engine.recording.measured.text_form import (
    MISSING,
    STAMP,
    TextForm,
    fields_of,
    form_of,
    head_fields,
    is_value,
    number_of,
    seconds_of,
    unit_in,
    unit_of,
)

_TORN = 0.02  # of the lines: so many may be torn, and are left out
SAMPLE = 1 << 18  # bytes that are looked at to see how the file is written
_LINES = 400
_CHUNK = 1 << 18  # bytes turned into numbers at a time: the window waits no longer than that takes
MAX_BYTES = 4 << 30  # of numbers
ANY = "*"
"""Missing-value text that stands for every text that is not a number."""


@dataclass
class Irregularities:
    """Irregular lines and cells of a text file, counted while it is read."""

    sound: int = 0  # lines that were parsed without error
    repeated: int = 0  # comments and repeated headers
    cut_off: int = 0  # incomplete last line
    torn: list[int] = field(default_factory=list)  # numbers of incomplete lines
    wrong: int = 0  # cells that are not numbers
    first_wrong: str = ""  # the first of them, with its place
    columns: dict[str, str] = field(default_factory=dict)  # omitted columns, each with its first cell that is not a number

    def tear(self, number: int, width: int) -> None:
        """Omit a line without `width` fields; raises ValueError for two in a row, or too many."""
        torn = self.torn
        if (torn and torn[-1] == number - 1) or len(torn) > _TORN * (self.sound + 1) + 3:
            first = torn[-1] if torn[-1] == number - 1 else number
            raise ValueError(f"line {first} and line {number} do not have {width} fields")
        torn.append(number)

    def remarks(self) -> list[str]:
        """Return one line for each kind of irregularity."""
        messages = ["the last row is incomplete and was omitted"] * self.cut_off
        if self.repeated:
            lines = (
                "one comment or repeated header line"
                if self.repeated == 1
                else f"{self.repeated:,} comment or repeated header lines"
            )
            messages.append(f"{lines} between the rows {'was' if self.repeated == 1 else 'were'} omitted")
        if self.torn:
            count, first = len(self.torn), f"line {self.torn[0]:,}"
            one = f"{first} is incomplete and was omitted"
            messages.append(one if count == 1 else f"{count:,} incomplete lines, the first is {first}, were omitted")
        messages += [
            f"{name} was omitted, because many of its cells are not numbers: {cell}" for name, cell in self.columns.items()
        ]
        if self.wrong:
            cells = "1 cell is not a number and is" if self.wrong == 1 else f"{self.wrong:,} cells are not numbers and are"
            messages.append(f"{cells} treated as missing: {self.first_wrong}{' first' * (self.wrong > 1)}")
        return messages


def number_lines(lines: list[str], form: TextForm) -> np.ndarray | None:
    """The table `(len(lines), form.width)`, NaN for empty fields; None where a line is something else."""
    text = "\n".join(lines)
    if '"' in text:
        return None
    if form.decimal == ",":
        text = text.replace(",", ".")
    if form.separator != " ":
        text = _filled(text, form.separator)
    separator = None if form.separator == " " else form.separator
    try:
        table = np.loadtxt(text.split("\n"), delimiter=separator, ndmin=2, comments=None, dtype=np.float64)
    except ValueError:
        return None
    if table.shape[1] == form.width + 1 and np.isnan(table[:, -1]).all():
        table = table[:, :-1]
    return clean(table) if table.shape[1] == form.width else None


def _filled(text: str, mark: str) -> str:
    """Insert nan in empty fields."""
    for _ in range(2):
        text = text.replace(mark + mark, f"{mark}nan{mark}")
    text = re.sub(f"(?m)^{re.escape(mark)}", f"nan{mark}", text) if f"\n{mark}" in text or text.startswith(mark) else text
    return re.sub(f"(?m){re.escape(mark)}$", f"{mark}nan", text) if f"{mark}\n" in text or text.endswith(mark) else text


def read_text(
    path: Path,
    separator: str = "",
    decimal: str = "",
    first_line: int = 0,
    missing: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> LogTable:
    """Read the table in a text file and detect its format. Raises ValueError with line, column and reason."""
    words = MISSING | {word.strip().strip('"').lower() for word in missing}
    with path.open("rb") as file:
        form = _form(file, separator, decimal, first_line, words)
        reader = _Reader(file, path.stat().st_size, form, ANY in missing, progress, cancelled)
        return reader.table(path)


def first_rows(path: Path, form: TextForm, count: int) -> list[list[str]]:
    """The first lines of the file from its names on, as fields, to be looked at."""
    with path.open("rb") as file:
        lines = _decoded(file.read(SAMPLE), form.encoding).splitlines()
    start = (form.names_line or form.first_line) - 1
    return [head_fields(line, form.separator, form.width) for line in lines[start : start + count]]


def _encoding(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        head[: head.rfind(b"\n") + 1 or None].decode("utf-8-sig")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _decoded(data: bytes, encoding: str) -> str:
    return data[: len(data) // 2 * 2 if encoding == "utf-16" else None].decode(encoding, "replace")


def _form(file: BinaryIO, separator: str, decimal: str, first_line: int, missing: frozenset[str]) -> TextForm:
    head = file.read(SAMPLE)
    encoding = _encoding(head)
    if encoding != "utf-16" and b"\0" in head:
        raise ValueError("not a text file")
    text = _decoded(head, encoding)
    lines = text.splitlines()
    if len(head) == SAMPLE and len(lines) > 1:
        lines = lines[:-1]
    if not any(line.strip() for line in lines):
        raise ValueError("the file is empty")
    return form_of(lines[: max(_LINES, first_line + 50)], encoding, separator, decimal, first_line, missing)


class _Reader:
    """Reads the rows of one file chunk by chunk."""

    def __init__(self, file: BinaryIO, size: int, form: TextForm, takes_any: bool, progress, cancelled):
        self._file, self._size, self._form, self._takes_any = file, size, form, takes_any
        self._progress, self._cancelled = progress, cancelled
        self._heads: list[str] = []
        self._line = form.first_line  # of the first line of the chunk
        self._numbers: list[int] = []
        self._stamped: list[int] = []
        self._text: dict[int, str] = {}  # with the first cell that is no number
        self._halves: list[int] = []  # text columns in which numbers stand, too
        self._irregular = Irregularities()

    def table(self, path: Path) -> LogTable:
        """The whole table."""
        form, blocks, room = self._form, list[np.ndarray](), MAX_BYTES
        for lines in self._chunks():
            if self._cancelled():
                raise Cancelled
            if not blocks:
                self._sort(lines)
            block = self._block(lines)
            self._line += len(lines)
            room -= block.nbytes
            if room < 0:
                raise ValueError(f"more than {MAX_BYTES / 1e9:.1f} GB of numbers is too much; import a part of it")
            blocks.append(block)
            self._progress(min(self._file.tell(), self._size), self._size)
        values = np.concatenate(blocks) if blocks else np.zeros((0, len(self._kept)))
        if len(values) < 2:
            raise ValueError("fewer than two rows of numbers")
        names, units = self._names()
        texts = {names[k]: cell for k, cell in self._text.items()}
        self._irregular.columns = {names[k]: self._text[k] for k in self._halves}
        return LogTable(
            path,
            tuple(names[k] for k in self._kept),
            values,
            tuple(units[k] for k in self._kept),
            form,
            tuple(self._irregular.remarks()),
            texts,
            self._irregular.first_wrong,
        )

    @property
    def _kept(self) -> list[int]:
        return sorted([*self._numbers, *self._stamped])

    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Name and unit of every field of a row."""
        form = self._form
        heads = self._heads
        names = head_fields(heads[form.names_line - 1], form.separator, form.width) if form.names_line else [""] * form.width
        if len(set(names)) < len(names) and form.names_line > 1:  # a line of group names may be above
            above = head_fields(heads[form.names_line - 2], form.separator, form.width)
            if len(above) == form.width and any(above):
                last, joined = "", []
                for group, name in zip(above, names, strict=True):
                    last = group or last
                    joined.append(f"{last} {name}".strip())
                names = joined
        units = [unit_in(name) for name in names]
        if form.units_line:
            given = head_fields(heads[form.units_line - 1], form.separator, form.width)
            units = [unit_of(text) or unit for text, unit in zip(given, units, strict=True)]
        units = [STAMPS if k in self._stamped else unit for k, unit in enumerate(units)]
        return unique_names(names), tuple(units)

    def _chunks(self) -> Iterator[list[str]]:
        """Lines of numbers, many at a time."""
        form = self._form
        self._file.seek(0)
        skip = form.first_line - 1
        if form.encoding == "utf-16":
            chunks: Iterator[bytes] = iter([self._file.read().decode("utf-16", "replace").encode()])
        else:
            chunks = iter(lambda: self._file.read(_CHUNK), b"")
        tail = b""
        for data in chunks:
            data = tail + data
            cut = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
            if not cut and len(data) > 16 * _CHUNK:
                raise ValueError("a line is too long")
            data, tail = data[:cut], data[cut:]
            encoding = "cp1252" if form.encoding == "cp1252" else "utf-8"
            lines = data.decode(encoding, "replace").splitlines()
            if skip:
                self._heads += lines[:skip]
                lines, skip = lines[skip:], max(0, skip - len(lines))
            if lines:
                yield lines
        if tail.strip():
            rest = tail.decode("utf-8", "replace")
            fields = fields_of(rest, form.separator)
            if len(self._trimmed(fields)) == form.width and all(
                is_value(field, form.decimal, form.missing) for field in fields if field
            ):
                yield [rest]
            else:
                self._irregular.cut_off = 1
        if self._heads:
            self._heads[0] = self._heads[0].lstrip("\ufeff")

    def _sort(self, lines: list[str]):
        """Classify the fields as numbers, times of day or text, by the first rows."""
        form = self._form
        rows = [self._trimmed(fields_of(line, form.separator)) for line in lines[:_LINES]]
        rows = [row for row in rows if len(row) == form.width]
        for k in range(form.width):
            fields = [row[k].strip('"') for row in rows if row[k].strip('"')]
            wrong = sum(number_of(field, form.decimal, form.missing) is None for field in fields)
            if fields and all(STAMP.fullmatch(field) for field in fields):
                self._stamped.append(k)
            elif not fields and rows and len(rows) >= 2:
                self._text[k] = "the column is empty"
            elif wrong > 0.2 * len(fields):
                self._text[k] = self._first_text(lines, k)
                if wrong < len(fields):
                    self._halves.append(k)
            else:
                self._numbers.append(k)

    def _first_text(self, lines: list[str], k: int) -> str:
        """The first cell of a column that is neither a number nor empty, with its line."""
        form = self._form
        for number, line in enumerate(lines, start=self._line):
            fields = self._trimmed(fields_of(line, form.separator))
            if len(fields) == form.width and number_of(fields[k].strip('"'), form.decimal, form.missing) is None:
                return f"line {number} has {fields[k][:40]!r}"
        return ""

    def _trimmed(self, fields: list[str]) -> list[str]:
        """Remove the empty field after a separator at the end of a line."""
        return fields[:-1] if len(fields) == self._form.width + 1 and not fields[-1] else fields

    def _block(self, lines: list[str]) -> np.ndarray:
        """Rows of numbers of these lines."""
        if not self._stamped and not self._text:
            table = number_lines(lines, self._form)
            if table is not None:
                return table
        return self._slow(lines)

    def _slow(self, lines: list[str]) -> np.ndarray:
        """Parse line by line, to find missing values and errors."""
        form, kept = self._form, self._kept
        stamped = set(self._stamped)
        rows: list[list[float]] = []
        heads = {line.strip() for line in self._heads}
        short = self._short(lines)
        for number, line in enumerate(lines, start=self._line):
            if not line.strip():
                continue
            if line.lstrip()[0] in "#%" or line.strip() in heads:
                self._irregular.repeated += 1
                continue
            fields = self._trimmed(fields_of(line, form.separator))
            if number - self._line in short:
                fields += [""] * (form.width - len(fields))
            if len(fields) != form.width:
                self._irregular.tear(number, form.width)
                continue
            self._irregular.sound += 1
            rows.append([seconds_of(fields[k], number, k) if k in stamped else self._number(fields[k], number, k) for k in kept])
        return clean(np.array(rows, float).reshape(len(rows), len(kept)))

    def _short(self, lines: list[str]) -> set[int]:
        """Return the lines that end early in groups of two or more, as in tables side by side."""
        form = self._form
        if form.separator == " ":
            return set()
        widths = [len(fields_of(line, form.separator)) if line.strip() else 0 for line in lines]
        short = [width if 1 < width < form.width else 0 for width in widths]
        return {k for k, width in enumerate(short) if width and width in (*short[k - 1 : k], *short[k + 1 : k + 2])}

    def _number(self, text: str, line: int, k: int) -> float:
        value = number_of(text, self._form.decimal, self._form.missing)
        if value is not None:
            return value
        where = f"line {line}, column {k + 1}{self._called(k)}: {text[:40]!r}"
        if not self._takes_any:
            raise ValueError(f"{where} is not a number; to treat it as a missing value, give it as missing")
        self._irregular.wrong += 1
        self._irregular.first_wrong = self._irregular.first_wrong or where
        return float("nan")

    def _called(self, k: int) -> str:
        name = self._names()[0][k] if self._form.names_line else ""
        return f" ({name[:40]})" if name else ""
