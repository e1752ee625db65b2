"""A desk taken along: a run in a cell, the session in another window, and its page in a browser, by mouse and keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from armature import engine
from armature.app.session.feature import SessionFeature
from tests import chromium
from tests.app.dialogs import OPEN, answer_the_file_dialog
from tests.app.focus import type_into
from tests.app.kept_window import AS_IT_STARTS, settle, wait_for_readouts
from tests.app.readme_walk.walk import CTRL, SHIFT, Key, Walk
from tests.app.test_compare_gui import compare_with

T = 1.234  # s, between two samples of the page's clock
TOOL = "([{ tool }, poses]) => { const X = product(poses[tool.body + 1], tool.X_BF); return [X[3], X[7], X[11]]; }"


def pixels(window) -> np.ndarray:
    image = window.scene.render_image(700, 450).convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(450, 700, 4).astype(int)


def build_a_cell(walk: Walk) -> None:
    walk.window.docks.bring_up("cell")
    walk.menu("cell_add", "Box")
    for field, text in (("x", "0.6"), ("y", "0.3"), ("size_z", "0.5")):
        type_into(walk.find(f"cell_value_{field}"), text)
    assert walk.window.bench.cell.now["box"].xyz[:2] == (0.6, 0.3)


def record_a_run(walk: Walk) -> None:
    simulation = walk.window.simulation
    walk.window.docks.bring_up("control")
    walk.choose("control_law", "pd")
    walk.window.scene.setFocus()
    walk.key(Key.Key_R, CTRL)
    walk.wait_for(lambda: simulation.recording is not None)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.running and simulation.latest.t > 1.3, 120)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    walk.key(Key.Key_R, CTRL)
    walk.wait_for(lambda: walk.window.recordings.last_path is not None and simulation.recording is None)
    walk.window.docks.bring_up("recording")
    walk.click("recording_replay_last")
    walk.wait_for(lambda: walk.window.replay.replaying)
    for _ in range(3):
        walk.key(Key.Key_Right)
    assert walk.window.replay.row == 3


def save_and_close(walk: Walk, path: Path) -> np.ndarray:
    window = walk.window
    window.scene.setFocus()
    answer_the_file_dialog(path)
    walk.key(Key.Key_S, CTRL | SHIFT)
    walk.wait_for(lambda: f"Saved {path}" in window.banner.text.text())
    for _ in range(2):  # resets the places of names, which change little during a motion
        window.actions_["show_frames"].trigger()
        window.scene.render_image(700, 450)
    picture = pixels(window)
    window.close()
    assert not window.isVisible()  # nothing is unsaved
    return picture


def save_again(walk: Walk, path: Path) -> None:
    walk.window.scene.setFocus()
    walk.key(Key.Key_S, CTRL | SHIFT)
    walk.wait_for(lambda: f"Saved {path}" in walk.window.banner.text.text())


def open_again(walk: Walk, path: Path) -> None:
    walk.window.scene.setFocus()
    answer_the_file_dialog(path, OPEN)
    walk.key(Key.Key_O, CTRL)
    walk.wait_for(lambda: walk.window.features[SessionFeature].path == path, 60)
    settle()
    wait_for_readouts(walk.window)


def compare_two_arms(walk: Walk) -> None:
    feature = compare_with(walk.window, walk.find, walk.wait_for, "ur5e")
    assert feature.model.drive == "tool" and walk.window.scene.stage.second.visible()
    walk.wait_for(lambda: feature.model.table is not None)


@pytest.mark.timeout(240)
@pytest.mark.skipif(chromium.PROGRAM is None, reason="no Chromium on this machine")
def test_a_desk_is_taken_along(make_window, find, wait_for, tmp_path):
    window = make_window("panda", size=AS_IT_STARTS, anew=True, recording_format="csv")
    walk = Walk(window, find, wait_for)
    build_a_cell(walk)
    record_a_run(walk)
    made = window.recordings.last_path
    recording = engine.load_recording(made)
    before = save_and_close(walk, tmp_path / "desk.armature")
    made.unlink()

    walk = Walk(make_window("scara", size=AS_IT_STARTS, anew=True), find, wait_for)
    open_again(walk, tmp_path / "desk.armature")
    difference = np.abs(pixels(walk.window) - before)
    assert np.count_nonzero(difference > 8) <= 0.0002 * difference.size, difference.max()
    assert walk.window.replay.row == 3 and walk.window.bench.cell.now["box"].size[2] == 0.5

    compare_two_arms(walk)
    page = tmp_path / "page.html"
    answer_the_file_dialog(page)
    walk.menu_bar("File", "Export", "Web page…")
    walk.wait_for(lambda: f"Saved {page}" in walk.window.banner.text.text(), 60)
    save_again(walk, tmp_path / "desk.armature")
    browser = chromium.Chromium(tmp_path / "chromium")
    try:
        browser.open(page)
        browser.run(f"page.setTime({T})")
        browser.picture()
        titles = browser.run("page.data.recording.panes.map((pane) => pane.title)")
        place = next(k for k, title in enumerate(titles) if title.startswith("Motor torque"))
        shown = browser.run(f"page.columns[{place}].map((column) => valueAt(page.times, column, page.time))")
        text = browser.run(f"page.plots[{place}].entries.map(({{text}}) => text.data)")
        assert browser.complaints == [] and browser.requests == [page.resolve().as_uri()]
        assert browser.run("document.title") == made.stem
        assert browser.run("page.data.second.captions[1]") == "Universal Robots UR5e, same tool path"
        tools = browser.run("[[page.data.arm, page.poses()], [page.data.second.arm, page.secondPoses()]].map(" + TOOL + ")")
        shift = browser.run("page.data.second.shift")
        assert np.abs(np.subtract(tools[1], tools[0]) - shift).max() < 1e-4
        assert browser.run("page.data.cell.map((thing) => thing.name)") == ["box"]
    finally:
        browser.close()
    torque = np.array([np.interp(T, recording.t, column) for column in recording.tau.T])
    assert np.abs(torque).max() > 1.0
    assert np.allclose(shown, torque, atol=2e-6 * np.ptp(recording.tau, axis=0).max())
    numbers = [float(one.rpartition(" ")[2].replace("−", "-")) for one in text]
    assert np.allclose(numbers, torque, atol=2e-4 * np.ptp(recording.tau))
