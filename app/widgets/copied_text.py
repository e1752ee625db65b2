"""Numbers as text for other programs, in full precision: tab-separated for spreadsheets, or as Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def tabbed(values: np.ndarray, rows: Sequence[str] = (), columns: Sequence[str] = ()) -> str:
    """Numbers `(n,)` as a line, or `(rows, columns)` as lines, under and beside their names where these are given."""
    lines = [list(map(repr, map(float, line))) for line in np.atleast_2d(values)]
    if rows:
        lines = [[name, *line] for name, line in zip(rows, lines, strict=True)]
    if columns:
        lines = [["", *columns] if rows else list(columns), *lines]
    return "\n".join("\t".join(line) for line in lines)


def as_python(name: str, values: np.ndarray) -> str:
    """An assignment that numpy understands, one line per row."""
    values = np.asarray(values, float)
    if not np.isfinite(values).all():
        return f"{name} = np.array({str(values.tolist()).replace('nan', 'np.nan').replace('inf', 'np.inf')})"
    if values.ndim == 1:
        return f"{name} = np.array({values.tolist()})"
    lines = ",\n    ".join(str(row) for row in values.tolist())
    return f"{name} = np.array([\n    {lines},\n])"
