"""`LabelSheet`: the labels of all sources as numbers, each in a row of its own for as long as the sources give the same lists."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

END = 0xFFFF  # the code after the last one of a text that is shorter than its row
ROOM = 16  # rows are multiples of so many codes long


class LabelRows(NamedTuple):
    """Of each label its `points` `(N, 3)`, which of the `styles` it has, and its text as `codes` `(N, W)`."""

    points: np.ndarray
    styles: np.ndarray
    codes: np.ndarray


class LabelSheet:
    """`LabelRows` of several sources one after the other; `starts` says where each begins, and last where the last one ends."""

    def __init__(self, parts: list[LabelRows], width: int):
        self.starts = np.cumsum([0, *(len(part.points) for part in parts)]).tolist()
        many = self.starts[-1]
        self.points, self.styles = np.empty((many, 3)), np.empty(many, np.int64)
        self.codes = np.empty((many, width + -width % ROOM), np.int64)
        for part, start in zip(parts, self.starts[:-1], strict=True):
            if len(part.points):
                self.put(part, start)

    def put(self, rows: LabelRows, start: int) -> None:
        """These rows from row `start` on."""
        end, width = start + len(rows.points), rows.codes.shape[1]
        self.points[start:end], self.styles[start:end] = rows.points, rows.styles
        self.codes[start:end, :width], self.codes[start:end, width:] = rows.codes, END

    @property
    def width(self) -> int:
        """The codes that a row has room for."""
        return self.codes.shape[1]
