"""The dock *Demonstration*."""

from __future__ import annotations

from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT


class DemonstrationDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("demonstration", "Demonstration", RIGHT, {})
    commands = block(
        "Simulation",
        3.15,
        Command("demonstration", "Demonstrate a motion", tip="Record a motion by dragging the arm, then let the arm repeat it"),
    )
    needs = (TrajectoryFeature, ControlFeature)

    def wire(self) -> None:
        """Wire its command."""
        self._bench.actions.on("demonstration", self.dock.bring_up)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.trajectory.demonstration.feature import DemonstrationFeature

        return DemonstrationFeature
