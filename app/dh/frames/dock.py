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
            Command(
                "assign_frames", "Assign frames", tip="Lay the arm's frames rule by rule, and choose what the rules leave open"
            ),
            Command("rotations", "Rotations by hand", tip="R_x, R_y and R_z, turned by sliders"),
        ),
    )

    def connect(self) -> None:
        """Wire its commands."""
        for page, name in enumerate(("assign_frames", "rotations")):
            self._bench.actions.on(name, lambda page=page: self.feature.bring_up(page))

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dh.frames.feature import FramesFeature

        return FramesFeature
