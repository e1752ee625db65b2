"""The window: the view in the middle, docks around it, and the wires between document, view and panels."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QMargins, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QGridLayout, QMainWindow, QMenuBar, QToolBar, QToolButton, QVBoxLayout, QWidget

from armature.app.joints.feature import JointsFeature
from armature.app.kinematics.feature import KinematicsFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.scene.ghost_caption import GhostCaption
from armature.app.scene.overlays.lost_motion import lost_motions
from armature.app.scene.scene_view import SceneView
from armature.app.session.feature import SessionFeature
from armature.app.simulation.feature import SimulationFeature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.slices import REST, Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.style.theme import POINTS
from armature.app.widgets.actions import Actions
from armature.app.widgets.banner import Banner
from armature.app.widgets.dock import Dock, Themed
from armature.app.widgets.restyle import set_style_property
from armature.app.window.docking.docks import Docks
from armature.app.window.dressing import Dressing
from armature.app.window.features import COMMANDS, Features
from armature.app.window.focus_keeper import FocusKeeper
from armature.app.window.focus_keys import belongs_to_focus, ends_entry
from armature.app.window.garbage import Garbage
from armature.app.window.menus import Menus, build_toolbar
from armature.app.window.perspectives import Perspectives
from armature.app.window.still_picture import StillPicture
from armature.app.window.title_button import TitleButton
from armature.app.window.window_commands import WindowCommands
from armature.app.workbench import Workbench


class Centre(QWidget):
    """All in one cell: a message lies over the view and does not move it. `ghost_caption` tells of see-through arms."""

    def __init__(self, scene: SceneView, banner: Banner, captions: QVBoxLayout):
        super().__init__()
        scene.setObjectName("scene_view")
        scene.setAccessibleName("3D view of the arm")
        cell = QGridLayout(self)
        cell.setContentsMargins(0, 0, 0, 0)
        cell.addWidget(scene, 0, 0)
        cell.addWidget(banner, 0, 0, Qt.AlignmentFlag.AlignTop)
        banner.covers.connect(scene.set_covered)
        self.ghost_caption = GhostCaption(scene)
        captions.setSpacing(0)
        captions.addWidget(self.ghost_caption, 0, Qt.AlignmentFlag.AlignLeft)
        cell.addLayout(captions, 0, 0, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)


EXTENSIONS = ("qt_toolbar_ext_button", "qt_menubar_ext_button")  # Qt's own, for what has no room
EXTENSION = QSize(12, 12)  # px, as wide as Qt lets them be


ICON, DENSE_ICON = 20, 18  # px, in the toolbar: beside text of the usual size, and where there is little room


class Bars:
    """Looks anew at what fits after another size of the window or of the text."""

    def __init__(self, window: QMainWindow, toolbar: QToolBar, title: TitleButton):
        self._window, self._toolbar, self._title = window, toolbar, title
        self._needs: dict[QWidget, int] = {}  # px, with its usual margins

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and perhaps another size of text."""
        for name in EXTENSIONS:
            for button in self._window.findChildren(QToolButton, name):
                button.setIcon(icon("more", tokens.text))
                button.setIconSize(EXTENSION)
                button.setAccessibleName("More")
        self.measure()

    def measure(self) -> None:
        """What stands in them is wider or narrower now."""
        self._needs.clear()
        self._title.shorten(0)
        self.fit()

    def fit(self) -> None:
        """The usual margins where there is room for them."""
        menus = self._window.menuBar()
        switch = menus.cornerWidget()
        self._set_icons(round(ICON * self._window.font().pointSizeF() / POINTS))
        self._fit(self._toolbar, [self._toolbar, *self._toolbar.findChildren(QToolButton)])
        if self._toolbar.property("dense") == "true":
            self._set_icons(DENSE_ICON)
        changed = self._fit(menus, [menus, *switch.findChildren(QToolButton)])
        if changed or switch.width() < switch.sizeHint().width():
            menus.setCornerWidget(switch)  # else it keeps the place that it had
        self._title.shorten(0)
        over = self._toolbar.sizeHint().width() - self._window.width()
        if over > 0:
            self._title.shorten(over)

    def _set_icons(self, size: int) -> None:
        self._toolbar.setIconSize(QSize(size, size))

    def _fit(self, bar: QWidget, parts: list[QWidget]) -> bool:
        """Margins of a bar and of what stands in it; returns whether they are others now."""
        if bar not in self._needs:
            self._set_dense(parts, "false")
            self._needs[bar] = bar.sizeHint().width()
        return self._set_dense(parts, "true" if self._needs[bar] > self._window.width() else "false")

    @staticmethod
    def _set_dense(parts: list[QWidget], dense: str) -> bool:
        others = [part for part in parts if part.property("dense") != dense]
        for part in others:
            set_style_property(part, "dense", dense)
            part.updateGeometry()
            if isinstance(part, (QToolBar, QMenuBar)):
                QApplication.sendEvent(part, QEvent(QEvent.Type.StyleChange))  # it asks for its margins only then
        return bool(others)


TIP_SHOWN = 8000  # ms
TITLE_BAR = 40  # px that the system takes of the screen for the frame of a window, about


class MainWindow(QMainWindow):
    """Built and furnished by `app.application`; `document` is the truth.

    Features get the workbench `bench`, never the window.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self._arranged = False
        self._closing = self._leaving = False
        self.actions_ = Actions(self, COMMANDS)

    def furnish(self, bench: Workbench) -> None:
        """Take the workbench, whose parts this window owns, and set up everything around it."""
        self.bench = bench
        self._take_parts(bench)
        picture = StillPicture(self, self.scene.draw_ahead)
        self.dressing = Dressing(self, self.bench.look, self._dress_own, picture)
        self.garbage = Garbage()
        self.centre = Centre(self.scene, self.banner, self.bench.captions)
        self.setCentralWidget(self.centre)
        self.features = Features(self.bench)
        self._take_panels()
        self.menus = Menus(self, self.bench)
        self.toolbar = build_toolbar(self, self.actions_, self.menus)
        self.bars = Bars(self, self.toolbar, self.menus.robot_button)
        self.setStatusBar(self.status_line)
        room = self.screen().availableSize().shrunkBy(QMargins(0, 0, 0, TITLE_BAR))
        self.setMinimumSize(QSize(800, 560).boundedTo(room))
        self.resize(QSize(1400, 900).boundedTo(room))
        self.setAcceptDrops(True)
        self.installEventFilter(self)
        self.focus = FocusKeeper(self, self.scene)
        docks = [feature.dock for feature in self.features if feature.dock is not None]
        self.docks = Docks(self, docks, self.actions_["fold_bottom"], picture)
        self.bench.look.changed.connect(lambda _: (self.docks.fit(), self.status_line.refit()))  # in the fonts that there are now
        self.perspectives = Perspectives(self, self.docks, self.preferences, picture)
        self.features[SessionFeature].take_desk(self.features, self.perspectives)
        self.menus.fill_panels(self.docks.all())
        for dock in self.docks.all():
            dock.visibilityChanged.connect(lambda seen, dock=dock: (self._on_seen if seen else self.focus.leave)(dock))
        self._wire()
        self.commands = WindowCommands(self.bench, self.menus, self.perspectives, self.apply_theme)
        for feature in self.features:
            feature.wire()
        self._restore()
        self.on_robot(self.document.robot)
        self.clock.start()

    def _take_parts(self, bench: Workbench):
        """What lies on the workbench, for those who use the whole window: commands and tests."""
        self.document, self.preferences, self.drawing = bench.document, bench.preferences, bench.drawing
        self.scene, self.banner, self.status_line, self.files = bench.scene, bench.banner, bench.status_line, bench.files
        self.simulation, self.clock, self.readouts, self.replay = bench.simulation, bench.clock, bench.readouts, bench.replay

    def _take_panels(self):
        features = self.features
        self.joints, self.kinematics = features[JointsFeature].panel, features[KinematicsFeature].panel
        self.simulation_panel, self.plots = features[SimulationFeature].panel, features[PlotsFeature].panel
        self.recording, self.recordings = features[RecordingFeature].panel, features[RecordingFeature].recordings

    def _wire(self):
        """Document and view follow each other before any feature hears of anything."""
        self.document.robot_closing.connect(self.let_go)
        for subject in ("open", "simulation", "trajectory"):
            self.document.robot_closing.connect(partial(self.banner.settle, subject))
        self.document.robot_changed.connect(self.on_robot)
        self.document.q_changed.connect(self.on_q)
        self.document.q_edited.connect(self._refresh_labels)
        self.readouts.changed.connect(self.on_readout)
        self.clock.reading.connect(self.readouts.refresh)
        self.clock.reading.connect(self._refresh_labels)
        self.clock.tick.connect(self.readouts.take)
        self.files.message.connect(self.banner.show_message)
        self.files.message_about.connect(
            lambda subject, severity, text: self.banner.show_message(severity, text, subject=subject)
        )
        self.files.recording_opened.connect(lambda *_: self.banner.settle("open"))
        self.simulation.running_changed.connect(lambda running: running and self.banner.settle("simulation"))
        self.replay.opening.connect(self.let_go)
        self.scene.file_dropped.connect(self.files.open_path)
        self.bench.startup.when(KernelStage.ALL, self._on_kernels)

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def _on_kernels(self):
        """Every kernel is loaded: allow the simulation, and complete the reasons in the readout."""
        self.simulation.start()
        self.readouts.refresh_again()
        self.scene.update()
        if self.banner.progress.isVisibleTo(self.banner):
            self.banner.dismiss()

    def let_go(self):
        """Something else takes over the arm: gestures end, and what is being typed counts for the arm it was typed for."""
        self.scene.let_go()
        self.joints.let_go()
        self.scene.setFocus()

    def on_robot(self, robot):
        """Another robot is open: every part takes its shape."""
        self.drawing.hold(self.scene, self.status_line, *self.docks.all())
        self.replay.close()
        self.setWindowTitle(f"{robot.title}[*] — Armature")
        for feature in self.features:
            feature.set_robot(robot)
        self.menus.show_robot(robot.title)
        self.bars.measure()
        self.scene.set_robot(robot, self.document.q)
        latest = self.readouts.latest
        if latest is not None and latest.level:  # its warning is drawn on the arm
            self.readouts.refresh()
        elif latest is not None and not self.document.same_arm:  # else with the next frame
            self.drawing.draw_after(self.readouts.refresh)

    def on_q(self, q):
        """Show the new pose."""
        self.scene.set_poses(self.document.link_poses, q, update_labels=False)

    def _refresh_labels(self, *_):
        """Refresh the numbers in the view: at once where the user moved the arm, else at a readable rate."""
        self.scene.refresh_labels()

    def on_readout(self, readout):
        """What follows from the pose was computed."""
        self.status_line.show_readout(readout)
        joints = readout.report.joints if readout.level else ()
        losses = lost_motions(self.document.robot, readout.q, readout.report, readout.level)
        self.scene.set_warning(readout.level, joints, losses)

    def _on_seen(self, dock: Dock):
        self.drawing.come_into_view(dock)
        self.dressing.on_seen(dock)

    # -- the window itself -----------------------------------------------------------------------------------------------------

    def apply_theme(self):
        """Dress the program in the theme and text size of the settings."""
        now = self.preferences.now
        self.dressing.change(now.theme, now.text_scale)

    def _dress_own(self, tokens: Tokens) -> Steps:
        """What has colours of its own and is no dock."""
        own: list[Themed] = [self.actions_, self.bars, self.docks.strip, self.banner, self.centre.ghost_caption]
        for part in own:
            part.set_theme(tokens)
            yield
        self.status_line.refit()
        yield REST
        yield from self.docks.fit_in_turns()
        yield REST
        self.scene.set_theme(tokens.dark)
        self.scene.set_text_size(self.preferences.now.text_scale / 100)

    def _restore(self):
        now = self.preferences.now
        self.apply_theme()
        if now.geometry:
            self.restoreGeometry(QByteArray.fromBase64(now.geometry.encode()))
        self.perspectives.restore()

    def childEvent(self, event):
        if event.type() == QEvent.Type.ChildPolished:
            self.dressing.on_polished(event.child())

    def showEvent(self, event):
        super().showEvent(event)
        if not self._arranged:
            self._arranged = True
            self.perspectives.restore()  # docks take their sizes only once the window has one

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.bars.fit()
        self.docks.fit()

    def keyPressEvent(self, event):
        if event.key() == Qt.Key.Key_Escape and self.scene.hasFocus():
            self.replay.close()  # nothing was in hand and nothing selected
        elif ends_entry(event, self.focusWidget()):
            self.scene.setFocus()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched, event) -> bool:
        """Some keys belong to what has the focus, before any shortcut.

        A filter, because Qt paints the window inside of `event`: in Python that would hold up the simulation's thread.
        """
        if watched is self and belongs_to_focus(event):
            event.accept()
            return True
        if watched is self and event.type() == QEvent.Type.StatusTip:
            self.status_line.showMessage(event.tip(), TIP_SHOWN)
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
        if not self._leaving:
            self._closing = True
            self.features[SessionFeature].leave(self._leave_for_good)
            self._closing = False
        if not self._leaving:  # it was not settled yet what becomes of unsaved changes
            event.ignore()
            return
        self.perspectives.remember()
        self.preferences.set(geometry=bytes(self.saveGeometry().toBase64().data()).decode())
        self.shut_down()
        super().closeEvent(event)
        self.closed.emit()

    def _leave_for_good(self):
        self._leaving = True
        if not self._closing:
            self.close()

    def shut_down(self):
        """End every thread and timer, finish a recording; safe to call twice."""
        self.bench.startup.stop()
        self.bench.views.stop()
        self.document.undo_stack.blockSignals(True)  # its destructor clears it and would call into a half-deleted window
        self.clock.stop()
        self.dressing.stop()
        self.drawing.stop()
        self.garbage.stop()
        for feature in self.features:
            feature.shut_down()
        self.readouts.end()
        self.simulation.stop()
