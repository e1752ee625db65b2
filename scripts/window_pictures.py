"""The pictures of the window in the README, each as somebody gets there with mouse and keys: run by gallery.sh."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="armature-pictures-")  # no session to recover

from tests.virtual_display import use_virtual_display  # noqa: E402

use_virtual_display()

import numpy as np  # noqa: E402
from PySide6.QtCore import QEventLoop, QObject, QPointF, Qt, QTimer  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QScrollArea  # noqa: E402

import armature  # noqa: E402
from armature.app.application import build_window  # noqa: E402
from armature.app.control.feature import ControlFeature  # noqa: E402
from armature.app.identification.identification_model import STEPS  # noqa: E402
from armature.app.remote.feature import RemoteFeature  # noqa: E402
from armature.app.state.settings import Settings  # noqa: E402
from armature.engine.simulation.commands import Hold  # noqa: E402
from tests.app.scenes import move, visible_point  # noqa: E402

FOLDER = ROOT / "assets" / "screenshots"
SIZE = (1400, 900)
NEAR_WRIST = np.array([0.3, -0.5, 0.4, 0.5, 0.05, 0.2])


def opened(perspective: str):
    """A window of this perspective; what it computes is there."""
    window = build_window("puma560", Settings(theme="light", perspective=perspective))
    window.resize(*SIZE)
    window.show()
    wait(2.0)
    return window


def wait(seconds: float) -> None:
    """Let the window live."""
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()


def show(window, *overlays: str) -> None:
    """These overlays, and the floor's grid, alone."""
    for name in ("frames", "labels", "loads"):
        action = window.actions_[f"show_{name}"]
        if action.isChecked() != (name in overlays):
            action.trigger()


def save(window, name: str) -> None:
    """Write the picture and close the window."""
    window.grab().save(str(FOLDER / name))
    window.close()


def singularity() -> None:
    """Near a wrist singularity, with the map of joints 3 and 5."""
    window = opened("singularity")
    show(window, "frames", "labels")
    window.document.edit(NEAR_WRIST)
    wait(6.0)
    save(window, "window.png")


def trajectory() -> None:
    """Pick and place as it ships, looked ahead to its middle, with a waypoint in hand."""
    window = opened("trajectory")
    show(window)
    found(window, "trajectory_example").trigger()
    wait(4.0)
    found(window, "trajectory_waypoints").selectRow(3)
    found(window, "trajectory_time").setValue(470)
    wait(3.0)
    save(window, "window_trajectory.png")


def dynamics() -> None:
    """Pulled by hand while it runs."""
    window = opened("dynamics")
    show(window, "loads")
    window.features[ControlFeature].choose("pd")
    window.bench.simulation.send(Hold())
    window.actions_["run"].trigger()
    wait(1.5)
    start = QPointF(visible_point(window.scene, 3))
    ends = [start + k * QPointF(4.0, -3.0) for k in range(21)]
    QTest.mousePress(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, start.toPoint())
    for end in ends:
        move(window.scene, end, Qt.MouseButton.LeftButton)
        wait(0.08)
    wait(1.0)
    window.grab().save(str(FOLDER / "window_dynamics.png"))
    QTest.mouseRelease(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, ends[-1].toPoint())
    window.close()


def equations() -> None:
    """Under the pointer the gravity torque of joint 2: weights and lever arms; below, its formula with the numbers now."""
    window = opened("equations")
    show(window)
    bar = found(window, "equations_tabs")
    bar.setCurrentIndex([bar.tabText(k) for k in range(bar.count())].index("M · C · g"))
    wait(3.0)
    gravity = found(window, "equations_g")
    area = gravity.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    area.ensureWidgetVisible(gravity)
    wait(0.5)
    places = [gravity.visualRect(gravity.model().index(0, column)).center() for column in (0, 1)]
    QTest.mouseClick(gravity.viewport(), Qt.MouseButton.LeftButton, pos=places[1])
    for place in places:
        QTest.mouseMove(gravity.viewport(), place)
    wait(4.0)
    save(window, "window_equations.png")


def script() -> None:
    """Driven by a script: its slider and its curves in the dock, its ghost, arrow and text in the view."""
    os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="armature-pictures-")
    window = build_window("panda", Settings(theme="light"))
    window.resize(*SIZE)
    window.show()
    show(window)
    window.features[RemoteFeature].listen()
    drawn, seen = threading.Event(), threading.Event()
    threading.Thread(target=_drive, args=(drawn, seen), daemon=True).start()
    while not drawn.is_set():
        wait(0.1)
    window.scene.fit()
    wait(1.5)
    window.grab().save(str(FOLDER / "window_script.png"))
    seen.set()
    wait(0.5)
    window.close()


def _drive(drawn: threading.Event, seen: threading.Event) -> None:
    with armature.show("panda") as view:
        q = view.robot.configurations["ready"]
        goal = q + [-1.2, 0.3, 0.0, 0.4, 0.0, 0.0, 0.0]
        view.ghost("goal", goal)
        for k in range(70):
            q = q + 0.01 * view.slider("rate", 0, 5, 1) * (goal - q)
            view.q = q
            view.plot("error [rad]", (goal - q)[:4], t=0.1 * k, names=view.robot.joint_names[:4])
            view.plot("force [N]", 30.0 + 8.0 * np.sin(0.1 * k), t=0.1 * k)
            view.arrow(armature.frame_pose(view.robot, q)[:3, 3], [0.0, 0.0, 30.0 + 8.0 * np.sin(0.1 * k)], "F")
            view.pressed("grasp")
        view.text("reaching")
        view.flush()
        drawn.set()
        seen.wait()


def identify() -> None:
    """The guided example, all steps done: what was identified, with its σ, beside the file's values."""
    window = opened("dynamics")
    show(window)
    window.actions_["identify_example"].trigger()
    for step in STEPS:
        press = found(window, f"example_{step}")
        while not press.isEnabled():
            wait(0.2)
        press.click()
    while "times smaller" not in found(window, "example_compare_words").text():
        wait(0.2)
    found(window, "identify_tabs").setCurrentIndex(4)
    wait(1.0)
    save(window, "window_identify.png")


def builder() -> None:
    """A length of the Puma 560 under edit: its row in the table, its arrows at the link."""
    window = opened("explore")
    show(window, "frames")
    window.actions_["edit_arm"].trigger()
    window.activateWindow()
    wait(1.0)
    table = found(window, "builder_table")
    table.setCurrentIndex(table.model().index(1, 4))
    QTest.keyClicks(table, "0")
    QTest.keyClicks(QApplication.focusWidget(), ".5")
    window.scene.select_joint(-1)
    window.scene.fit()  # all of the arm, not the selected link
    window.scene.select_joint(1)
    wait(1.0)
    window.grab().save(str(FOLDER / "window_builder.png"))
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    window.close()


def found(window, name: str):
    """What goes by this name in the window."""
    return window.findChild(QObject, name)


if __name__ == "__main__":
    for picture in (singularity, trajectory, dynamics, equations, identify, builder, script):
        picture()
