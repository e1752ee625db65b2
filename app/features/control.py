"""Control: the law that the simulated motors follow, from the dock to the worker, live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

import engine
from app.control_laws import LAWS, gain_values, row_names, with_gains, with_options
from app.files import no_masses
from app.panels.control import ControlPanel

if TYPE_CHECKING:
    from app.main_window import MainWindow


class ControlFeature(QObject):
    """Keeps the gains of every law for the open robot; another robot gets its own defaults and keeps the law."""

    FALLBACK = "computed-torque"  # what follows a trajectory where nothing was chosen that can

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window, self.panel = window, ControlPanel()
        self.panels = {"control": self.panel}
        self.law, self._ready = "torque", False
        self._controllers: dict[str, object] = {}
        self._sliders: np.ndarray | None = None

    def connect(self) -> None:
        """Wire dock, robot and torque sliders."""
        window, panel = self._window, self.panel
        panel.law_chosen.connect(self.choose)
        panel.gain_entered.connect(self._on_gain)
        panel.reset_asked.connect(self._reset)
        panel.hold_asked.connect(window.simulation.hold)
        panel.options_changed.connect(lambda _: self._apply())
        window.ready.connect(self._on_ready)
        window.document.robot_changed.connect(self._on_robot)
        window.simulation_panel.torque_changed.connect(self._on_sliders)
        window.simulation_panel.friction_chosen.connect(lambda _: self.panel.options.assumed_mass and self._apply())
        panel.set_possible(False)
        panel.show_law(self.law, (), np.zeros((0, 0)))

    def shut_down(self) -> None:
        """Nothing runs on its own."""

    @property
    def follows(self) -> bool:
        """Whether the law tracks what is desired."""
        return LAWS[self.law].follows

    def choose(self, name: str) -> None:
        """Another law, from the next step on."""
        self.law = name
        self.panel.show_message("")
        self._show()
        self._apply()

    def _on_ready(self) -> None:
        self._ready = True
        self._on_robot(self._window.document.robot)

    def _on_robot(self, robot) -> None:
        self._controllers, self._sliders = {}, None
        if not self._ready:
            return
        self.panel.set_possible(robot.has_dynamics, "" if robot.has_dynamics else no_masses(robot.name))
        self._show()
        self._apply()

    def _on_sliders(self, tau: np.ndarray) -> None:
        self._sliders = tau
        if self.law == "none" and tau.any():
            self.choose("torque")

    def _on_gain(self, row: int, column: int, value: float) -> None:
        self._controllers[self.law] = with_gains(LAWS[self.law], self._controller(), self.panel.gains.values.copy())
        self._apply()

    def _reset(self) -> None:
        self._controllers.pop(self.law, None)
        self.panel.show_message("")
        self._show()
        self._apply()

    def _controller(self):
        """The chosen law with its gains; the arm's defaults until they are edited."""
        if self.law not in self._controllers:
            self._controllers[self.law] = engine.default_gains(self._window.document.robot, self.law)
        return self._controllers[self.law]

    def _show(self) -> None:
        robot, law = self._window.document.robot, LAWS[self.law]
        rows = row_names(law, robot.joint_names) if self._ready and robot.has_dynamics else ()
        values = gain_values(law, self._controller(), len(rows)) if rows else np.zeros((0, len(law.gains)))
        self.panel.show_law(self.law, rows, values)

    def _apply(self) -> None:
        """Give the law to the worker."""
        window = self._window
        if not self._ready or not window.document.robot.has_dynamics:
            return
        own = self.law not in ("none", "torque")
        others = f"The controller “{LAWS[self.law].title}” sets the torques. Choose “Torque sliders” in Control to set them here."
        window.simulation_panel.explain_torques(others if own else "")
        if own:
            options = self.panel.options
            controller = with_options(self._controller(), options)
            window.simulation.set_controller(controller, options.assumed_mass, options.knows_payload)
            return
        window.simulation.set_controller(None)
        still = np.zeros(window.document.robot.n)
        window.simulation.set_torque(still if self.law == "none" or self._sliders is None else self._sliders)
