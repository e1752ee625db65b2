"""Opens a file in the person's editor, where the system has one, and never runs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices


def open_in_editor(path: Path) -> bool:
    """Whether the system took it over. Where opening a Python file would run it, the system is told to edit it."""
    if sys.platform == "win32":
        try:
            os.startfile(path, "edit")
        except OSError:
            return QProcess.startDetached("notepad.exe", [str(path)])[0]
        return True
    if sys.platform == "darwin":
        return QProcess.startDetached("open", ["-t", str(path)])[0]
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
