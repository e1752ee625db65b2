"""The dock *Identify*: excitation trajectory, recordings and settings, result, curves, parameters, and the guided example."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from armature.app.identification.example_page import ExamplePage
from armature.app.identification.identification_model import USES, IdentificationModel
from armature.app.identification.identification_texts import motion_text
from armature.app.identification.result_pages import CurvesPage, ParametersPage, ResultPage
from armature.app.plots.curves import Curves
from armature.app.plots.titled_plot import time_plot
from armature.app.state.evented import Binder, on
from armature.app.state.jobs import JobStatus
from armature.app.state.window_state import WindowState
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import (
    Act,
    OptionForm,
    button,
    check,
    choice,
    column,
    fill,
    form,
    named,
    number,
    primary,
    row,
)
from armature.app.widgets.section import note, scrolled
from armature.app.widgets.tabbed_pages import TabbedPages

SAMPLES = 600
LONGER = "A longer trajectory gives smaller standard deviations"
SERIES = "Number of harmonics in the Fourier series of each joint"
FILTER = "Cut-off of the zero-phase filter for positions and torques; 0: chosen from the motion"
HELD = "Share at the end of each “fit” recording that is used for validation only"
COUPLED = "Motors that drive several joints, written as a sum of joints; separate several motors with commas"
BOXES = {
    "friction": ("Friction", "Viscous friction, and Coulomb friction in each direction"),
    "offsets": ("Offsets", "Constant torque offset of each joint, from its torque sensor or friction"),
    "rotor": ("Rotor inertia", "Rotor inertia of each motor, if it is not already part of the link parameters"),
    "payload": (
        "Payload only",
        "Use the link parameters of the file; estimate the payload and, if ticked, friction and offsets",
    ),
    "currents": ("Motor currents", "The torque columns are currents in A; the torque constant of each drive is estimated too"),
}


class MotionPage(QWidget):
    """Excitation trajectory: its settings, its description and its joint positions over time."""

    def __init__(self, model: IdentificationModel, acts: Mapping[str, Act]):
        super().__init__()
        self._model = model
        duration = number("identify_duration", "Duration", (2, 120), 10, step=1, suffix=" s", tip=LONGER)
        harmonics = number("identify_harmonics", "Harmonics", (1, 12), 5, tip=SERIES)
        self.form = OptionForm({"duration": duration, "harmonics": harmonics}, partial(setattr, model))
        tip = "Compute an excitation trajectory in the background; takes up to half a minute"
        self.make = primary(button("identify_make", "Compute excitation", tip=tip, act=acts["make"]))
        title = "Cancel the optimization"
        self.cancel = button("identify_make_cancel", "Cancel", title, "Stop the computation", act=acts["cancel_make"])
        self.progress = ProgressBar("identify_make_progress", "Progress of the optimization")
        tip = "Follow the trajectory with the controller and sensors set in Control; Trajectory shows the progress"
        self.run = button("identify_run", "Run", tip=tip, act=acts["run"])
        tip = "Follow and record the trajectory; the recording is added to “Recordings” as “fit”"
        record = button("identify_record", "Run and record", tip=tip, act=acts["record"])
        tip = "Open its waypoints in Trajectory to edit, save and run them"
        self._uses = self.run, record, button("identify_draft", "To Trajectory", tip=tip, act=acts["draft"])
        self.text = named(note(), "identify_motion_words")
        self._titled = time_plot("identify_motion", "Joint positions")
        self._titled.setContentsMargins(0, 6, 0, 0)
        self.plot = self._titled.view
        inside = column(
            row(self.make, self.cancel, self.progress, stretch=self.progress),
            row(*self._uses, None),
            self.text,
            form((("Duration", duration), ("Harmonics", harmonics))),
            None,
            margins=(12, 6, 6, 8),
        )
        area = scrolled(inside, "Excitation trajectory")
        fill(self, area, self._titled, margins=(0, 0, 12, 8), spacing=8, stretches=(2, 3), across=True)

    def bind(self, views: Binder, state: WindowState, status: JobStatus) -> None:
        """Bind the views."""
        model = self._model
        self.progress.follow(status, views)
        views.bind(lambda: self.form.show(vars(model)), on(model, "duration", "harmonics"))
        views.bind(lambda: self.text.setText(motion_text(model)), on(model, "motion", "motion_note", "why_not"))
        views.bind(lambda: self._show_possible(status.is_busy), on(model, "motion", "why_not"), on(status, "is_busy"))
        views.bind(lambda: self._draw(state), on(model, "motion"), on(state, "units"))

    def _show_possible(self, is_busy: bool) -> None:
        self.cancel.setEnabled(is_busy)
        self.make.setEnabled(not is_busy and not self._model.why_not)
        for press in self._uses:
            press.setEnabled(self._model.motion is not None and not is_busy)

    def _draw(self, state: WindowState) -> None:
        motion, units = self._model.motion, state.units
        if motion is None:
            self._titled.show_title()
            self.plot.show_curves([], 1.0, "Compute a trajectory to see it")
            return
        robot, trajectory = motion.robot, motion.trajectory
        t = np.linspace(0.0, trajectory.duration, SAMPLES)
        factors = np.array([units.factor(bool(slides)) for slides in robot.prismatic])
        symbols = ", ".join(sorted({units.symbol(bool(slides)) for slides in robot.prismatic}))
        self._titled.show_title(f"Joint positions  [{symbols}] over time  [s]")
        curves = Curves(t, trajectory.sample(t)[0] * factors, robot.joint_names, tuple(map(str, range(robot.n))))
        self.plot.show_curves([curves], trajectory.duration)


class RecordingsPage(QWidget):
    """Recordings with their uses, the settings, and the button *Identify*."""

    def __init__(self, model: IdentificationModel, acts: Mapping[str, Act]):
        super().__init__()
        self._model = model
        add = button("identify_add", "Add files…", tip="Add one or more recordings of any supported format", act=acts["add"])
        self.hint, self._rows = named(note(), "identify_hint"), QGridLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        self._rows.setColumnStretch(1, 1)
        chosen = QWidget()
        chosen.setLayout(self._rows)
        files = column(row(add, self.hint, stretch=self.hint), chosen, None, margins=(12, 6, 6, 8))
        areas = scrolled(files, "Recordings"), scrolled(self._settings(acts), "Estimation settings")
        fill(self, *areas, spacing=0, stretches=(1, 1), across=True)

    def _settings(self, acts: Mapping[str, Act]) -> QWidget:
        boxes: dict[str, QWidget] = {name: check(f"identify_{name}", text, tip) for name, (text, tip) in BOXES.items()}
        self.couplings = named(QLineEdit(), "identify_couplings", "Coupled drives", COUPLED)
        hold_out = number("identify_hold_out", "Held out", (0, 80), 25, step=5, suffix=" %", tip=HELD)
        cutoff = number("identify_cutoff", "Filter cut-off", (0, 1000), 0, decimals=1, suffix=" Hz", tip=FILTER)
        cutoff.setSpecialValueText("automatic")
        controls = {**boxes, "couplings": self.couplings, "hold_out": hold_out, "cutoff": cutoff}
        self.form = OptionForm(controls, self._model.set_option)
        tip = "Estimate the parameters of the arm in the background"
        self.go = primary(button("identify_go", "Identify", tip=tip, act=acts["identify"]))
        title = "Cancel the identification"
        self.cancel = button("identify_cancel", "Cancel", title, "Stop the computation", act=acts["cancel_identify"])
        self.progress = ProgressBar("identify_progress", "Progress of the identification")
        self.text, grid = named(note(), "identify_state"), QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        for k, box in enumerate(boxes.values()):
            grid.addWidget(box, k // 3, k % 3)
        ticks = QWidget()
        ticks.setLayout(grid)
        return column(
            row(self.go, self.cancel, self.progress, stretch=self.progress),
            self.text,
            ticks,
            row(QLabel("For validation: the last"), hold_out, QLabel("Filter"), cutoff),
            row(QLabel("Coupled drives"), self.couplings, stretch=self.couplings),
            None,
            margins=(6, 6, 12, 8),
        )

    def bind(self, views: Binder, status: JobStatus) -> None:
        """Bind the views."""
        model, busy = self._model, on(status, "is_busy")
        self.progress.follow(status, views)
        views.bind(self._show_entries, on(model, "entries"))
        views.bind(self._show_options, on(model, "options"))
        views.bind(self._show_joints, on(model, "robot"))
        views.bind(lambda: self._show_state(status.is_busy), on(model, "why_not_identify", "note"), busy)

    def _show_entries(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.setParent(None)
                old.deleteLater()
        model = self._model
        for k, entry in enumerate(model.entries):
            use = choice(f"identify_use_{k}", f"Use of {entry.name}", USES, now=entry.use)
            use.activated.connect(lambda _, k=k, use=use: model.set_use(k, use.currentData()))
            name = QLabel(entry.name)
            name.setToolTip(str(entry.source) if isinstance(entry.source, Path) else "Recording open in the window")
            name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            title, tip = f"Remove {entry.name} from the list", "Remove from the list"
            away = button(f"identify_remove_{k}", "✕", title, tip, QToolButton, act=partial(model.remove, k))
            for place, part in enumerate((use, name, away)):
                self._rows.addWidget(part, k, place, Qt.AlignmentFlag.AlignVCenter)
        self.hint.setText("fit: for the estimate · validate: for the residual only" if model.entries else "")

    def _show_options(self) -> None:
        options = self._model.options
        self.form.show(vars(options))
        for name in ("rotor", "couplings"):
            self.form.controls[name].setEnabled(not options.payload)

    def _show_joints(self) -> None:
        names = self._model.robot.joint_names  # the last two are usually joints of a wrist
        self.couplings.setPlaceholderText(f"none; for example {'+'.join(names[-2:])}" if len(names) > 1 else "none")

    def _show_state(self, is_busy: bool) -> None:
        why_not = self._model.why_not_identify
        self.cancel.setEnabled(is_busy)
        self.go.setEnabled(not why_not and not is_busy)
        self.text.setText("Identifying…" if is_busy else self._model.note or why_not)


class IdentificationPanel(TabbedPages):
    """One page per tab, in the order in which they are used; `acts` are commands by name."""

    def __init__(self, model: IdentificationModel, acts: Mapping[str, Act]):
        self.motion, self.recordings, self.result = MotionPage(model, acts), RecordingsPage(model, acts), ResultPage(model, acts)
        self.curves, self.parameters, self.example = CurvesPage(model), ParametersPage(model), ExamplePage(model, acts)
        pages = {
            "Motion": self.motion,
            "Recordings": self.recordings,
            "Result": self.result,
            "Torques": self.curves,
            "Parameters": self.parameters,
            "Example": self.example,
        }
        super().__init__("identify_tabs", "Identification", pages)

    def bind(self, views: Binder, state: WindowState, statuses: tuple[JobStatus, JobStatus, JobStatus]) -> None:
        """Bind the views; `statuses` of the excitation trajectory, the identification and the example."""
        motion, identification, example = statuses
        self.motion.bind(views, state, motion)
        self.recordings.bind(views, identification)
        self.result.bind(views)
        self.curves.bind(views)
        self.parameters.bind(views)
        self.example.bind(views, identification, example)
