"""The window: the view in the middle, docks around it, and the wires between document, view and panels."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

import engine
from app import theme
from app.actions import Actions
from app.banner import Banner
from app.docks import Docks
from app.document import RobotDocument
from app.files import Files, no_masses
from app.frame_clock import FrameClock
from app.menus import Menus, build_toolbar
from app.panels.joints import JointsPanel
from app.panels.kinematics import KinematicsPanel
from app.panels.plots import PlotsPanel
from app.panels.recording import RecordingPanel
from app.panels.simulation import SimulationPanel
from app.panels.torques import torque_ranges
from app.panels.workspace import WorkspacePanel
from app.preferences import Preferences
from app.readouts import Readouts
from app.recordings import Recordings
from app.replay import Replay
from app.scene.view import SceneView
from app.simulation import Simulation
from app.status_line import StatusLine
from app.window_commands import WindowCommands
from app.workspaces import QUANTITIES, Workspaces

PREPARING = "The engine is being prepared; this takes a moment on the first start."


class MainWindow(QMainWindow):
    """Built by `app.application`; `document` is the truth, `engine_ready()` lets the numbers flow."""

    closed = Signal()

    def __init__(self, document: RobotDocument, preferences: Preferences):
        super().__init__()
        self.setObjectName("main_window")
        self.document, self.preferences = document, preferences
        self.tokens, self._ready = theme.LIGHT, False
        self._arranged = bool(preferences.now.layout)
        document.setParent(self)
        self.actions_ = Actions(self)
        self.files = Files(document, preferences, self)
        self.clock = FrameClock(self)
        self.simulation = Simulation(document, self.clock, self)
        self.readouts = Readouts(document, preferences.now.warn_condition, preferences.now.stop_condition, self)
        self.replay = Replay(document, self)
        self._build_centre()
        self._build_panels()
        self.menus = Menus(self, self.actions_)
        self.toolbar = build_toolbar(self, self.actions_, self.menus)
        self.status_line = StatusLine(self)
        self.setStatusBar(self.status_line)
        self.resize(1400, 900)
        self.setMinimumSize(800, 560)
        self.setAcceptDrops(True)
        self.docks = Docks(self, self._panels)
        self.menus.fill_panels(self.docks.all())
        self.workspaces = Workspaces(document, self.workspace)
        self.recordings = Recordings(self.actions_["record"], self.recording, self.files, self.simulation, self.replay)
        self._wire_document()
        self._wire_simulation()
        self._wire_view()
        self.commands = WindowCommands(self)
        self._restore()
        self._on_robot(document.robot)

    def _build_centre(self):
        self.banner = Banner()
        self.scene = SceneView()
        self.scene.setObjectName("scene_view")
        self.scene.setAccessibleName("3D view of the arm")
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.scene, 1)
        self.setCentralWidget(centre)

    def _build_panels(self):
        units, now = self.preferences.units, self.preferences.now
        self.joints = JointsPanel(units)
        self.kinematics = KinematicsPanel(units, now.warn_condition, now.stop_condition)
        transport = [self.actions_[name] for name in ("reset", "run", "pause", "step")]
        self.simulation_panel = SimulationPanel(transport)
        self.workspace = WorkspacePanel(QUANTITIES)
        self.plots = PlotsPanel(units)
        self.recording = RecordingPanel(self.actions_["record"], now.recording_format)
        self._panels = {
            "joints": self.joints,
            "kinematics": self.kinematics,
            "simulation": self.simulation_panel,
            "workspace": self.workspace,
            "plots": self.plots,
            "recording": self.recording,
        }

    def _wire_document(self):
        document = self.document
        document.robot_changed.connect(self._on_robot)
        document.q_changed.connect(self._on_q)
        self.joints.joint_edited.connect(document.edit_joint)
        self.readouts.changed.connect(self._on_readout)
        self.clock.tick.connect(self.replay.advance)
        self.clock.tick.connect(self.readouts.refresh)
        self.clock.tick.connect(self.plots.refresh)
        self.kinematics.thresholds_edited.connect(
            lambda warn, stop: self.preferences.set(warn_condition=warn, stop_condition=stop)
        )

    def _wire_simulation(self):
        simulation, panel = self.simulation, self.simulation_panel
        panel.torque_changed.connect(simulation.set_torque)
        panel.speed_chosen.connect(simulation.set_speed)
        panel.integrator_chosen.connect(simulation.set_integrator)
        panel.dt_chosen.connect(simulation.set_dt)
        panel.friction_chosen.connect(simulation.set_friction)
        simulation.snapshot_taken.connect(self._on_snapshot)
        simulation.running_changed.connect(self._update_running)
        simulation.event_arrived.connect(self._on_event)
        self.files.message.connect(self.banner.show_message)
        self.recordings.replaying_changed.connect(self._on_replaying)
        self.recordings.replay_opened.connect(self.plots.show_recording)
        self.replay.moved.connect(lambda t, _: self.plots.show_cursor(self.replay.recording.t[0] + t))
        self.recording.format_chosen.connect(lambda suffix: self.preferences.set(recording_format=suffix))

    def _wire_view(self):
        scene, workspaces = self.scene, self.workspaces
        self.joints.joint_hovered.connect(scene.highlight_joint)
        scene.file_dropped.connect(self.files.open_path)
        workspaces.computed.connect(lambda result: scene.show_workspace(result.points, result.values))
        workspaces.computed.connect(lambda _: self.actions_["show_workspace"].setChecked(True))
        workspaces.cleared.connect(scene.clear_workspace)
        workspaces.failed.connect(lambda text: self.banner.show_message("error", text))

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def engine_ready(self):
        """The kernels are compiled: draw the arm, compute, allow the simulation."""
        self._ready = True
        self.readouts.enable()
        self.simulation.start()
        self._on_robot(self.document.robot)
        self.clock.start()
        if self.banner.progress.isVisibleTo(self.banner):
            self.banner.hide()

    def _on_robot(self, robot):
        self.recordings.close_replay()
        self.setWindowTitle(f"{robot.name} — Armature")
        self.joints.set_robot(robot, self.document.q)
        self.kinematics.set_robot(robot)
        self.plots.set_robot(robot)
        self.menus.show_robot(robot.name)
        self.menus.fill_poses(robot.configurations, self.commands.go_to_pose)
        if self._ready:
            self.scene.set_robot(robot, self.document.q)
            ranges = torque_ranges(robot, engine.gravity_torque) if robot.has_dynamics else None
            self.simulation_panel.set_robot(robot, ranges)
            self.simulation_panel.show_message("" if robot.has_dynamics else no_masses(robot.name))
            self.readouts.refresh()
        self._update_running()

    def _on_q(self, q):
        self.joints.set_q(q)
        if self._ready:
            self.scene.set_poses(self.document.link_poses, q)

    def _on_readout(self, readout):
        self.status_line.show_readout(readout)
        self.kinematics.show_readout(readout)
        self.scene.set_warning(readout.level, readout.report.joints if readout.level else ())

    def _on_snapshot(self, snapshot):
        self.status_line.show_time(snapshot.t, snapshot.real_time_factor, snapshot.running)
        self.simulation_panel.show_snapshot(snapshot)
        if not self.recordings.replaying and (snapshot.running or snapshot.steps):
            self.plots.append(snapshot.t, snapshot.q, snapshot.qd, snapshot.tau, snapshot.kinetic, snapshot.potential)

    def _on_event(self, event):
        if self.recordings.on_event(event):
            return
        self.banner.show_message("warning" if event.kind == "refused" else "error", event.text)
        if event.kind in ("diverged", "refused"):
            self.simulation_panel.show_message(event.text, 2 if event.kind == "diverged" else 1)

    def _on_replaying(self, on: bool):
        if on:
            self.docks.bring_up("recording")
        self._update_running()

    def _update_running(self, *_):
        running, possible = self.simulation.running, self._ready and self.document.robot.has_dynamics
        why = "" if possible else PREPARING if not self._ready else no_masses(self.document.robot.name)
        for name, enabled in (("run", not running), ("pause", running), ("step", True), ("reset", True)):
            self.actions_[name].setEnabled(possible and enabled)
            self.actions_.explain(name, why)
        self.actions_["record"].setEnabled(self._ready)
        self.joints.set_editable(not running)
        self.commands.update_undo()
        if running:
            self.simulation_panel.show_message("")

    # -- the window itself -----------------------------------------------------------------------------------------------------

    def apply_theme(self):
        """Dress the program in the theme and text size of the settings."""
        now = self.preferences.now
        self.tokens = theme.apply(QApplication.instance(), now.theme, now.text_scale)
        for part in (self.actions_, self.banner, *self._panels.values()):
            part.set_theme(self.tokens)
        self.status_line.refit()
        self.scene.set_theme(self.tokens.dark)

    def _restore(self):
        now = self.preferences.now
        self.apply_theme()
        if now.geometry:
            self.restoreGeometry(QByteArray.fromBase64(now.geometry.encode()))
        if now.layout:
            self.restoreState(QByteArray.fromBase64(now.layout.encode()))

    def showEvent(self, event):
        super().showEvent(event)
        if not self._arranged:
            self._arranged = True
            self.docks.arrange()  # docks take their sizes only once the window has one

    def keyPressEvent(self, event):
        if event.key() == Qt.Key.Key_Escape:
            self.scene.setFocus()  # from any field back to the view
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event):
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event):
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files.open_path(paths[0])

    def closeEvent(self, event):
        geometry, layout = bytes(self.saveGeometry().toBase64()).decode(), bytes(self.saveState().toBase64()).decode()
        self.preferences.set(geometry=geometry, layout=layout)
        self.shut_down()
        super().closeEvent(event)
        self.closed.emit()

    def shut_down(self):
        """End every thread and timer, finish a recording; safe to call twice."""
        self.document.undo_stack.blockSignals(True)  # its destructor clears it and would call into a half-deleted window
        self.clock.stop()
        self.workspaces.runner.stop()
        self.simulation.stop()
