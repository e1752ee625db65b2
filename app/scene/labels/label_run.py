"""Labels as rectangles on the screen: whole texts, and texts put together from characters that were drawn before."""

from __future__ import annotations

import numpy as np

from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import LabelAtlas, LabelRun

MOST = 1000  # runs that are kept, a few hundred bytes each


def label_runs(labels: list[Label], atlas: LabelAtlas) -> list[LabelRun]:
    """What to draw for each label."""
    missing = [label for label in labels if label.key not in atlas.runs]
    if missing:
        if len(atlas.runs) >= MOST:
            atlas.runs.clear()
            missing = labels
        counting = [label for label in missing if label.counts]
        made = _of_characters(counting, atlas) if counting else []
        atlas.runs.update(zip([label.key for label in counting], made))
        atlas.runs.update((label.key, _whole(label, atlas)) for label in missing if not label.counts)
    for label in labels:
        if label.pill:
            atlas.keep(label)
    return [atlas.runs[label.key] for label in labels]


def _whole(label: Label, atlas: LabelAtlas) -> LabelRun:
    place = atlas.place(label)
    return LabelRun(place[2], place[3], np.array([(0, 0, *place)], "f4"))


def _of_characters(labels: list[Label], atlas: LabelAtlas) -> list[LabelRun]:
    """In every label each halo comes before any ink, so that none lies over its neighbour's."""
    rows = [atlas.glyphs(label) for label in labels]
    counts = np.array([len(row) for row in rows])
    glyphs = atlas.characters[[row for line in rows for row in line]]
    ends = np.cumsum(counts, dtype=np.intp)
    starts = ends - counts
    pens = np.cumsum(glyphs["way"])
    begins = pens[starts] - glyphs["way"][starts] + glyphs["pieces"][starts, 0, 0]
    widths = pens[ends - 1] - begins - glyphs["pieces"][starts, 0, 0]
    pieces = glyphs["pieces"]
    pieces[:, :, 0] += (pens - glyphs["way"] - np.repeat(begins, counts))[:, None]
    pieces[:, :, 1] -= np.repeat(np.minimum.reduceat(pieces[:, 0, 1], starts), counts)[:, None]
    heights = np.maximum.reduceat(pieces[:, 0, 1] + pieces[:, 0, 5], starts)
    inked = pieces[:, 0, 4] > 0
    parts = [pieces[start:end][inked[start:end]].swapaxes(0, 1).reshape(-1, 6) for start, end in zip(starts, ends)]
    sizes = np.rint(np.column_stack([widths, heights])).astype(int).tolist()
    return [LabelRun(width, height, part) for (width, height), part in zip(sizes, parts, strict=True)]
