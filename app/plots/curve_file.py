"""Curves as a table in a text file."""

from __future__ import annotations

import csv
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

import numpy as np

from armature.app.plots.curves import Curves
from armature.engine import EngineError
from armature.engine.files import atomic_file


def write_csv(path: Path, several: list[Curves], cancelled: Callable[[], bool]) -> Path:
    """Write every curve to `path`, in the units shown: t and a column each; curves over other times have a t of their own.

    Raises EngineError where the file cannot be written, or where there is nothing to write.
    """
    if not several:
        raise EngineError("the plot has no curves")
    heads, blocks = [], []
    for curves in several:
        names = [f"{name} ({curves.source})" if curves.source else name for name in curves.names]
        if not curves.timed:
            heads += [f"{name} {axis}" for name in names for axis in ("position", "velocity")]
            blocks.append(np.stack([curves.x, curves.y], axis=2).reshape(len(curves.x), -1))
            continue
        same = curves is not several[0] and np.array_equal(curves.x, several[0].x)
        heads += names if same else ["t", *names]
        blocks.append(curves.y if same else np.column_stack([curves.x, curves.y]))
    with atomic_file(path, EngineError) as part, part.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(heads)
        empty = [[""] * block.shape[1] for block in blocks]
        for k, rows in enumerate(zip_longest(*blocks)):
            if k % 1000 == 0 and cancelled():
                raise EngineError("cancelled")
            table.writerow([v for row, none in zip(rows, empty) for v in (none if row is None else map(_text, row))])
    return path


def _text(value: float) -> str:
    return "" if np.isnan(value) else repr(float(value))
