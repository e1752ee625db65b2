"""`Workbench`: what every feature works with, made once per window."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow, QMenu, QVBoxLayout

from armature.app.scene.scene_view import SceneView
from armature.app.state.cell_document import CellDocument
from armature.app.state.document import RobotDocument
from armature.app.state.engine_startup import Startup
from armature.app.state.evented import Binder
from armature.app.state.files import Files
from armature.app.state.frame_clock import FrameClock
from armature.app.state.preferences import Preferences
from armature.app.state.readouts import Readouts
from armature.app.state.replay import Replay
from armature.app.state.simulation import Simulation
from armature.app.state.window_state import WindowState
from armature.app.style.look import Look
from armature.app.widgets.actions import Actions
from armature.app.widgets.banner import Banner
from armature.app.widgets.drawn_in_turn import DrawnInTurn
from armature.app.widgets.status_line import StatusLine


@dataclass(frozen=True)
class Workbench:
    """The document and what follows from it, the view, and the places where a feature speaks to the user.

    `parent` owns dialogs and threads, and serves only to close and to show that something is unsaved; `poses` is the menu of
    the open robot's poses, `captions` the lines of text over the view, `views` calls views after changes of the
    models they show, `state` is what all of them depend on.
    """

    parent: QMainWindow
    document: RobotDocument
    cell: CellDocument
    preferences: Preferences
    startup: Startup
    look: Look
    drawing: DrawnInTurn
    clock: FrameClock
    simulation: Simulation
    readouts: Readouts
    replay: Replay
    files: Files
    scene: SceneView
    banner: Banner
    status_line: StatusLine
    actions: Actions
    poses: QMenu
    captions: QVBoxLayout
    views: Binder
    state: WindowState


def lay_out(window: QMainWindow, document: RobotDocument, preferences: Preferences, actions: Actions) -> Workbench:
    """The workbench of a window, everything on it still idle."""
    document.setParent(window)
    now, clock, state = preferences.now, FrameClock(window), WindowState(preferences.units)
    preferences.units_changed.connect(partial(setattr, state, "units"))
    return Workbench(
        parent=window,
        document=document,
        cell=CellDocument(document, window),
        preferences=preferences,
        startup=Startup(window),
        look=Look(window),
        drawing=DrawnInTurn(window),
        clock=clock,
        simulation=Simulation(document, clock, window),
        readouts=Readouts(document, now.warn_condition, now.stop_condition, window),
        replay=Replay(document, window),
        files=Files(document, preferences, window),
        scene=SceneView(),
        banner=Banner(),
        status_line=StatusLine(),
        actions=actions,
        poses=QMenu("Pose"),
        captions=QVBoxLayout(),
        state=state,
        views=Binder(lambda flush: QTimer.singleShot(0, window, flush)),
    )
