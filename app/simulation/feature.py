"""The simulation in the window: what its dock asks for, what the worker tells, and what can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from armature import engine
from armature.app.feature import Feature
from armature.app.simulation.panel import SimulationPanel
from armature.app.simulation.torque_section import torque_ranges
from armature.app.state.engine_startup import KernelStage
from armature.app.state.number_marks import said
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import COMPILING, no_masses
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import RIGHT, Dock
from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.simulation.commands import SetSpeed, SetTorque
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine.simulation.snapshot import Snapshot


class SimulationFeature(Feature):
    """Joins the simulation dock, the actions that run it, and the simulation itself."""

    dock: Dock

    commands = (
        *block(
            "Simulation",
            1.0,
            Command("run", "Run", "run", ("Space",), "Start the simulation, or play the open recording", bar=2.1),
            Command("pause", "Pause", "pause", ("Space",), "Pause the simulation or the open recording", bar=2.2),
            Command(
                "step",
                "Single step",
                "step",
                ("Right",),
                "Simulate one time step, or show the next sample of a recording",
                bar=2.3,
            ),
            Command(
                "reset",
                "Reset",
                "reset",
                ("Backspace",),
                "Return to time 0 and the last pose set by hand, or to the start of the open recording",
                bar=2.0,
            ),
        ),
        *block(
            "Simulation",
            2.0,
            Command("slower", "Slower", "", ("-",), "Slow down the simulation or the playback"),
            Command("faster", "Faster", "", ("=", "+"), "Speed up the simulation or the playback"),
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.panel = SimulationPanel([bench.actions[name] for name in ("reset", "run", "pause", "step")])
        self.dock = Dock("simulation", "Simulation", self.panel, RIGHT, {"trajectory": 3, "dynamics": 2})
        self._ready, self._moves = False, False
        self._read: Snapshot | None = None

    def wire(self) -> None:
        """Wire dock, worker, clock and whatever changes what can be done."""
        bench, simulation, panel = self._bench, self._bench.simulation, self.panel
        bench.files.preparations.append(panel.make_rows)
        panel.contact_stop.setChecked(bench.preferences.now.stop_run_at_contact)
        for signal, slot in (
            (panel.torque_changed, lambda tau: simulation.send(SetTorque(tau))),
            (panel.speed_chosen, lambda factor: simulation.send(SetSpeed(factor))),
            (panel.integrator_chosen, simulation.set_integrator),
            (panel.dt_chosen, simulation.set_dt),
            (panel.friction_chosen, simulation.set_friction),
            (panel.contact_stop_chosen, lambda on: bench.preferences.set(stop_run_at_contact=on)),
            (simulation.running_changed, self._update),
            (simulation.event_arrived, self._on_event),
            (bench.replay.replaying_changed, self._update),
            (bench.replay.moved, self._on_moved),
            (bench.document.robot_changed, self._on_robot),
            (bench.clock.reading, self._on_reading),
        ):
            signal.connect(slot)
        bench.startup.when(KernelStage.ALL, self._on_ready)
        for name, act in (
            ("run", simulation.run),
            ("pause", simulation.pause),
            ("step", simulation.step),
            ("reset", self._reset),
            ("slower", lambda: panel.change_speed(-1)),
            ("faster", lambda: panel.change_speed(1)),
        ):  # while a recording is open these are its own: see the recording's feature
            bench.actions.on(name, lambda act=act: bench.replay.replaying or act())
        self._update()

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Solver settings."""
        dt, integrator, speed, friction = self.panel.solver
        return {"simulation": {"dt": dt, "integrator": integrator, "speed": speed}, "conditions": {"friction": friction}}

    def open_session(self, file: SessionFile) -> None:
        """Restore the solver settings."""
        self.panel.choose_solver(file.simulation.dt, file.simulation.integrator, file.simulation.speed, file.conditions.friction)

    def _reset(self) -> None:
        self._bench.banner.settle("simulation")
        self.panel.show_message("")
        self._bench.simulation.reset()
        self._bench.scene.keep_in_view()

    def _on_ready(self) -> None:
        self._ready = True
        self._on_robot(self._bench.document.robot)

    def _on_robot(self, robot) -> None:
        panel = self.panel
        if self._ready:
            panel.show_message("" if robot.has_dynamics else no_masses(robot.name))
            self._bench.drawing.shape(self.dock, self._shape)
        self._update()

    def _shape(self) -> None:
        robot = self._bench.document.robot
        self.panel.set_robot(robot, torque_ranges(robot, engine.gravity_torque) if robot.has_dynamics else None)

    def _on_moved(self, _t: float, playing: bool) -> None:
        if playing != self._moves:
            self._update()

    def _on_reading(self) -> None:
        """What is read of the simulation may change."""
        bench, snapshot = self._bench, self._bench.simulation.latest
        if bench.replay.replaying:
            replay, self._read = bench.replay, None
            bench.status_line.show_replay(replay.open.t[0] + replay.t, replay.speed, replay.playing)
            self.panel.show_replay()
        elif snapshot is not None and snapshot is not self._read:
            self._read = snapshot
            bench.status_line.show_time(snapshot.t, snapshot.real_time_factor, snapshot.running)
            self.panel.show_snapshot(snapshot)

    def _on_event(self, event: Event) -> None:
        """The worker has something to tell."""
        if isinstance(event.kind, RecordingEvent) or event.kind in (EventKind.CONTACT, EventKind.CONTACT_ENDED):
            return
        warns = event.kind in (EventKind.REFUSED, EventKind.STOPPED)
        severity = Severity.WARNING if warns else Severity.ERROR
        fault = event.kind is EventKind.FAULT
        text = event.text if fault else said(event.text)
        if event.kind is EventKind.STOPPED:
            text = f"{text[0].upper()}{text[1:]}. Press Space to continue."
        self._bench.banner.show_message(severity, text, subject="simulation")
        if not fault:
            self.panel.show_message(text, severity)

    def _update(self, *_) -> None:
        """Enable what can be done now, and say why the rest cannot."""
        bench, robot = self._bench, self._bench.document.robot
        running, replaying = bench.simulation.running, bench.replay.replaying
        self._moves = moves = bench.replay.playing if replaying else running
        possible = replaying or (self._ready and robot.has_dynamics)
        why = "" if possible else COMPILING if not self._ready else no_masses(robot.name)
        for name, enabled in (("run", not moves), ("pause", moves), ("step", True), ("reset", True)):
            bench.actions[name].setEnabled(possible and enabled)
            bench.actions.explain(name, why)
        bench.actions["record"].setEnabled(self._ready)
        if running:
            self.panel.show_message("")
