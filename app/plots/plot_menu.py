"""What can be done with a plot by its menu."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from armature.app.plots.curves import Curves
from armature.app.widgets.copied_text import as_python, tabbed
from armature.app.widgets.pop_up import Line, copy

MOST = 20_000  # samples; more of them belong into a file


def plot_lines(
    curves: list[Curves], span: tuple[float, float], follow: Callable[[], None], picture: Callable[[], QImage | None]
) -> list[Line]:
    """Follow again, and copy: the picture, or the samples of the first curves from `span[0]` to `span[1]`, time first."""
    x, y = curves[0].within(*span) if curves else (np.zeros(0), np.zeros((0, 0)))
    few, names = len(x) <= MOST, curves[0].names if curves else ()
    timed = bool(curves) and curves[0].timed
    heads = ("t", *names) if timed else tuple(f"{name} {axis}" for name in names for axis in ("position", "velocity"))
    why = (
        ""
        if few and len(x)
        else "The plot has no curves yet."
        if not len(x)
        else f"More than {MOST} samples: save them as a file instead."
    )

    def table() -> np.ndarray:
        return np.column_stack([x, y]) if timed else np.stack([x, y], axis=2).reshape(len(x), -1)

    return [
        Line("follow", "Follow newest samples", follow),
        Line("copy_picture", "Copy picture", lambda: _copy_picture(picture())),
        Line(
            "copy_table",
            "Copy displayed values",
            lambda: copy(tabbed(table(), columns=heads)),
            not why,
            why or "Tab-separated, for a spreadsheet",
        ),
        Line(
            "copy_python",
            "Copy displayed values as NumPy array",
            lambda: copy(as_python("samples", table())),
            not why,
            why or ", ".join(heads),
        ),
    ]


def _copy_picture(picture: QImage | None) -> None:
    if picture is not None:
        QApplication.clipboard().setImage(picture)
