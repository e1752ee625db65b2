"""File ▸ Export ▸ Web page: the page has the content of the window."""

import json
import re

import pytest

from armature import engine
from tests.app.dialogs import answer_the_file_dialog


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
    page = export("run.html")
    assert page["recording"]["time"]["samples"] == 21
    assert page["recording"]["panes"][0]["title"] == "Position"
