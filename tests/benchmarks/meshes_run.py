"""Opens the window, then a robot, and prints the seconds until its meshes are on the screen; `meshes` starts it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from armature.app.robots.robot_meshes import MeshesFeature


def main() -> int:
    """`meshes_run ROBOT.urdf CACHE_FOLDER`."""
    from armature.app.application import build_window, ensure_application
    from armature.app.robots.meshes.mesh_cache import MeshCache
    from armature.app.state.settings import MemoryStore

    ensure_application()
    from PySide6.QtCore import QEventLoop, QTimer

    window = build_window("puma560", MemoryStore())
    window.features[MeshesFeature].cache = MeshCache(Path(sys.argv[2]))
    window.resize(1280, 800)
    window.show()
    loop, scene = QEventLoop(), window.scene

    def when_drawn():
        if scene.stage.solids.stands:
            print(time.perf_counter() - started)
            loop.quit()

    QTimer.singleShot(2000, loop.quit)  # the window has come to rest
    loop.exec()
    scene.frameSwapped.connect(when_drawn)
    started = time.perf_counter()
    window.files.open_robot(sys.argv[1])
    QTimer.singleShot(60_000, lambda: sys.exit("the meshes were not shown within a minute"))
    loop.exec()
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
