"""`Label`: a short text at a point of the scene."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Label(NamedTuple):
    """`text` may hold one subscript after "_"; `shift` moves it in logical pixels; `size` is relative to normal text.

    A `fixed` one stands where it is whatever it covers; of the others, those of lower `rank` choose their place first, and
    those below 0 stay within the picture. One that `counts` changes as the arm moves; it has no subscript.
    """

    text: str
    colour: str
    point: np.ndarray
    shift: tuple[float, float] = (0.0, 0.0)
    hidden_by_solids: bool = False
    size: float = 1.0
    faint: bool = False
    fixed: bool = False
    rank: int = 0
    counts: bool = False

    @property
    def key(self) -> tuple:
        """All that its picture depends on, the text first."""
        return self.text, self.colour, self.size, self.faint
