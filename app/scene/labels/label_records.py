"""What is drawn of labels that have their places: pieces of text, and the lines that lead to those that stepped aside."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl.frame_state import rgb
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_run import LabelRun

# box: left, top, width and height in pixels, of a line its ends; glyph: the same in the atlas, 0…1; anchor: pixel and depth of
# what is told of, its negative where the label shines through what hides that, NEVER where nothing hides it, and how far apart
# in pixels the three places to the left, at and to the right of the anchor are where this is looked up
RECORD = np.dtype([("box", "f4", 4), ("glyph", "f4", 4), ("anchor", "f4", 4), ("line", "f4", 4)])
INK = 0.85  # opacity of a line
NEVER = -2.0  # depth of what is not hidden
TAP = 2.0  # logical pixels between these places, usually
INSET = 3.0  # logical pixels that a line goes into the margin of its text


def text_records(runs: list[LabelRun], corners: np.ndarray, anchors: np.ndarray, atlas_size: tuple[int, int]) -> np.ndarray:
    """One record per piece of the runs, whose labels stand at `corners` `(k, 2)` and tell of `anchors` `(k, 4)`."""
    pieces, counts = np.concatenate([run.pieces for run in runs]), [len(run.pieces) for run in runs]
    out = np.zeros(len(pieces), RECORD)
    out["box"][:, :2] = np.rint(np.repeat(corners, counts, axis=0) + pieces[:, :2])
    out["box"][:, 2:] = pieces[:, 4:]
    out["glyph"] = pieces[:, 2:] / np.array(atlas_size * 2, "f4")
    out["anchor"] = np.repeat(anchors, counts, axis=0)
    return out


def line_records(labels: list[Label], boxes: np.ndarray, anchors: np.ndarray, scale: float) -> np.ndarray:
    """From each anchor `(k, 4)` to the nearest point of its label's box `(k, 4)`."""
    out = np.zeros(len(labels), RECORD)
    inset = INSET * scale
    nearest = np.clip(anchors[:, :2], boxes[:, :2] + inset, boxes[:, :2] + boxes[:, 2:] - inset)
    out["box"][:, :2], out["box"][:, 2:] = anchors[:, :2], nearest
    out["anchor"] = anchors
    out["line"] = np.array([(*rgb(label.colour), INK) for label in labels]).reshape(-1, 4)
    return out[np.abs(nearest - anchors[:, :2]).max(axis=1) > 1.0]
