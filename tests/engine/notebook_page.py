"""Values as a notebook shows them."""

from __future__ import annotations

from typing import Any

from IPython.core.formatters import DisplayFormatter


def shown(value: object) -> dict[str, Any]:
    """Return the data that a notebook receives for a value, by MIME type."""
    return DisplayFormatter().format(value)[0]
