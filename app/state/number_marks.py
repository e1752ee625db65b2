"""How numbers are written on screen: the marks of the system's language and a true minus sign. Files keep those of C."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

MINUS = "\N{MINUS SIGN}"
NARROW = "\N{NARROW NO-BREAK SPACE}"
_MARK = re.compile(r"(?<=\d)(?:\.(?=\d)|,(?=\d{3}(?!\d)))")
_SIGN = re.compile(r"(?<![\w.])-(?=[\d.])|(?<=\de)-(?=\d)")


@dataclass
class NumberMarks:
    """What begins the decimals, and what stands between thousands; one for the whole program."""

    decimal: str = "."
    group: str = NARROW

    def use(self, decimal: str, group: str) -> None:
        """Write numbers like this from now on."""
        self.decimal, self.group = decimal, group


MARKS = NumberMarks()
"""The marks in force; a command line's are those of C, the window takes the language's."""


def written(text: str) -> str:
    """A number that was written as in C."""
    text = text.replace("-", MINUS)
    return text if MARKS.decimal == "." else text.replace(".", MARKS.decimal)


def said(sentence: str) -> str:
    """A sentence of the engine, which writes its numbers as in C."""
    return _said(sentence, MARKS.decimal, MARKS.group)


@lru_cache(maxsize=32)
def _said(sentence: str, decimal: str, group: str) -> str:
    """Several places of the window say the same."""
    return _MARK.sub(lambda mark: decimal if mark[0] == "." else group, _SIGN.sub(MINUS, sentence))
