"""Height of the strip, which a window reserves before the strip is made."""

from __future__ import annotations

LOW = 760  # px; in a window less high the strip folds by itself


def strip_height(line: int, folded: bool) -> int:
    """Height in px of the strip at `line` px per line of text: one line where it is folded."""
    return line + 14 if folded else 11 * line // 2 + 22


def folds_by_itself(line: int, window: int) -> bool:
    """Whether a window of that height in px is too low for the whole strip: it takes a sixth at most."""
    return window < LOW or 6 * strip_height(line, False) > window


def first_height(line: int, window: int) -> int:
    """Height in px of the strip in a window of that height, as it first comes."""
    return strip_height(line, folds_by_itself(line, window))
