"""How much a robot's description may hold; no robot has near as much, and more takes minutes or all memory to read."""

from __future__ import annotations

MAX_JOINTS = 256  # that move
MAX_LINKS = 4_000
MAX_SHAPES = 10_000
MAX_POSES = 1_000  # with a name
MAX_ELEMENTS = 100_000  # of an XML file, in all


def too_many(count: int, noun: str, most: int) -> str | None:
    """The refusal of more than the `most` parts of a kind, None for no more."""
    return f"has {count:,} {noun}; at most {most:,} are supported" if count > most else None
