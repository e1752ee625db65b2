"""GUI tests: real windows on a virtual display, watched for everything that must never happen."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.scene.gl import gl_format

gl_format.configure()  # before pytest-qt makes the QApplication

from armature.app.joints import pose_glide  # noqa: E402
from armature.app.state import jobs  # noqa: E402
from armature.app.state.settings import Settings  # noqa: E402
from armature.app.trajectory.feature import TrajectoryFeature  # noqa: E402
from armature.app.window.main_window import MainWindow  # noqa: E402
from tests.app.checked_drawing import check_all  # noqa: E402
from tests.app.kept_window import SIZE, STEADY, TOOL_TIP, KeptWindow, active_timers, set_pace, settle, shown, spare  # noqa: E402
from tests.time_limits import FACTOR, WAIT  # noqa: E402

jobs.NICE = 0  # with a test on each core, what gives way to both would hardly go on

DRAWING_FAILED = "Error while drawing item"
WARNINGS = ("PytestUnhandledThreadExceptionWarning", "PytestUnraisableExceptionWarning")


def pytest_collection_modifyitems(items):
    """An exception in a thread or a finaliser fails the test; pytest-qt does the same for those in slots and events."""
    for item in items:
        for warning in WARNINGS:
            item.add_marker(pytest.mark.filterwarnings(f"error::pytest.{warning}"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """pyqtgraph only prints when an item cannot be drawn."""
    outcome = yield
    report = outcome.get_result()
    if report.passed and DRAWING_FAILED in report.capstdout + report.capstderr:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: {DRAWING_FAILED}\n{report.capstdout}{report.capstderr}"


@pytest.fixture
def tiny_disk(tmp_path):
    """The folder of a disk of 128 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", folder]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture(autouse=True, scope="module")
def spared():
    """What is there before a file's tests, for the most part pytest and modules, stays out of the collections after each of them.

    A full one would else look at half a million objects for a quarter of a second, and the search for timers once more.
    """
    spare()


@pytest.fixture(autouse=True)
def checked_drawings(monkeypatch):
    """What is repeated in any test is held against what would be drawn anew."""
    check_all(monkeypatch)


@pytest.fixture(autouse=True)
def no_fine_frames(request, monkeypatch):
    """The antialiased frame that follows when nothing moves for a moment takes as long as all others of a test together."""
    from armature.app.scene.gl import still_frame

    if request.module.__name__.rpartition(".")[2] != "test_still_frame":
        monkeypatch.setattr(still_frame, "AFTER_MS", 60_000)


@pytest.fixture(autouse=True)
def nothing_leaks(kept_window):
    """No window outlives a test."""
    yield
    if QApplication.instance() is not None:
        _close_what_is_left(kept_window)


@pytest.fixture(autouse=True, scope="module")
def nothing_runs_on(spared, kept_window):
    """No thread and no running timer outlives a file, but those of the window that is kept for the next one.

    That one's jobs and its readouts, which begin when they are first wanted, must have ended with it.
    """
    before = set(threading.enumerate())
    yield
    if QApplication.instance() is None:
        return
    _close_what_is_left(kept_window)
    known, jobs = before | kept_window.threads, ("job-", "readouts")
    _assert_no_threads(lambda: {t for t in _threads() - known if not t.name.startswith(jobs)})
    _assert_no_timers([t for t in active_timers() if t.parent() is None and t not in kept_window.timers])


def _assert_no_threads(running: Callable[[], set[threading.Thread]]) -> None:
    end = time.monotonic() + 5 * FACTOR
    while (threads := running()) and time.monotonic() < end:
        time.sleep(0.02)
    assert not threads, f"threads left running: {[t.name for t in threads]}"


def _assert_no_timers(timers: list) -> None:
    assert not timers, f"timers left running: {[(t, t.parent()) for t in timers]}"


def _close_what_is_left(kept: KeptWindow) -> None:
    left = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not kept.window]
    for widget in left:
        widget.close()
    left = [w for w in left if w.objectName() != TOOL_TIP]  # which comes where the pointer rests
    settle()
    gc.collect()
    assert not left, f"windows left open: {left}"


def _threads() -> set[threading.Thread]:
    # the engine's pool for batches and a thread of Dask live as long as the process
    lasting = ("batch", "ThreadPoolExecutor", "engine", "Dask-Callback")
    return {t for t in threading.enumerate() if not t.name.startswith(lasting)}


@pytest.fixture(scope="session")
def kept_window():
    """The window that tests share, in all files of this process."""
    before, kept = set(threading.enumerate()), KeptWindow()
    yield kept
    kept.end()
    if QApplication.instance() is not None:
        _assert_no_threads(lambda: _threads() - before)
        _assert_no_timers(active_timers())


@pytest.fixture
def make_window(qapp, tmp_path, kept_window):
    """The whole program with settings of its own, shown: `make_window("scara", theme="dark")`.

    The first window of a test may be one that earlier tests have used; it is then again as it was made. With `anew` it is not.
    """
    windows = []

    def make(robot="puma560", size=SIZE, anew=False, **changes):
        folders = {"recording_folder": str(tmp_path / "recordings"), "screenshot_folder": str(tmp_path / "pictures")}
        if isinstance(robot, str) and not anew and not kept_window.lent:
            return kept_window.lend(robot, size, changes, folders)
        windows.append(shown(robot, replace(Settings(), **{**folders, **STEADY, **changes}), size))
        return windows[-1]

    yield make
    for window in windows:
        if shiboken6.isValid(window):
            window.features[TrajectoryFeature].model.discard_all()
            window.close()
            window.deleteLater()
    settle()
    kept_window.take_back()


@pytest.fixture
def window(make_window):
    """The program as it starts: the Puma 560."""
    return make_window()


@pytest.fixture
def at_real_time(window):
    """The program as it starts, its simulation as fast as the clock."""
    set_pace(window, 1.0)
    return window


@pytest.fixture
def qtbot(qtbot, monkeypatch):
    """The one of pytest-qt, with waits as long as those of `wait_for`."""
    for name in ("waitUntil", "waitSignal", "waitActive", "waitExposed"):
        monkeypatch.setattr(qtbot, name, partial(getattr(qtbot, name), timeout=1000 * WAIT))
    return qtbot


@pytest.fixture
def wait_for(qtbot):
    """Runs the event loop until `condition()` holds, and shows that state; the test fails after `seconds` of a quiet machine."""

    def wait(condition, seconds=WAIT / FACTOR):
        qtbot.waitUntil(lambda: bool(condition()), timeout=round(1000 * seconds * FACTOR))
        for window in QApplication.topLevelWidgets():
            if isinstance(window, MainWindow):
                window.bench.views.flush()

    return wait


@pytest.fixture
def find():
    """A child of a window by its object name: `find(window, "joint_slider_joint1")`."""
    from PySide6.QtCore import QObject

    def by_name(window, name):
        child = window.findChild(QObject, name)
        assert child is not None, f"no object is called {name}"
        return child

    return by_name


@pytest.fixture
def press(qtbot):
    """Presses a key in a window or a widget, as a person would."""

    def key(widget, key, modifier=Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(widget, key, modifier)
        QApplication.processEvents()

    return key


@pytest.fixture
def click(find):
    """Clicks a button of a window, which must be possible: `click(window, "nearest_go")`."""

    def by_name(window, name):
        button = find(window, name)
        assert button.isEnabled() and button.isVisible(), name
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    return by_name


@pytest.fixture
def glides_by_looks(monkeypatch):
    """An arm that goes to another pose goes on by 0.02 s from one look at the clock to the next, however slow the machine."""
    looks = count()
    monkeypatch.setattr(pose_glide, "time", SimpleNamespace(monotonic=lambda: 0.02 * next(looks)))


@pytest.fixture
def armature(capsys):
    """Runs the program in this process: exit code, lines on stdout, lines on stderr."""
    from armature.app import cli

    def call(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call


@pytest.fixture(scope="module")
def singularity_kernels():
    """Compiled ahead, as the program does it before its window is ready."""
    scara = engine.load_robot("scara")
    engine.nearest_singularity(scara, [0.3, 0.4, 0.1])
    engine.singularity_map(scara, [0.3, 0.4, 0.1], 0, 1, resolution=5)


@pytest.fixture
def trajectory_dock(make_window):
    """A window with the trajectory dock in front, and its feature: `trajectory_dock("panda")`."""

    def open_(robot="puma560", **options):
        window = make_window(robot, **options)
        window.docks.bring_up("trajectory")
        QTest.qWait(80)
        return window, window.features[TrajectoryFeature]

    return open_
