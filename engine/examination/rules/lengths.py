"""Rules: lengths and shapes in another unit than metres."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from armature.engine.examination.edits import number_edit, repair, vector_edit
from armature.engine.examination.figures import URDF, Figures, WrittenLength, WrittenShape, deeper
from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding, Place
from armature.engine.examination.sizes import LONGEST, Sizes
from armature.engine.examination.wording import number, vector

FEW, MANY = 3, 6  # lengths among which one may be far above the others; those that are listed
GAP, SUM = 6.0, 2.0  # times the next shorter length, and times all shorter ones together; arms have gaps of up to 4 by 2.4
LEAST_ARM = 0.05  # m, all lengths of the smallest arm together
LEAST = 1.0  # m; a small arm may well have one link and two offsets of a tenth of it
_UNITS = ((1e-3, "mm", "millimetres"), (1e-2, "cm", "centimetres"))
_MISTAKES = ((1e-3, "in mm"), (1e-2, "in cm"), (0.1, "with its decimal point off by one place"))
LARGE = 5.0  # reaches that a shape may be long, where it is above a metre


def of_the_table(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Most lengths of the arm in another unit: one finding for all of them, with the factor that suits them all."""
    lengths, whole = whole_table(figures), figures.whole
    if not lengths:
        return
    total = sum(length.size for length in lengths)
    factor, unit, name = _unit(total)
    listed = ", ".join(number(length.size) for length in lengths[:MANY]) + ", …" * (len(lengths) > MANY)
    wild = max(length.size for length in lengths) > LONGEST
    yield Finding(
        f"lengths in {name}",
        ERROR if wild else DOUBTFUL,
        Place(whole.part, whole.file, lengths[0].where.line, lengths[0].where.key),
        f"{len(lengths)} lengths are {listed} m, which makes the arm {number(total)} m long",
        f"They were probably entered in {unit}: the arm is then {number(factor * total)} m long",
        repair(
            f"multiply all by {number(factor)}: {number(factor * total)} m in total",
            tuple(edit for length in lengths for edit in _scaled(figures, length, factor)),
            certain=wild and sum(LEAST_ARM < unit * total < LONGEST for unit, _, _ in _UNITS) == 1,
        ),
    )


def beside_the_others(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Single lengths beyond what any arm has, or far above the others of this arm."""
    told = {length.where.key for length in whole_table(figures)}
    others, far = _apart(figures)
    wild = [length for length in _once(figures.lengths) if max(map(abs, length.all_of or (length.value,))) > LONGEST]
    for length in [*far, *(one for one in wild if one.where.key not in {other.where.key for other in far})]:
        if length.where.key in told:
            continue
        sound = [other.size for other in others if other.where.key != length.where.key and other.size <= LONGEST]
        fits = [row for row in _MISTAKES if _suits(row[0] * length.size, sound)]
        only = length in wild and len(fits) == 1
        if not fits and length in wild:
            fits = [_MISTAKES[0]]
        factor = fits[0][0] if len(fits) == 1 else 0.0
        beside = f"; the others are {number(max(sound))} m at most" if sound else ""
        ways = " or ".join(f"{words} ({number(k * length.size)} m)" for k, words in fits)
        yield Finding(
            "length in millimetres" if factor == _MISTAKES[0][0] else "length far above the others",
            ERROR if length in wild else DOUBTFUL,
            length.where,
            _shown(length, 1.0) + beside,
            f"It was probably entered {ways}" if ways else "It belongs to something else, or the unit is wrong",
            repair(_shown(length, factor).split(" = ")[-1], _scaled(figures, length, factor), only) if factor else None,
        )


def whole_table(figures: Figures) -> list[WrittenLength]:
    """The lengths of an arm that are in another unit together: most of them, and too long in sum; else none."""
    others, far = _apart(figures)
    arm = [*others, *far]
    most = far if 2 * len(far) > len(arm) else arm if not far else []
    total = sum(length.size for length in most)
    if len(most) < 2 or total <= LONGEST:
        return []
    longest = _unit(total)[0] * max(length.size for length in most)  # of the arm as it is meant
    together = {length.where.key for length in arm if length in most or length.size > 2 * longest}
    return [length for length in _once(figures.lengths) if length.where.key in together]


def _unit(total: float) -> tuple[float, str, str]:
    """The unit in which lengths with this sum make an arm that is nearest to a metre."""
    return min(_UNITS, key=lambda row: abs(math.log(row[0] * total)))


def _apart(figures: Figures) -> tuple[list[WrittenLength], list[WrittenLength]]:
    """The lengths of the arm as those that go together and those far above them; the latter are none where there is no gap."""
    lengths = sorted((length for length in _once(figures.lengths) if length.of_arm and length.size > 0), key=lambda x: x.size)
    for k in range(len(lengths) - 1, 0, -1):
        below = [length.size for length in lengths[:k]]
        some = len(lengths) >= FEW and 2 * k > len(lengths)
        if (some or sum(length.size for length in lengths[k:]) > LONGEST) and lengths[k].size > max(
            GAP * below[-1], SUM * sum(below), LEAST
        ):
            return lengths[:k], lengths[k:]
    return lengths, []


def _once(lengths: Sequence[WrittenLength]) -> list[WrittenLength]:
    """Each figure of the file once, also where it is an offset."""
    return list({length.where.key: length for length in lengths}.values())


def _suits(length: float, others: list[float]) -> bool:
    """Whether an arm with these other lengths may have that one."""
    return bool(others) and float(np.median(others)) / 50 <= length <= 2 * max(others)


def _shown(length: WrittenLength, factor: float) -> str:
    if length.all_of:
        return f"{vector([factor * x for x in length.all_of])} m"
    return f"{length.where.key[-1]} = {number(factor * length.value)} m"


def _scaled(figures: Figures, length: WrittenLength, factor: float) -> tuple[Edit, ...]:
    if length.all_of:
        return vector_edit(figures, length.where, [factor * x for x in length.all_of])
    return number_edit(figures, length.where, factor * length.value)


def shapes(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Shapes many times as large as the arm."""
    for written in figures.shapes:
        if written.points is None or not len(written.points):
            continue
        size = float(np.ptp(written.points, axis=0).max())
        if size <= max(1.0, LARGE * sizes.reach):
            continue
        small = 1e-3 * size < 3 * sizes.reach
        wild = size > 20 * max(1.0, sizes.reach)
        yield Finding(
            "shape larger than the arm",
            ERROR if wild else DOUBTFUL,
            written.where,
            f"a {written.shape.shape} {number(size)} m long on an arm of {number(sizes.reach)} m",
            "It is in mm" if wild and small else "It belongs to the surroundings, or the unit is wrong",
            repair("divide the size by 1000", _thousandth(figures, written), 1e-2 * size > LARGE * sizes.reach)
            if wild and small
            else None,
        )


def _thousandth(figures: Figures, written: WrittenShape) -> tuple[Edit, ...]:
    if figures.kind != URDF:
        return ()
    shape, where = written.shape, written.where
    if shape.shape == "mesh":
        return vector_edit(figures, deeper(where, "scale"), [1e-3 * x for x in shape.size])
    if shape.shape == "box":
        return vector_edit(figures, deeper(where, "size"), [1e-3 * x for x in shape.size])
    keys = ("radius",) if shape.shape == "sphere" else ("radius", "length")
    return tuple(
        edit for key, x in zip(keys, shape.size, strict=True) for edit in number_edit(figures, deeper(where, key), 1e-3 * x)
    )
