"""The trajectory dock: waypoints, how to pass them, a look ahead, and the run."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QPushButton, QSlider, QToolButton, QWidget

from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import capital
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.trajectory.tool_limits_section import ToolLimitsSection
from armature.app.trajectory.trajectory_plots import TrajectoryPlots
from armature.app.trajectory.waypoint_fields import WaypointFields
from armature.app.trajectory.waypoint_load import WaypointLoad
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
    """Tells `requested(name)` of a button or menu entry, the `selected` row, a moment `sought` 0…1, a speed and a repeat."""

    requested = Signal(str)
    selected = Signal(int)
    sought = Signal(float)
    speed_chosen = Signal(float)
    repeat_chosen = Signal(str)

    def __init__(self, units: Units):
        super().__init__()
        content = page(self, "Trajectory")
        self._tokens: Tokens | None = None
        self.buttons: dict[str, QAbstractButton] = {}
        self.entries: dict[str, QAction] = {}
        self.model = WaypointModel()
        self.table = WaypointTable(self.model)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self.selected.emit(now.row()))
        self.fields, self.load = WaypointFields(units), WaypointLoad()
        self._status = QLabel()
        self._status.setObjectName("trajectory_status")
        self._status.setWordWrap(True)
        self._progress = named(QLabel(), "trajectory_progress")
        self._progress.setWordWrap(True)
        self._progress.hide()
        self.tool_limits = ToolLimitsSection(units)
        self._plots = Section("Planned trajectory")
        self.plots = TrajectoryPlots(units)
        self._plots.add(self.plots)
        self.parameters = ParameterRows("trajectory", "the trajectory function")
        parts = (self._head(), self.table, self._edits(), Steady(6, self.fields), self.load, self.parameters)
        for part in (
            *parts,
            self._how(),
            self._transport(),
            Steady(4, self._progress, self._status),
            self.tool_limits,
            self._plots,
        ):
            content.addWidget(part)
        content.addStretch(1)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.table, context=Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(lambda: self.requested.emit("delete"))

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
            action.triggered.connect(lambda _=False, name=name: self.requested.emit(name))
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
        self._speed.valueChanged.connect(lambda percent: self.speed_chosen.emit(percent / 100))
        tip = "A loop must end at its first waypoint; back and forth has no such condition"
        self._repeat = choice("trajectory_repeat", "Repetition", REPEATS, tip)
        self._repeat.activated.connect(lambda _: self.repeat_chosen.emit(self._repeat.currentData()))
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
        tip = "Drag to see a ghost of the arm at this time"
        self._slider = named(QSlider(Qt.Orientation.Horizontal), "trajectory_time", "Time of the preview", tip)
        self._slider.setRange(0, FINE)
        self._slider.valueChanged.connect(lambda position: self.sought.emit(position / FINE))
        return row(run, stop, look, self._slider, stretch=self._slider, spacing=4)

    def _button(self, name: str, text: str, tip: str, kind: type[Button]) -> Button:
        self.buttons[name] = result = button(f"trajectory_{name}", text, tip or text, tip, kind)
        if name != "more":
            result.clicked.connect(lambda: self.requested.emit(name))
        result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return result

    def show_draft(self, speed: float, repeat: str):
        """How the trajectory is run through."""
        with QSignalBlocker(self._speed):
            self._speed.setValue(round(100 * speed))
        self._repeat.setCurrentIndex(self._repeat.findData(repeat))

    def allow(self, **allowed: bool):
        """Which buttons can be pressed, and which entries of the menu chosen."""
        for name, on in allowed.items():
            (self.buttons.get(name) or self.entries[name]).setEnabled(on)

    def offer_run(self, text: str, tip: str):
        """What Run is called, and what it will do."""
        self.buttons["run"].setText(text)
        self.buttons["run"].setToolTip(tip)

    def show_time(self, fraction: float, playing: bool):
        """Where the look ahead is, 0…1."""
        with QSignalBlocker(self._slider):
            if not self._slider.isSliderDown():
                self._slider.setValue(round(fraction * FINE))
        if self.buttons["look"].property("playing") != playing:
            self.buttons["look"].setProperty("playing", playing)
            self._draw_icons()

    def show_status(self, text: str, severity: Severity = Severity.INFO):
        """One sentence about the trajectory."""
        self._status.setText(capital(text))
        set_style_property(self._status, "severity", severity.value)

    def show_progress(self, text: str):
        """How far the run is; empty where nothing runs."""
        self._progress.setText(text)
        self._progress.setVisible(bool(text))

    def set_units(self, units: Units):
        """Values and curves in other units."""
        self.fields.set_units(units)
        self.tool_limits.set_units(units)
        self.plots.set_units(units)

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
