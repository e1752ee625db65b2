"""The window: the view in the middle, docks around it, and the wires between document, view and panels."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QGridLayout, QMainWindow, QWidget

from app import features, theme
from app.actions import Actions
from app.banner import Banner
from app.docks import Docks
from app.document import RobotDocument
from app.files import Files
from app.focus_keys import belongs_to_focus, left_behind
from app.frame_clock import FrameClock
from app.garbage import Garbage
from app.lost_motion import lost_motions
from app.menus import Menus, build_toolbar
from app.panels.joints import JointsPanel
from app.panels.kinematics import KinematicsPanel
from app.panels.plots import PlotsPanel
from app.panels.recording import RecordingPanel
from app.panels.simulation import SimulationPanel
from app.perspectives import Perspectives
from app.preferences import Preferences
from app.readouts import Readouts
from app.recordings import Recordings
from app.replay import Replay
from app.scene.view import SceneView
from app.simulation import Simulation
from app.status_line import StatusLine
from app.window_commands import WindowCommands
from app.wiring import wire


class MainWindow(QMainWindow):
    """Built by `app.application`; `document` is the truth, `engine_ready()` lets the numbers flow.

    `ready` says that every kernel is compiled, `themed(tokens)` that colours or text sizes are others.
    """

    closed = Signal()
    ready = Signal()
    themed = Signal(object)

    def __init__(self, document: RobotDocument, preferences: Preferences):
        super().__init__()
        self.setObjectName("main_window")
        self.document, self.preferences = document, preferences
        self.tokens, self._drawn, self._arranged = theme.LIGHT, False, False
        document.setParent(self)
        self.actions_ = Actions(self)
        self.files = Files(document, preferences, self)
        self.clock, self.garbage = FrameClock(self), Garbage()
        self.simulation = Simulation(document, self.clock, self)
        self.readouts = Readouts(document, preferences.now.warn_condition, preferences.now.stop_condition, self)
        self.replay = Replay(document, self)
        self._build_centre()
        self._build_panels()
        self.features = features.build(self)
        for feature in self.features.values():
            self._panels |= feature.panels
        self.menus = Menus(self, self.actions_)
        self.toolbar = build_toolbar(self, self.actions_, self.menus)
        self.status_line = StatusLine(self)
        self.setStatusBar(self.status_line)
        self.resize(QSize(1400, 900).boundedTo(self.screen().availableSize()))
        self.setMinimumSize(800, 560)
        self.setAcceptDrops(True)
        self.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._on_focus)
        self.docks = Docks(self, self._panels)
        self.perspectives = Perspectives(self, self.docks, preferences)
        self.menus.fill_panels(self.docks.all())
        self.recordings = Recordings(self.actions_["record"], self.recording, self.files, self.simulation, self.replay)
        wire(self)
        self.commands = WindowCommands(self)
        for feature in self.features.values():
            feature.connect()
        self._restore()
        self.on_robot(document.robot)

    def _build_centre(self):
        self.banner = Banner()
        self.scene = SceneView()
        self.scene.setObjectName("scene_view")
        self.scene.setAccessibleName("3D view of the arm")
        centre = QWidget()
        cell = QGridLayout(centre)  # both in one cell: a message lies over the view and does not move it
        cell.setContentsMargins(0, 0, 0, 0)
        cell.addWidget(self.scene, 0, 0)
        cell.addWidget(self.banner, 0, 0, Qt.AlignmentFlag.AlignTop)
        self.setCentralWidget(centre)

    def _build_panels(self):
        units, now = self.preferences.units, self.preferences.now
        self.joints = JointsPanel(units)
        self.kinematics = KinematicsPanel(units, now.warn_condition, now.stop_condition)
        transport = [self.actions_[name] for name in ("reset", "run", "pause", "step")]
        self.simulation_panel = SimulationPanel(transport)
        self.plots = PlotsPanel(units, now.plots)
        self.recording = RecordingPanel(self.actions_["record"], now.recording_format)
        self._panels = {
            "joints": self.joints,
            "kinematics": self.kinematics,
            "simulation": self.simulation_panel,
            "plots": self.plots,
            "recording": self.recording,
        }

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def kinematics_ready(self):
        """The kernels of poses and Jacobians are compiled: draw the arm and compute what follows from its pose."""
        if not self._drawn:
            self._drawn = True
            self.readouts.enable()
            self.scene.set_robot(self.document.robot, self.document.q)
            self.clock.start()

    def engine_ready(self):
        """All kernels are compiled: allow the simulation too."""
        self.kinematics_ready()
        self.simulation.start()
        if self.banner.progress.isVisibleTo(self.banner):
            self.banner.hide()
        self.ready.emit()

    def on_robot(self, robot):
        """Another robot is open: every part takes its shape."""
        self.recordings.close_replay()
        self.setWindowTitle(f"{robot.name} — Armature")
        self.joints.set_robot(robot, self.document.q)
        self.kinematics.set_robot(robot)
        self.plots.set_robot(robot)
        self.menus.show_robot(robot.name)
        self.menus.fill_poses(robot.configurations, self.commands.go_to_pose)
        if self._drawn:
            self.scene.set_robot(robot, self.document.q)
            self.readouts.refresh()

    def on_q(self, q):
        """The pose is another one."""
        self.joints.follow(q)
        if self._drawn:
            self.scene.set_poses(self.document.link_poses, q)

    def on_readout(self, readout):
        """What follows from the pose was computed."""
        self.status_line.show_readout(readout)
        self.kinematics.show_readout(readout)
        joints = readout.report.joints if readout.level else ()
        losses = lost_motions(self.document.robot, readout.q, readout.report, readout.level)
        self.scene.set_warning(readout.level, joints, losses)

    # -- the window itself -----------------------------------------------------------------------------------------------------

    def apply_theme(self):
        """Dress the program in the theme and text size of the settings."""
        now = self.preferences.now
        self.tokens = theme.apply(QApplication.instance(), now.theme, now.text_scale)
        for part in (self.actions_, self.banner, *self._panels.values()):
            part.set_theme(self.tokens)
        self.status_line.refit()
        self.scene.set_theme(self.tokens.dark)
        self.themed.emit(self.tokens)

    def _restore(self):
        now = self.preferences.now
        self.apply_theme()
        if now.geometry:
            self.restoreGeometry(QByteArray.fromBase64(now.geometry.encode()))
        self.perspectives.restore()

    def showEvent(self, event):
        super().showEvent(event)
        if not self._arranged:
            self._arranged = True
            self.perspectives.restore()  # docks take their sizes only once the window has one

    def keyPressEvent(self, event):
        if event.key() == Qt.Key.Key_Escape:
            self.scene.setFocus()  # from any field back to the view
        else:
            super().keyPressEvent(event)

    def _on_focus(self, old: QWidget | None, now: QWidget | None):
        if left_behind(old, now):
            self.scene.setFocus()

    def eventFilter(self, watched, event) -> bool:
        """Some keys belong to what has the focus, before any shortcut.

        A filter, because Qt paints the window inside of `event`: in Python that would hold up the simulation's thread.
        """
        if watched is self and belongs_to_focus(event):
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event):
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event):
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files.open_path(paths[0])

    def closeEvent(self, event):
        self.perspectives.remember()
        self.preferences.set(geometry=bytes(self.saveGeometry().toBase64()).decode())
        self.shut_down()
        super().closeEvent(event)
        self.closed.emit()

    def shut_down(self):
        """End every thread and timer, finish a recording; safe to call twice."""
        self.document.undo_stack.blockSignals(True)  # its destructor clears it and would call into a half-deleted window
        self.clock.stop()
        self.garbage.stop()
        for feature in self.features.values():
            feature.shut_down()
        self.simulation.stop()
