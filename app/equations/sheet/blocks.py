"""What a derivation sheet is made of, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Math:
    """A formula in LaTeX that stands on the line and is not broken."""

    latex: str


Part = str | Math
"""Words, with <b>, <i>, <s> and <sub>, or a formula."""

Line = tuple[Part, ...]
"""Parts with a space between them; a line breaks at spaces."""


@dataclass(frozen=True)
class Heading:
    """`level` 1 for a section, 2 for a part of it."""

    text: str
    level: int = 1


@dataclass(frozen=True)
class Paragraph:
    """Words and formulas; `quiet` ones explain."""

    line: Line
    quiet: bool = False


@dataclass(frozen=True)
class Equation:
    """A left side, and what it is equal to over as many lines as it takes, set in behind it."""

    left: Line
    right: Line


@dataclass(frozen=True)
class Table:
    """Rows of cells below their titles; the first `words` columns are set to the left, numbers to the right."""

    titles: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    words: int = 1


@dataclass(frozen=True)
class Matrix:
    """Cells between brackets."""

    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True)
class Display:
    """Matrices side by side, each with what stands before it, such as A = [ ] = [ ]."""

    pairs: tuple[tuple[Line, Matrix], ...]


Block = Heading | Paragraph | Equation | Table | Display


@dataclass(frozen=True)
class Sheet:
    """Everything about one arm in one motion; `picture` is a PNG, `facts` stand beside it."""

    title: str
    subtitle: str
    picture: bytes
    facts: Table
    blocks: tuple[Block, ...]
    foot: str
