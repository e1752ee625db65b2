"""The dock *Builder*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class BuilderDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("builder", "Builder", BOTTOM, {})
    commands = (
        *block(
            "File",
            0.9,
            Command(
                "new_robot",
                "New robot…",
                "",
                ("Ctrl+N",),
                "Create an empty arm, an arm from a datasheet, or a copy of the open arm",
            ),
        ),
        *block(
            "Edit",
            3.0,
            Command(
                "edit_arm",
                "Edit this arm",
                "",
                ("Ctrl+E",),
                "Edit its DH table, links, friction, base and tool in the Builder panel",
            ),
        ),
    )
    needs = (RobotFileFeature,)

    def __init__(self, bench: Workbench, files: RobotFileFeature):
        super().__init__(bench, files)
        self._files = files

    def wire(self) -> None:
        """Wire its commands."""
        self._bench.actions.on("edit_arm", self._edit)
        self._bench.actions.on("new_robot", self._ask_new)
        self._files.recovered.connect(lambda: QTimer.singleShot(0, self.dock, self._edit))

    def _edit(self) -> None:
        self.feature.bring_up()

    def _ask_new(self) -> None:
        self.feature.ask_new()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.builder.feature import BuilderFeature

        return BuilderFeature
