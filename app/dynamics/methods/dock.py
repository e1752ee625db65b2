"""The dock *Methods*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.dock import BOTTOM


class MethodsDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("methods", "Methods", BOTTOM, {"dynamics": 6})

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dynamics.methods.feature import MethodsFeature

        return MethodsFeature
