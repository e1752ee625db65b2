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
from armature.app.state.engine_startup import Startup
from armature.app.state.jobs import Job, JobRunner
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

NAME = "Armature"
LATEST = 2.0  # s after which nobody waits for the first picture any more: to import numba beside it would hold it up
# modules of the program that have compiled routines
KERNELS = (
    "armature.app.scene.labels.label_places",
    "armature.app.scene.overlays.newton_euler.load_parts",
)
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
    """The whole program without its event loop, ready to use; returns the `MainWindow`, not yet shown.

    `robot` is a name, a path or an `armature.Robot`; `settings` a store (`MemoryStore` of `app/state/settings.py` keeps nothing
    on disk) or a `Settings`, by default the user's. Raises ModelError for a robot that cannot be opened.
    """
    window = _assemble(robot, settings)
    window.engine_ready()
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
    window = _assemble(robot, None)
    next_start = NextStart(window.status_line, KERNELS)
    gc.freeze()
    reporter.fault.connect(lambda fault: FaultDialog(fault, window).show())
    for number in (signal.SIGINT, signal.SIGTERM):  # the frame clock gives Python the time to notice them
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.close))  # what is being painted is painted first
    if file:
        window.bench.startup.ready.connect(lambda: _open(window, file, of_robot))
    if script:
        window.bench.startup.draggable.connect(lambda: _listen(window, script), Qt.ConnectionType.SingleShotConnection)
    window.show()
    warm_up = _prepare_engine(window)
    app.aboutToQuit.connect(window.shut_down)
    app.aboutToQuit.connect(partial(warm_up.stop, 1.0))
    window.bench.startup.when_ready(next_start.begin)
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


def _assemble(robot, settings):
    """The window with everything but the engine's kernels."""
    robot = robot if isinstance(robot, engine.Robot) else engine.load_robot(robot)
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


def _prepare_engine(window) -> JobRunner:
    """Have the kernels compiled by processes beside the window, or read from the cache, while it is already there."""
    runner, startup = JobRunner("warm-up", window), window.bench.startup
    text = "Preparing the engine. Kernels that are not there yet are compiled, once."
    runner.progressed.connect(partial(window.banner.show_progress, text))
    runner.failed.connect(lambda error: window.banner.show_message(Severity.ERROR, error))
    startup.drawable.connect(window.kinematics_ready)
    runner.finished.connect(partial(_engine_ready, window))
    window.banner.show_progress(text, 0, 0)
    seen = threading.Event()
    window.scene.frameSwapped.connect(seen.set, Qt.ConnectionType.SingleShotConnection)
    runner.start(partial(_compile, startup, seen))
    return runner


def _compile(startup: Startup, seen: threading.Event, job: Job) -> str:
    """The engine's kernels, in the thread of `job`, once the first picture is `seen`; why they cannot be kept, or nothing."""
    seen.wait(LATEST)
    from armature.engine.kernel_cache import KernelCache
    from armature.engine.kernels import DRAGGABLE, DRAWABLE

    signals = {DRAWABLE: startup.drawable, DRAGGABLE: startup.draggable}

    def reached(stage: str):
        if not job.cancelled():
            signals[stage].emit()

    engine.warm_up(lambda done, total, _: job.progress(done, total), reached, job.cancelled, KERNELS)
    return KernelCache.trouble


def _engine_ready(window, trouble: str):
    window.engine_ready()
    if trouble:
        window.banner.show_message(Severity.WARNING, sentence(trouble))
    spare_what_is_there()
    imports = JobRunner("imports", window)
    imports.finished.connect(spare_the_new)
    imports.start(lambda _: window.features.import_late())  # so that a dock comes at once when it is wanted
    for late in window.features.late():
        late.dock.came.connect(spare_the_new)
