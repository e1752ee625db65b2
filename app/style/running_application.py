"""The program that runs."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QApplication


def running() -> QApplication:
    """The application, which there is before any window."""
    return cast(QApplication, QApplication.instance())
