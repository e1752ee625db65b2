"""The dock *Frames*."""

from __future__ import annotations

from armature.app.dh.dock import DHStepsDock
from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT


class FramesDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("frames", "Frames", RIGHT, {"explore": 2})
    needs = (DHStepsDock,)
    commands = (
        *block(
            "View/Frames and axes",
            3.2,
            Command("assign_frames", "Assign frames", tip="Assign the DH frames rule by rule and make the free choices"),
            Command("rotations", "Rotation matrices", tip="Rotate a frame with sliders for R_x, R_y and R_z"),
        ),
    )

    def wire(self) -> None:
        """Wire its commands."""
        for page, name in enumerate(("assign_frames", "rotations")):
            self._bench.actions.on(name, lambda page=page: self.feature.bring_up(page))

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dh.frames.feature import FramesFeature

        return FramesFeature
