"""Times as people write them in logs: dates with a time of day, or that alone."""

from __future__ import annotations

import re
from datetime import datetime


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
    """Seconds since 1970; without a zone it is taken for UTC, which only a date can tell apart."""
    found = re.fullmatch(r"(.{10}).(\d{1,2}:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?", word)
    if found is None:
        raise ValueError
    day, clock, fraction, zone = found.groups()
    clock = clock if len(clock.split(":")[0]) == 2 else f"0{clock}"
    zone = "+00:00" if zone in (None, "Z") else zone
    whole = datetime.fromisoformat(f"{day}T{clock}{zone}").timestamp()
    return whole + float(fraction or 0.0)
