"""`Hand`: what the pointer takes hold of by handles."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF


class Hand(Protocol):
    """Has handles that are dragged: the gizmo of the tool, of a waypoint, a row of the DH table."""

    def press(self, at: QPointF, /) -> bool: ...

    def drag(self, at: QPointF, snap: bool, /) -> None: ...

    def release(self) -> None: ...

    def cancel(self) -> None: ...
