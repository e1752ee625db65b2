"""`LabelRows`: the labels of one source as numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class LabelRows(NamedTuple):
    """Of each label its `points` `(N, 3)`, which of the `styles` it has, how many `codes` its text has, and all these codes."""

    points: np.ndarray
    styles: np.ndarray
    lengths: np.ndarray
    codes: np.ndarray


NONE = LabelRows(np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
