"""Labels as rectangles on the screen: whole texts, and texts put together from characters that were drawn before."""

from __future__ import annotations

from typing import NamedTuple

from app.scene.label import Label
from app.scene.label_atlas import LabelAtlas, Place

Piece = tuple[float, float, Place]


class LabelRun(NamedTuple):
    """Size of a label in device pixels, and its pieces: where each begins in the label, and its place in the atlas."""

    width: int
    height: int
    pieces: list[Piece]


def label_run(label: Label, atlas: LabelAtlas) -> LabelRun:
    """What to draw for a label."""
    if label.counts:
        return _of_characters(label, atlas)
    place = atlas.place(label)
    return LabelRun(place[2], place[3], [(0.0, 0.0, place)])


def _of_characters(label: Label, atlas: LabelAtlas) -> LabelRun:
    """Every halo comes before any ink, so that none lies over its neighbour's."""
    glyphs = [atlas.glyph(label, character) for character in label.text]
    left, top = glyphs[0].left, min(glyph.top for glyph in glyphs if glyph.places)
    layers: tuple[list[Piece], list[Piece]] = ([], [])
    pen, low = -left, 0.0
    for glyph in glyphs:
        if glyph.places:
            x, y = pen + glyph.left, glyph.top - top
            low = max(low, y + glyph.places[0][3])
            for layer, place in zip(layers, glyph.places, strict=True):
                layer.append((x, y, place))
        pen += glyph.way
    return LabelRun(round(pen - left), round(low), layers[0] + layers[1])
