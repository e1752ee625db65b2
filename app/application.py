"""The composition root: makes the program out of its parts."""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QLocale, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.scene.gl import gl_format
from armature.app.state.document import RobotDocument
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.state.number_marks import MARKS, NARROW
from armature.app.state.preferences import Preferences
from armature.app.state.settings import QtStore
from armature.app.state.severity import Severity
from armature.app.state.shared_sentences import sentence
from armature.app.style import theme
from armature.app.style.icons import FOLDER
from armature.app.style.running_application import running
from armature.app.window.fault_dialog import FaultDialog
from armature.app.window.faults import FaultReporter
from armature.app.window.garbage import spare_the_new, spare_what_is_there
from armature.app.window.next_start import NextStart
from armature.engine.kernel_wait import await_kernels

NAME = "Armature"
KERNELS = ("armature.app.scene.overlays.newton_euler.load_parts",)
"""Modules of the program that have compiled routines."""
SWITCH = 5e-4  # s; at Python's own 5 ms the simulation waits that long for the interpreter, several times per batch of steps


def ensure_application() -> QApplication:
    """The one QApplication, made with what OpenGL needs where there is none yet."""
    app = cast("QApplication | None", QApplication.instance())
    if app is None:
        gl_format.configure()
        app = QApplication(sys.argv[:1])
        app.setApplicationName(NAME)
        app.setOrganizationName(NAME)
        app.setDesktopFileName(NAME.lower())  # by which desktops find icon and name
    if app.style().name() != "fusion":  # else every widget there is would be polished anew
        app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(FOLDER / "armature.svg")))
    return app


def build_window(robot="puma560", settings=None):
    """Return the `MainWindow`, not yet shown: the whole program without its event loop.

    All of it can be used at once where the cache has every kernel; else `window.bench.startup` says when. `robot` is a name, a
    path or an `armature.Robot`; `settings` a store (`MemoryStore` of `app/state/settings.py` keeps nothing on disk) or a
    `Settings`, by default the user's. Raises ModelError for a robot that cannot be opened.
    """
    from armature.engine.kernels import are_kept  # imports numba, for which `run` does not wait

    kept = are_kept(KERNELS)
    window = _assemble(robot, settings, kept)
    if kept:
        window.bench.startup.finish()
    else:
        _prepare_engine(window)
    return window


def run(robot="puma560", file: str = "", of_robot: bool = False, script: str = "") -> int:
    """Open the window, with a recording, which may be said to be `of_robot`, or a trajectory; return the exit code.

    A `script` that has begun it looks for it under that name.
    Raises ModelError for a bad robot, before any window.
    """
    robot = engine.load_robot(robot)
    app = ensure_application()
    reporter = FaultReporter()
    reporter.install()
    gc.disable()  # in what is loaded now there is no garbage; `Garbage` of the window looks for what comes later
    window = _assemble(robot, None, False)
    startup, next_start = window.bench.startup, NextStart(window.status_line, KERNELS)
    gc.freeze()
    reporter.fault.connect(lambda fault: FaultDialog(fault, window).show())
    reporter.refused.connect(lambda text: window.banner.show_message(Severity.INFO, sentence(text)))
    for number in (signal.SIGINT, signal.SIGTERM):  # the frame clock gives Python the time to notice them
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.close))  # what is being painted is painted first
    if file:
        startup.when(KernelStage.ALL, lambda: _open(window, file, of_robot))
    if script:
        startup.when(KernelStage.HAND, lambda: _listen(window, script))
    startup.when(KernelStage.ALL, lambda: _spare(window))
    startup.when(KernelStage.ALL, next_start.begin)
    window.show()
    _prepare_engine(window)
    app.aboutToQuit.connect(window.shut_down)
    app.aboutToQuit.connect(partial(next_start.runner.stop, 1.0))
    try:
        return app.exec()
    finally:
        reporter.uninstall()


def _open(window, file: str, of_robot: bool):
    """The file that stands on the command line."""
    from armature.app.recording.recording_files import RecordingFilesFeature  # imports OpenGL: not before the window

    if of_robot:
        window.features[RecordingFilesFeature].open(Path(file), of_robot)
    else:
        window.files.open_path(file)


def _listen(window, script: str):
    """Wait for the script that has begun this window."""
    from armature.app.remote.feature import RemoteFeature  # imports OpenGL: not before the window

    window.features[RemoteFeature].listen(script)


def _assemble(robot, settings, kept: bool):
    """The window; unless the kernels are `kept`, nothing in it waits for them."""
    robot = robot if isinstance(robot, engine.Robot) else engine.load_robot(robot)
    if not kept:
        await_kernels()
    sys.setswitchinterval(SWITCH)
    ensure_application()
    _take_language()
    gl_format.match_pyopengl()
    from armature.app.window.main_window import MainWindow  # imports OpenGL, which must know the window system first
    from armature.app.workbench import lay_out

    preferences = Preferences(settings if settings is not None else QtStore())
    theme.prepare(running(), preferences.now.theme, preferences.now.text_scale)
    window = MainWindow()
    window.furnish(lay_out(window, RobotDocument(robot), preferences, window.actions_))
    preferences.not_kept.connect(logging.getLogger("armature").warning)
    preferences.not_kept.connect(lambda trouble: window.banner.show_message(Severity.WARNING, trouble))
    if preferences.complaint:
        window.banner.show_message(Severity.WARNING, preferences.complaint)
    return window


def _take_language():
    """Write numbers as the system's language does; where there is none, thousands are set apart by a narrow space."""
    language = QLocale()
    group = NARROW if language.language() == QLocale.Language.C else language.groupSeparator()
    MARKS.use(language.decimalPoint(), group)


def _prepare_engine(window) -> None:
    """Load the kernels beside the window, once its first picture is on the screen."""
    startup, banner, seen = window.bench.startup, window.banner, threading.Event()
    startup.progressed.connect(banner.show_progress)
    startup.troubled.connect(lambda text: banner.show_message(Severity.WARNING, sentence(text)))
    window.scene.frameSwapped.connect(seen.set, Qt.ConnectionType.SingleShotConnection)
    startup.begin(KERNELS, seen)


def _spare(window) -> None:
    """Import the modules of docks that were not shown yet, and exempt all loaded objects from garbage collection."""
    spare_what_is_there()
    imports = JobRunner("imports", window)
    imports.finished.connect(spare_the_new)
    imports.start(lambda _: window.features.import_late())  # so that a dock opens without a delay
    for late in window.features.late():
        late.dock.came.connect(spare_the_new)
