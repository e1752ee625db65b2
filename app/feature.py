"""`Feature`: one capability of the program; a dock, a few commands, or something that merely happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from armature.app.widgets.actions import Command
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.engine import Robot


def settle_all(features: Sequence[Feature], then: Callable[[], None]) -> None:
    """Let each feature prompt for its unsaved work, one after the other, then call `then`."""
    if features:
        features[0].settle(lambda: settle_all(features[1:], then))
    else:
        then()


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

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Return its part of a session, plain values by table and key."""
        return {}

    def open_session(self, file: SessionFile) -> None:
        """Restore its part of a session; robot, pose and cell are open. Raises EngineError, ValueError, LookupError."""

    def shut_down(self) -> None:
        """End its threads and timers; most have none."""
