"""How much something that is told matters."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """The values are what the style sheet and the icons go by."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
