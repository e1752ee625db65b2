"""Sensors between the simulated arm and its controller, from the control dock to the worker, live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.control.sensors_section import FIGURES
from armature.app.feature import Feature
from armature.app.state.engine_startup import KernelStage
from armature.engine.simulation.commands import SetSensors

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine import Robot, Sensors

MILLI = 1e-3  # the fields are in ms, mrad and mm


class SensorsFeature(Feature):
    """Keeps what every robot of the session was given; one that is opened anew begins without."""

    needs = (ControlFeature,)

    def __init__(self, bench: Workbench, control: ControlFeature):
        self._bench, self.section = bench, control.panel.sensors
        self._kept: dict[str, tuple[bool, dict[str, float]]] = {}

    def wire(self) -> None:
        """Wire section, robot and worker."""
        self.section.changed.connect(self._on_change)
        self._bench.startup.when(KernelStage.ALL, lambda: self._on_robot(self._bench.document.robot))
        self._bench.document.robot_changed.connect(self._on_robot)

    @property
    def sensors(self) -> Sensors | None:
        """What stands between arm and controller now."""
        return sensors_of(self.section.figures) if self.section.on else None

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Sensors of the open robot."""
        return {"sensors": {"on": self.section.on, "values": self.section.figures}}

    def open_session(self, file: SessionFile) -> None:
        """Restore the sensors; values that are not given are the default ones."""
        given = {name: value for name, value in file.sensors.values.items() if name in FIGURES}
        self.section.show_figures(file.sensors.on, {**FIGURES, **given})
        self._on_change()

    def _on_robot(self, robot: Robot) -> None:
        self.section.show_figures(*self._kept.get(robot.name, (False, FIGURES)))
        self.section.setEnabled(robot.has_dynamics)
        self._apply()

    def _on_change(self) -> None:
        self._kept[self._bench.document.robot.name] = self.section.on, self.section.figures
        self._apply()

    def _apply(self) -> None:
        sensors = self.sensors
        self.section.show_state(sensors)
        self._bench.simulation.send(SetSensors(sensors))


def sensors_of(figures: dict[str, float]) -> Sensors:
    """The sensors that the fields tell."""
    return engine.Sensors(
        counts=figures["counts"],
        position_noise=figures["position_noise"] * MILLI,
        torque_noise=figures["torque_noise"],
        delay=figures["delay"] * MILLI,
        speed_cutoff=figures["speed_cutoff"] or None,
        seed=int(figures["seed"]),
    )
