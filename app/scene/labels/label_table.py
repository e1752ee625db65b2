"""`LabelTable`: labels as the numbers that compiled code lays them out by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.app.scene.gl.frame_state import rgb
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import Glyphs, LabelAtlas
from armature.app.scene.labels.label_group import LabelGroup
from armature.app.scene.labels.label_rows import NONE, LabelRows

STYLE = 11  # numbers of a style: shift, switches, rank and colour, as `laid_out` has them
LAST = 99.0  # rank of pills: over all other texts
WHOLE = 0x10000  # code points from here on stand for texts that were drawn at once


class LabelTable:
    """The `styles` `(k, STYLE)` that were met so far, and the texts as characters of `atlas`."""

    def __init__(self, atlas: LabelAtlas):
        self.atlas, self.generation = atlas, atlas.generation
        self.styles = np.zeros((0, STYLE))
        self._numbers: dict[tuple, int] = {}
        self._glyphs: list[Glyphs] = []  # by style
        self._wholes: dict[tuple[str, int], str] = {}  # the code points of texts by style
        self._known: dict[int, tuple[Sequence[Label], LabelRows]] = {}  # by source, what it gave last

    def rows(self, source: int, labels: Sequence[Label]) -> LabelRows:
        """The labels of a source; while it gives the same list nothing is looked up, and of the same group only what counts."""
        same = labels.labels if isinstance(labels, LabelGroup) else labels
        known = self._known.get(source)
        if known is None or known[0] is not same:
            known = self._known[source] = same, self.of(same)
        return self._now(known[1], labels) if isinstance(labels, LabelGroup) else known[1]

    def _now(self, rows: LabelRows, group: LabelGroup) -> LabelRows:
        """The rows of a group's list with its points and its texts of this frame."""
        points, counting = np.asarray(group.points, float), len(group.texts)
        if not counting:
            return rows._replace(points=points)
        glyphs = (self._glyphs[style] for style in rows.styles[:counting].tolist())
        lengths, codes = _coded([text.translate(known) for text, known in zip(group.texts, glyphs)])
        rest = int(rows.lengths[:counting].sum())
        lengths = np.concatenate([lengths, rows.lengths[counting:]])
        return LabelRows(points, rows.styles, lengths, np.concatenate([codes, rows.codes[rest:]]))

    def of(self, labels: Sequence[Label]) -> LabelRows:
        """The numbers of these labels."""
        if not labels:
            return NONE
        styles = [self._style(label) for label in labels]
        texts = [self._text(label, style) for label, style in zip(labels, styles, strict=True)]
        return LabelRows(np.array([label.point for label in labels], float), np.array(styles, np.int64), *_coded(texts))

    def _text(self, label: Label, style: int) -> str:
        """A code point for each piece of the atlas that it is made of."""
        if label.pill:
            return chr(WHOLE + self.atlas.whole(label))
        if label.counts:
            return label.text.translate(self._glyphs[style])
        known = self._wholes.get((label.text, style))
        if known is None:
            known = self._wholes[label.text, style] = chr(WHOLE + self.atlas.whole(label))
        return known

    def _style(self, label: Label) -> int:
        key = (label.colour, *label[3:])
        number = self._numbers.get(key)
        if number is None:
            switches = label.hidden_by_solids, label.shines_through, label.fixed or label.pill, label.stays
            row = *label.shift, *switches, LAST if label.pill else label.rank, label.pill, *rgb(label.colour)
            self.styles = np.append(self.styles, [np.array(row, float)], axis=0)
            self._glyphs.append(self.atlas.glyphs(label))
            number = self._numbers[key] = len(self._numbers)
        return number


def _coded(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """How many codes each of these texts has, and all codes."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
    return np.array(list(map(len, texts)), np.int64), np.where(codes < WHOLE, codes, WHOLE - 1 - codes)
