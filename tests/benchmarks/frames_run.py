"""Draws the 3D view as fast as it goes and prints frames per second as one line of JSON; `frames` starts it."""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

ARM, SIZE, SETTLE, MEASURE = "panda", (1280, 800), 1500, 4.0


def main() -> int:
    """`ours`: every frame another pose, drawn and read. `drag`: a link turned by mouse events, one per frame on the screen."""
    import armature.app.application
    import armature.app.window.garbage
    from armature.app.state.settings import Settings

    armature.app.application.ensure_application()
    from armature.app.scene.gl.gl_format import renderer_name

    window = armature.app.application.build_window(ARM, Settings(camera_glides=False))
    armature.app.window.garbage.spare_what_is_there()
    for dock in window.docks.all():
        dock.hide()
    window.show()
    QTest.qWait(300)
    view = window.scene
    window.resize(window.width() + SIZE[0] - view.width(), window.height() + SIZE[1] - view.height())
    QTest.qWait(SETTLE)
    if (view.width(), view.height()) != SIZE:
        raise SystemExit(f"the view has {view.width()}×{view.height()} pixels, not {SIZE[0]}×{SIZE[1]}")
    window.clock.stop()
    frames = {"ours": _poses, "drag": _drag}[sys.argv[1]](window, view)
    triangles = len(view.stage.arm.solids.mesh.faces)
    seen = {"triangles": triangles, "samples": max(1, view.format().samples()), "renderer": renderer_name().split(" (")[0]}
    print(json.dumps({"frames": frames, **seen}))
    window.shut_down()
    window.close()
    return 0


def _poses(_, view) -> float:
    home, count = np.array(view.q), 0
    for _ in range(3):
        view.grabFramebuffer()
    started = time.perf_counter()
    while (spent := time.perf_counter() - started) < MEASURE:
        count += 1
        view.set_q(home + 0.3 * np.sin(0.1 * count + np.arange(len(home))))
        view.grabFramebuffer()
    return count / spent


def _drag(window, view) -> float:
    window.clock.start()
    loop = QEventLoop()
    x, y = next((x, y) for y in range(200, 700, 7) for x in range(300, 1000, 7) if (h := view.pick(x, y)) and h.joint == 1)

    def send(kind, dx: float, button=Qt.MouseButton.NoButton) -> None:
        at = QPointF(x + dx, y)
        glob = QPointF(view.mapToGlobal(at.toPoint()))
        none = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(view, QMouseEvent(kind, at, glob, button, Qt.MouseButton.LeftButton, none))

    view.frameSwapped.connect(loop.quit)
    send(QEvent.Type.MouseButtonPress, 0.0, Qt.MouseButton.LeftButton)
    before, count, started = view.q[1], 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < MEASURE:
        count += 1
        send(QEvent.Type.MouseMove, 60.0 * np.sin(0.2 * count) + 8.0)
        loop.exec()
    if view.q[1] == before:
        raise SystemExit("the drag did not move the arm")
    return count / spent


if __name__ == "__main__":
    sys.exit(main())
