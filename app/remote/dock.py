"""The dock *Script*."""

from __future__ import annotations

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT
from armature.app.workspace.feature import WorkspaceFeature
from armature.app.workspace.singular_surfaces import SingularSurfacesFeature


class ScriptDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("script", "Script", RIGHT, {})
    commands = (
        *block(
            "Simulation",
            5.0,
            Command(
                "let_scripts_in",
                "Allow scripts to connect",
                tip="Accept connections of scripts on this machine (armature.show)",
                checkable=True,
            ),
        ),
    )
    needs = (WorkspaceFeature, SingularSurfacesFeature)

    def wire(self) -> None:
        """Wire its command."""
        self._bench.actions["let_scripts_in"].toggled.connect(self._let_in)

    def _let_in(self, on: bool) -> None:
        self.feature.let_in(on)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.remote.feature import RemoteFeature

        return RemoteFeature
