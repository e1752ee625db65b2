"""Pulling on the arm by hand: Ctrl-drag in the view becomes a spring in the simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from armature.app.dynamics.hand_spring import hand_spring
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import no_masses
from armature.engine.simulation.commands import ReleasePull, SetPull

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

PAUSED = "Ctrl-drag pulls on the arm only during a simulation. Press Space to start it, then drag."


class Pulling(QObject):
    """Joins the tug in the scene with the simulation; the worker hears of a new target at most once per frame."""

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._tug, self._simulation = bench, bench.scene.tug, bench.simulation
        self._spring: tuple | None = None
        self._target: np.ndarray | None = None
        self._tug.grabbed.connect(self._grab)
        self._tug.moved.connect(self._aim)
        self._tug.released.connect(self.let_go)
        self._tug.requested.connect(self._explain)
        self._simulation.running_changed.connect(self._on_running)

    @property
    def held(self) -> tuple[int, np.ndarray] | None:
        """Body and point `(3,)` in its axes that a person pulls on, None for none."""
        return None if self._spring is None else self._spring[:2]

    def let_go(self):
        """No force any more."""
        if self._spring is not None:
            self._spring = self._target = None
            self._bench.clock.tick.disconnect(self._send)
            self._simulation.snapshot_taken.disconnect(self._show)
            self._simulation.send(ReleasePull())

    def _grab(self, body: int, point: np.ndarray):
        document, latest = self._bench.document, self._simulation.latest
        if latest is None:  # another robot has just come
            self._bench.scene.pointer.drop()
            return
        self._bench.banner.heeded(PAUSED)
        if self._spring is None:
            self._bench.clock.tick.connect(self._send)
            self._simulation.snapshot_taken.connect(self._show)
        self._spring = (body, point, *hand_spring(document.robot, document.q, body, point, latest.dt))

    def _aim(self, target: np.ndarray):
        self._target = target

    def _send(self):
        if self._target is not None and self._spring is not None:
            body, point, k, d = self._spring
            self._simulation.send(SetPull(body, point, self._target, k, d))
            self._target = None

    def _show(self, snapshot):
        force = snapshot.pull_force
        self._tug.show_force(0.0 if force is None else float(np.linalg.norm(force)))

    def _on_running(self, running: bool):
        self._tug.armed = running
        if not running:
            self._bench.scene.pointer.drop()

    def _explain(self):
        robot = self._bench.document.robot
        self._bench.banner.show_message(Severity.INFO, PAUSED if robot.has_dynamics else no_masses(robot.name))
