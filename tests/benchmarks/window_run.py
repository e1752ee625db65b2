"""Opens the real window, runs the simulation for a while and prints what was seen as one line of JSON; `window` starts it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import pairwise

from armature import engine
from tests.benchmarks.free_arm import free_arm
from tests.benchmarks.gui_clock import GuiClock

SETTLE, MEASURE = 3.0, 60.0


def main() -> int:
    """Measures and closes the window the way a user does."""
    from armature.app.scene.gl import gl_format

    gl_format.configure()  # PyOpenGL checks every call, at twice the time, unless it is told before it is imported
    clock = GuiClock()
    clock.watch_driver()
    batches = _watch_batches()
    import armature.app.application
    import armature.app.window.garbage

    armature.app.application.ensure_application()
    import armature.app.window.main_window  # every handler must be known before the first object
    from armature.app.scene.scene_view import OVERLAYS
    from armature.app.state.settings import MemoryStore

    clock.watch_handlers()
    # without friction and stops it never comes to rest, so that every frame is another picture
    engine.warm_up()  # as the program does before the simulation may run
    window = armature.app.application.build_window(robot=free_arm("puma560"), settings=MemoryStore())
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QApplication, QWidget

    window.resize(1280, 800)
    window.show()
    scene = window.findChild(QWidget, "scene_view")
    for name in OVERLAYS:
        scene.set_overlay(name, True)
    _show_cloud(scene, window.document.robot)
    window.findChild(QAction, "action_run").trigger()

    _spin(SETTLE)
    armature.app.window.garbage.spare_what_is_there()  # as the program does once the window is there and the engine ready
    bare = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.bare_sleep", str(MEASURE)], stdout=subprocess.PIPE, text=True
    )
    _spin(1.0)  # until it has started
    clock.reset()
    batches.clear()
    gui, wall = time.thread_time(), time.perf_counter()
    _spin(MEASURE)
    wall, gui = time.perf_counter() - wall, time.thread_time() - gui
    seen = _summary(list(batches), clock, wall, gui)
    print(json.dumps(seen | {"bare_gaps": json.loads(bare.communicate()[0])}))
    window.close()
    QApplication.processEvents()
    return 0


def _watch_batches() -> list[tuple[float, float]]:
    """(end on the wall clock, simulated time) of every batch of steps that the simulation takes."""
    from armature.engine.simulation.stepper import Stepper

    batches: list[tuple[float, float]] = []
    advance = Stepper.advance

    def watched(self, steps):
        result = advance(self, steps)
        batches.append((time.perf_counter(), self.t))
        return result

    Stepper.advance = watched
    return batches


def _show_cloud(scene, robot) -> None:
    from armature import engine
    from armature.app.scene.overlays.workspace.reach_picture import reach_picture

    cloud = engine.workspace(robot, samples=50_000, quantity="manipulability", seed=0)
    scene.show_workspace(reach_picture(cloud))


def _spin(duration: float) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(duration * 1000), loop.quit)
    loop.exec()


def _summary(batches, clock: GuiClock, wall: float, gui: float) -> dict[str, float]:
    if len(batches) < 2:
        raise SystemExit("the simulation did not run")
    (first_wall, first_t), (last_wall, last_t) = batches[0], batches[-1]
    gaps = sorted(after - before for before, after in pairwise(end for end, _ in batches))
    frames = clock.calls["paintGL"]
    return {
        "seconds": wall,
        "factor": (last_t - first_t) / (last_wall - first_wall),
        "gaps": gaps,
        "frames_per_second": frames / wall,
        "own_per_frame": clock.own_per_frame(),
        "gui_per_frame": gui / max(1, frames),
    }


if __name__ == "__main__":
    sys.exit(main())
