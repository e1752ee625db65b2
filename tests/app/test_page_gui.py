"""File ▸ Export ▸ Web page: the page has the content of the window."""

import json
import re

import numpy as np
import pytest

from armature import engine
from tests import chromium
from tests.app.dialogs import answer_the_file_dialog
from tests.app.test_compare_gui import compare_with

browser_needed = pytest.mark.skipif(chromium.PROGRAM is None, reason="no Chromium on this machine")


@pytest.fixture
def export(window, tmp_path, wait_for):
    def save(name: str) -> dict:
        path = tmp_path / name
        answer_the_file_dialog(path)
        window.actions_["export_page"].trigger()
        wait_for(path.exists)
        wait_for(lambda: f"Saved {path}" in window.banner.text.text())
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(encoding="utf-8"), re.S)
        return json.loads(data[1])

    return save


def test_the_arm_is_exported_in_its_pose(window, export):
    q = window.document.robot.configurations["home"] + 0.1
    window.document.set_q(q)
    page = export("arm.html")
    assert page["recording"] is None and page["arm"]["home"] == pytest.approx(q.tolist())


def test_an_open_recording_is_exported_with_the_plots_that_are_open(window, export, tmp_path, wait_for):
    robot = window.document.robot
    path = engine.simulate(robot, robot.configurations["home"], None, 0.2, 1e-2).save(tmp_path / "run.npz")
    window.files.open_path(str(path))
    wait_for(lambda: window.replay.replaying)
    window.plots.set_plots(("tau", "tool_velocity", "q:measured", "phase"))
    window.bench.state.notes = "Look at joint 3."
    cell = window.bench.cell.now.with_object("post", "sphere", radius=0.1, xyz=(1.0, 0.0, 0.0))
    window.bench.cell.set(cell.with_object("ball", "sphere", radius=0.1, xyz=(2.0, 0.0, 0.0)))
    window.bench.cell.show("post", False)
    page = export("page.html")
    assert page["recording"]["time"]["samples"] == 21
    assert [pane["title"] for pane in page["recording"]["panes"]] == ["Motor torque  [N·m]", "Tool velocity  [m/s]"]
    assert [thing["name"] for thing in page["cell"]] == ["ball"] and page["notes"] == "Look at joint 3."
    assert "<title>run</title>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_arm_is_exported_with_its_payload(window, export):
    window.bench.simulation.set_payload(engine.Payload(1.5))
    assert export("arm.html")["payload"]["held"][0]["mass"] == 1.5
    window.bench.simulation.set_payload(None)


@browser_needed
def test_the_page_shows_the_second_arm_as_the_window(window, export, find, wait_for, tmp_path):
    robot = window.document.robot
    feature = compare_with(window, find, wait_for, "ur5e")
    window.document.set_q(robot.configurations["home"] + 0.1)
    other, shift = feature.model.second, window.scene.stage.second.shift
    tool = "Array.from(product(page.secondPoses()[page.data.second.arm.tool.body + 1], page.data.second.arm.tool.X_BF))"
    browser = chromium.Chromium(tmp_path / "chromium")

    def tool_pose() -> np.ndarray:
        X = np.array(browser.run(tool)).reshape(4, 4)
        X[:3, 3] -= shift
        return X

    try:
        export("arm.html")
        browser.open(tmp_path / "arm.html")
        browser.run("page.setJoints([0.3, -1.0, 0.5, 0.2, 0.4, 0.1])")
        q = np.array(browser.run("page.secondJoints()"))
        assert q.tolist() == [0.3, -1.0, 0.5, 0.2, 0.4, 0.1] and np.allclose(tool_pose(), engine.frame_pose(other, q), atol=1e-12)
        captions = "[...document.querySelectorAll('#captions span')].map((one) => one.textContent)"
        assert browser.run(captions) == [robot.title, f"{other.title}, same joints"]

        path = engine.simulate(robot, robot.configurations["home"], None, 0.3, 1e-2).save(tmp_path / "run.npz")
        window.files.open_path(str(path))
        wait_for(lambda: window.replay.replaying)
        feature.model.change("tool path", drive="tool", beside=False)
        window.bench.views.flush()
        shift = window.scene.stage.second.shift
        export("run.html")
        browser.open(tmp_path / "run.html")
        browser.run("page.setTime(0.2)")
        wanted = engine.frame_pose(robot, engine.load_recording(path).q[20])
        assert not shift.any() and np.allclose(tool_pose(), wanted, atol=1e-5)
        assert browser.run(captions) == [f"solid: {robot.title} · translucent: {other.title}, same tool path"]
        before = browser.picture()
        browser.run("page.setTime(0)")
        assert browser.picture() != before and browser.complaints == []
    finally:
        browser.close()
