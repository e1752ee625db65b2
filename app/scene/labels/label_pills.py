"""Where pills stand: sentences about the whole picture, one below the other at its top."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl.frame_state import FrameState

MARGIN, BETWEEN = 10.0, 2.0  # logical pixels


def stacked(extents: list[tuple[int, int]], frame: FrameState) -> np.ndarray:
    """Upper left corners of pills of these widths and heights, all in device pixels, as points of labels `(k, 3)`."""
    corners, top = [], (frame.covered + MARGIN) * frame.scale
    for width, height in extents:
        corners.append((max(0.0, round(0.5 * (frame.size[0] - width))), round(top), 0.0))
        top += height + BETWEEN * frame.scale
    return np.array(corners, float).reshape(-1, 3)
