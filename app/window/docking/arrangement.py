"""`Arrangement`: which docks stand where, read from what QMainWindow writes down of itself."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

# The bytes of QMainWindow.saveState: big-endian, with marks of one byte before what comes.
SAVED, DOCKS = 0xFF, 0xFD
TABS, DOCK, ROW = 0xFA, 0xFB, 0xFC
SHOWN, FLOATING = 1, 2
ACROSS = 1  # Qt.Orientation.Horizontal


@dataclass(frozen=True)
class Place:
    """Of one dock; `floating` is x, y, width and height on the screen, None where it stands in the window."""

    name: str
    shown: bool
    floating: tuple[int, int, int, int] | None = None

    @property
    def shape(self) -> object:
        """What stands where, without sizes and without what is shown of it."""
        return self.name

    def places(self) -> Iterator[Place]:
        """Of every dock."""
        yield self


@dataclass(frozen=True)
class Group:
    """Docks and groups beside each other, from the left or, unless `across`, from above; or in one place, where `front` is the
    number of the tab in front. `sizes` are their widths or heights, -1 where they never had one.
    """

    items: tuple[Place | Group, ...]
    sizes: tuple[int, ...]
    across: bool = False
    front: int | None = None

    @property
    def shape(self) -> object:
        """What stands where, without sizes and without what is shown of it; a group of one is that one, and rows that lead the
        same way are one row.
        """
        if len(self.items) == 1:
            return self.items[0].shape
        kind = "tabs" if self.front is not None else "across" if self.across else "down"
        shapes: list[object] = []
        for shape in (item.shape for item in self.items):
            shapes += shape[1:] if isinstance(shape, tuple) and shape[0] == kind else (shape,)
        return (kind, *shapes)

    @property
    def tabs(self) -> Group | None:
        """What shares one place, if that is all that there is."""
        if self.front is None and len(self.items) == 1 and isinstance(self.items[0], Group):
            return self.items[0].tabs
        return None if self.front is None else self

    def places(self) -> Iterator[Place]:
        """Of every dock."""
        for item in self.items:
            yield from item.places()


@dataclass(frozen=True)
class Side:
    """One side of the window, 0 to 3 for left, right, top and bottom, with its width and height."""

    number: int
    size: tuple[int, int]
    group: Group


@dataclass(frozen=True)
class Arrangement:
    """The sides on which docks have a place, hidden ones, too."""

    sides: tuple[Side, ...]

    def places(self) -> list[Place]:
        """Of every dock."""
        return [place for side in self.sides for place in side.group.places()]

    @classmethod
    def tabbed(cls, sides: Mapping[int, Sequence[Place]]) -> Arrangement:
        """All of a side in one place, the first in front, and no side of a certain size."""
        groups = {number: Group(tuple(places), (-1,) * len(places), front=0) for number, places in sorted(sides.items())}
        return cls(tuple(Side(number, (-1, -1), group) for number, group in groups.items()))

    @classmethod
    def read(cls, state: bytes, version: int) -> Arrangement | None:
        """What was saved as `state`; None where it was for another version or is no such thing."""
        try:
            return cls(tuple(_Reader(state).sides(version)))
        except (ValueError, struct.error):
            return None


class _Reader:
    def __init__(self, state: bytes):
        self._state, self._at = state, 0

    def sides(self, version: int) -> Iterator[Side]:
        if self._integers(2) != (SAVED, version) or self._mark() != DOCKS:
            raise ValueError("the saved window layout has another version or is damaged")
        for _ in range(*self._integers(1)):
            number, width, height = self._integers(3)
            if number not in range(4):
                raise ValueError("the saved window layout names an unknown window side")
            yield Side(number, (width, height), self._group())

    def _group(self) -> Group:
        mark = self._mark()
        if mark not in (TABS, ROW):
            raise ValueError("the saved window layout has an unknown group of panels")
        front = self._integers(1)[0] if mark == TABS else None
        across = self._mark() == ACROSS
        items, sizes = [], []
        for _ in range(*self._integers(1)):
            item, size = self._item()
            items.append(item)
            sizes.append(size)
        return Group(tuple(items), tuple(sizes), across, front)

    def _item(self) -> tuple[Place | Group, int]:
        if self._mark() == ROW:
            size = self._integers(4)[1]
            return self._group(), size
        name, flags = self._name(), self._mark()
        x, y, width, height = self._integers(4)
        floating = (x, y, width, height) if flags & FLOATING else None  # else position, size and bounds
        return Place(name, bool(flags & SHOWN), floating), y

    def _name(self) -> str:
        (length,) = self._integers(1)
        end = self._at + length
        if not self._at <= end <= len(self._state):
            raise ValueError("not the name of a panel")
        name = self._state[self._at : end].decode("utf-16-be")
        self._at = end
        return name

    def _mark(self) -> int:
        self._at += 1
        return struct.unpack_from(">B", self._state, self._at - 1)[0]

    def _integers(self, count: int) -> tuple[int, ...]:
        self._at += 4 * count
        return struct.unpack_from(f">{count}i", self._state, self._at - 4 * count)
