"""The window for a long time, under a controller, recorded, with everything shown: memory, queues and lag do not grow."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QTimer

from armature.app.control.feature import ControlFeature
from armature.app.state.choices.overlay_choices import OVERLAYS
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import example
from armature.app.window.garbage import spare_what_is_there
from tests.app.kept_window import set_pace
from tests.app.scenes import gl_objects

STATM = Path("/proc/self/statm")
PAGE = 4096 / 2**20  # MiB


@dataclass(frozen=True)
class Look:
    """What was seen at one moment: MiB of memory, batches and words that wait, seconds lost against the wall clock, objects."""

    memory: float
    waiting: int
    lost: float
    objects: int
    in_gl: int


def run(window, wait_for, seconds: float, every: float) -> list[Look]:
    """A looping trajectory under computed torque, recorded; a look every few seconds."""
    for name in OVERLAYS:
        window.scene.set_overlay(name, True)
    window.features[ControlFeature].choose("computed-torque")
    feature = window.features[TrajectoryFeature]
    feature.model.put(replace(example(window.document.robot), repeat="loop"))
    wait_for(lambda: feature.model.preview is not None, 60)
    window.actions_["run_trajectory"].trigger()
    wait_for(lambda: window.simulation.running, 60)
    window.actions_["record"].trigger()
    wait_for(lambda: window.simulation.recording is not None)
    spare_what_is_there()  # as the program does
    looks, worker = [], window.simulation._worker
    wall, simulated = time.perf_counter(), window.simulation.latest.t
    while time.perf_counter() - wall < seconds:
        spin(every)
        looks.append(look(window, worker, time.perf_counter() - wall - (window.simulation.latest.t - simulated)))
    return looks


def spin(seconds: float) -> None:
    """Lets the program run as it does for a user; `QTest.qWait` would keep the interpreter from the simulation's thread."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


def look(window, worker, lost: float) -> Look:
    """What there is now."""
    memory = int(STATM.read_text().split()[1]) * PAGE
    waiting = worker.commands.qsize() + worker.events.qsize() + sum(len(one._queue) for one in worker.writers)
    return Look(memory, waiting, lost, len(gc.get_objects()), sum(gl_objects(window.scene).values()))


def check(looks: list[Look], memory: float, in_gl: int, objects: int) -> None:
    """The last looks beside those of the second fifth: the first is for what fills up once, such as the plots' history."""
    fifth = len(looks) // 5
    before, after = looks[fifth : 2 * fifth], looks[-fifth:]
    assert min(one.memory for one in after) - max(one.memory for one in before) < memory, looks
    assert max(one.waiting for one in looks) < 100, looks
    assert min(one.objects for one in after) - max(one.objects for one in before) < objects, looks
    assert max(one.in_gl for one in after) <= max(one.in_gl for one in before) + in_gl, looks


@pytest.fixture
def opened(make_window):
    """The panda with every dock."""
    return make_window("panda")


@pytest.mark.skipif(not STATM.exists(), reason="memory is read from /proc")
def test_some_seconds_leave_nothing_behind(opened, wait_for):
    check(run(opened, wait_for, seconds=5, every=0.5), memory=25, in_gl=12, objects=2000)  # first uses, and some garbage


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not STATM.exists(), reason="memory is read from /proc")
def test_ten_minutes_leave_nothing_behind(opened, wait_for):
    set_pace(opened, 1.0)
    looks = run(opened, wait_for, seconds=600, every=10)
    check(looks, memory=12, in_gl=0, objects=500)  # the plots' ring of 8 MB takes minutes to fill
    for look in looks[:: len(looks) // 10]:
        print(look)
