"""The dock *Loads*."""

from __future__ import annotations

from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.trajectory.comparison.comparison_model import TIP, TITLE
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM


class LoadComparisonDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("load_comparison", "Loads", BOTTOM, {"trajectory": 6})
    commands = block("Simulation", 3.2, Command("compare_loads", TITLE, "", (), TIP))
    needs = (TrajectoryFeature, ControlFeature)

    def wire(self) -> None:
        """Wire its command."""
        self._bench.actions.on("compare_loads", self._open)

    def _open(self) -> None:
        self.feature.open()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.trajectory.comparison.feature import LoadComparisonFeature

        return LoadComparisonFeature
