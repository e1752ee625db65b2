"""The dock *Branches*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT


class BranchesDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("branches", "Branches", RIGHT, {})
    commands = (
        *block(
            "Edit/Tool motion",
            4.0,
            Command("branches", "Branches of this tool pose", "", ("B",), "Show all IK solutions of the current tool pose"),
        ),
    )

    def wire(self) -> None:
        """Wire its command."""
        self._bench.actions.on("branches", self._bring_up)

    def _bring_up(self) -> None:
        self.feature.bring_up()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.singularity.branches.feature import BranchesFeature

        return BranchesFeature
