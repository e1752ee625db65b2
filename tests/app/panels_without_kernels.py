"""Panels that wait for kernels; test_start_gui.py runs this file in a process that has loaded none."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature.app.singularity.singularities import SingularitiesFeature
from armature.app.state.engine_startup import KernelStage
from armature.app.workspace.feature import WorkspaceFeature
from tests.app.test_start_gui import gate, opened

__all__ = ["gate", "opened"]


def test_a_workspace_waits_for_its_kernels_and_is_sampled_then(opened, gate, find, wait_for):
    opened.docks.bring_up("workspace")
    runner = opened.features[WorkspaceFeature].runner
    QTest.mouseClick(find(opened, "workspace_compute"), Qt.MouseButton.LeftButton)
    wait_for(lambda: runner.awaits_kernel)
    gate.let(KernelStage.HAND)
    wait_for(lambda: find(opened, "workspace_result").text() == "Waiting for kernels, 1 of 2")
    for stage in KernelStage:
        gate.let(stage)
    wait_for(lambda: opened.scene.stage.shows_workspace)


def test_panels_name_the_kernels_they_wait_for(opened, gate, find, wait_for):
    opened.docks.bring_up("singularity")
    opened.docks.bring_up("questions")
    names = "nearest_distance", "question_text"
    QTest.mouseClick(find(opened, "families_find"), Qt.MouseButton.LeftButton)
    wait_for(lambda: opened.features[SingularitiesFeature].family_runner.awaits_kernel)
    gate.let(KernelStage.HAND)
    for name in (*names, "families_remark"):
        wait_for(lambda name=name: find(opened, name).text() == "Waiting for kernels, 1 of 2")
    for stage in KernelStage:
        gate.let(stage)
    wait_for(lambda: not any(find(opened, name).text().startswith("Waits") for name in names))
