"""Labels as rectangles on the screen: whole texts, and texts put together from characters that were drawn before."""

from __future__ import annotations

from dataclasses import dataclass

from app.scene.label import Label
from app.scene.label_atlas import HALO, INK, LabelAtlas, Place

Piece = tuple[float, float, Place]


@dataclass(frozen=True)
class LabelRun:
    """Size of a label in device pixels, and its pieces: where each begins in the label, and its place in the atlas."""

    width: int
    height: int
    pieces: tuple[Piece, ...]


def label_run(label: Label, atlas: LabelAtlas) -> LabelRun:
    """What to draw for a label."""
    if label.counts:
        return _of_characters(label, atlas)
    place = atlas.place(label)
    return LabelRun(place[2], place[3], ((0.0, 0.0, place),))


def _of_characters(label: Label, atlas: LabelAtlas) -> LabelRun:
    """Every halo comes before any ink, so that none lies over its neighbour's."""
    pieces, widest = [], 0.0
    for layers in (INK,) if label.faint else (HALO, INK):
        pen = 0.0
        for which, character in enumerate(label.text):
            place, (left, top), way = atlas.character(label, which, layers)
            if character != " ":
                pieces.append((pen + left, top, place))
            pen += way
        widest = pen
    first_left, first_top = min(x for x, _, _ in pieces), min(y for _, y, _ in pieces)
    height = max(y + place[3] for _, y, place in pieces) - first_top
    moved = tuple((x - first_left, y - first_top, place) for x, y, place in pieces)
    return LabelRun(round(widest - 2 * first_left), round(height), moved)
