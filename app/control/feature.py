"""Control: the law that the simulated motors follow, from the dock to the worker, live."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject

from armature import engine
from armature.app.control.offered_laws import (
    OWN,
    ControlOptions,
    law_named,
    laws,
    row_names,
    shown_name,
)
from armature.app.control.panel import ControlPanel
from armature.app.feature import Feature
from armature.app.simulation.feature import SimulationFeature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.number_marks import said
from armature.app.state.shared_sentences import no_masses
from armature.app.widgets.dock import RIGHT, Dock
from armature.engine.control.own_law.shipped_laws import example_laws
from armature.engine.errors import one_line
from armature.engine.simulation.commands import Hold, SetTorque

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench
    from armature.engine.control.controller import Controller

FREE = "Controller disabled. Run a trajectory, hold the pose or choose a controller to enable it."


class ControlFeature(Feature, QObject):
    """Keeps the gains of every law for the open robot; another robot gets its own defaults and keeps the law.

    A law is at work once it is chosen, until the arm is set free: then it rests, gains and all, and the torque sliders act.
    """

    dock: Dock

    needs = (SimulationFeature,)
    FALLBACK = "computed-torque"  # what follows a trajectory where nothing was chosen that can

    def __init__(self, bench: Workbench, simulation: SimulationFeature):
        super().__init__(bench.parent)
        self._bench, self._simulation, self.panel = bench, simulation, ControlPanel()
        self.dock = Dock("control", "Control", self.panel, RIGHT, {"trajectory": 2, "dynamics": 3})
        self.law, self._free, self._ready = "torque", False, False
        self._controllers: dict[str, Controller] = {}
        self._sliders: np.ndarray | None = None

    def wire(self) -> None:
        """Wire dock, robot and torque sliders."""
        bench, panel = self._bench, self.panel
        panel.law_chosen.connect(lambda name: None if law_named(name).file else self.choose(name))  # else it has to be made ready
        panel.gains.entered.connect(self._on_gain)
        panel.reset_requested.connect(self._reset)
        panel.hold_requested.connect(self._hold)
        panel.options_changed.connect(lambda _: self._apply())
        bench.startup.when(KernelStage.ALL, self._on_ready)
        bench.document.robot_changed.connect(self._on_robot)
        self._simulation.panel.torque_changed.connect(self._on_sliders)
        self._simulation.panel.release_requested.connect(self.release)
        self._simulation.panel.friction_chosen.connect(self._on_friction)
        solver = self._simulation.panel
        for signal in (solver.dt_chosen, solver.integrator_chosen, bench.simulation.running_changed):
            signal.connect(lambda _: self._look_at_gains())
        panel.set_possible(False)
        panel.show_law(self.law, (), np.zeros((0, 0)))

    def _on_friction(self, _on: bool) -> None:
        if self.panel.options.assumed_mass:
            self._apply()

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Controller, options, and the gains of each controller whose gains were edited or used."""
        options = self.panel.options
        tables = {
            name: one.gain_table(len(row_names(law_named(name), self._bench.document.robot.joint_names))).tolist()
            for name, one in self._controllers.items()
            if law_named(name).gains
        }
        own = {"law": self.shown, "enabled": not self._free, "period": options.period or 0.0, "gains": tables}
        return {"control": {**vars(options), **own}}

    def open_session(self, file: SessionFile) -> None:
        """Restore controller, options and gains; user code is opened elsewhere, with the user's consent."""
        table, robot = file.control, self._bench.document.robot
        if not robot.has_dynamics:
            return
        for name, gains in table.gains.items():
            if name in laws() and law_named(name).gains:
                self._controllers[name] = engine.default_gains(robot, name).with_gain_table(np.array(gains, float))
        self.panel.choose_options(
            ControlOptions(table.saturate, table.period or None, table.knows_payload, table.assumed_mass, table.knows_friction)
        )
        if table.law not in laws():
            raise ValueError(f"{one_line(table.law, 40)!r} is not a controller")
        if law_named(table.law).file:
            self.panel.law_chosen.emit(table.law)
        else:
            self.choose("torque" if table.law == OWN else table.law)
        if not table.enabled:
            self.release()

    @property
    def follows(self) -> bool:
        """Whether the law tracks what is desired."""
        return law_named(self.law).follows and self._is_there

    @property
    def acts(self) -> bool:
        """Whether the law sets the torques."""
        return law_named(self.law).acts and not self._free and self._is_there

    @property
    def shown(self) -> str:
        """The law by the name it is chosen by."""
        own = self._controllers.get(OWN)
        if not isinstance(own, engine.OwnLaw) or own.path != str(example_laws().get(own.name)):
            return self.law
        return shown_name(self.law, own.name)

    @property
    def _is_there(self) -> bool:
        """Whether there is a law: an own one has to be opened."""
        return self.law != OWN or OWN in self._controllers

    def take_own(self, law: Controller, choose: bool) -> None:
        """An own law, or another version of it, which acts where it is chosen."""
        self._controllers[OWN] = law
        if choose:
            self.choose(OWN)
        elif self.law == OWN:
            self._show()
            self._apply()

    def choose(self, name: str) -> None:
        """Another law, from the next step on."""
        self.law, self._free = name, False
        self.panel.show_message("")
        self._show()
        self._apply()

    def put_to_work(self) -> None:
        """The chosen law sets the torques, if the arm was free."""
        if self._free:
            self._free = False
            self._apply()

    def release(self) -> None:
        """The arm is free: no law acts on it, and the chosen one waits to be put to work again."""
        if law_named(self.law).acts and not self._free:
            self._free = True
            self._apply()

    def _hold(self) -> None:
        self.put_to_work()
        self._bench.simulation.send(Hold())

    def _on_ready(self) -> None:
        self._ready = True
        self.panel.fill_chooser()
        self._on_robot(self._bench.document.robot)

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
        self._controllers[self.law] = self._controller().with_gain_table(self.panel.gains.values.copy())
        self._apply()

    def _reset(self) -> None:
        self._controllers.pop(self.law, None)
        self.panel.show_message("")
        self._show()
        self._apply()

    def _controller(self) -> Controller:
        """The chosen law with its gains; the arm's defaults until they are edited."""
        if self.law not in self._controllers:
            self._controllers[self.law] = engine.default_gains(self._bench.document.robot, self.law)
        return self._controllers[self.law]

    def to_follow(self) -> tuple[Controller, float]:
        """The law that would follow a trajectory now, with its gains, and its assumed extra payload in kg."""
        if not self.follows:
            return engine.default_gains(self._bench.document.robot, self.FALLBACK), 0.0
        return self._with_options(), self.panel.options.assumed_mass

    def _with_options(self) -> Controller:
        """The chosen law as it acts; an own one says for itself when it looks, and whether it saturates."""
        options, controller = self.panel.options, self._controller()
        return controller if self.law == OWN else replace(controller, saturate=options.saturate, period=options.period)

    def _show(self) -> None:
        robot, law = self._bench.document.robot, law_named(self.law)
        rows = row_names(law, robot.joint_names) if self._ready and robot.has_dynamics else ()
        values = self._controller().gain_table(len(rows)) if rows else np.zeros((0, len(law.gains)))
        self.panel.show_law(self.shown, rows, values)

    def _look_at_gains(self) -> None:
        """Show why the gains would shake the arm, before it runs."""
        self.panel.show_warning(said(self._bench.simulation.unstable_gains()) if self._ready else "")

    def _apply(self) -> None:
        """Give the law to the worker."""
        bench = self._bench
        if not self._ready or not bench.document.robot.has_dynamics:
            return
        acts = self.acts
        self._simulation.panel.explain_torques(
            f"The controller “{law_named(self.shown).title}” sets the torques." if acts else ""
        )
        self.panel.show_state(FREE if self._free else "")
        if acts:
            options = self.panel.options
            bench.simulation.set_controller(
                self._with_options(), options.assumed_mass, options.knows_payload, options.knows_friction
            )
            self._look_at_gains()
            return
        bench.simulation.set_controller(None)
        self._look_at_gains()
        still = np.zeros(bench.document.robot.n)
        torque = still if self.law == "none" or self._sliders is None else self._sliders
        bench.simulation.send(SetTorque(torque))
