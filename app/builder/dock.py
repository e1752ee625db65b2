"""The dock *Builder*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM


class BuilderDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("builder", "Builder", BOTTOM, {})
    commands = (
        *block(
            "File", 0.9, Command("new_robot", "New robot…", "", ("Ctrl+N",), "Empty, from a datasheet, or a copy of the open one")
        ),
        *block(
            "Edit",
            3.0,
            Command(
                "edit_arm", "Edit this arm", "", ("Ctrl+E",), "Its DH table, links, friction, base and tool, in the dock Builder"
            ),
        ),
    )
    needs = (RobotFileFeature,)

    def connect(self) -> None:
        """Wire its commands."""
        self._bench.actions.on("edit_arm", self._edit)
        self._bench.actions.on("new_robot", self._ask_new)

    def _edit(self) -> None:
        self.feature.bring_up()

    def _ask_new(self) -> None:
        self.feature.ask_new()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.builder.feature import BuilderFeature

        return BuilderFeature
