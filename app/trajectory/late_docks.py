"""The docks *Loads* and *Demonstration*, which are empty until they are first visible."""

from __future__ import annotations

from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.trajectory.comparison.comparison_model import TIP, TITLE
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM, RIGHT


class LoadComparisonDock(LateFeature):
    """Comparison of payloads."""

    stand = Stand("load_comparison", "Loads", BOTTOM, {"trajectory": 6})
    commands = block("Simulation", 3.2, Command("compare_loads", TITLE, "", (), TIP))
    needs = (TrajectoryFeature, ControlFeature)

    def wire(self) -> None:
        """Connect its command."""
        self._bench.actions.on("compare_loads", self._open)

    def _open(self) -> None:
        self.feature.open()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.trajectory.comparison.feature import LoadComparisonFeature

        return LoadComparisonFeature


class DemonstrationDock(LateFeature):
    """Trajectory from a motion of the arm by hand."""

    stand = Stand("demonstration", "Demonstration", RIGHT, {})
    commands = block(
        "Simulation",
        3.15,
        Command("demonstration", "Demonstrate a motion", tip="Record a motion by dragging the arm, then let the arm repeat it"),
    )
    needs = (TrajectoryFeature, ControlFeature)

    def wire(self) -> None:
        """Connect its command."""
        self._bench.actions.on("demonstration", self.dock.bring_up)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.trajectory.demonstration import DemonstrationFeature

        return DemonstrationFeature
