"""What a person types as a number."""

from __future__ import annotations

import re
from math import isfinite

from armature.app.state.number_marks import MARKS

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
_SPACES = str.maketrans({" ": "", "\xa0": "", "\N{NARROW NO-BREAK SPACE}": "", "\N{THIN SPACE}": "", "\N{MINUS SIGN}": "-"})


def typed_number(text: str) -> float | None:
    """The finite number, such as 12.5 or 1e5, with any minus sign and a decimal point or comma; None for anything else."""
    text = text.translate(_SPACES).replace(",", ".").replace(MARKS.decimal, ".")
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if isfinite(value) else None


def typed_whole(text: str, mark: str) -> int | None:
    """The whole number, such as 100000 or 1e5; `mark` may stand between its thousands. None for anything else."""
    text = text.translate(_SPACES)
    if mark and re.fullmatch(rf"[-+]?\d{{1,3}}({re.escape(mark)}\d{{3}})+", text):
        text = text.replace(mark, "")
    value = typed_number(text)
    return int(value) if value is not None and value == int(value) else None
