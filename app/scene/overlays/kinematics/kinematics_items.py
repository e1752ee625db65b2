"""`KinematicsItems`: what explains an arm's kinematics in the view; each shows nothing until it is asked to."""

from __future__ import annotations

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.kinematics.column_item import ColumnItem
from armature.app.scene.overlays.kinematics.length_item import LengthItem
from armature.app.scene.overlays.kinematics.point_item import PointItem
from armature.app.state.units import Units


class KinematicsItems:
    """Lengths of the DH table, a point carried through its matrices, columns of a Jacobian."""

    def __init__(self):
        self.lengths, self.point, self.columns = LengthItem(), PointItem(), ColumnItem()
        self.items = [self.lengths, self.point, self.columns]

    def clear(self) -> None:
        """Show nothing."""
        self.lengths.setVisible(False)
        self.point.set_point(None)
        self.columns.set_columns(None)

    def set_units(self, units: Units) -> None:
        """Units of the numbers."""
        self.lengths.units = self.point.units = units

    def labels(self, frame: FrameState) -> list[Label]:
        """Names and numbers."""
        return [*self.columns.labels(frame), *self.point.labels(frame), *self.lengths.labels(frame)]
