"""Computing the workspace beside everything else."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication


def open_panel(window):
    window.docks.bring_up("workspace")
    QApplication.processEvents()


def test_compute_shows_cloud_and_legend(window, find, wait_for):
    open_panel(window)
    find(window, "workspace_samples").setValue(20_000)
    find(window, "workspace_compute").click()
    assert find(window, "workspace_cancel").isEnabled()
    wait_for(lambda: not window.workspaces.runner.busy, 60)
    assert find(window, "workspace_legend").isVisible()
    assert "20\N{THIN SPACE}000 points" in find(window, "workspace_result").text()
    find(window, "workspace_clear").click()
    assert not find(window, "workspace_legend").isVisible()


def test_cancel_keeps_what_there_is(window, find, wait_for):
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    wait_for(lambda: "of" in find(window, "workspace_result").text(), 60)
    find(window, "workspace_cancel").click()
    wait_for(lambda: not window.workspaces.runner.busy, 60)
    assert "Cancelled early" in find(window, "workspace_result").text()


def test_another_robot_drops_the_computation(window, find, wait_for):
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    window.files.open_robot("scara")
    assert not window.workspaces.runner.busy
    assert not find(window, "workspace_legend").isVisible()
    find(window, "workspace_samples").setValue(5_000)
    find(window, "workspace_compute").click()
    wait_for(lambda: not window.workspaces.runner.busy, 60)
    assert "5\N{THIN SPACE}000 points" in find(window, "workspace_result").text()


def test_closing_while_computing_leaves_no_thread(make_window, find):
    window = make_window()
    open_panel(window)
    find(window, "workspace_samples").setValue(2_000_000)
    find(window, "workspace_compute").click()
    window.close()
