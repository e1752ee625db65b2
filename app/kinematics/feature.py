"""The kinematics dock: the tool's pose, the Jacobian, and how near a singularity is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.kinematics.panel import KinematicsPanel
from armature.app.widgets.dock import RIGHT, Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class KinematicsFeature(Feature):
    """Joins the dock with readouts and settings."""

    def __init__(self, bench: Workbench):
        self._bench, now = bench, bench.preferences.now
        self.panel = KinematicsPanel(bench.preferences.units, now.warn_condition, now.stop_condition)
        places = {"explore": 1, "singularity": 2, "workspace": 2, "dynamics": 4}
        self.dock = Dock("kinematics", "Kinematics", self.panel, RIGHT, places)

    def connect(self) -> None:
        """Wire readouts, units and thresholds."""
        bench, panel = self._bench, self.panel
        bench.readouts.changed.connect(panel.show_readout)
        bench.clock.reading.connect(panel.refresh)
        bench.preferences.units_changed.connect(panel.set_units)
        panel.thresholds_edited.connect(lambda warn, stop: bench.preferences.set(warn_condition=warn, stop_condition=stop))

    def set_robot(self, robot) -> None:
        """As many columns as joints."""
        self.panel.set_robot(robot)
