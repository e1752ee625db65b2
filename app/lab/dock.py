"""The dock *Lab*."""

from __future__ import annotations

from armature.app.control.feature import ControlFeature
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT


class LabDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("lab", "Lab", RIGHT, {})
    commands = block(
        "Simulation",
        3.45,
        Command(
            "lab",
            "Lab: adaptive control",
            tip="Compare adaptive controllers with computed torque under an unknown payload or increased friction",
        ),
    )
    needs = (TrajectoryFeature, ControlFeature, OwnLawFeature)

    def wire(self) -> None:
        """Wire its command."""
        self._bench.actions.on("lab", self.dock.bring_up)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.lab.feature import LabFeature

        return LabFeature
