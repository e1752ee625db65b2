"""`LabelGroup`: labels that stay the same while their points move, and of which some count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import overload

import numpy as np

from armature.app.scene.labels.label import Label


class LabelGroup(Sequence[Label]):
    """The same list of `labels` from frame to frame, at other `points` `(N, 3)`; the first of them have other `texts`.

    While the list is the same, what its labels look like is looked up once. Read as a sequence it gives them as they are now.
    It is told by its type, not by isinstance, which for a Sequence costs ten times as much.
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
