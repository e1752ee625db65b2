"""`Label`: a short text at a point of the scene."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Label(NamedTuple):
    """`text` may hold one subscript after "_"; `shift` moves it in logical pixels; `size` is relative to normal text.

    Where another text or the edge is in the way, it steps aside and a line leads to it; one that `stays` is left out instead, and
    a `fixed` one stands where it is whatever it covers. Those of lower `rank` choose their place first, and those below 0 stay
    within the picture. A `pill` has a ground of its own and stands at the top of the picture, wherever its `point` is. One
    `hidden_by_solids` is seen only while its point is, one that `stays` only while all of it is; one that also `shines_through`
    gets faint instead. One that `counts` changes as the arm moves; it has no subscript. One that is `bare` has no halo.
    """

    text: str
    colour: str
    point: np.ndarray
    shift: tuple[float, float] = (0.0, 0.0)
    hidden_by_solids: bool = False
    shines_through: bool = False
    size: float = 1.0
    faint: bool = False
    fixed: bool = False
    stays: bool = False
    pill: bool = False
    rank: int = 0
    counts: bool = False
    bare: bool = False

    @property
    def key(self) -> tuple:
        """All that its picture depends on, the text first."""
        return self.text, self.colour, self.size, self.faint, self.pill, self.bare
