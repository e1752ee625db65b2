"""A window whose kernels are not compiled: its joints turn at once, and everything else follows as its kernels arrive."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from armature import engine
from armature.app.application import build_window
from armature.app.dh.feature import DHSteps
from armature.app.state.engine_startup import KernelStage
from armature.app.state.settings import Settings
from armature.engine import kernels
from armature.engine.jit import Kernel
from armature.engine.kernel_wait import kernels_awaited
from tests.app.kept_window import STEADY
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]


class Gate:
    """Holds the loading of kernels back before each stage until it is let go on."""

    def __init__(self) -> None:
        self._open = {stage: threading.Event() for stage in KernelStage}

    def let(self, stage: KernelStage) -> None:
        """Load the kernels of a stage."""
        self._open[stage].set()

    def warm_up(self, progress, reached, cancelled, more, first) -> None:
        """Load each stage of `first` once it is let, and end once everything is let, to be loaded when it is first called."""
        kernels.imported(more)
        for done, (stage, modules) in enumerate(first.items()):
            progress(done, 2, f"{modules[0]}.kernel")
            self._open[stage].wait()
            for entry in Kernel.registry:
                if entry.name.startswith(tuple(modules)):
                    entry.compile()
            reached(stage)
        progress(1, 2, "armature.engine.simulation.stepping.fixed_steps.kernel")
        self._open[KernelStage.ALL].wait()


@pytest.fixture
def gate(monkeypatch):
    """Every kernel is missing in the cache, and comes when the test lets it."""
    gate = Gate()
    monkeypatch.setattr(kernels, "are_kept", lambda more=(): False)
    monkeypatch.setattr(engine, "warm_up", gate.warm_up)
    yield gate
    for stage in KernelStage:
        gate.let(stage)


@pytest.fixture
def opened(qapp, gate):
    """The window, shown, before any of its kernels is loaded."""
    window = build_window("puma560", replace(Settings(), **STEADY, gizmo=True))
    window.show()
    assert QTest.qWaitForWindowExposed(window)
    yield window
    window.close()
    assert not kernels_awaited()
    window.deleteLater()


def drag(slider: QWidget, distance: int) -> None:
    """Drag from the middle of a slider, as with the mouse."""
    start = slider.rect().center()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for x in range(0, distance + 1, 5):
        QTest.mouseMove(slider, start + QPoint(x, 0))
        QApplication.processEvents()
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(distance, 0))


def shown_tool(window, find) -> list[float]:
    """The tool's position as the kinematics dock shows it, m."""
    return [float(find(window, f"tool_{axis}").text().split()[0].replace("−", "-")) for axis in "xyz"]


def test_joints_turn_and_the_numbers_follow_before_any_kernel_is_loaded(opened, find, wait_for):
    before = opened.document.q.copy()
    drag(find(opened, "joint_slider_joint2"), 40)
    q, robot = opened.document.q, opened.document.robot
    assert kernels_awaited() and q[1] != before[1]
    wait_for(lambda: opened.readouts.latest is not None and opened.readouts.latest.q is q)
    X_WL = opened.document.link_poses
    tool = opened.readouts.latest.tool
    wait_for(lambda: shown_tool(opened, find) == pytest.approx(tool[:3, 3], abs=6e-5))
    J, sigma = opened.readouts.latest.jacobian, opened.readouts.latest.report.sigma
    assert pytest.approx(tool, abs=1e-12) == opened.scene.X_WT and kernels_awaited()
    opened.close()  # with compiled kernels from now on
    assert pytest.approx(engine.link_poses(robot, q), abs=1e-12) == X_WL
    assert pytest.approx(engine.jacobian(robot, q), abs=1e-9) == J
    assert sigma == pytest.approx(engine.singularity(robot, q).sigma, abs=1e-12)


def test_what_waits_says_for_what_and_comes_alive_stage_by_stage(opened, gate, find, wait_for):
    run, banner, hand = opened.actions_["run"], opened.banner, opened.scene.gizmo.look
    wait_for(lambda: banner.text.text() == "Compiling kernels (first start only), 0 of 2: pose search")
    assert not run.isEnabled() and "Compiling kernels" in run.toolTip()
    assert not hand.shown and opened.scene.stage.labels.boxes and banner.progress.isVisible()
    gate.let(KernelStage.HAND)
    wait_for(lambda: hand.shown)
    wait_for(lambda: banner.text.text().endswith(", 1 of 2: fixed steps"))
    assert (banner.progress.value(), banner.progress.maximum()) == (1, 2)
    assert not run.isEnabled() and kernels_awaited()
    gate.let(KernelStage.ALL)
    wait_for(run.isEnabled)
    assert not banner.isVisible() and not kernels_awaited()
    QTest.mouseClick(opened.toolbar.widgetForAction(run), Qt.MouseButton.LeftButton)
    wait_for(lambda: opened.simulation.running)


def test_panels_wait_for_their_kernels_in_a_process_that_has_none():
    """In a process of its own: where other tests have loaded kernels, no panel waits."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(ROOT / "tests/app/panels_without_kernels.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_arm_near_a_singularity_is_explained_once_the_kernels_are_loaded(opened, gate, wait_for):
    q = opened.document.q.copy()
    q[4] = 0.01
    opened.document.edit(q)
    wait_for(lambda: opened.readouts.latest is not None and opened.readouts.latest.level)
    assert opened.readouts.latest.verdict == "Near a singularity"
    for stage in KernelStage:
        gate.let(stage)
    wait_for(lambda: opened.readouts.latest.report.causes)
    assert opened.readouts.latest.verdict.startswith("Near a singularity, ")


def test_dh_steps_are_walked_before_any_kernel_is_loaded(opened, wait_for):
    opened.docks.bring_up("dh_steps")
    steps = opened.features[DHSteps]
    wait_for(lambda: steps.walk is not None and opened.scene.stage.explanations.dh_step.step is not None)
    assert kernels_awaited()


def test_kernels_that_cannot_be_loaded_are_reported_and_everything_can_be_used(qapp, gate, monkeypatch, wait_for):
    def fail(*_):
        raise engine.EngineError("the disk is full")

    monkeypatch.setattr(engine, "warm_up", fail)
    window = build_window("puma560", replace(Settings(), **STEADY))
    window.show()
    wait_for(window.actions_["run"].isEnabled)
    assert window.banner.text.text() == "The disk is full." and not kernels_awaited()
    window.close()
    window.deleteLater()


EMPTY = """
import json, sys, threading
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from armature.app.application import build_window
from armature.app.state.settings import MemoryStore

window = build_window("puma560", MemoryStore())
window.show()
assert QTest.qWaitForWindowExposed(window)
slider = window.findChild(QWidget, "joint_slider_joint2")
start = slider.rect().center()
QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
for x in range(0, 41, 5):
    QTest.mouseMove(slider, start + QPoint(x, 0))
    QApplication.processEvents()
QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 0))
while window.readouts.latest is None or window.readouts.latest.q is not window.document.q:
    QApplication.processEvents()
from armature.engine.jit import Kernel
seen = {"q": window.document.q.tolist(), "tool": window.scene.X_WT.tolist(), "loaded": sum(k.is_ready for k in Kernel.registry)}
window.close()
print(json.dumps(seen))
"""


def test_with_an_empty_cache_the_arm_turns_and_nothing_is_compiled_in_the_window(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", EMPTY], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PROCESS
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    robot = engine.load_robot("puma560")
    assert seen["loaded"] == 0 and seen["q"] != robot.configurations["home"].tolist()
    assert np.array(seen["tool"]) == pytest.approx(engine.frame_pose(robot, seen["q"]), abs=1e-12)
