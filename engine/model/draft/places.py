"""Places in a robot file: `("joints", 2, "mass")`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Where = tuple[str | int, ...]
Placed = tuple[Where, Any]
"""A place and what is written there; None where the key goes out of the file."""


def found(table: Any, where: Where) -> Any:
    """What a file holds there as it is written; None where it holds nothing."""
    for step in where:
        if isinstance(table, Mapping):
            table = table.get(step)
        elif isinstance(table, list) and isinstance(step, int) and 0 <= step < len(table):
            table = table[step]
        else:
            return None
    return table


def place_name(where: Where) -> str:
    """`joints[2].mass` for ("joints", 2, "mass")."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).lstrip(".")
