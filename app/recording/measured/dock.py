"""The dock *Measured*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.widgets.dock import RIGHT
from armature.engine.recording.recording_metadata import IMPORTED

if TYPE_CHECKING:
    from armature.engine.recording.recording import Recording


class MeasuredDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("measured", "Measured", RIGHT, {})
    needs = (ControlFeature, PlotsFeature, RecordingFeature, ReplayToolsFeature)

    def wire(self) -> None:
        """An imported recording needs it."""
        self._bench.files.recording_opened.connect(lambda recording, _: self._on_opened(recording))

    def _on_opened(self, recording: Recording) -> None:
        if not self.asleep or recording.metadata.get(IMPORTED):
            self.feature.on_opened(recording)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.recording.measured.feature import MeasuredFeature

        return MeasuredFeature
