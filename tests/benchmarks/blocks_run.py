"""Opens a robot, changes theme and perspective, opens panels that come late and exports in the real window, and prints how long
the GUI's thread was held at a time; `blocks` starts it."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.gui_clock import GuiClock

SIZE, SETTLE, ROUNDS = (1280, 800), 1.5, 5


def main() -> int:
    """Between two turns of the event loop: the thread's own time, without what the driver draws."""
    from armature.app.scene.gl import gl_format

    gl_format.configure()
    clock = GuiClock()
    clock.watch_driver()
    import armature.app.application
    from armature import engine
    from armature.app.state.settings import MemoryStore

    armature.app.application.ensure_application()
    engine.warm_up()
    window = armature.app.application.build_window(robot="puma560", settings=MemoryStore())
    window.resize(*SIZE)
    window.show()
    clock.count_everywhere()

    from PySide6.QtCore import QEventLoop, QTimer

    from armature.app.equations.sheet.feature import DerivationFeature
    from armature.app.window.garbage import spare_the_new

    loop, beats = QEventLoop(), []
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: beats.append(time.thread_time() - clock.driver))

    def spin(duration: float) -> None:
        QTimer.singleShot(round(1000 * duration), loop.quit)
        loop.exec()

    def longest(act: Callable[[], None]) -> float:
        beats.clear()
        QTimer.singleShot(100, act)
        timer.start()
        while len(beats) < 100:  # it comes late where others have the processor
            spin(SETTLE)
        timer.stop()
        return max(after - before for before, after in pairwise(beats))

    actions = window.actions_
    acts: dict[str, list[Callable[[], None]]] = {
        "robot": [lambda name=name: window.files.open_robot(name) for name in ("panda", "ur10")],
        "theme": [lambda name=name: window.preferences.set(theme=name) for name in ("dark", "light")],
        "perspective": [actions[f"perspective_{name}"].trigger for name in ("dynamics", "singularity", "explore")],
    }
    window.features.import_late()  # as the program does beside the window
    late = [feature.dock for feature in window.features.late()]
    for dock in late:
        dock.came.connect(spare_the_new)  # as the program does, too
    gc.collect()
    gc.freeze()
    spin(2 * SETTLE)
    once = {"equations": longest(actions["perspective_equations"].trigger)}  # which is its first time but once
    acts["return"] = [actions[f"perspective_{name}"].trigger for name in ("explore", "equations")]
    once["late"] = max(longest(dock.bring_up) for dock in late if dock.name != "equations")
    actions["reset_layout"].trigger()
    for kind in acts.values():  # what is made once is made
        for act in kind:
            longest(act)
    seen = {name: [[longest(act) for act in kind] for _ in range(ROUNDS)] for name, kind in acts.items()}
    with TemporaryDirectory() as folder:
        write = window.features[DerivationFeature].save
        seen["export"] = [[longest(lambda k=k: write(Path(folder, f"{k}.pdf")))] for k in range(2)]
        spin(2 * SETTLE)  # it is written beside the window
    print(json.dumps(once | {name: median(max(times) for times in rounds) for name, rounds in seen.items()}))
    window.shut_down()
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
