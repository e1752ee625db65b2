"""Where the labels of a frame stand and what is drawn of them; compiled, since some sixty of them try out thirty places each."""

from __future__ import annotations

import numpy as np
from numba import types

from armature.app.scene.labels.label_sheet import END
from armature.engine.jit import INT, INTS, MAT, OUT2, VEC, kernel, routine

CODES = types.Array(types.int64, 2, "C", readonly=True)
OUT_INTS, OUT_RECORDS = types.int64[::1], types.float32[:, ::1]
TEXTS, PIECES = types.Tuple((MAT, INTS, CODES)), types.UniTuple(MAT, 3)

RINGS = (0.8, 1.6, 2.5, 3.5)  # heights of a text from its home to the places around it
_D = 0.5**0.5
_AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (_D, -_D), (-_D, -_D), (_D, _D), (-_D, _D))
WAYS = np.array([(0, 0), *_AROUND * len(RINGS)], float)  # from home to the places, in the order in which they are tried
OUT = np.array([0, *np.repeat(RINGS, len(_AROUND))])
LED = 9  # places from here on are so far off that a line leads to them
PATIENCE = 6  # frames until a label that found no place looks for one again
SPREAD = 1.5  # of a tap's distance: as far around an anchor it is looked whether it is hidden
IN_VAIN = 4096.0  # pixels that may be copied in vain where one box then serves two anchors: each box is a call of the driver
NEVER = -2.0  # depth of what is not hidden
INSET = 3.0  # logical pixels that a line goes into the margin of its text
INK = 0.85  # opacity of a line

# of a style, and of the camera with the picture: what stands where
SHIFT, HIDDEN, SHINES, FIXED, STAYS, RANK, FLAT, RED = 0, 2, 3, 4, 5, 6, 7, 8
EYE, AXES, HALF, ZOOM, PARALLEL, CLIP, NEARER = 0, 3, 12, 14, 15, 16, 24
SCALE, SIZE, MARGIN, CALM, TAP, ATLAS = 25, 26, 28, 29, 30, 31
LEFT, TOP, WIDTH, HEIGHT, PLACE, AT_X, AT_Y, DEPTH, AHEAD = range(9)  # of a label that is being laid out


@routine
def _anchor(point, style, view, out):
    """Pixel and depth of what a label tells of, and how far ahead of the eye that is; one in the plane of the screen is at its
    pixel."""
    if style[FLAT]:
        out[AT_X], out[AT_Y], out[DEPTH], out[AHEAD] = point[0], point[1], NEVER, 1.0
        return
    x, y, z = point[0] - view[EYE], point[1] - view[EYE + 1], point[2] - view[EYE + 2]
    ahead = -(x * view[AXES + 6] + y * view[AXES + 7] + z * view[AXES + 8])
    zoom = view[SCALE] * view[ZOOM] / (1.0 if view[PARALLEL] else max(ahead, 1e-9))
    out[AT_X] = view[SCALE] * view[HALF] + zoom * (x * view[AXES] + y * view[AXES + 1] + z * view[AXES + 2])
    out[AT_Y] = view[SCALE] * view[HALF + 1] - zoom * (x * view[AXES + 3] + y * view[AXES + 4] + z * view[AXES + 5])
    out[AHEAD], out[DEPTH] = ahead, NEVER
    if style[HIDDEN]:
        deep, wide = view[CLIP + 3], view[CLIP + 7]
        for k in range(3):
            nearer = point[k] + view[NEARER] * view[AXES + 6 + k]
            deep, wide = deep + view[CLIP + k] * nearer, wide + view[CLIP + 4 + k] * nearer
        depth = max(0.5 + 0.5 * deep / wide, 0.0)
        out[DEPTH] = -depth if style[SHINES] else depth


@routine
def _length(codes):
    """How many codes a row has before it ends."""
    for k in range(len(codes)):
        if codes[k] == END:
            return k
    return len(codes)


@routine
def _measure(codes, wholes, characters, out):
    """Width and height of a text of these codes: one that was drawn as a whole, or characters beside each other."""
    out[WIDTH], out[HEIGHT] = 0.0, 0.0
    if len(codes) and codes[0] < 0:
        out[WIDTH], out[HEIGHT] = wholes[-codes[0] - 1, 4], wholes[-codes[0] - 1, 5]
    elif len(codes):
        way, top, bottom = 0.0, np.inf, -np.inf
        for code in codes:
            way, top = way + characters[code, 0], min(top, characters[code, 2])
            bottom = max(bottom, characters[code, 2] + characters[code, 6])
        out[WIDTH], out[HEIGHT] = np.rint(way - 2.0 * characters[codes[0], 1]), np.rint(bottom - top)


@routine
def _take(box, place, view, spare, standing, count):
    """Whether a text at home in `box` may stand at a place; then it is the next one `standing`.

    It must keep `spare` pixels off whatever stands, and may cover some of its margin.
    """
    away, wide = box[HEIGHT] * OUT[place], max(0.5 * (box[WIDTH] - box[HEIGHT]), 0.0)  # as far aside of a wide text as above it
    left, top = box[LEFT] + np.rint(WAYS[place, 0] * (away + wide)), box[TOP] + np.rint(WAYS[place, 1] * away)
    right, bottom = left + box[WIDTH], top + box[HEIGHT]
    if left < 0.0 or top < 0.0 or right > view[SIZE] or bottom > view[SIZE + 1]:
        return False
    gap = spare - view[MARGIN]
    for k in range(count):
        across = left - gap < standing[k, 2] and standing[k, 0] < right + gap
        if across and top - gap < standing[k, 3] and standing[k, 1] < bottom + gap:
            return False
    standing[count, 0], standing[count, 1], standing[count, 2], standing[count, 3] = left, top, right, bottom
    return True


@routine
def _place(order, styles, style_of, view, taken, before, turn, found):
    """Each stays where it was `before`, unless it may go home; those that found nothing so look for a place by turns."""
    standing, count = np.empty((len(taken) + len(order), 4)), len(taken)
    standing[:count] = taken
    for k in order:
        box, was = found[k], max(before[k], 0)
        if box[PLACE] == 0.0:
            continue
        if _take(box, 0, view, view[CALM] if was else 0.0, standing, count):
            box[PLACE] = 0.0
        elif was and _take(box, was, view, 0.0, standing, count):
            box[PLACE] = was
        else:
            continue
        box[LEFT], box[TOP], count = standing[count, 0], standing[count, 1], count + 1
    free = 0
    for k in order:
        box, style = found[k], styles[style_of[k]]
        if style[FIXED]:
            continue
        waits = before[k] < 0 and free % PATIENCE != turn
        free += 1
        if box[PLACE] < 0.0 and not (waits or style[STAYS]):
            for place in range(len(OUT)):
                if _take(box, place, view, 0.0, standing, count):
                    box[LEFT], box[TOP], box[PLACE] = standing[count, 0], standing[count, 1], place
                    count += 1
                    break


@routine
def _line(box, style, view, around, record):
    """From the anchor to the nearest point of the text; False where there is nothing between."""
    inset = INSET * view[SCALE]
    x = min(max(box[AT_X], box[LEFT] + inset), box[LEFT] + box[WIDTH] - inset)
    y = min(max(box[AT_Y], box[TOP] + inset), box[TOP] + box[HEIGHT] - inset)
    if max(abs(x - box[AT_X]), abs(y - box[AT_Y])) <= 1.0:
        return False
    record[0], record[1], record[2], record[3] = box[AT_X], box[AT_Y], x, y
    record[4:8] = 0.0
    record[8], record[9], record[10], record[11] = box[AT_X], box[AT_Y], box[DEPTH], around
    record[12], record[13], record[14], record[15] = style[RED], style[RED + 1], style[RED + 2], INK
    return True


@routine
def _piece(piece, x, y, box, view, around, record):
    """A rectangle of the atlas, `x` and `y` from where the text begins."""
    record[0], record[1], record[2], record[3] = np.rint(box[LEFT] + x), np.rint(box[TOP] + y), piece[4], piece[5]
    record[4], record[5] = piece[2] / view[ATLAS], piece[3] / view[ATLAS + 1]
    record[6], record[7] = piece[4] / view[ATLAS], piece[5] / view[ATLAS + 1]
    record[8], record[9], record[10], record[11] = box[AT_X], box[AT_Y], box[DEPTH], around
    record[12:16] = 0.0


@routine
def _write(codes, wholes, characters, box, view, around, records, count):
    """The pieces of a text, each halo before any ink, so that none lies over its neighbour's; how many records there are then."""
    if len(codes) and codes[0] < 0:
        _piece(wholes[-codes[0] - 1], 0.0, 0.0, box, view, around, records[count])
        return count + 1
    top = np.inf
    for code in codes:
        top = min(top, characters[code, 2])
    for layer in range(2):
        pen = 0.0
        for code in codes:
            piece = characters[code, 1 + 6 * layer : 7 + 6 * layer]
            if piece[4] > 0.0:
                x = pen + piece[0] - characters[codes[0], 1]
                _piece(piece, x, piece[1] - top, box, view, around, records[count])
                count += 1
            pen += characters[code, 0]
    return count


@routine
def _ordered(points, style_of, codes, styles, view, found):
    """The labels before the eye that say something, by rank and then the nearest first."""
    order, many = np.empty(len(points), np.int64), 0
    for k in range(len(points)):
        _anchor(points[k], styles[style_of[k]], view, found[k])
        found[k, PLACE] = -1.0
        if codes[k, 0] == END:
            found[k, AHEAD] = 0.0  # at home when it says something
        elif found[k, AHEAD] > 1e-9:
            rank, at = styles[style_of[k], RANK], many
            while at and (styles[style_of[order[at - 1]], RANK], found[order[at - 1], AHEAD]) > (rank, found[k, AHEAD]):
                order[at] = order[at - 1]
                at -= 1
            order[at], many = k, many + 1
    return order[:many]


@routine
def _go_home(box, style, view):
    """Where a text stands if nothing is in its way; those of a rank below 0 stay within the picture."""
    for axis in range(2):
        half = 0.5 * box[WIDTH + axis]
        middle = box[AT_X + axis] + view[SCALE] * style[SHIFT + axis] + (half if style[FLAT] else 0.0)
        if style[RANK] < 0.0:
            middle = max(min(middle, view[SIZE + axis] - half), half)
        box[LEFT + axis] = np.rint(middle - half)
    if style[FIXED]:
        box[PLACE] = 0.0


@routine
def _look(box, around, view, out):
    """Left, top, right and bottom of the pixels around an anchor where it is looked whether it is hidden."""
    across, down = SPREAD * around, SPREAD * view[TAP]
    out[0], out[1], out[2], out[3] = box[AT_X] - across, box[AT_Y] - down, box[AT_X] + across, box[AT_Y] + down


@routine
def _joined(boxes, count):
    """Boxes that lie near each other as one that holds both; how many there are then."""
    kept = 0
    for k in range(count):
        left, top, right, bottom = boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3]
        j = 0
        while j < kept:
            wide, high = max(right, boxes[j, 2]) - min(left, boxes[j, 0]), max(bottom, boxes[j, 3]) - min(top, boxes[j, 1])
            apart = (right - left) * (bottom - top) + (boxes[j, 2] - boxes[j, 0]) * (boxes[j, 3] - boxes[j, 1])
            if wide * high > apart + IN_VAIN:
                j += 1
                continue
            left, top = min(left, boxes[j, 0]), min(top, boxes[j, 1])
            right, bottom = left + wide, top + high
            kept -= 1
            boxes[j] = boxes[kept]
            j = 0
        boxes[kept, 0], boxes[kept, 1], boxes[kept, 2], boxes[kept, 3] = left, top, right, bottom
        kept += 1
    return kept


@kernel(TEXTS, PIECES, VEC, MAT, INT, OUT_INTS, OUT2, OUT_RECORDS, OUT2, OUT_INTS)
def laid_out(texts, pieces, view, taken, turn, places, found, records, looked, counts):
    """Where labels stand, and the records that draw them, lines to those led aside, then texts; `counts` of them and of `looked`.

    Args:
        texts: `points`, what each tells of `(N, 3)` in W; of those that are flat their corner in pixels. `style_of`, row in
            `styles` of each `(N,)`. `codes`, rows of `characters`, or of `wholes` counted from −1 downwards, of each `(N, W)` up
            to END.
        pieces: `styles`: shift, switches, rank and colour by SHIFT … RED. `wholes`: a piece each of texts drawn at once, from
            where the text begins. `characters`: way of the pen, halo and ink as pieces: x, y, left, top, width, height.
        view: camera and picture by EYE … ATLAS.
        taken: edges of what no text may cover `(T, 4)` in pixels.
        turn: which of those without a place look for one.
        places: of each in the last frame, −1 for none, `(N,)`; afterwards in this one.
        found: by LEFT … AHEAD `(N, 9)`; −1 as place for those not drawn.
        records: room for all `(M, 16)`.
        looked: edges of the pixels that are looked at for what may be hidden `(N, 4)`.
    """
    points, style_of, codes = texts
    styles, wholes, characters = pieces
    order = _ordered(points, style_of, codes, styles, view, found)
    for k in order:
        _measure(codes[k, : _length(codes[k])], wholes, characters, found[k])
        _go_home(found[k], styles[style_of[k]], view)
    _place(order, styles, style_of, view, taken, places, turn, found)
    count, lookups = 0, 0
    for k in order:
        box, style = found[k], styles[style_of[k]]
        around = box[WIDTH] / 3.0 if style[STAYS] else view[TAP]  # a text that stays is looked at in all its width
        if box[PLACE] >= LED and _line(box, style, view, around, records[count]):
            count += 1
        if box[PLACE] >= 0.0 and box[DEPTH] != NEVER:
            _look(box, around, view, looked[lookups])
            lookups += 1
    for k in order:
        box, style = found[k], styles[style_of[k]]
        if box[PLACE] >= 0.0:
            around = box[WIDTH] / 3.0 if style[STAYS] else view[TAP]
            count = _write(codes[k, : _length(codes[k])], wholes, characters, box, view, around, records, count)
    for k in range(len(found)):
        places[k] = np.int64(found[k, PLACE]) if found[k, AHEAD] > 0.0 else 0
    counts[0], counts[1] = count, _joined(looked, lookups)
