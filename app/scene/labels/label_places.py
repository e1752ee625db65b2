"""Which places the labels of a frame take; compiled, since some forty of them try out thirty places each while the arm moves."""

from __future__ import annotations

import numpy as np

from armature.engine.jit import INTS, MAT, OUT2, REAL, inner, kernel

RINGS = (0.8, 1.6, 2.5, 3.5)  # heights of a text from its home to the places around it
_D = 0.5**0.5
_AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (_D, -_D), (-_D, -_D), (_D, _D), (-_D, _D))
WAYS = np.array([(0, 0), *_AROUND * len(RINGS)], float)  # from home to the places, in the order in which they are tried
OUT = np.array([0, *np.repeat(RINGS, len(_AROUND))])


@inner
def _take(box, place, picture, spare, margin, standing, count):
    """Whether the text `box` (left, top, width, height at home) may stand at a place; then it is the next one `standing`.

    It must keep `spare` pixels off whatever stands, and may cover `margin` of it.
    """
    away, wide = box[3] * OUT[place], max(0.5 * (box[2] - box[3]), 0.0)  # as far off to the side of a wide text as above it
    left, top = box[0] + np.rint(WAYS[place, 0] * (away + wide)), box[1] + np.rint(WAYS[place, 1] * away)
    right, bottom = left + box[2], top + box[3]
    if left < 0.0 or top < 0.0 or right > picture[0, 0] or bottom > picture[0, 1]:
        return False
    gap = spare - margin
    for k in range(count):
        across = left - gap < standing[k, 2] and standing[k, 0] < right + gap
        if across and top - gap < standing[k, 3] and standing[k, 1] < bottom + gap:
            return False
    standing[count, 0], standing[count, 1], standing[count, 2], standing[count, 3] = left, top, right, bottom
    return True


@kernel(MAT, INTS, INTS, MAT, MAT, REAL, REAL, OUT2)
def placed(boxes, before, stays, taken, picture, margin, calm, found):
    """Fills left, top and place of each text into `found` `(N, 3)`, −1 for those that find none.

    Args:
        boxes: left and top at home, width and height of each `(N, 4)`, in pixels.
        before: the place of each in the last frame `(N,)`; those that had none are at home.
        stays: 1 for those that have no choice `(N,)`.
        taken: edges of what no text may cover `(T, 4)`.
        picture: its width and height `(1, 2)`.
        margin: how much of each other they may cover.
        calm: room to spare for one that goes home.
    """
    standing = np.empty((len(taken) + len(boxes), 4))
    count = len(taken)
    standing[:count] = taken
    for k in range(len(boxes)):
        found[k, 0], found[k, 1], found[k, 2] = boxes[k, 0], boxes[k, 1], -1.0
        if _take(boxes[k], 0, picture, calm if before[k] else 0.0, margin, standing, count):
            place = 0
        elif before[k] and _take(boxes[k], before[k], picture, 0.0, margin, standing, count):
            place = before[k]
        else:
            continue
        found[k, 0], found[k, 1], found[k, 2] = standing[count, 0], standing[count, 1], place
        count += 1
    for k in range(len(boxes)):
        if found[k, 2] < 0.0 and not stays[k]:
            for place in range(len(OUT)):
                if _take(boxes[k], place, picture, 0.0, margin, standing, count):
                    found[k, 0], found[k, 1], found[k, 2] = standing[count, 0], standing[count, 1], place
                    count += 1
                    break
