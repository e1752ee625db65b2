"""A script drives the window: who it is, what it shows, and who has the arm."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from armature.app.feature import Feature
from armature.app.remote.caption import ScriptCaption
from armature.app.remote.panel import ScriptPanel
from armature.app.remote.script_layer import ScriptLayer
from armature.app.remote.script_orders import ScriptOrders
from armature.app.remote.script_reports import ScriptReports
from armature.app.remote.session import Session
from armature.app.state.severity import Severity
from armature.app.widgets.dock import Dock
from armature.app.workspace.feature import WorkspaceFeature
from armature.app.workspace.singular_surfaces import SingularSurfacesFeature
from armature.engine.errors import EngineError
from armature.engine.remote.meeting_place import Place, new_place, root
from armature.engine.remote.messages import Answer, CloseWindow, Order, Update

if TYPE_CHECKING:
    from armature.app.remote.listener import ScriptListener
    from armature.app.workbench import Workbench

SUBJECT = "script"
SENT_AWAY = "the user disconnected this script in the window"


class RemoteFeature(Feature, QObject):
    """Once per frame it takes what the script has set, and tells how things stand.

    A script moves the arm as a hand does, so that a simulation that stands takes the pose over, but without undo steps. While a
    simulation runs, a person has the arm in hand or has taken it over, the script's poses wait and are forgotten.
    """

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, workspace: WorkspaceFeature, surfaces: SingularSurfacesFeature):
        super().__init__(bench.parent)
        self._bench, self.dock = bench, dock
        self.panel, self.caption, self.layer = ScriptPanel(), ScriptCaption(), ScriptLayer(bench.scene)
        self.orders = ScriptOrders(bench, workspace, surfaces, self.layer, self.clear)
        self._listener: ScriptListener | None = None
        self._session: Session | None = None
        self.reports = ScriptReports(bench, self.panel.controls)
        self._moves, self._in_hand, self._framed = False, False, False

    def wire(self) -> None:
        """Wire clock, document, view and dock."""
        bench, panel = self._bench, self.panel
        bench.clock.tick.connect(self._on_tick)
        bench.clock.plotting.connect(panel.refresh)
        bench.document.q_edited.connect(self._on_edited)
        bench.document.robot_changed.connect(self._on_robot)
        bench.scene.frameSwapped.connect(self.reports.frame_shown)
        bench.look.changed.connect(self.layer.set_theme)
        bench.preferences.changed.connect(self._on_preference)
        self.caption.disconnect_wanted.connect(self._send_away)
        bench.captions.addWidget(self.caption)

    def set_robot(self, robot) -> None:
        """What a script showed was of the robot before."""
        self.layer.set_robot(robot)

    def shut_down(self) -> None:
        """Let go of the script and wait for none."""
        self.orders.shut_down()
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def listen(self, name: str = "") -> None:
        """Wait for scripts, the one that began this window under a name that it knows."""
        from armature.app.remote.listener import ScriptListener  # not before a script may come

        if self._listener is None:
            place = Place(root() / name) if name and name.isalnum() else new_place()
            self._listener = ScriptListener(place)
            self._bench.actions["let_scripts_in"].setChecked(True)

    def clear(self) -> None:
        """Take away what a script shows."""
        self.panel.clear()
        self.layer.clear()
        self.layer.draw()

    # -- who drives

    def let_in(self, on: bool) -> None:
        """Let scripts connect, or no more."""
        try:
            if on:
                self.listen()
            elif self._listener is not None:
                self._listener.stop()
                self._listener = None
        except EngineError as error:
            self._bench.actions["let_scripts_in"].setChecked(False)
            self._bench.banner.show_message(Severity.ERROR, str(error), subject=SUBJECT)

    def _begin(self, session: Session) -> None:
        self._session = session
        self._in_hand, self._framed = False, False
        self.orders.clear()
        self.caption.take.setChecked(False)
        self.panel.controls.setEnabled(True)
        self.reports.begin(session)

    def _end(self, session: Session) -> None:
        self._session = None
        self.reports.begin(None)
        self.caption.show_state("", "")
        self.panel.controls.setEnabled(False)  # nobody reads them any more
        text = f"{session.name} has ended; the window remains open."
        self._bench.banner.show_message(Severity.INFO, text, subject=SUBJECT)

    def _send_away(self) -> None:
        if self._session is not None:
            self._session.part(SENT_AWAY)

    # -- once per frame

    def _on_tick(self) -> None:
        session = self._listener.session if self._listener is not None else None
        if self._session is not None and session is not self._session:
            self._take(self._session)
            self._end(self._session)
        if session is None:
            return
        if session is not self._session:
            if session.gone.is_set() and session.seen:
                return
            session.seen = True
            self._begin(session)
        gone = session.gone.is_set()
        self._take(session)
        self._show_state(session)
        self.reports.report(self.held)
        if gone:
            self._end(session)

    def _take(self, session: Session) -> None:
        if self._in_hand and QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._in_hand = False
        for message in session.take():
            if isinstance(message, Update):
                self._update(message)
            elif isinstance(message, Order):
                self._obey(session, message)
        self.layer.draw()

    def _update(self, update: Update) -> None:
        empty = self.panel.is_empty
        self.panel.take(update)
        self.layer.take(update)
        if empty and not self.panel.is_empty:
            self.dock.visit()
        if update.q is None:
            return
        self.reports.number = update.number
        document = self._bench.document
        if not self.held and len(update.q) == document.robot.n:
            self._bench.replay.close("a script moved the arm")
            self._moves = True
            try:
                document.set_q(update.q)
            except EngineError:  # not finite: it stays where it is
                pass
            finally:
                self._moves = False
            self.reports.pose_taken(update.sent)
            self._frame()

    def _on_robot(self, _robot) -> None:
        self._framed = False
        self.reports.robot_changed()

    def _frame(self) -> None:
        """Bring the arm into view in the first pose of a script for it, which may be far from the one before."""
        if not self._framed and self._bench.scene.is_fitted:
            self._bench.scene.fit()
        self._framed = True

    def _obey(self, session: Session, order: Order) -> None:
        answer = partial(self._answer, session, order.number)
        if isinstance(order.what, CloseWindow):
            answer("")
            QTimer.singleShot(0, self._bench.parent, self._bench.parent.close)
        else:
            self.orders.obey(order.what, answer)

    def _answer(self, session: Session, number: int, error: str) -> None:
        self.reports.report(self.held)
        session.post(Answer(number, error))

    @property
    def held(self) -> bool:
        """Whether the script's poses wait."""
        return self._in_hand or self._bench.simulation.running or self.caption.take.isChecked()

    def _show_state(self, session: Session) -> None:
        if self.caption.take.isChecked():
            state = "is paused: you control the arm"
        elif self._bench.simulation.running:
            state = "is paused while the simulation runs"
        else:
            state = "controls this window" if self.reports.number else "is connected"
        self.caption.show_state(session.name, state, session.pid)

    # -- what others do

    def _on_edited(self, _q) -> None:
        if not self._moves:
            self.reports.edits += 1
            self._in_hand = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton

    def _on_preference(self, field: str) -> None:
        if field == "perspective" and not self.panel.is_empty:
            QTimer.singleShot(0, self.dock, partial(self.dock.visit, in_front=False))
