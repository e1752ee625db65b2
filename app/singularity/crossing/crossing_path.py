"""The part of the crossing dock that chooses the path: where, which way, how long."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.singularity.crossing.crossing_runs import DIRECTIONS, MIDDLES, CrossingRequest
from armature.app.state.units import Units
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, choice, form, named, row
from armature.app.widgets.value_field import ValueField

TIP = "Compute the motion along the path with three methods, in the background"


class CrossingPath(QWidget):
    """`buttons` are compute, cancel and clear."""

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        content = QVBoxLayout(self)
        content.setContentsMargins(0, 0, 0, 0)
        middle_tip = "Pose in the middle of the path. Joint speeds peak slightly off a singular pose"
        self.middle = choice("crossing_middle", "Path through", MIDDLES, middle_tip)
        direction_tip = "Direction of the path in world axes; the orientation of the tool does not change"
        self.direction = choice("crossing_direction", "Direction", DIRECTIONS, direction_tip)
        self.length, self.duration = ValueField(3, 0.01, " m", 100.0), ValueField(1, 0.5, " s", 60.0)
        self.duration.setMinimum(0.1)
        self.duration.setValue(2.0)
        for title, field in (("Length", self.length), ("Duration", self.duration)):
            tip = f"{title} of the whole path, centred on the selected pose"
            named(field, f"crossing_{title.lower()}", f"{title} of the path", tip)
        fields = {"Through": self.middle, "Direction": self.direction, "Length": self.length, "Duration": self.duration}
        content.addWidget(form(fields.items(), spacing=4))
        self.buttons = {
            name: button(f"crossing_{name}", title, f"{title}: crossing", tip)
            for name, title, tip in (
                ("compute", "Run", TIP),
                ("cancel", "Cancel", "Stop the computation"),
                ("clear", "Clear", "Remove curves and ghost arms"),
            )
        }
        self.buttons["compute"].setProperty("role", "primary")
        content.addWidget(row(*self.buttons.values()))
        self.progress = ProgressBar("crossing_progress", "Progress of the crossing")
        content.addWidget(self.progress)

    @property
    def requested(self) -> CrossingRequest:
        """The path as it is chosen."""
        length = self.length.value() / self._units.factor(True)
        return CrossingRequest(self.middle.currentData(), self.direction.currentData(), length, self.duration.value())

    def set_robot(self, robot):
        """Another robot: the usual length of a path is another."""
        self.length.setMinimum(1e-4 * self._units.factor(True))
        self.length.setValue(round(robot.characteristic_length / 4, 3) * self._units.factor(True))

    def show_possible(self, why_not: str):
        """Whether a path can be computed now; else why not."""
        self.buttons["compute"].setEnabled(not why_not)
        self.buttons["compute"].setToolTip(why_not or TIP)

    def show_busy(self, busy: bool):
        """Whether it computes."""
        self.buttons["cancel"].setEnabled(busy)
        self.progress.show_busy(busy)

    def show_progress(self, done: int, total: int):
        """How many runs are done."""
        self.progress.show_done(done, total)

    def set_units(self, units: Units):
        """Lengths in other units."""
        metres = self.length.value() / self._units.factor(True)
        self._units = units
        self.length.set_format(max(0, units.decimals(True) - 1), 0.01 * units.factor(True), units.suffix(True))
        self.length.setValue(metres * units.factor(True))

    def refit(self):
        """Other text sizes."""
        for field in (self.length, self.duration):
            field.refit()
