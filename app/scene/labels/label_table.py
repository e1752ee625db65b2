"""`LabelTable`: labels as the numbers that compiled code lays them out by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.app.scene.gl.frame_state import rgb
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import Glyphs, LabelAtlas
from armature.app.scene.labels.label_group import LabelGroup
from armature.app.scene.labels.label_sheet import END, LabelRows, LabelSheet

STYLE = 11  # numbers of a style: shift, switches, rank and colour, as `laid_out` has them
LAST = 99.0  # rank of pills: over all other texts
WHOLE = 0x10000  # code points from here on stand for texts that were drawn at once
_END = chr(END)
_NONE = LabelRows(np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros((0, 0), np.int64))


class LabelTable:
    """The `styles` `(k, STYLE)` that were met so far, and the texts as characters of `atlas`."""

    def __init__(self, atlas: LabelAtlas):
        self.atlas, self.generation = atlas, atlas.generation
        self.styles = np.zeros((0, STYLE))
        self._numbers: dict[tuple, int] = {}
        self._glyphs: list[Glyphs] = []  # by style
        self._wholes: dict[tuple[str, int], str] = {}  # the code points of texts by style
        self._known: dict[int, tuple[Sequence[Label], LabelRows]] = {}  # by source, what it gave last
        self._lists: list[Sequence[Label]] = []  # that the sheet is of
        self._sheet: LabelSheet | None = None
        self._said: dict[int, Sequence[str]] = {}  # by row of the sheet, the texts of groups that it has

    def sheet(self, found: list[Sequence[Label]]) -> LabelSheet:
        """The labels of all sources; only those of lists other than last time are looked up, and of groups where they are and
        what they say."""
        lists = [labels.labels if type(labels) is LabelGroup else labels for labels in found]
        sheet = self._sheet
        if sheet is None or not self._renewed(sheet, lists) or not self._told(sheet, found):
            parts = [self._rows(source, labels) for source, labels in enumerate(lists)]
            texts = [len(text) for labels in found if type(labels) is LabelGroup for text in labels.texts]
            sheet = LabelSheet(parts, max([*texts, *(part.codes.shape[1] for part in parts)]))
            self._said.clear()
            self._told(sheet, found)
            self._lists, self._sheet = lists, sheet
        return sheet

    def _renewed(self, sheet: LabelSheet, lists: list[Sequence[Label]]) -> bool:
        """Put in the lists that are others than last time; False where one is of another length, or a text too long."""
        if [*map(len, lists)] != [*map(len, self._lists)]:
            return False
        for source, (labels, last, start) in enumerate(zip(lists, self._lists, sheet.starts)):
            if labels is not last and labels:
                rows = self._rows(source, labels)
                if rows.codes.shape[1] > sheet.width:
                    return False
                sheet.put(rows, start)
                self._said.pop(start, None)
        self._lists = lists
        return True

    def _told(self, sheet: LabelSheet, found: list[Sequence[Label]]) -> bool:
        """Put in what groups say now, and where; False where a text is too long."""
        width = sheet.width
        for labels, start in zip(found, sheet.starts):
            if type(labels) is LabelGroup:
                sheet.points[start : start + len(labels.points)] = labels.points
                if labels.texts and self._said.get(start) is not labels.texts:
                    glyphs = map(self._glyphs.__getitem__, sheet.styles[start : start + len(labels.texts)].tolist())
                    texts = [text.translate(known).ljust(width, _END) for text, known in zip(labels.texts, glyphs)]
                    if max(map(len, texts)) > width:
                        return False
                    sheet.codes[start : start + len(texts)] = _code_points("".join(texts)).reshape(-1, width)
                    self._said[start] = labels.texts
        return True

    def _rows(self, source: int, labels: Sequence[Label]) -> LabelRows:
        """The numbers of the labels that a source gives, looked up once for the same list."""
        known = self._known.get(source)
        if known is None or known[0] is not labels:
            known = self._known[source] = labels, self._made_rows(labels)
        return known[1]

    def _made_rows(self, labels: Sequence[Label]) -> LabelRows:
        if not labels:
            return _NONE
        styles = [self._style(label) for label in labels]
        codes = _coded([self._text(label, style) for label, style in zip(labels, styles, strict=True)])
        return LabelRows(np.array([label.point for label in labels], float), np.array(styles, np.int64), codes)

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


def same_objects(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether these are the same objects, or both empty, one by one."""
    return len(some) == len(others) and all(a is b or not (a or b) for a, b in zip(some, others, strict=True))


def _coded(texts: list[str]) -> np.ndarray:
    """The codes of these texts `(k, W)`, as wide as the longest."""
    width = max([1, *map(len, texts)])
    codes = _code_points("".join(text.ljust(width, _END) for text in texts)).astype(np.int64).reshape(-1, width)
    return np.where(codes < WHOLE, codes, WHOLE - 1 - codes)


def _code_points(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)
