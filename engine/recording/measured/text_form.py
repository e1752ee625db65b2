"""`TextForm`: how a table is written as text: separator, decimal mark, and where its names, units and numbers stand."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

SEPARATORS = {";": "semicolon", "\t": "tab", ",": "comma", "|": "bar", " ": "space"}
DECIMALS = {".": "point", ",": "comma"}
MISSING = frozenset(("", "nan", "null", "none", "n/a", "na", "-", "--", "#n/a", "inf", "-inf", "+inf", "infinity", "1.#qnan"))
STAMP = re.compile(r"(\d{4}-\d\d-\d\d[T ]|\d{1,2}\.\d{1,2}\.\d{4} )?\d{1,2}:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?")
_BRACKET = re.compile(r"[\[(]([^\])]*)[\])]\s*$")
UNITS = {
    "s": "s|sec|secs|second|seconds|sekunden",
    "ms": "ms|msec|milliseconds|millis",
    "us": "us|µs|μs|usec|microseconds|micros",
    "ns": "ns|nsec|nanosec|nanoseconds|nanos",
    "min": "min|mins|minute|minutes|minuten",
    "h": "h|hr|hrs|hour|hours|stunden",
    "rad": "rad|radian|radians|rad/s|rad/sec|rad/s^2|rad/s²|rads",
    "deg": "deg|degree|degrees|grad|°|deg/s|deg/sec|°/s|deg/s^2|deg/s²|°/s²",
    "mrad": "mrad|milliradian|milliradians|mrad/s|mrad/s^2|mrad/s²",
    "rev": "rev|revs|revolution|revolutions|turns|umdrehungen|rev/s",
    "m": "m|meter|metre|m/s|m/s^2|m/s²",
    "mm": "mm|mm/s|mm/s^2|mm/s²",
    "N·m": "nm|n·m|n*m|n.m|newtonmeter",
    "mN·m": "mnm|mn·m|mn*m|mn.m|nmm|n·mm|n*mm|n.mm",
    "kN·m": "knm|kn·m|kn*m|kn.m",
    "N": "n|newton",
    "A": "a|amp|amps|ampere|amperes",
    "mA": "ma|milliamps",
    "%": "%|percent|norm|normalised|normalized",
    "°C": "c|°c|degc|celsius",
    "V": "v|mv|volt|volts",
    "W": "w|watt|watts",
    "Hz": "hz|hertz",
}
_UNIT_OF = {word: unit for unit, words in UNITS.items() for word in words.split("|")}
_AT_THE_END = frozenset(_UNIT_OF) - {"min", "mins", "turns", "norm"}  # of a name without brackets; "q1_min" is a least value
_LEAST = 0.5  # of the fields of a row of numbers are numbers
_COMMENT = "#%/!"


def seconds_of(text: str, line: int, k: int) -> float:
    """Seconds of a date with a time of day, or of a time of day alone."""
    word = text.strip().strip('"').replace(",", ".")
    if not word:
        return float("nan")
    try:
        german = re.match(r"(\d{1,2})\.(\d{1,2})\.(\d{4}) ", word)
        if german:
            day, month, year = german.groups()
            word = f"{year}-{month:0>2}-{day:0>2} {word[german.end() :]}"
        if "-" in word[:10] and len(word) > 10:
            return _seconds_of_date(word)
        clock = re.sub(r"\s*(Z|[+-]\d\d:?\d\d)$", "", word).split(":")
        hours, minutes, seconds = [float(part) for part in (*clock, "0")[:3]]
        return hours * 3600 + minutes * 60 + seconds
    except ValueError:
        raise ValueError(f"line {line}, column {k + 1}: {text[:40]!r} is not a time") from None


def _seconds_of_date(word: str) -> float:
    """Seconds since 1970; a date without a zone is assumed to be UTC."""
    found = re.fullmatch(r"(.{10}).(\d{1,2}:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?", word)
    if found is None:
        raise ValueError
    day, clock, fraction, zone = found.groups()
    clock = clock if len(clock.split(":")[0]) == 2 else f"0{clock}"
    zone = "+00:00" if zone in (None, "Z") else zone
    whole = datetime.fromisoformat(f"{day}T{clock}{zone}").timestamp()
    return whole + float(fraction or 0.0)


@dataclass(frozen=True)
class TextForm:
    """Format of a text table: lines count from 1; `names_line` and `units_line` are 0 without such a line; `width` is the number
    of fields per row.
    """

    separator: str
    decimal: str
    first_line: int
    names_line: int
    units_line: int
    width: int
    encoding: str
    missing: frozenset[str] = MISSING
    """Texts that mean a missing value, in lower case."""

    @property
    def words(self) -> str:
        """How the file is written, in words."""
        messages = [f"separator {SEPARATORS[self.separator]}", f"decimal mark {DECIMALS[self.decimal]}"]
        messages.append(f"names in line {self.names_line}" if self.names_line else "no names")
        messages += [f"units in line {self.units_line}"] if self.units_line else []
        return f"{', '.join(messages)}, data from line {self.first_line}"


def unit_of(text: str) -> str:
    """The unit that a word such as "[deg/s]" means; "" for none."""
    return _UNIT_OF.get(text.strip().strip("[]()").strip().lower(), "")


def unit_in(name: str) -> str:
    """The unit at the end of a column's name, as in "q1 [deg]", "q1_deg" or "time_ms"; "" for none."""
    bracket = _BRACKET.search(name)
    if bracket and unit_of(bracket[1]):
        return unit_of(bracket[1])
    last = re.split(r"[^a-zA-Z°µμ/]+", name.strip())[-1].lower()
    return _UNIT_OF[last] if len(last) > 1 and last in _AT_THE_END and last != name.lower() else ""


def unknown_unit_in(name: str) -> str:
    """Text in square brackets at the end of a column name that is neither a unit nor a number; "" without one."""
    bracket = re.search(r"\[([^\]]*)\]\s*$", name)
    word = bracket[1].strip() if bracket else ""
    return "" if unit_of(word) or not re.search(r"[^\W\d]", word) else word


def fields_of(line: str, separator: str) -> list[str]:
    """The fields of a line."""
    line = line.strip("\r\n")
    if separator == " ":
        return line.split()
    if '"' not in line:
        return [field.strip() for field in line.split(separator)]
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])]
    except csv.Error:
        return line.split(separator)


def number_of(text: str, decimal: str, missing: frozenset[str] = MISSING) -> float | None:
    """Value of a field: NaN for a missing value, None for other text."""
    word = text.strip().strip('"').strip()
    if word.lower() in missing:
        return float("nan")
    try:
        return float(word.replace(",", ".") if decimal == "," else word) if "_" not in word else None
    except ValueError:
        return None


def is_value(text: str, decimal: str, missing: frozenset[str] = MISSING) -> bool:
    """Whether a field is a number, nothing, or a time of day."""
    return number_of(text, decimal, missing) is not None or STAMP.fullmatch(text.strip()) is not None


def form_of(
    lines: Sequence[str],
    encoding: str,
    separator: str = "",
    decimal: str = "",
    first_line: int = 0,
    missing: frozenset[str] = MISSING,
) -> TextForm:
    """Detect the format from the first lines of a file, as far as it is not given; raises ValueError without numbers."""
    sep_line = re.fullmatch(r'"?sep=(.)"?\s*', lines[0]) if lines else None
    separator = separator or (sep_line[1] if sep_line and sep_line[1] in SEPARATORS else "")
    best: tuple[tuple[float, ...], TextForm] | None = None
    quoted = any('"' in line for line in lines)
    for sep in (separator,) if separator else SEPARATORS:
        for mark in (decimal,) if decimal else DECIMALS:
            if sep == mark and not quoted:
                continue
            found = _tried(lines, encoding, sep, mark, first_line, missing)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
    if best is None:
        raise ValueError("no rows of numbers")
    return best[1]


def _tried(
    lines: Sequence[str], encoding: str, sep: str, mark: str, first: int, missing: frozenset[str]
) -> tuple[tuple[float, ...], TextForm] | None:
    """Score of one combination of separator and decimal mark, and the format that it gives."""
    rows = [fields_of(line, sep) if line.strip() else [] for line in lines]
    good = [sum(is_value(field, mark, missing) for field in row) for row in rows]
    some = [any(is_value(field, mark, missing) and field.lower() not in missing for field in row) for row in rows]
    data = [some[k] and good[k] >= _LEAST * len(row) for k, row in enumerate(rows)]
    if first:
        data = [is_data and k + 1 >= first for k, is_data in enumerate(data)]
    widths = Counter(len(row) for row, is_data in zip(rows, data, strict=True) if is_data)
    if not widths:
        return None
    width = max(widths, key=lambda size: (widths[size] * size, size))
    wider = [size for size in widths if size > width and widths[size] > 1 and _is_named(rows, data, size)]
    width = max([width, *wider])  # tables side by side, of which the shorter ones end before the others
    at = next(k for k, row in enumerate(rows) if data[k] and len(row) == width)
    if not first and at + 2 < len(rows) and not (data[at + 1] or data[at + 2]):  # a single line of numbers in the header
        at = next((k for k in range(at + 1, len(rows)) if data[k] and len(rows[k]) == width), at)
    least = 2 if wider else width
    body = [k for k in range(at, len(rows)) if rows[k] and least <= len(rows[k]) <= width]
    share = sum(good[k] for k in body) / sum(len(rows[k]) for k in body)
    names, units = _heads(lines[:at], sep, mark, width)
    score = (
        round(share * len(body) / max(1, sum(bool(row) for row in rows[at:])), 1),
        float(width > 1),
        -len(SEPARATORS[sep]) / 100,
    )
    return score, TextForm(sep, mark, at + 1, names, units, width, encoding, missing)


def _is_named(rows: Sequence[Sequence[str]], data: Sequence[bool], size: int) -> bool:
    """True if a row of `size` texts is above the first row of numbers."""
    first = next((k for k, is_data in enumerate(data) if is_data), 0)
    return any(len(row) == size and all(row) for row in rows[:first])


def _heads(lines: Sequence[str], sep: str, mark: str, width: int) -> tuple[int, int]:
    """The lines of names and of units, counted from 1; 0 for none."""
    names = units = 0
    for number, line in enumerate(lines, start=1):
        fields = head_fields(line, sep, width)
        if len(fields) != width:
            continue
        full = [field for field in fields if field]
        if full and sum(bool(unit_of(field)) for field in full) > 0.5 * len(full) and names:
            units = number
        elif len(full) > 0.5 * width and not all(is_value(field, mark) for field in full):
            names = number
    return names, units if units > names else 0


def head_fields(line: str, sep: str, width: int) -> list[str]:
    """The fields of a line above the numbers, which may begin like a comment."""
    text = line.strip("\r\n")
    bare = text.lstrip(_COMMENT + " ") if text.lstrip().startswith(tuple(_COMMENT)) else text
    fields = fields_of(bare, sep)
    return fields[:width] if len(fields) == width + 1 and not fields[-1] else fields
