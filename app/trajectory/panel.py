"""The trajectory dock: waypoints, how to pass them, a look ahead, and the run."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QPushButton, QSlider, QToolButton, QWidget

from armature.app.state.evented import Binder, on
from armature.app.state.frame_clock import FrameClock
from armature.app.state.shared_sentences import capital
from armature.app.state.window_state import WindowState
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.trajectory_forms import PayloadForm, ToolLimitsSection, WaypointForm
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.trajectory.trajectory_plots import TrajectoryPlots
from armature.app.trajectory.trajectory_run import TrajectoryRun
from armature.app.trajectory.trajectory_texts import STATUS_FIELDS, run_tip, status
from armature.app.trajectory.waypoint_table import WaypointModel, WaypointTable
from armature.app.widgets.controls import Button, button, choice, named, number, row
from armature.app.widgets.parameter_rows import ParameterRows
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, page
from armature.app.widgets.steady import Steady

FINE = 1000  # positions of the slider
REPEATS = {"once": "once", "loop": "in a loop", "back-and-forth": "back and forth"}
MORE = (
    ("load", "Load trajectory…", "Open a trajectory file (TOML)"),
    ("save", "Save trajectory…", "Write a trajectory file (TOML)"),
    (
        "function",
        "Trajectory function (Python)…",
        "Plan the motion that a Python file defines as trajectory(t, p); plan again each time the file is saved",
    ),
    ("", "", ""),
    ("example", "Example: pick and place", "Pick up an object of 851 g, carry it and put it down"),
    ("reverse", "Reverse", "Reverse the order of the waypoints"),
    ("clear", "Remove all waypoints", "Empty the trajectory; Undo restores it"),
)
EDITS = (
    ("go", "Go to", "Move the arm to this waypoint"),
    ("replace", "Teach here", "Set this waypoint to the current pose of the arm"),
    ("up", "↑", "Move the waypoint up in the list"),
    ("down", "↓", "Move the waypoint down in the list"),
    ("delete", "Delete", "Remove this waypoint"),
)


class TrajectoryPanel(QWidget):
    """Views of the model; `perform(name)` calls a command, `look` is the ghost."""

    def __init__(self, model: TrajectoryModel, state: WindowState, look: LookAhead, perform: Callable[[str], None]):
        super().__init__()
        self._model, self._state, self._look, self._perform = model, state, look, perform
        content = page(self, "Trajectory")
        self._tokens: Tokens | None = None
        self.buttons: dict[str, QAbstractButton] = {}
        self.entries: dict[str, QAction] = {}
        self._rows = WaypointModel(model)
        self.table = WaypointTable(self._rows)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._on_row(now.row()))
        self.fields, self.load = WaypointForm(model, state), PayloadForm(model, state)
        self._status = QLabel()
        self._status.setObjectName("trajectory_status")
        self._status.setWordWrap(True)
        self._progress = named(QLabel(), "trajectory_progress")
        self._progress.setWordWrap(True)
        self._progress.hide()
        self.tool_limits = ToolLimitsSection(model, state)
        self._plots = Section("Planned trajectory")
        self.plots = TrajectoryPlots(model, state)
        self._plots.add(self.plots)
        self.parameters = ParameterRows("trajectory", "the trajectory function")
        parts = (self._head(), self.table, self._edits(), Steady(6, self.fields), self.load, self.parameters)
        for part in (
            *parts,
            self._how(),
            self._transport(),
            Steady(6, self._progress, self._status),
            self.tool_limits,
            self._plots,
        ):
            content.addWidget(part)
        content.addStretch(1)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table, context=Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(lambda: self._perform("delete"))

    def _head(self) -> QWidget:
        joints = self._button("add_joints", "+ Joints", "Add a waypoint at the current joint positions", QPushButton)
        tip = "Add a waypoint at the current tool pose; inverse kinematics finds the joint positions"
        tool = self._button("add_tool", "+ Tool pose", tip, QPushButton)
        more = self._button("more", "More  ▾", "Files, the example, and commands for all waypoints", QToolButton)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for name, text, tip in MORE:
            if not name:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.setObjectName(f"trajectory_{name}")
            action.setToolTip(tip)
            action.triggered.connect(lambda _=False, name=name: self._perform(name))
            self.entries[name] = action
        more.setMenu(menu)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return row(joints, tool, None, more, spacing=4)

    def _edits(self) -> QWidget:
        return row(*(self._button(*edit, QToolButton) for edit in EDITS), None, spacing=4)

    def _how(self) -> QWidget:
        title = "Speed in percent of the limits"
        tip = "Percentage of the joint and tool limits used by motions without a given time"
        self._speed = number("trajectory_speed", title, (1, 100), 100, step=5, suffix=" %", tip=tip)
        self._speed.valueChanged.connect(lambda percent: self._model.change("speed", speed=percent / 100))
        tip = "A loop must end at its first waypoint; back and forth has no such condition"
        self._repeat = choice("trajectory_repeat", "Repetition", REPEATS, tip)
        self._repeat.activated.connect(lambda _: self._model.change("repeat", repeat=self._repeat.currentData()))
        return row(QLabel("Speed"), self._speed, self._repeat, None, spacing=4)

    def _transport(self) -> QWidget:
        run = self._button("run", "Run", "", QPushButton)
        run.setProperty("role", "primary")
        stop = self._button(
            "stop",
            "Stop",
            "End the run, pause the simulation and disable the controller; the torque sliders apply again",
            QPushButton,
        )
        look = self._button("look", "", "Preview the trajectory with a ghost; the arm does not move", QToolButton)
        contact = self._button(
            "contact", "Contact", "Show a ghost of the arm at the first contact of the trajectory", QToolButton
        )
        tip = "Drag to see a ghost of the arm at this time"
        self._slider = named(QSlider(Qt.Orientation.Horizontal), "trajectory_time", "Time of the preview", tip)
        self._slider.setRange(0, FINE)
        self._slider.valueChanged.connect(lambda position: self._look.seek(position / FINE))
        return row(run, stop, look, self._slider, contact, stretch=self._slider, spacing=4)

    def _button(self, name: str, text: str, tip: str, kind: type[Button]) -> Button:
        self.buttons[name] = result = button(f"trajectory_{name}", text, tip or text, tip, kind)
        if name != "more":
            result.clicked.connect(lambda: self._perform(name))
        result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return result

    def bind(self, views: Binder, later: Callable[[Callable[[], None]], None]) -> None:
        """Bind the views; `later(view)` calls a view when the dock is visible."""
        model, state = self._model, self._state
        self.fields.bind(views)
        self.load.bind(views)
        self.plots.bind(views)
        views.bind(self._show_draft, on(model, "draft"))
        views.bind(self._show_rows, on(model, "rows", "selected"))
        views.bind(lambda: later(self.tool_limits.show_limits), on(model, "robot", "draft"), on(state, "units"))
        views.bind(self._show_possible, on(model, "possible_commands"))
        views.bind(self._show_run, on(model, "robot", "is_refused"))
        views.bind(self._show_status, on(model, *STATUS_FIELDS), on(state, "units"))

    def _on_row(self, row: int) -> None:
        if row >= 0 and row != self._model.selected:
            self._look.select(row)

    def _show_draft(self) -> None:
        with QSignalBlocker(self._speed):
            self._speed.setValue(round(100 * self._model.draft.speed))
        self._repeat.setCurrentIndex(self._repeat.findData(self._model.draft.repeat))

    def _show_rows(self) -> None:
        self._rows.set_rows(self._model.rows)
        self.table.select(self._model.selected)

    def _show_possible(self) -> None:
        parts: dict[str, QAbstractButton | QAction] = {**self.buttons, **self.entries}
        for name, part in parts.items():
            part.setEnabled(name in self._model.possible_commands)

    def _show_run(self) -> None:
        self.buttons["run"].setText("Run anyway" if self._model.is_refused else "Run")
        self.buttons["run"].setToolTip(run_tip(self._model))

    def _show_status(self) -> None:
        text, severity = status(self._model, self._state.units)
        self._status.setText(capital(text))
        set_style_property(self._status, "severity", severity.value)

    def follow(self, run: TrajectoryRun, views: Binder, clock: FrameClock) -> None:
        """Show the times of ghost and run, which change with every frame and bypass the binder."""
        model = self._model
        self._look.moved.connect(self._show_ghost)
        run.moved.connect(lambda: self.plots.show_cursor(run.time) if model.is_shown else None)
        clock.reading.connect(lambda: self._show_progress(run.text) if model.is_shown and model.followed is not None else None)
        views.bind(lambda: self._show_progress(run.text) if model.followed is None else None, on(model, "followed", "run_note"))

    def _show_ghost(self) -> None:
        look, button_ = self._look, self.buttons["look"]
        with QSignalBlocker(self._slider):
            if not self._slider.isSliderDown():
                self._slider.setValue(round(look.fraction * FINE))
        if button_.property("playing") != look.running:
            button_.setProperty("playing", look.running)
            self._draw_icons()
        if self._model.followed is None:
            self.plots.show_cursor(None if self._model.preview is None else look.t)

    def _show_progress(self, text: str) -> None:
        self._progress.setText(text)
        self._progress.setVisible(bool(text))

    def set_theme(self, tokens: Tokens):
        """Colours and fonts."""
        self._tokens = tokens
        self.table.refit()
        self.fields.refit()
        self.load.refit()
        self.tool_limits.refit()
        self.parameters.set_theme(tokens)
        self.plots.set_theme(tokens)
        self._draw_icons()

    def _draw_icons(self):
        look = self.buttons["look"]
        if self._tokens is not None:
            look.setIcon(icon("pause" if look.property("playing") else "run", self._tokens.text))
