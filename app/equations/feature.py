"""The arm's equations, with their numbers now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.equations.coordinates.coordinates_tab import CoordinatesTab
from armature.app.equations.dynamics_tab import DynamicsTab
from armature.app.equations.jacobian.jacobian_tab import JacobianTab
from armature.app.equations.kinematics.kinematics_tab import KinematicsTab
from armature.app.equations.lagrange.lagrange_tab import LagrangeTab
from armature.app.equations.panel import EquationsPanel
from armature.app.equations.printed.slips import Motion
from armature.app.equations.recursion_tab import RecursionTab
from armature.app.equations.tab import EquationTab
from armature.app.feature import Feature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

TABS: tuple[type[EquationTab], ...] = (KinematicsTab, JacobianTab, LagrangeTab, DynamicsTab, RecursionTab, CoordinatesTab)


class EquationsFeature(Feature):
    """Joins the tabs of the Equations dock with the arm; works while the dock is seen."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock, self._ready = bench, dock, False
        self.panel = EquationsPanel(TABS, lambda kind: kind(bench))

    def wire(self) -> None:
        """Wire the tabs, and the clock to the one that is seen."""
        self.dock.visibilityChanged.connect(self._on_visible)
        self._bench.startup.when(KernelStage.ALL, self._on_ready)
        self._bench.clock.reading.connect(self._on_reading)

    def set_robot(self, robot) -> None:
        """Other equations."""
        self.panel.set_robot(robot)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.panel.stop()
        for tab in self.panel.made:
            tab.shut_down()

    def _on_ready(self) -> None:
        self._ready = True

    def _on_visible(self, seen: bool) -> None:
        if seen:
            self.panel.catch_up()
            return
        for tab in self.panel.made:
            tab.leave()

    def _on_reading(self) -> None:
        tab = self.panel.seen
        if self._ready and tab is not None and on_screen(self.panel):
            tab.follow()
            robot, q = self._bench.document.robot, self._bench.document.q
            motion = shown_motion(self._bench.simulation, self._bench.replay, robot.n)
            self.panel.slips.follow(Motion(robot, np.asarray(q), motion.qd, motion.qdd))
