"""The dock *Crossing*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.dock import BOTTOM


class CrossingDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("crossing", "Crossing", BOTTOM, {"singularity": 4})

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.singularity.crossing.feature import CrossingFeature

        return CrossingFeature
