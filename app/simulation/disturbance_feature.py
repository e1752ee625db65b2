"""An own disturbance in the window: a file that pushes a link, in every version that is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QLabel

from armature.app.feature import Feature
from armature.app.simulation.feature import SimulationFeature
from armature.app.state.own_code.code_file import CodeFile
from armature.app.state.severity import Severity
from armature.app.state.units import significant
from armature.app.widgets.actions import Command, block
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.parameter_rows import ParameterRows
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section
from armature.app.widgets.steady import Steady
from armature.engine.simulation.commands import SetDisturbance
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.control.own_law.host.user_code_host import HostedDisturbance

NONE = "No disturbance is open. Open a Python file that defines disturbance(t, q, qd, p): a force and a moment on a link."


class DisturbanceSection(Section):
    """Buttons to open and remove it, a sentence about it, and a slider per parameter."""

    def __init__(self) -> None:
        super().__init__("Disturbance (Python)", open_=False)
        self.open = button(
            "disturbance_open", "Open…", "Open a disturbance", "Open a Python file, which is reloaded whenever it is saved"
        )
        self.remove = button(
            "disturbance_remove", "Remove", "Remove the disturbance", "Close the file and remove its force and moment"
        )
        self._state = named(QLabel(), "disturbance_state")
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        self._state.setWordWrap(True)
        self._state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.parameters = ParameterRows("disturbance", "the disturbance")
        self.add(row(self.open, self.remove, None))
        self.add(Steady(3, self._state))
        self.add(self.parameters)
        self.show_file(None)

    def show_file(self, path: Path | None) -> None:
        """The file that is watched, None for none."""
        self.remove.setEnabled(path is not None)
        if path is None:
            self.parameters.show_parameters({}, {})
        self._state.setToolTip("" if path is None else str(path))
        self.tell(NONE if path is None else f"Loading {path.name}…")

    def tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        """How it is."""
        self._state.setText(text)
        set_style_property(self._state, "severity", severity.value)


SEND_EVERY = 50  # ms between two values of a slider that is dragged


class DisturbanceFeature(Feature):
    """Its section stands in the simulation dock; another arm has it anew."""

    commands = block(
        "Simulation",
        3.6,
        Command(
            "disturbance_open",
            "Open user-defined disturbance…",
            tip="Push a link with a force and a moment from your Python file, which is reloaded whenever it is saved",
        ),
    )
    needs = (SimulationFeature,)

    def __init__(self, bench: Workbench, simulation: SimulationFeature):
        self._bench, self._simulation, self.section = bench, simulation, DisturbanceSection()
        self.file = CodeFile(
            "disturbance", lambda host, path, robot, _: host.disturbance(path, robot, self._set_by_hand), bench.parent
        )
        self.disturbance: HostedDisturbance | None = None
        self._set_by_hand: dict[str, float] = {}  # the other parameters follow the file
        self._sending = QTimer(bench.parent, singleShot=True, interval=SEND_EVERY)
        self._sending.timeout.connect(self._send)
        self._robot: Robot | None = None

    def wire(self) -> None:
        """Wire section, file and simulation."""
        bench, section = self._bench, self.section
        self._simulation.panel.add_section(section)
        section.open.clicked.connect(self._ask)
        section.remove.clicked.connect(self.remove)
        section.parameters.changed.connect(self._set_values)
        bench.look.changed.connect(section.parameters.set_theme)
        bench.actions.on("disturbance_open", self._ask)
        self.file.made.connect(self._on_made)
        self.file.failed.connect(lambda why: section.tell(self._short(why), Severity.ERROR))
        bench.document.robot_changed.connect(self._on_robot)
        bench.simulation.event_arrived.connect(self._on_event)

    def shut_down(self) -> None:
        """End its processes."""
        self._sending.stop()
        self.file.stop()

    def open(self, path: Path, values: Mapping[str, float] | None = None) -> None:
        """Apply the disturbance of this file, once it has been read, with these values of its parameters."""
        self._simulation.dock.bring_up()
        self.section.header.setChecked(True)
        self.section.show_file(path)
        if path.absolute() != self.file.path or values is not None:
            self._set_by_hand = dict(values or {})
        self.file.open(path, self._bench.document.robot)

    def session_code(self) -> tuple[Path, dict[str, float]] | None:
        """File of the disturbance and parameter values that the user set, None without one."""
        return None if self.file.path is None else (self.file.path, dict(self._set_by_hand))

    def remove(self) -> None:
        """Nothing pushes the arm any more."""
        self.file.forget()
        self.disturbance, self._set_by_hand = None, {}
        self._bench.simulation.send(SetDisturbance(None))
        self.section.show_file(None)

    def _ask(self) -> None:
        folder = self.file.path.parent if self.file.path is not None else self._bench.files.recording_folder()
        path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Open disturbance", str(folder), "Disturbance (*.py)")
        if path:
            self.open(Path(path))

    def _on_made(self, disturbance: HostedDisturbance) -> None:
        self.disturbance = disturbance
        self._bench.simulation.send(SetDisturbance(disturbance))
        self._show(disturbance)

    def _set_values(self, values: dict[str, float]) -> None:
        if self.disturbance is not None:
            parameters = self.disturbance.parameters
            self.disturbance = replace(self.disturbance, values=values)
            self._set_by_hand = {name: value for name, value in values.items() if value != parameters[name].start}
            self._show(self.disturbance)
            if not self._sending.isActive():  # each is an event of the recording: not one for every pixel of a slider
                self._sending.start()

    def _send(self) -> None:
        if self.disturbance is not None:
            self._bench.simulation.send(SetDisturbance(self.disturbance))

    def _show(self, disturbance: HostedDisturbance) -> None:
        self.section.parameters.show_parameters(disturbance.parameters, disturbance.values)
        values = ", ".join(f"{name} = {significant(value)}" for name, value in disturbance.values.items())
        link = disturbance.link or self._bench.document.robot.link_names[-1]
        self.section.tell(f"{disturbance.name} acts on {link}{f': {values}' if values else ''}.")

    def _on_robot(self, robot: Robot) -> None:
        if self.file.path is not None and robot is not self._robot:
            self.open(self.file.path) if robot.has_dynamics else self.remove()
        self._robot = robot

    def _on_event(self, event: Event) -> None:
        if event.kind is EventKind.DISTURBANCE:
            self.section.header.setChecked(True)
            self.section.tell(f"The simulation was paused: {self._short(event.text)}", Severity.ERROR)

    def _short(self, text: str) -> str:
        """A sentence with the file's name, whose folder the tip tells."""
        path = self.file.path
        return text if path is None else text.replace(str(path), path.name)
