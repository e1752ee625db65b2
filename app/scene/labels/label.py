"""`Label`: a short text at a point of the scene, and `LabelGroup`, labels of which only points and texts change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, overload

import numpy as np

Box = tuple[float, float, float, float]
"""Left, top, width and height in device pixels."""


class Label(NamedTuple):
    """`text` may hold one subscript after "_", unless it is `plain`; `shift` moves it in logical pixels; `size` is relative to
    normal text.

    Where another text or the edge is in the way, it steps aside and a line leads to it; one that `stays` is left out instead, and
    a `fixed` one stands where it is whatever it covers. Those of lower `rank` choose their place first, and those below 0 stay
    within the picture. A `pill` has a ground of its own and stands at the top of the picture, wherever its `point` is. One
    `hidden_by_solids` is seen only while its point is, one that `stays` only while all of it is; one that also `shines_through`
    gets faint instead. One that is `bare` has no halo.
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
    plain: bool = False
    bare: bool = False


class LabelGroup(Sequence[Label]):
    """The same list of `labels` from frame to frame, at other `points` `(N, 3)`; the first of them have other `texts`.

    While list and texts are the same objects, they are drawn once. Read as a sequence it returns the labels as they are now.
    """

    def __init__(self, labels: list[Label], points: np.ndarray, texts: Sequence[str] = ()):
        self.labels, self.points, self.texts = labels, points, texts

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Label]:
        texts = chain(self.texts, (label.text for label in self.labels[len(self.texts) :]))
        for label, text, point in zip(self.labels, texts, self.points, strict=True):
            yield label._replace(text=text, point=point)

    @overload
    def __getitem__(self, index: int) -> Label: ...
    @overload
    def __getitem__(self, index: slice) -> list[Label]: ...
    def __getitem__(self, index: int | slice) -> Label | list[Label]:
        return list(self)[index]
