"""The simulation in the window: what its dock asks for, what the worker tells, and what can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from app.files import no_masses
from app.panels.torques import torque_ranges

if TYPE_CHECKING:
    from app.main_window import MainWindow

PREPARING = "The engine is being prepared; this takes a moment on the first start."


class RunningFeature:
    """Joins the simulation dock, the actions that run it, and the simulation itself."""

    def __init__(self, window: MainWindow):
        self._window = window
        self.panels: dict = {}
        self._ready, self._read = False, None

    def connect(self) -> None:
        """Wire dock, worker, clock and whatever changes what can be done."""
        window, simulation, panel = self._window, self._window.simulation, self._window.simulation_panel
        for signal, slot in (
            (panel.torque_changed, simulation.set_torque),
            (panel.speed_chosen, simulation.set_speed),
            (panel.integrator_chosen, simulation.set_integrator),
            (panel.dt_chosen, simulation.set_dt),
            (panel.friction_chosen, simulation.set_friction),
            (simulation.running_changed, self._update),
            (simulation.event_arrived, self._on_event),
            (window.recordings.replaying_changed, self._update),
            (window.document.robot_changed, self._on_robot),
            (window.clock.reading, self._on_reading),
            (window.ready, self._on_ready),
        ):
            signal.connect(slot)
        self._update()

    def shut_down(self) -> None:
        """The window ends the simulation once all features have ended what they run."""

    def _on_ready(self) -> None:
        self._ready = True
        self._on_robot(self._window.document.robot)

    def _on_robot(self, robot) -> None:
        panel = self._window.simulation_panel
        if self._ready:
            panel.set_robot(robot, torque_ranges(robot, engine.gravity_torque) if robot.has_dynamics else None)
            panel.show_message("" if robot.has_dynamics else no_masses(robot.name))
        self._update()

    def _on_reading(self) -> None:
        """What is read of the simulation may change."""
        window, snapshot = self._window, self._window.simulation.latest
        if window.recordings.replaying:
            replay, self._read = window.replay, None
            window.status_line.show_replay(replay.recording.t[0] + replay.t, replay.speed, replay.playing)
            window.simulation_panel.show_replay()
        elif snapshot is not None and snapshot is not self._read:
            self._read = snapshot
            window.status_line.show_time(snapshot.t, snapshot.real_time_factor, snapshot.running)
            window.simulation_panel.show_snapshot(snapshot)

    def _on_event(self, event) -> None:
        """The worker has something to tell."""
        window = self._window
        if window.recordings.on_event(event):
            return
        window.banner.show_message("warning" if event.kind == "refused" else "error", event.text)
        if event.kind in ("diverged", "refused"):
            window.simulation_panel.show_message(event.text, 2 if event.kind == "diverged" else 1)

    def _update(self, *_) -> None:
        """Enable what can be done now, and say why the rest cannot."""
        window, robot = self._window, self._window.document.robot
        running, possible = window.simulation.running, self._ready and robot.has_dynamics
        why = "" if possible else PREPARING if not self._ready else no_masses(robot.name)
        for name, enabled in (("run", not running), ("pause", running), ("step", True), ("reset", True)):
            window.actions_[name].setEnabled(possible and enabled)
            window.actions_.explain(name, why)
        window.actions_["record"].setEnabled(self._ready)
        window.joints.set_editable(not running)
        window.commands.update_undo()
        if running:
            window.simulation_panel.show_message("")
