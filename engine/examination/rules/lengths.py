"""Rules: lengths and shapes in millimetres."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.edits import number_edit, repair, vector_edit
from armature.engine.examination.figures import URDF, Figures, WrittenShape, deeper
from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding
from armature.engine.examination.sizes import LONGEST, Sizes
from armature.engine.examination.wording import number, vector

LARGE = 5.0  # reaches that a shape may be long, where it is above a metre


def in_millimetres(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Lengths of links beyond what any arm has."""
    seen: set[tuple] = set()
    for length in figures.lengths:
        if abs(length.value) <= LONGEST or length.where.key in seen:
            continue
        seen.add(length.where.key)
        if length.all_of:
            figure, text = f"{vector(length.all_of)} m", f"{vector([1e-3 * x for x in length.all_of])} m"
            edits = vector_edit(figures, length.where, [1e-3 * x for x in length.all_of])
        else:
            figure, text = f"{length.where.key[-1]} = {number(length.value)} m", f"{number(1e-3 * length.value)} m"
            edits = number_edit(figures, length.where, 1e-3 * length.value)
        yield Finding("length in millimetres", ERROR, length.where, figure, "It was given in mm", repair(text, edits))


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
            "It is in mm" if wild and small else "It is that of the surroundings, or in another unit",
            repair("a thousandth of the size", _thousandth(figures, written)) if wild and small else None,
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
