"""Samples a million points of the workspace in the real window, which redraws all the while, and prints one line of JSON;
`stall` starts it."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise

from armature import engine
from armature.app.window.garbage import spare_what_is_there
from armature.app.workspace.feature import WorkspaceFeature
from tests.benchmarks.free_arm import free_arm

SAMPLES, SIZE, SETTLE, TICK = 1_000_000, (1280, 800), 3.0, 2


def main() -> int:
    """A timer that is due every 2 ms notes when it gets its turn: `quiet` before the sampling, `busy` until it is drawn."""
    import armature.app.application
    from armature.app.state.settings import MemoryStore

    armature.app.application.ensure_application()
    from PySide6.QtCore import QEventLoop, Qt, QTimer
    from PySide6.QtGui import QAction

    engine.warm_up()  # as the program does before the simulation may run
    window = armature.app.application.build_window(robot=free_arm("puma560"), settings=MemoryStore())
    window.resize(*SIZE)
    window.show()
    window.docks.bring_up("workspace")
    window.findChild(QAction, "action_run").trigger()  # it swings without end: every frame is another picture
    panel, runner = window.features[WorkspaceFeature].panel, window.features[WorkspaceFeature].runner
    panel.sampling.samples.setValue(SAMPLES)
    quantity = panel.sampling.quantity
    quantity.setCurrentIndex(quantity.findData("manipulability"))

    beats, frames, loop = [], [], QEventLoop()
    window.scene.frameSwapped.connect(lambda: frames.append(time.perf_counter()))
    timer = QTimer(interval=TICK, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start()

    def spin(duration: float) -> None:
        QTimer.singleShot(round(1000 * duration), loop.quit)
        loop.exec()

    spin(SETTLE)
    spare_what_is_there()  # as the program does once the window is there and the engine ready
    beats.clear()
    spin(SETTLE)
    quiet, drawn = stalls(beats), len(frames)
    beats.clear()
    started = time.perf_counter()
    runner.finished.connect(loop.quit)
    panel.compute.click()
    loop.exec()
    taken, redrawn = time.perf_counter() - started, len(frames) - drawn
    spin(SETTLE)
    space = window.features[WorkspaceFeature].space
    seen = {"samples": 0 if space is None else len(space.points), "taken": taken, "frames": redrawn}
    print(json.dumps(seen | {"quiet": quiet, "busy": stalls(beats)}))
    window.shut_down()
    window.close()
    return 0


def stalls(beats: list[float]) -> dict[str, float]:
    """The longest gap between two beats, and the one that 99 % are shorter than, in seconds."""
    gaps = sorted(after - before for before, after in pairwise(beats))
    return {"longest": gaps[-1], "usual": gaps[int(0.99 * (len(gaps) - 1))]}


if __name__ == "__main__":
    sys.exit(main())
