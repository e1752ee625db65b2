"""What each action of the window does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QMessageBox

import engine
from app.actions import OVERLAY_NAMES
from app.edits import next_gesture
from app.help_dialog import HelpDialog
from app.menus import VIEWS
from app.settings import CHOICES as SETTING_CHOICES

if TYPE_CHECKING:
    from app.main_window import MainWindow

CHOICES = {
    "theme": ("theme", ("system", "light", "dark")),
    "angle": ("angle_unit", ("deg", "rad")),
    "length": ("length_unit", ("m", "mm")),
    "shapes": ("shapes", ("visual", "collision", "both")),
    "text": ("text_scale", (100, 125, 150)),
    "perspective": ("perspective", SETTING_CHOICES["perspective"]),
}


class WindowCommands(QObject):
    """Connects the actions of `window` to its parts, and the preferences to what they govern."""

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window, self._help, self._drag = window, None, next_gesture()
        self._file_commands()
        self._simulation_commands()
        self._view_commands()
        self._choices()
        self._drags()
        window.preferences.changed.connect(self._on_preference)
        for panel in (window.joints, window.kinematics, window.plots):
            window.preferences.units_changed.connect(panel.set_units)
        QApplication.instance().styleHints().colorSchemeChanged.connect(self._on_system_theme)

    def _file_commands(self):
        window, on = self._window, self._window.actions_.on
        on("open", window.files.ask_open)
        on("quit", window.close)
        on("help", self._show_help)
        on("about", self._show_about)
        on("reset_layout", window.perspectives.reset)
        window.menus.fill_robots(engine.shipped_robots(), window.files.open_robot)
        window.menus.fill_recent(window.preferences.now.recent_files, window.files.open_path)
        stack = window.document.undo_stack
        on("undo", stack.undo)
        on("redo", stack.redo)
        for signal in (stack.canUndoChanged, stack.canRedoChanged, stack.undoTextChanged, stack.redoTextChanged):
            signal.connect(self.update_undo)

    def update_undo(self, *_):
        """Undo and redo edit the pose, so they rest while the simulation moves it."""
        window, stack = self._window, self._window.document.undo_stack
        paused = not window.simulation.running
        for name, can, text in (("undo", stack.canUndo(), stack.undoText()), ("redo", stack.canRedo(), stack.redoText())):
            action = window.actions_[name]
            action.setEnabled(can and paused)
            action.setText(f"{name.capitalize()} {text}".strip())

    def _simulation_commands(self):
        window, on = self._window, self._window.actions_.on
        on("run", self._run)
        on("pause", window.simulation.pause)
        on("step", self._step)
        on("reset", self._reset)
        on("slower", lambda: window.simulation_panel.change_speed(-1))
        on("faster", lambda: window.simulation_panel.change_speed(1))

    def _run(self):
        self._window.recordings.close_replay()
        self._window.simulation.run()

    def _step(self):
        self._window.recordings.close_replay()
        self._window.simulation.step()

    def _reset(self):
        self._window.recordings.close_replay()
        self._window.plots.clear()
        self._window.simulation_panel.show_message("")
        self._window.simulation.reset()

    def _view_commands(self):
        window, actions, shown = self._window, self._window.actions_, self._window.preferences.now.overlays
        actions.on("fit", window.scene.fit)
        actions.on("clear_trace", window.scene.clear_trace)
        for name in VIEWS:
            actions.on(f"view_{name}", partial(window.scene.standard_view, name))
        for name in OVERLAY_NAMES:
            action = actions[f"show_{name}"]
            action.setChecked(shown[name])
            window.scene.set_overlay(name, shown[name])
            action.toggled.connect(partial(window.scene.set_overlay, name))
            action.toggled.connect(partial(window.preferences.set_overlay, name))

    def _choices(self):
        for group, (field, values) in CHOICES.items():
            for value in values:
                action = self._window.actions_[f"{group}_{value}"]
                action.setChecked(getattr(self._window.preferences.now, field) == value)
                action.triggered.connect(lambda _=False, field=field, value=value: self._window.preferences.set(**{field: value}))

    def _drags(self):
        scene = self._window.scene
        scene.drag_started.connect(self._begin_drag)
        scene.joint_dragged.connect(self._on_drag)

    def _begin_drag(self, _joint: int):
        self._drag = next_gesture()
        self._window.recordings.close_replay()
        if self._window.simulation.running:
            self._window.banner.show_message("info", "Pause the simulation (Space) to set joints by hand.")

    def _on_drag(self, joint: int, value: float):
        if not self._window.simulation.running:
            self._window.document.edit_joint(joint, value, self._drag)

    def go_to_pose(self, name: str):
        """Take the arm to one of its named poses."""
        window = self._window
        window.recordings.close_replay()
        if window.simulation.running:
            window.simulation.pause()
        window.document.edit(window.document.robot.configurations[name], text=f"pose {name}")

    def _on_preference(self, field: str):
        window, now = self._window, self._window.preferences.now
        if field in ("theme", "text_scale"):
            window.apply_theme()
        elif field in ("warn_condition", "stop_condition"):
            window.readouts.set_thresholds(now.warn_condition, now.stop_condition)
        elif field == "recent_files":
            window.menus.fill_recent(now.recent_files, window.files.open_path)

    def _on_system_theme(self, _):
        if self._window.preferences.now.theme == "system":
            self._window.apply_theme()

    def _show_help(self):
        if self._help is None:
            self._help = HelpDialog(self._window.actions_, self._window)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    def _show_about(self):
        box = QMessageBox(self._window)
        box.setObjectName("about_dialog")
        box.setWindowTitle("About Armature")
        box.setText("Armature")
        box.setInformativeText("A workbench for robot arms: what it shows is explained, what it computes can be checked.")
        box.open()
        box.finished.connect(box.deleteLater)
