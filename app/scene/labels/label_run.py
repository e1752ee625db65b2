"""Labels as rectangles on the screen: whole texts, and texts put together from characters that were drawn before."""

from __future__ import annotations

import numpy as np

from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import LabelAtlas, LabelRun

MOST = 1000  # runs that are kept, a few hundred bytes each


def label_run(label: Label, atlas: LabelAtlas) -> LabelRun:
    """What to draw for a label."""
    key = label.key
    run = atlas.runs.get(key)
    if run is None:
        if len(atlas.runs) >= MOST:
            atlas.runs.clear()
        run = atlas.runs[key] = _of_characters(label, atlas) if label.counts else _whole(label, atlas)
    return run


def _whole(label: Label, atlas: LabelAtlas) -> LabelRun:
    place = atlas.place(label)
    return LabelRun(place[2], place[3], np.array([(0, 0, *place)], "f4"))


def _of_characters(label: Label, atlas: LabelAtlas) -> LabelRun:
    """Every halo comes before any ink, so that none lies over its neighbour's."""
    glyphs = atlas.glyphs(label)
    left, top = glyphs[0].left, min(glyph.top for glyph in glyphs if glyph.places)
    layers: tuple[list[tuple], list[tuple]] = ([], [])
    pen, low = -left, 0.0
    for glyph in glyphs:
        if glyph.places:
            x, y = pen + glyph.left, glyph.top - top
            low = max(low, y + glyph.places[0][3])
            for layer, place in zip(layers, glyph.places, strict=True):
                layer.append((x, y, *place))
        pen += glyph.way
    return LabelRun(round(pen - left), round(low), np.array(layers[0] + layers[1], "f4"))
