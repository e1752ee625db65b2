"""The simulation dock: run, pause, step, reset, speed, integrator, friction and motor torques."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from armature.app.simulation.torque_section import TorqueSection
from armature.app.state.severity import Severity
from armature.app.state.slices import Steps
from armature.app.state.units import grouped
from armature.app.state.units import number as fixed
from armature.app.widgets.controls import check, choice, form, named, number, row, speeds
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady
from armature.engine.model.body import Friction
from armature.engine.model.robot import Robot

REPLAYING = "These buttons play the open recording. Close it (Esc) to simulate from the displayed pose."
FRICTION = "Joint friction"
SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
INTEGRATORS = {
    "rk4": "Runge–Kutta 4",
    "euler": "Euler, semi-implicit",
    "midpoint": "Implicit midpoint",
    "gauss6": "Gauss, order 6",
}


class SimulationPanel(QWidget):
    """Tells what a person chose; the running itself is the business of the actions it shows."""

    torque_changed = Signal(object)
    speed_chosen = Signal(float)
    integrator_chosen = Signal(str)
    dt_chosen = Signal(float)
    friction_chosen = Signal(bool)
    contact_stop_chosen = Signal(bool)
    release_requested = Signal()

    def __init__(self, transport: list[QAction]):
        super().__init__()
        content = self._content = page(self, "Simulation")
        self._brought: list[Section] = []
        content.addWidget(self._transport(transport))
        self.message = named(QLabel(), "simulation_message")
        self.message.setWordWrap(True)
        self.message.hide()
        self._state = named(note(f"Paused at {fixed(0.0, 3)} s"), "simulation_state")
        content.addWidget(Steady(3, self._state, self.message))
        self._how = Section("Solver settings")
        self._how.add(self._form())
        content.addWidget(self._how)
        self._torques = TorqueSection()
        self._torques.torque_changed.connect(self.torque_changed)
        self._torques.release_requested.connect(self.release_requested)
        content.addWidget(self._torques)
        content.addStretch(1)

    @staticmethod
    def _transport(actions: list[QAction]) -> QWidget:
        buttons = []
        for action in actions:
            shown = QToolButton()
            shown.setDefaultAction(action)
            shown.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            shown.setAccessibleName(action.text())
            buttons.append(shown)
        return row(*buttons, None, spacing=4)

    def _form(self) -> QWidget:
        self._speed = speeds("simulation_speed", "Speed", SPEEDS, "Simulated time per real time")
        self._speed.currentIndexChanged.connect(lambda i: self.speed_chosen.emit(SPEEDS[i]))
        self._integrator = choice(
            "simulation_integrator", "Integrator", INTEGRATORS, "Numerical integration method for the equations of motion"
        )
        self._integrator.currentIndexChanged.connect(lambda _: self.integrator_chosen.emit(self._integrator.currentData()))
        self._dt = number("simulation_dt", "Time step in milliseconds", (0.05, 20.0), 1.0, decimals=2, suffix=" ms")
        self._dt.valueChanged.connect(lambda ms: self.dt_chosen.emit(ms / 1000))
        self._friction = check(
            "simulation_friction", FRICTION, "If off, all joint friction is zero. Coefficients: Dynamics ▸ Friction", on=True
        )
        self._friction.toggled.connect(self._on_friction)
        tip = "Pause the run when the arm first touches itself, the floor or an object of the cell"
        self.contact_stop = check("simulation_contact_stop", "Stop at first contact", tip)
        self.contact_stop.toggled.connect(self.contact_stop_chosen)
        self._rubs = True  # what was chosen last, for arms with friction
        checks = (None, self._friction), (None, self.contact_stop)
        return form((("Speed", self._speed), ("Integrator", self._integrator), ("Time step", self._dt), *checks))

    def _on_friction(self, on: bool):
        self._rubs = on
        self.friction_chosen.emit(on)

    def add_section(self, section: Section):
        """A part that another feature brings, above the torques."""
        self._content.insertWidget(self._content.indexOf(self._torques), section)
        self._brought.append(section)

    def make_rows(self, robot: Robot) -> Steps:
        """What is shown of each joint, before `robot` is there."""
        if robot.has_dynamics:
            yield from self._torques.make_rows(robot)

    def set_robot(self, robot: Robot, ranges: np.ndarray | None):
        """Sliders for `robot`; `ranges` None where it cannot be simulated."""
        self._torques.setVisible(ranges is not None)
        self._how.setVisible(ranges is not None)
        self._state.setVisible(ranges is not None)
        for section in self._brought:
            section.setVisible(ranges is not None)
        if ranges is not None:
            self._torques.set_robot(robot, ranges)
            frictionless = all(body.friction == Friction() for body in robot.bodies)
            self._friction.setEnabled(not frictionless)
            self._friction.setText("Joint friction: none in the robot file" if frictionless else FRICTION)
            with QSignalBlocker(self._friction):
                self._friction.setChecked(self._rubs and not frictionless)

    @property
    def solver(self) -> tuple[float, str, float, bool]:
        """Time step in s, integrator, speed, and whether joints have friction."""
        return self._dt.value() / 1000, self._integrator.currentData(), SPEEDS[self._speed.currentIndex()], self._rubs

    def choose_solver(self, dt: float, integrator: str, speed: float, friction: bool):
        """Choose solver settings as the user does. Raises ValueError for an unknown one."""
        if integrator not in INTEGRATORS or speed not in SPEEDS:
            raise ValueError(f"must be one of {', '.join(INTEGRATORS)} and {', '.join(map(str, SPEEDS))}")
        self._dt.setValue(1000 * dt)
        self._integrator.setCurrentIndex(self._integrator.findData(integrator))
        self._speed.setCurrentIndex(SPEEDS.index(speed))
        if friction != self._rubs:
            self._friction.setChecked(friction)
            self._on_friction(friction)

    def show_message(self, text: str, severity: Severity = Severity.INFO):
        """A plain sentence about why the simulation does not run; empty hides it."""
        self.message.setText(text)
        self.message.setVisible(bool(text))
        set_style_property(self.message, "severity", severity.value)

    def explain_torques(self, why_not: str):
        """Why the torque sliders do not act; empty where they do."""
        self._torques.explain(why_not)

    def change_speed(self, by: int):
        """`by` notches faster, or slower where negative."""
        self._speed.setCurrentIndex(min(max(self._speed.currentIndex() + by, 0), len(SPEEDS) - 1))

    def show_snapshot(self, snapshot):
        """Time, steps and the achieved factor."""
        if snapshot.running:
            text = f"Running at {fixed(snapshot.t, 3)} s · {fixed(snapshot.real_time_factor, 2)} × real time"
        else:
            text = f"Paused at {fixed(snapshot.t, 3)} s"
        self._state.setText(f"{text} · {grouped(snapshot.steps)} steps")

    def show_replay(self):
        """A recording holds the arm."""
        self._state.setText(REPLAYING)

    def set_theme(self, tokens):
        """Colours of the sliders."""
        self._torques.set_theme(tokens)
