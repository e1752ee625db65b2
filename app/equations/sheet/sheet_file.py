"""A derivation sheet as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtGui import QFont

from armature.app.equations.sheet.derivation import SIGNIFICANCE, derivation
from armature.app.equations.sheet.html_writer import as_html
from armature.app.equations.sheet.pdf_writer import as_pdf
from armature.app.equations.typesetter import Typesetter
from armature.engine import EngineError, Robot
from armature.engine.files import atomic_file

SUFFIXES = (".pdf", ".html")
DERIVED = 0.35  # of the time: what is left is typesetting


def save_derivation(
    robot: Robot,
    motion: tuple[np.ndarray, np.ndarray, np.ndarray],
    picture: bytes,
    path: Path,
    font: QFont,
    significance: float = SIGNIFICANCE,
    proceed: Callable[[float], None] = lambda _: None,
) -> Path:
    """Write the sheet, with words in that font on PDF; EngineError where that is not possible.

    `proceed` is told what share is done; what it raises ends it, and no file is written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise EngineError(f"{path}: a derivation is saved as {' or '.join(SUFFIXES)}")
    sheet = derivation(robot, motion, picture, significance, lambda share: proceed(DERIVED * share))

    def typesetting(share: float) -> None:
        proceed(DERIVED + (1.0 - DERIVED) * share)

    if path.suffix.lower() == ".pdf":
        data = as_pdf(sheet, Typesetter(), typesetting, font)
    else:
        data = as_html(sheet, Typesetter(), typesetting)
    with atomic_file(path, EngineError) as part:
        part.write_bytes(data)
    return path
