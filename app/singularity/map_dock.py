"""The dock *Map*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.dock import BOTTOM


class SingularityMapDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("singularity_map", "Map", BOTTOM, {"singularity": 3})

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.singularity.singularity_map import SingularityMapFeature

        return SingularityMapFeature
