"""The dock *DH steps*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT


class DHStepsDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("dh_steps", "DH steps", RIGHT, {"explore": 3})
    commands = (
        *block(
            "View/Frames and axes",
            3.0,
            Command("dh_steps", "DH, step by step", "", ("Ctrl+D",), "Build the DH frames of the arm step by step"),
        ),
    )

    def wire(self) -> None:
        """Wire its command."""
        self._bench.actions.on("dh_steps", self._bring_up)

    def _bring_up(self) -> None:
        self.feature.bring_up()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dh.feature import DHSteps

        return DHSteps
