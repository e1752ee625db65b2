"""Recordings as CSV: one line of plain column names, then one line per sample in the shortest digits that read back exactly."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np


def header_line(columns: Sequence[str]) -> bytes:
    """The first line; a name with a comma or a quote in it is quoted."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(columns)
    return text.getvalue().encode()


def row_lines(table: np.ndarray) -> bytes:
    """One line per row of `table`; empty for no rows."""
    return "".join([",".join(map(repr, row)) + "\n" for row in table.tolist()]).encode()
