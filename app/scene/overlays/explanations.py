"""`Explanations`: what explains an arm in the view while a panel speaks of it; each shows nothing until it is wanted."""

from __future__ import annotations

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.gl.scene_item import SceneItem
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


class Explanations:
    """Walks, around which the arm is faded, and at the arm: lengths, a point carried along, columns of a Jacobian, lever arms."""

    def __init__(self, arm: ArmItem, frames: FrameItem):
        self._arm, self._frames = arm, frames
        self.dh_step, self.rnea_step, self.sketch = DHStepItem(frames), RneaStepItem(), SketchItem()
        self.lengths, self.point, self.columns, self.levers = LengthItem(), PointItem(), ColumnItem(), LeverItem()
        self.axes = AxisItem()
        self.walks: list[SceneItem] = [self.dh_step, self.rnea_step, self.sketch]
        self.followers = [self.lengths, self.point, self.columns, self.levers, self.axes]

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
