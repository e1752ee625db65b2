"""The dock *Equations*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.dock import RIGHT


class EquationsDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("equations", "Equations", RIGHT, {"equations": 0}, width=466)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.equations.feature import EquationsFeature

        return EquationsFeature
