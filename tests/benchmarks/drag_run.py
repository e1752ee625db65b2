"""Drags the hand of an arm in the real window and prints what was seen as one line of JSON; `drag` starts it."""

from __future__ import annotations

import json
import sys
import time
from statistics import median

ARM, SIZE, EVENTS, WAY = "panda", (1280, 800), 120, 60.0


def main() -> int:
    """Every event is a move of the mouse on the ball of the gizmo; the next follows when the window has shown what came of it."""
    import armature.app.application
    import armature.app.window.garbage
    from armature.app.state.settings import Settings

    armature.app.application.ensure_application()
    from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt, QTimer
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    window = armature.app.application.build_window(ARM, Settings(gizmo=True, camera_glides=False))
    armature.app.window.garbage.spare_what_is_there()
    window.resize(*SIZE)
    window.show()
    window.document.edit(window.document.robot.configurations["ready"])
    view, loop = window.scene, QEventLoop()
    view.fit()
    QTimer.singleShot(2000, loop.quit)
    loop.exec()

    def send(kind, at: QPointF, button=Qt.MouseButton.NoButton) -> None:
        glob = QPointF(view.mapToGlobal(at.toPoint()))
        event = QMouseEvent(kind, at, glob, button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(view, event)

    x, y, _ = map(float, view.camera.project(view.gizmo.look.centre))
    send(QEvent.Type.MouseButtonPress, QPointF(x, y), Qt.MouseButton.LeftButton)
    view.frameSwapped.connect(loop.quit)
    handled, shown = [], []
    for k in range(EVENTS):
        away = WAY * (1 - abs(1 - 2 * (k + 1) / EVENTS))
        started = time.perf_counter()
        send(QEvent.Type.MouseMove, QPointF(x - away, y - away / 2))
        handled.append(time.perf_counter() - started)
        loop.exec()
        shown.append(time.perf_counter() - started)
    moved = len(shown) == EVENTS and window.document.undo_stack.count() == 2
    late = sorted(shown)[int(0.95 * EVENTS)]
    print(json.dumps({"moved": moved, "handled": median(handled), "shown": median(shown), "late": late}))
    window.shut_down()
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
