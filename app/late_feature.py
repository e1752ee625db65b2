"""`LateFeature`: a capability of which nothing is imported or made before it is needed, but an empty dock and its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from PySide6.QtCore import Qt

from armature.app.feature import Feature
from armature.app.widgets.late_dock import LEAST, LateDock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from armature.app.workbench import Workbench
    from armature.engine import Robot


class Stand(NamedTuple):
    """Name, title and place of a dock, as `Dock` takes them, the least width of its panel at the usual size of text in px, and
    its height by the height of a line and of the window in px, where it has one of its own.
    """

    name: str
    title: str
    area: Qt.DockWidgetArea
    places: Mapping[str, int]
    width: int = LEAST
    height: Callable[[int, int], int] | None = None


class LateFeature(Feature):
    """Stands for the feature that `load` imports, which has a `panel` and is made of workbench, dock and what this one `needs`.

    It is made when its dock is first seen, or `feature` is first used.
    `wire` connects what may need it before it has been seen: commands, and files that it opens.
    """

    stand: ClassVar[Stand]
    dock: LateDock

    def __init__(self, bench: Workbench, *needed: Feature):
        self._bench, self._needed = bench, needed
        self._feature: Any = None
        name, title, area, places, width, height = self.stand
        self.dock = LateDock(name, title, self._make, area, places, width, height)
        self.dock.came.connect(self._begin)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        raise NotImplementedError

    @property
    def asleep(self) -> bool:
        """Whether it is not there yet."""
        return not self.dock.awake

    @property
    def feature(self) -> Any:
        """It, made and wired."""
        self.dock.wake()
        return self._feature

    def on(self, command: str, then: Callable[[Any], object]) -> None:
        """Call `then` with the feature when `command` is triggered."""
        self._bench.actions.on(command, lambda: then(self.feature))

    def set_robot(self, robot: Robot) -> None:
        """One that is not there yet finds the robot when it comes."""
        if not self.asleep:
            self._feature.set_robot(robot)

    def shut_down(self) -> None:
        """One that was never needed has nothing to end."""
        self.dock.stop()
        if self._feature is not None:
            self._feature.shut_down()

    def _make(self) -> QWidget:
        kind: Callable[..., Any] = self.load()
        self._feature = kind(self._bench, self.dock, *self._needed)
        return self._feature.panel

    def _begin(self) -> None:
        self._feature.wire()
        self._feature.set_robot(self._bench.document.robot)
