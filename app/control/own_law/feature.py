"""An own law in the window: its file is watched, and what was saved takes over once it has proven itself elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer

from armature.app.control.feature import ControlFeature
from armature.app.control.offered_laws import OWN, law_named
from armature.app.control.own_law.law_chooser import LawChooser
from armature.app.control.own_law.law_section import NONE, OwnLawSection
from armature.app.control.own_law.law_versions import Conditions, LawVersions
from armature.app.control.own_law.law_words import fault_words, ready_words, running_words, slow, stopped_words
from armature.app.control.own_law.recorded_law import RecordedLaw, RecordedLawDialog, law_inside
from armature.app.feature import Feature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block
from armature.engine.control.own_law.shipped_laws import example_laws
from armature.engine.simulation.simulation_event import Event, EventKind

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.control.own_law.host.user_code_host import HostedLaw


SEND_EVERY = 50  # ms between two values of a slider that is dragged


class OwnLawFeature(Feature, QObject):
    """Keeps the file, and `law`, the version of it at work, None until there is one."""

    commands = block(
        "Simulation",
        3.5,
        Command(
            "own_law_open",
            "Open user-defined controller…",
            tip="Control the arm with your Python file; it is reloaded whenever it is saved",
        ),
        Command("own_law_new", "New user-defined controller…", tip="Create a Python file from a copy of a built-in controller"),
        Command(
            "recorded_law",
            "Controller of the recording…",
            tip="Show the Python code of the controller that the open recording was made with",
        ),
    )
    needs = (ControlFeature,)

    def __init__(self, bench: Workbench, control: ControlFeature):
        super().__init__(bench.parent)
        self._bench, self._control, self.section = bench, control, OwnLawSection()
        self.chooser = LawChooser(bench, self.section)
        self._versions = LawVersions(self._conditions, self)
        self._version, self._refused, self._why_python = 0, "", ""
        self._recorded: RecordedLaw | None = None
        self._sending = QTimer(self, singleShot=True, interval=SEND_EVERY)
        self._sending.timeout.connect(self._send)
        self.law: HostedLaw | None = None
        self._stopped = False  # by a fault of it
        self._first_values: dict[str, float] = {}  # of the parameters, once the file is read
        self._chosen = False  # whether what is being made ready was requested, and not merely saved

    def wire(self) -> None:
        """Wire dock, file, robot and clock."""
        bench, section = self._bench, self.section
        self._control.panel.add_part(section, OWN)
        section.reset.clicked.connect(lambda: self._set_values({}))
        section.parameters.changed.connect(self._set_values)
        bench.actions.on("own_law_open", self.chooser.ask_open)
        bench.actions.on("own_law_new", self._offer_templates)
        bench.actions.on("recorded_law", self._show_recorded)
        bench.files.recording_opened.connect(self._on_recording)
        bench.replay.replaying_changed.connect(self._on_replaying)
        self._on_replaying(False)
        self._control.panel.law_chosen.connect(self._on_chosen)
        self.chooser.opened.connect(self.open)
        self._versions.ready.connect(self._take_over)
        self._versions.refused.connect(self._refuse)
        self._versions.unchanged.connect(self._keep)
        self._versions.compiled.connect(self._take_compiled)
        self._versions.python.connect(self._stay_python)
        bench.document.robot_changed.connect(self._on_robot)
        bench.startup.when(KernelStage.ALL, lambda: self._on_robot(bench.document.robot))
        bench.simulation.event_arrived.connect(self._on_event)
        bench.simulation.running_changed.connect(self._on_running)
        bench.clock.reading.connect(self._on_reading)

    def shut_down(self) -> None:
        """End the processes, and what is made ready."""
        self._sending.stop()
        self._versions.close()

    def open(self, path: Path, values: Mapping[str, float] | None = None) -> None:
        """Run the law of this file from now on, in every version that is saved, at first with these values of its parameters."""
        path, self._first_values = path.absolute(), dict(values or {})
        self._version, self.law, self._chosen = 0, None, True
        self._control.dock.bring_up()
        self.chooser.path = path
        self.section.show_file(path, editable=path not in example_laws().values())
        self.section.show_fault("")
        self._versions.watch(path)

    def end(self) -> None:
        """Choose the torque sliders in place of the user's controller."""
        if self._control.law == OWN:
            self._control.choose("torque")

    def session_code(self) -> tuple[Path, dict[str, float]] | None:
        """File and parameter values of the user's controller, None for another controller."""
        path = self._versions.path
        if path is None or self._control.law != OWN or path in example_laws().values():
            return None
        return path, dict(self.law.values) if self.law is not None else {}

    def _offer_templates(self) -> None:
        self._control.dock.bring_up()
        if self._control.law != OWN:
            self._control.choose(OWN)
        self.chooser.offer_templates()

    # Inside a recording

    def _on_recording(self, recording, path: Path) -> None:
        self._recorded = law_inside(recording.metadata)
        self._on_replaying(True)
        if self._recorded is not None:
            what = f"{path.name} contains the user-defined controller “{self._recorded.name}”. Its code has not been run"
            text = f"{what}; to read it: Simulation ▸ Controller of the recording…"
            self._bench.files.message_about.emit("law", Severity.INFO, text)

    def _on_replaying(self, replaying: bool) -> None:
        there = replaying and self._recorded is not None
        self._bench.actions["recorded_law"].setEnabled(there)
        self._bench.actions.explain("recorded_law", "" if there else "No open recording contains a user-defined controller.")

    def _show_recorded(self) -> None:
        bench = self._bench
        if self._recorded is not None:
            use, tell = self.chooser.take, bench.files.message_about.emit
            RecordedLawDialog(self._recorded, self.chooser.folder(), use, tell, bench.parent).open()

    # Versions

    def _on_chosen(self, name: str) -> None:
        if file := law_named(name).file:
            self.open(example_laws()[file])
        elif name == OWN and self._control.shown != OWN:  # one that ships is open: which other one?
            self.chooser.offer_laws()
        elif name == OWN and self.law is None and self._versions.path is not None:
            self._chosen = True
            self._versions.again()

    def _on_robot(self, robot) -> None:
        """Another arm: the law has to prove itself again."""
        self.law = None
        self._versions.cancel()
        if self._versions.path is not None and self._control.law == OWN and robot.has_dynamics:
            self._chosen = True
            self._versions.again()

    def _conditions(self) -> Conditions:
        """What the arm does now, for a first call; computed beside the window."""
        from armature.engine.control.own_law.host.user_code_host import State

        simulation, q = self._bench.simulation, self._bench.document.q
        latest, still = simulation.latest, np.zeros(len(q))
        reference = np.concatenate([q, still, still, still])
        if latest is None or len(latest.q) != len(q):
            return Conditions(simulation.robot, State(0.0, q, still, reference), self.law)
        wanted = [x for x in (latest.q_desired, latest.qd_desired, latest.qdd_desired) if x is not None]
        reference = np.concatenate([*(wanted or (q, still, still)), latest.tau])
        return Conditions(simulation.robot, State(latest.t, latest.q, latest.qd, reference), self.law)

    def _keep(self) -> None:
        """What was broken is again as it was."""
        self._refused = ""
        self.section.show_fault("")

    def _take_over(self, law: HostedLaw) -> None:
        self._version, self.law, self._refused, self._why_python = self._version + 1, law, "", ""
        chosen, self._chosen = self._chosen, False
        if self._first_values:
            known = {name: value for name, value in self._first_values.items() if name in law.parameters}
            self.law = law = replace(law, values={**law.values, **known})
            self._first_values = {}
        self._control.take_own(law, chosen)
        self.section.show_fault("")
        if self._stopped:  # by the version before this one
            self._stopped = False
            self._bench.banner.settle("simulation")
        self.section.show_parameters(law)
        self._on_reading()

    def _take_compiled(self, law: HostedLaw) -> None:
        """The version at work, as compiled code from now on."""
        if self.law is not None:
            self.law = replace(law, values=self.law.values)
            self._control.take_own(self.law, False)

    def _stay_python(self, why: str) -> None:
        self._why_python = why

    def _refuse(self, why: str) -> None:
        self._refused = fault_words(self._short(why), self._version)
        self.section.show_fault(self._refused)
        if self._chosen and self._control.law != OWN:
            self._control.choose(OWN)
        self._chosen = False
        self._on_reading()

    def _set_values(self, values: dict[str, float]) -> None:
        """Other values of the parameters; those not given as the file has them."""
        if self.law is not None:
            self.law = replace(self.law, values=values)
            self.section.show_parameters(self.law)
            if not self._sending.isActive():  # each is an event of the recording: not one for every pixel of a slider
                self._sending.start()

    def _send(self) -> None:
        if self.law is not None:
            self._control.take_own(self.law, False)

    # At work

    def _on_event(self, event: Event) -> None:
        if event.kind is EventKind.LAW:
            self._stopped = True
            self.section.show_fault(stopped_words(self._short(event.text)))

    def _short(self, text: str) -> str:
        """A sentence with the file's name, whose folder the label above tells."""
        path = self._versions.path
        return text if path is None else text.replace(str(path), path.name)

    def _on_running(self, running: bool) -> None:
        if running:
            self.section.show_fault(self._refused)

    def _on_reading(self) -> None:
        path, latest = self._versions.path, self._bench.simulation.latest
        if path is None:
            self.section.show_state(NONE)
        elif latest is not None and latest.law is not None and latest.running and self._control.acts:
            self.section.show_state(running_words(self._version, latest.law, latest, self._why_python), slow(latest))
        else:
            self.section.show_state(ready_words(self._version, path.name) if self._version else "")
