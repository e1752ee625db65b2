"""Opens the real window with every overlay, moves the arm and prints the thread's seconds per frame; `overlays` starts it.

Drawing calls reach the driver as they are, but for no vertices: all of the program's own work is done and nothing is rasterised.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time

import numpy as np

FRAMES, ROUNDS = 60, 9


def main(robot: str) -> int:
    """Measures one arm with all overlays and with none."""
    import armature.app.application
    from armature.app.scene.gl import gl_format

    armature.app.application.ensure_application()
    gl_format.match_pyopengl()
    _draw_nothing()
    from armature import engine
    from armature.app.scene.overlays.workspace.reach_picture import reach_picture
    from armature.app.scene.scene_view import OVERLAYS
    from armature.app.state.settings import MemoryStore

    window = armature.app.application.build_window(robot, MemoryStore())
    window.resize(1280, 800)
    window.show()
    window.clock.stop()
    scene = window.scene
    cloud = engine.workspace(window.document.robot, samples=50_000, quantity="manipulability", seed=0)
    scene.show_workspace(reach_picture(cloud))
    seen = {"overlays": len(OVERLAYS)}
    for name, on in (("none", False), ("all", True)):
        for overlay in OVERLAYS:
            scene.set_overlay(overlay, on)
        seen[name] = _per_frame(window)
    print(json.dumps(seen))
    window.close()
    return 0


def _draw_nothing() -> None:
    """Let every drawing call draw 0 vertices, clear nothing and copy no pixels; before anybody imports them by name."""
    from OpenGL import GL
    from OpenGL.raw.GL.VERSION import GL_3_1

    arrays, arrays_instanced, elements_instanced = GL.glDrawArrays, GL.glDrawArraysInstanced, GL_3_1.glDrawElementsInstanced
    GL.glDrawArrays = lambda mode, first, count: arrays(mode, first, 0)
    GL.glDrawArraysInstanced = lambda mode, first, count, times: arrays_instanced(mode, first, 0, times)
    GL_3_1.glDrawElementsInstanced = lambda mode, count, kind, at, times: elements_instanced(mode, 0, kind, at, times)
    GL.glClear = lambda mask: None
    GL.glBlitFramebuffer = lambda *box: None


def _per_frame(window) -> float:
    """The median over ROUNDS of this thread's time for one frame, in s."""
    home, n = window.document.robot.configurations["home"], window.document.robot.n
    rounds, k = [], 0
    gc.disable()
    for _ in range(ROUNDS + 1):
        started = time.thread_time()
        for _ in range(FRAMES):
            k += 1
            window.document.set_q(home + 0.1 * np.sin(0.3 * k + np.arange(n)))
            window.clock.poll()
            window.scene.makeCurrent()
            window.scene.paintGL()
        rounds.append((time.thread_time() - started) / FRAMES)
    gc.enable()
    return statistics.median(rounds[1:])  # the first round fills the caches


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
