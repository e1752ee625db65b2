"""Lines that are rows of numbers and nothing else, read in one call."""

from __future__ import annotations

import re

import numpy as np

from armature.engine.recording.measured.log_table import cleaned
from armature.engine.recording.measured.text_form import TextForm


def number_lines(lines: list[str], form: TextForm) -> np.ndarray | None:
    """The table `(len(lines), form.width)`, NaN for empty fields; None where a line is something else."""
    text = "\n".join(lines)
    if '"' in text:
        return None
    if form.decimal == ",":
        text = text.replace(",", ".")
    if form.separator != " ":
        text = _filled(text, form.separator)
    separator = None if form.separator == " " else form.separator
    try:
        table = np.loadtxt(text.split("\n"), delimiter=separator, ndmin=2, comments=None, dtype=np.float64)
    except ValueError:
        return None
    if table.shape[1] == form.width + 1 and np.isnan(table[:, -1]).all():
        table = table[:, :-1]
    return cleaned(table) if table.shape[1] == form.width else None


def _filled(text: str, mark: str) -> str:
    """With nan where nothing stands between two separators, or beside one at an end of a line."""
    for _ in range(2):
        text = text.replace(mark + mark, f"{mark}nan{mark}")
    text = re.sub(f"(?m)^{re.escape(mark)}", f"nan{mark}", text) if f"\n{mark}" in text or text.startswith(mark) else text
    return re.sub(f"(?m){re.escape(mark)}$", f"{mark}nan", text) if f"{mark}\n" in text or text.endswith(mark) else text
