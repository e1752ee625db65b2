"""`Explanations`: what explains an arm in the view while a panel speaks of it; each shows nothing until it is wanted."""

from __future__ import annotations

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.dh_step_item import DHStepItem
from armature.app.scene.overlays.dh_walk import DHStep
from armature.app.scene.overlays.frame_item import FrameItem
from armature.app.scene.overlays.kinematics.axis_item import AxisItem
from armature.app.scene.overlays.kinematics.column_item import ColumnItem
from armature.app.scene.overlays.kinematics.length_item import LengthItem
from armature.app.scene.overlays.kinematics.point_item import PointItem
from armature.app.scene.overlays.newton_euler.lever_item import LeverItem
from armature.app.scene.overlays.newton_euler.rnea_step_item import RneaStepItem
from armature.app.scene.overlays.newton_euler.rnea_walk import RneaMoment
from armature.app.scene.overlays.sketch.sketch import Sketch
from armature.app.scene.overlays.sketch.sketch_item import SketchItem
from armature.app.state.units import Units


class Explanations:
    """Walks, around which the arm is faded, and at the arm: lengths, a point carried along, columns of a Jacobian, lever arms."""

    def __init__(self, arm: ArmItem, frames: FrameItem):
        self._arm, self._frames = arm, frames
        self.dh_step, self.rnea_step, self.sketch = DHStepItem(frames), RneaStepItem(), SketchItem()
        self.lengths, self.point, self.columns, self.levers = LengthItem(), PointItem(), ColumnItem(), LeverItem()
        self.axes = AxisItem()
        self.walks = [self.dh_step, self.rnea_step, self.sketch]
        self.followers = [self.lengths, self.point, self.columns, self.levers, self.axes]
        self._telling = *self.walks, self.columns, self.point, self.lengths, self.levers, self.axes
        self._seen, self._seen_since = [*self._telling], -1  # those that are shown, and since which change of the scene

    def set_robot(self, reach: float) -> None:
        """Another robot, of that reach in m: nothing is shown at it."""
        for walk in self.walks:
            walk.set_reach(reach)
        self._arm.set_faded(False)
        self.lengths.setVisible(False)
        self.point.set_point(None)
        self.columns.set_columns(None)
        self.levers.set_joint(-1)
        self.axes.set_joints(())

    def set_units(self, units: Units) -> None:
        """Units of the numbers."""
        self.lengths.units = self.point.units = self.levers.units = units

    def labels(self, frame: FrameState) -> list[Label]:
        """Names and numbers, those of walks first."""
        if self._seen_since != SceneItem.changes:
            self._seen, self._seen_since = [item for item in self._telling if item.visible()], SceneItem.changes
        return [label for item in self._seen for label in item.labels(frame)]

    def set_dh_step(self, step: DHStep | None, text: str) -> None:
        """Show one moment of the DH walk with the arm faded around it; None ends it."""
        self.dh_step.set_step(step, text)
        self._fade()

    def set_rnea_step(self, moment: RneaMoment | None) -> None:
        """Show one moment of recursive Newton–Euler, its link lit and the arm faded around it; None ends it."""
        self.rnea_step.set_moment(moment)
        self._arm.set_lit(-1 if moment is None else moment.body)
        self._fade()

    def set_sketch(self, sketch: Sketch | None) -> None:
        """Show arrows and lines that explain something, the arm faded around them; None ends it."""
        self.sketch.set_sketch(sketch)
        self._frames.withdrawn = sketch is not None and sketch.replaces_frames
        self._fade()

    def _fade(self) -> None:
        """See through the arm while something in it is explained."""
        explained = (self.dh_step.step, self.rnea_step.moment, self.sketch.sketch)
        self._arm.set_faded(any(something is not None for something in explained))
