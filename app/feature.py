"""`Feature`: one capability of the program; a dock, a few commands, or something that merely happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from armature.app.widgets.actions import Command
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.engine import Robot


class Feature:
    """Made of the workbench, and of the features it `needs`, which stand before it in `KINDS` of `app/window/features.py`.

    `commands` become actions in their places in menus and toolbar, `dock` is the panel it brings, if any. `wire` connects its
    signals once all features stand.
    """

    commands: ClassVar[tuple[Command, ...]] = ()
    needs: ClassVar[tuple[type[Feature], ...]] = ()
    dock: Dock | None = None

    def wire(self) -> None:
        """Connect its signals to the workbench and to the features it needs."""

    def set_robot(self, robot: Robot) -> None:
        """Another robot is open: take its shape before anything is drawn or told of it."""

    def settle(self, then: Callable[[], None]) -> None:
        """The program is to end: go on with `then`, once it is settled what becomes of what would be lost."""
        then()

    def shut_down(self) -> None:
        """End its threads and timers; most have none."""
