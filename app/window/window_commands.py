"""What each action of the window does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from armature.app.installation import as_text, facts
from armature.app.scene.gl import gl_format
from armature.app.state.edits.edit_in_flight import EditInFlight
from armature.app.state.settings import CHOICES as SETTING_CHOICES
from armature.app.widgets.actions import Command, block
from armature.app.window.help_dialog import HelpDialog
from armature.app.window.menus import Menus
from armature.app.window.perspectives import Perspectives
from armature.app.workbench import Workbench
from armature.engine.version import VERSION


class AboutDialog(QDialog):
    """Non-modal: it can stay beside what is reported."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("about_dialog")
        self.setWindowTitle("About Armature")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = QLabel(f"Armature {VERSION}")
        title.setProperty("role", "title")
        line = QLabel("A workbench for robot arms with explanations and checkable results.")
        line.setWordWrap(True)
        self._text = QPlainTextEdit(as_text([*facts(), ("OpenGL", renderer())]))
        self._text.setReadOnly(True)
        self._text.setObjectName("about_text")
        self._text.setAccessibleName("Versions, folders and machine")
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy for a bug report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setObjectName("about_copy")
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for part in (title, line, self._text, buttons):
            layout.addWidget(part)
        em = self.fontMetrics().height()
        room = self.screen().availableSize()
        self.resize(min(44 * em, room.width() - 40), min(32 * em, room.height() - 60))

    def _copy(self):
        QGuiApplication.clipboard().setText(self._text.toPlainText())


def renderer() -> str:
    """Who draws, and whether that is the processor."""
    name = gl_format.renderer_name() or "none"
    return f"{name} ({'software rendering by the processor' if gl_format.is_software() else 'hardware'})"


WAITING_SHOWN, DONE_SHOWN = 6000, 4000  # ms
DONE = {"undo": "Undone", "redo": "Redone"}
PERSPECTIVE, THEME, TEXT = "View/Perspective", "View/Theme", "View/Text size"
COMMANDS = (
    *block(
        "File",
        1.1,
        Command(
            "open",
            "Open robot, trajectory or session…",
            "open",
            ("Ctrl+O",),
            "Also a cell, recording or log",
        ),
    ),
    *block("File", 3.0, Command("quit", "Quit", keys=("Ctrl+Q",), tip="Close the program")),
    *block(
        "Edit",
        1.0,
        Command(
            "undo", "Undo", "undo", ("Ctrl+Z",), "Undo the last edit of arm, pose, trajectory or external conditions", bar=1.0
        ),
        Command("redo", "Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z"), "Redo the last undone edit", bar=1.1),
    ),
    *block(
        PERSPECTIVE,
        1.0,
        Command("perspective_explore", "Explore", "", ("Ctrl+1",), "Joints, kinematics and DH frames", True, "perspective"),
        Command(
            "perspective_singularity",
            "Singularity",
            "",
            ("Ctrl+2",),
            "Singular poses and their causes",
            True,
            "perspective",
        ),
        Command("perspective_workspace", "Workspace", "", ("Ctrl+3",), "Positions that the tool can reach", True, "perspective"),
        Command("perspective_trajectory", "Trajectory", "", ("Ctrl+4",), "Trajectories and control", True, "perspective"),
        Command("perspective_dynamics", "Dynamics", "", ("Ctrl+5",), "Simulation, torques and energy", True, "perspective"),
        Command("perspective_equations", "Equations", "", ("Ctrl+6",), "Equations of the arm, with numbers", True, "perspective"),
        Command("perspective_all", "All panels", "", ("Ctrl+0",), "All panels at once", True, "perspective"),
    ),
    *block(
        "View/Panels",
        1.0,
        Command("fold_bottom", "Fold bottom panels", "", ("Ctrl+J",), "Collapse the bottom panels to their tabs", True),
        Command("reset_layout", "Default layout", tip="Restore the default place of all panels"),
    ),
    *block(
        THEME,
        1.0,
        Command("theme_system", "System", checkable=True, group="theme"),
        Command("theme_light", "Light", checkable=True, group="theme"),
        Command("theme_dark", "Dark", checkable=True, group="theme"),
    ),
    *block(
        "View/Units",
        1.0,
        Command("angle_deg", "deg", tip="Show angles in degrees", checkable=True, group="angle", bar=11.0),
        Command("angle_rad", "rad", tip="Show angles in radians", checkable=True, group="angle", bar=11.1),
    ),
    *block(
        "View/Units",
        2.0,
        Command("length_m", "Metres", tip="Show lengths of joints and tool in metres", checkable=True, group="length"),
        Command("length_mm", "Millimetres", tip="Show lengths of joints and tool in millimetres", checkable=True, group="length"),
    ),
    *block(
        TEXT,
        1.0,
        Command("text_100", "100 %", checkable=True, group="text"),
        Command("text_125", "125 %", checkable=True, group="text"),
        Command("text_150", "150 %", checkable=True, group="text"),
        Command("text_200", "200 %", checkable=True, group="text"),
    ),
    *block(
        "Help",
        1.0,
        Command(
            "help",
            "Commands and first steps",
            "help",
            ("Ctrl+Shift+P",),
            "Find and run any command; lists all keys and the first steps",
            bar=12.1,
        ),
        Command("about", "About Armature", tip="Versions, folders and machine, for bug reports"),
    ),
)
CHOICES = {
    "theme": ("theme", ("system", "light", "dark")),
    "angle": ("angle_unit", ("deg", "rad")),
    "length": ("length_unit", ("m", "mm")),
    "text": ("text_scale", SETTING_CHOICES["text_scale"]),
    "perspective": ("perspective", SETTING_CHOICES["perspective"]),
}


class WindowCommands(QObject):
    """Connects the actions of the window itself, and the preferences to what they govern."""

    def __init__(self, bench: Workbench, menus: Menus, perspectives: Perspectives, dress: Callable[[], None]):
        super().__init__(bench.parent)
        self._bench, self._menus, self._perspectives, self._dress = bench, menus, perspectives, dress
        self._help: HelpDialog | None = None
        self._file_commands()
        self._choices()
        bench.preferences.changed.connect(self._on_preference)
        QApplication.styleHints().colorSchemeChanged.connect(self._on_system_theme)

    def _file_commands(self):
        bench, on = self._bench, self._bench.actions.on
        on("open", bench.files.ask_open)
        on("quit", bench.parent.close)
        on("help", self._show_help)
        on("about", self._show_about)
        on("reset_layout", self._perspectives.reset)
        self._menus.fill_recent(bench.preferences.now.recent_files, bench.files.open_path)
        stack = bench.document.undo_stack
        on("undo", lambda: self._take_step("undo", stack.index() - 1, stack.undo))
        on("redo", lambda: self._take_step("redo", stack.index(), stack.redo))
        for signal in (stack.canUndoChanged, stack.canRedoChanged, stack.undoTextChanged, stack.redoTextChanged):
            signal.connect(self._update_undo)
        self._update_undo()

    def _update_undo(self, *_):
        bench, stack = self._bench, self._bench.document.undo_stack
        for name, can, text in (("undo", stack.canUndo(), stack.undoText()), ("redo", stack.canRedo(), stack.redoText())):
            action = bench.actions[name]
            action.setEnabled(can)
            action.setText(f"{name.capitalize()} {text}".strip())

    def _take_step(self, name: str, number: int, step: Callable[[], None]):
        """Undo or redo an edit; one of arm or pose waits for a pause, since the simulation moves it."""
        bench, edit = self._bench, self._bench.document.undo_stack.command(number)
        if bench.simulation.running and not isinstance(edit, EditInFlight):
            bench.status_line.showMessage(
                f"“{bench.actions[name].text()}” needs a paused simulation. Press Space to pause.", WAITING_SHOWN
            )
        else:
            what = edit.text()
            step()
            bench.status_line.showMessage(f"{DONE[name]}: {what}", DONE_SHOWN)  # it may be of what is not in view

    def _choices(self):
        for group, (field, values) in CHOICES.items():
            for value in values:
                action = self._bench.actions[f"{group}_{value}"]
                action.setChecked(vars(self._bench.preferences.now)[field] == value)
                action.triggered.connect(lambda _=False, field=field, value=value: self._on_choice(field, value))

    def _on_choice(self, field: str, value):
        if field == "perspective":
            self._perspectives.choose(value)
        else:
            self._bench.preferences.set(**{field: value})

    def _on_preference(self, field: str):
        bench, now = self._bench, self._bench.preferences.now
        if field in ("theme", "text_scale"):
            self._dress()
        elif field in ("warn_condition", "stop_condition"):
            bench.readouts.set_thresholds(now.warn_condition, now.stop_condition)
        elif field == "recent_files":
            self._menus.fill_recent(now.recent_files, bench.files.open_path)

    def _on_system_theme(self, _):
        if self._bench.preferences.now.theme == "system":
            self._dress()

    def _show_help(self):
        if self._help is None:
            self._help = HelpDialog(self._bench.actions, self._bench.parent)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    def _show_about(self):
        AboutDialog(self._bench.parent).show()
