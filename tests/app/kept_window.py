"""`KeptWindow`: one window for all tests of a process that any window serves; between them it becomes again what it was."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from dataclasses import replace

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QDialog, QScrollArea, QTabBar, QWidget

from armature import engine
from armature.app.hand.feature import HandFeature
from armature.app.identification.feature import IdentificationFeature
from armature.app.late_feature import LateFeature
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.scene.camera.camera import STANDARD_VIEWS
from armature.app.state.choices.overlay_choices import OVERLAYS
from armature.app.state.settings import Settings
from armature.app.state.slices import Slices
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.view.camera_feature import CameraFeature
from armature.app.widgets.tables.entry_table import EntryTable
from armature.engine.contact.cell import floor_cell
from tests.time_limits import FACTOR, WAIT

TOOL_TIP = "qtooltip_label"  # as Qt calls it
STEADY = {"perspective": "all", "camera_glides": False}
ROBOT, SIZE = "puma560", (1400, 640)  # software OpenGL puts all of it on the screen anew, whatever little has changed
AS_IT_STARTS = (1400, 900)
PACE = 4.0  # simulated seconds a second, since so much is waited for; `at_real_time` has one
LIVE = (  # settings that a window takes on while it is there as if it had begun with them
    "perspective",
    "text_scale",
    "theme",
    "shapes",
    "recent_files",
    "recording_folder",
    "screenshot_folder",
)
QTS = ("Scroll", "qt_tableview")  # arrows of a row of tabs, corners of tables: Qt's own
ALONE = ("examination_", "finding_", "builder_")  # what comes by itself, a moment after the robot or once it is seen


class KeptWindow:
    """Lends the window; what a test left in it that another robot and the settings of before do not undo ends it.

    `threads` and `timers` are those that it began with.
    """

    def __init__(self) -> None:
        self.window = None
        self.lent = False
        self.threads: set[threading.Thread] = set()
        self.timers: list[QTimer] = []
        self._made_for: tuple = ()
        self._robot: engine.Robot | None = None
        self._settings = Settings()
        self._values: list[tuple[QWidget, float | None]] = []
        self._checked: list[QAction] = []
        self._as_made: dict = {}
        self._layout = b""

    def lend(self, robot: str, size: tuple[int, int], changes: dict, folders: dict):
        """A window like one just made: the one that is kept, else a new one."""
        live = {name: value for name, value in changes.items() if name in LIVE}
        turned = {name: value for name, value in changes.items() if name in TURNED}
        lasting = {name: value for name, value in changes.items() if name not in {**live, **turned} and value != STEADY.get(name)}
        made_for = (repr(lasting), QLocale().name())
        if self.window is not None and self._made_for != made_for:
            self.end()
        if self.window is None:
            self._make({**folders, **lasting})
            self._made_for = made_for
        window = self.window
        self.lent = True
        if size != SIZE:
            window.setUpdatesEnabled(True)
            window.resize(*size)
            settle()
            window.perspectives.reset()
        window.preferences.set(**{**folders, **live})
        for name, value in turned.items():
            TURNED[name](window, value)
        if robot != ROBOT:
            window.document.open_robot(robot)
        window.setUpdatesEnabled(True)
        gc.disable()  # a window of a test's own has left it to Python again when it was closed
        settle()
        _activate(window)
        wait_for_readouts(window)
        return window

    def _make(self, changes: dict) -> None:
        before = set(threading.enumerate())
        self._robot, self._settings = engine.load_robot(ROBOT), replace(Settings(), **{**STEADY, **changes})
        self.window = shown(ROBOT, self._settings, SIZE)
        for feature in self.window.features:
            if isinstance(feature, LateFeature):
                feature.dock.wake()  # what a test changes in it is put back, too
        _finish_slices(self.window)
        set_pace(self.window, PACE)
        self.threads, self.timers = set(threading.enumerate()) - before, active_timers()
        self._checked = [action for action in self.window.actions_.all() if action.isChecked()]
        self._put_back()  # what it is after a test, it is before the first one, too
        self.window.perspectives.reset()
        settle()
        self._values = [(widget, _value(widget)) for widget in _inputs(self.window)]
        self._as_made, self._layout = _state(self.window), _layout(self.window)
        spare()  # a collection after each test would look at all of the window

    def take_back(self) -> None:
        """Make it again what it was, and end it where that fails."""
        if not self.lent:
            return
        self.lent = False
        if not shiboken6.isValid(self.window) or not self.window.isVisible():
            self.end()
            return
        self.window.setUpdatesEnabled(False)  # painted when it is lent again, as it is to be then
        self._put_back()
        settle()
        as_made = _state(self.window) == self._as_made
        if not as_made:
            self.window.perspectives.reset()  # where another dock is in front
            settle()
            as_made = _state(self.window) == self._as_made
        if as_made:
            self._layout = _layout(self.window)  # docks laid out anew are written differently
        else:
            self.end()

    def end(self) -> None:
        """Close it."""
        if self.window is None:
            return
        if shiboken6.isValid(self.window):
            self.window.close()
            self.window.deleteLater()
        self.window, self.threads, self.timers = None, set(), []
        self._values, self._checked = [], []
        settle()
        gc.unfreeze()
        spare()

    def _put_back(self) -> None:
        window = self.window
        for other in QApplication.topLevelWidgets():
            if isinstance(other, QDialog) or other.objectName() == TOOL_TIP:
                other.close()
        keeper = window.features[RobotFileFeature]
        keeper.given_up = True  # else an arm under edit is kept for another start
        trajectory = window.features[TrajectoryFeature].model
        trajectory.discard_all()
        cell = window.bench.cell
        cell.set(floor_cell(window.document.robot.floor))
        cell.select("")
        for name in cell.hidden:
            cell.show(name, True)
        for _ in range(2):  # another perspective keeps the arrangement of the one before
            window.preferences.set(**vars(self._settings))
        _finish_slices(window)  # panels that are not seen put on the theme later
        window.features[CameraFeature]._cameras = {}
        window.document.set_robot(self._robot)
        keeper.given_up = False
        trajectory.put(Draft())
        window.scene.select_joint(-1)
        window.scene.recall_view(STANDARD_VIEWS["iso"])
        for name, on in self._settings.overlays.items():
            window.scene.set_overlay(name, on)
        _finish_slices(window)  # panels that nobody sees take the robot's shape a turn after another
        wait_for_readouts(window)
        _wait_until(lambda: window.simulation.recording is None)
        window.features[IdentificationFeature].model.entries = ()
        window.recordings.last_path = None
        window.actions_["replay_last"].setEnabled(False)
        if self._inputs_put_back():
            window.document.set_robot(self._robot)
            _finish_slices(window)
        window.showNormal()
        if window.size().toTuple() != SIZE:
            window.resize(*SIZE)
            settle()
        if _layout(window) != self._layout:
            window.restoreState(self._layout)
            window.docks.fit()
        for area in window.findChildren(QScrollArea):
            area.verticalScrollBar().setValue(0)
        _set_plots(window, self._settings.plots)
        window.banner.dismiss()
        window.banner.text.clear()
        window.status_line.clearMessage()
        _activate(window)
        wait_for_readouts(window)

    def _inputs_put_back(self) -> bool:
        """What another robot does not change; whether there was anything."""
        actions = [action for action in self.window.actions_.all() if action.isChecked() != (action in self._checked)]
        for action in actions:
            if action in self._checked or action.actionGroup() is None:  # one of a group rises when another goes down
                action.trigger()
        inputs = [(widget, value) for widget, value in self._values if shiboken6.isValid(widget) and _value(widget) != value]
        for widget, value in inputs:
            _set(widget, value)
        return bool(actions or inputs)


def _set_plots(window, names: tuple[str, ...]) -> None:
    """As after a start with these in the settings."""
    window.plots._row._offered.clear()
    window.plots.set_plots(names)


def _choose_format(window, suffix: str) -> None:
    """Of new recordings."""
    box = window.findChild(QComboBox, "recording_format")
    box.setCurrentIndex(box.findData(suffix))


TURNED = {"plots": _set_plots, "recording_format": _choose_format}  # settings that a window takes by its controls


def set_pace(window, pace: float) -> None:
    """Simulated seconds a second."""
    box = window.findChild(QComboBox, "simulation_speed")
    box.setCurrentIndex(box.findData(pace))


SPARED: list[QTimer] = []  # timers that `gc.get_objects` does not name any more


def spare() -> None:
    """What is there stays out of the collections to come."""
    gc.collect()
    SPARED.extend(found_timers())
    gc.freeze()


def found_timers() -> list[QTimer]:
    """Those that a collection would look at, once no job is at work: Python would spoil its half-made tuples."""
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(WAIT)
    kinds = _with_subclasses(QTimer)
    return [t for t in gc.get_objects() if type(t) in kinds and shiboken6.isValid(t)]


def _with_subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(_with_subclasses, kind.__subclasses__()))


def active_timers() -> list[QTimer]:
    """Those that run."""
    return [t for t in (*SPARED, *found_timers()) if shiboken6.isValid(t) and t.isActive()]


def shown(robot, settings: Settings, size: tuple[int, int]):
    """The whole program on the screen, with the focus of the keyboard."""
    from armature.app.application import build_window

    window = build_window(robot, settings)
    window.bench.startup.finish()  # without waiting for kernels that the test does not need
    window.resize(*size)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowExposed(window, 1000 * WAIT)
    assert QTest.qWaitForWindowActive(window, 1000 * WAIT)
    QTest.qWait(50)
    wait_for_readouts(window)
    return window


def _finish_slices(window) -> None:
    """What goes on in slices is done."""
    for slices in window.findChildren(Slices):
        slices.finish()


def _activate(window) -> None:
    """Keys go to its view, whichever window had them before."""
    window.activateWindow()
    if not window.isActiveWindow():
        QTest.qWaitForWindowActive(window)
    window.scene.setFocus()


def wait_for_readouts(window) -> None:
    """Until what follows from the pose stands in the panels."""
    _wait_until(lambda: window.readouts.latest is not None and window.readouts.latest.q is window.document.q)
    settle()


def _wait_until(condition: Callable[[], bool]) -> None:
    """For a second of a quiet machine at most: what then is as it should not be is seen."""
    for _ in range(100 * FACTOR):
        if condition():
            break
        QTest.qWait(10)


def settle() -> None:
    """Let everything happen that is due."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


INPUTS = (QAbstractButton, QAbstractSpinBox, QComboBox, QTabBar)


def _state(window) -> dict:
    """What a person can see or set: every control, the actions, the docks, the camera, the pose, the settings."""
    inputs = _inputs(window)
    controls = [
        (w.objectName(), type(w).__name__, w.isVisible(), w.isEnabled(), w.text() if hasattr(w, "text") else "") for w in inputs
    ]
    actions = [(a.objectName(), a.text(), a.isEnabled(), a.isChecked()) for a in window.actions_.all()]
    document, scene = window.document, window.scene
    return {
        "controls": sorted(map(repr, controls)),
        "set": sorted(repr((w.objectName(), _value(w))) for w in inputs),
        "actions": sorted(map(repr, actions)),
        "tables": sorted((table.objectName(), _rows(table)) for table in window.findChildren(EntryTable) if _counts(table)),
        "docks": [(dock.name, dock.isFloating(), dock.visibleRegion().isEmpty()) for dock in window.docks.all()],
        "window": (window.size().toTuple(), window.windowTitle(), window.isActiveWindow()),
        "arm": (document.robot.name, document.q.tolist(), document.undo_stack.count(), window.simulation.running),
        "view": (repr(scene.camera.state()[:2]), scene.selected, repr(scene.pointer.mode), window.replay.replaying),
        "overlays": {name: scene.overlay(name) for name in OVERLAYS},
        "hand": (window.features[HandFeature]._keys._chosen, scene.gizmo.look.hovered, scene.gizmo.look.active),
        "settings": replace(window.preferences.now, layouts={}, cameras={}),
    }


def _layout(window) -> bytes:
    """Where the docks are."""
    return bytes(window.saveState().data())


def _rows(table: EntryTable) -> list[list]:
    """What stands in a table."""
    model = table.model()
    return [[model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())]


def _inputs(window) -> list[QWidget]:
    """All but those that come and go: of dialogs, of messages, of the examination, and Qt's own."""
    found = [widget for kind in INPUTS for widget in window.findChildren(kind) if widget.window() is window]
    return [w for w in found if not window.banner.isAncestorOf(w) and _counts(w)]


def _counts(widget: QWidget) -> bool:
    return not widget.objectName().startswith((*QTS, *ALONE))


def _value(widget) -> float | None:
    match widget:
        case QAbstractSpinBox():
            return widget.value()
        case QComboBox() | QTabBar():
            return widget.currentIndex()
        case QAbstractButton():
            return widget.isChecked()


def _set(widget, value) -> None:
    """As a person would."""
    match widget:
        case QAbstractSpinBox():
            widget.setValue(value)
        case QComboBox():
            widget.setCurrentIndex(value)
            widget.activated.emit(value)
        case QTabBar():
            widget.setCurrentIndex(value)
        case QAbstractButton():
            widget.click()
