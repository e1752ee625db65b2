"""The crossing dock with real clicks: three ways through a singularity as curves and as see-through arms."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

import engine
from app.crossing_runs import METHODS

BESIDE_WRIST = np.array([0.3, -0.5, 0.4, 0.5, 0.02, 0.2])


@pytest.fixture
def crossing(make_window):
    """A window whose crossing dock is in front, the arm at q: `crossing("puma560", q)`."""

    def open_(robot="puma560", q=None, middle="here", direction="lost"):
        window = make_window(robot, size=(1200, 760), perspective="singularity")
        window.docks.bring_up("crossing")
        QTest.qWait(50)
        if q is not None:
            window.document.edit(q)
        feature = window.features["crossing"]
        for box, choice in ((feature.panel.path.middle, middle), (feature.panel.path.direction, direction)):
            box.setCurrentIndex(box.findData(choice))
        return window, feature

    return open_


def ghost_tools(window) -> np.ndarray:
    """Tool poses of the see-through arms `(k, 4, 4)`."""
    tool = window.document.robot.frames[window.document.robot.tool]
    return window.scene.stage.ghosts.bodies["pose"][:, tool.body + 1].swapaxes(-1, -2) @ tool.X_BF


def press_timeline(panel, share: float):
    """Click into the timeline."""
    bar = panel.timeline
    at = QPoint(round(8 + share * (bar.width() - 16)), bar.height() // 2)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_beside_the_wrist_singularity_damping_is_slower_and_less_exact(crossing, find, click, wait_for):
    window, feature = crossing(q=BESIDE_WRIST)
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    runs, panel = feature.runs, feature.panel
    assert runs.peaks[0] > 5 * runs.peaks[1] and runs.error[1].max() > 10 * runs.error[0].max()
    for plot, rows in ((panel.plots.speeds, runs.speed), (panel.plots.errors, runs.error)):
        assert [c.names[0] for c in plot.curves] == list(METHODS.values())
        assert all(c.y.shape == (rows.shape[1], 1) and np.isfinite(c.y).all() for c in plot.curves)
    np.testing.assert_allclose(10 ** panel.plots.speeds.values.max(), np.degrees(runs.speed[0].max()))
    assert find(window, "crossing_pseudo_inverse_0").text() == runs.peak_words(0, window.preferences.units)
    sentence = find(window, "crossing_sentence").text()
    assert "17.6 times as fast" in sentence and "1.6 mm off the path" in sentence, sentence
    robot, alone = window.document.robot, feature.panel.asked
    lost = engine.singularity(robot, BESIDE_WRIST).lost_twist[:3]
    run = engine.cross_singularity(robot, BESIDE_WRIST, lost, alone.length, alone.duration, "damped", alone.duration / 400)
    np.testing.assert_allclose(run.peak_speed.max(), runs.peak_speeds[1])


def test_the_timeline_and_play_move_three_ghosts(crossing, click, wait_for):
    window, feature = crossing(q=BESIDE_WRIST)
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    ghosts = window.scene.stage.ghosts
    assert ghosts.colours == window.tokens.series[:3]
    press_timeline(feature.panel, 0.0)
    before = ghost_tools(window)
    np.testing.assert_allclose(before, np.array([before[0]] * 3), atol=1e-6)  # all begin at the same pose
    press_timeline(feature.panel, 1.0)
    after = ghost_tools(window)
    length = feature.runs.asked.length
    np.testing.assert_allclose(np.linalg.norm(after[0, :3, 3] - before[0, :3, 3]), length, rtol=1e-2)
    click(window, "crossing_play")
    seen = set()
    wait_for(lambda: seen.add(feature.panel.timeline.value()) or len(seen) > 5)
    click(window, "crossing_play")
    step = feature.panel.timeline.value()
    QTest.qWait(100)
    assert feature.panel.timeline.value() == step and len(ghosts.bodies) == 3


def test_ghosts_go_with_the_pose_the_dock_and_the_button(crossing, find, click, wait_for):
    window, feature = crossing(q=BESIDE_WRIST)
    ghosts = window.scene.stage.ghosts
    click(window, "crossing_compute")
    wait_for(lambda: len(ghosts.bodies) == 3)
    field = find(window, "joint_value_joint1")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert not len(ghosts.bodies) and feature.runs is not None
    press_timeline(feature.panel, 0.3)
    assert len(ghosts.bodies) == 3
    window.docks["crossing"].close()
    assert not len(ghosts.bodies)
    window.docks.bring_up("crossing")
    QTest.qWait(50)
    press_timeline(feature.panel, 0.6)
    assert len(ghosts.bodies) == 3
    click(window, "crossing_clear")
    assert not len(ghosts.bodies) and feature.runs is None


def test_another_robot_while_it_computes(crossing, find, click, wait_for):
    window, feature = crossing(q=BESIDE_WRIST)
    click(window, "crossing_compute")
    assert feature.runner.busy and find(window, "crossing_progress").isVisible()
    window.files.open_robot("scara")
    assert not feature.runner.busy and feature.runs is None
    QTest.qWait(400)
    assert feature.runs is None and not len(window.scene.stage.ghosts.bodies)
    click(window, "crossing_compute")
    click(window, "crossing_cancel")
    assert find(window, "crossing_sentence").text() == "Cancelled." and not feature.runner.busy


def test_a_planar_arm_cannot_go_through_its_stretched_elbow(crossing, find, click, wait_for):
    window, feature = crossing("double_pendulum", middle="nearest")
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    assert "cannot follow this path to its end" in find(window, "crossing_sentence").text()
    assert feature.runs.peaks[0] > 100 * feature.runs.peaks[1]
    assert np.isfinite(feature.panel.plots.speeds.values).all()


def test_arms_with_speed_limits_are_measured_by_them(crossing, click, wait_for):
    window, feature = crossing("panda", middle="nearest")
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    runs = feature.runs
    assert runs.limited and runs.peaks[0] > 1.0
    j = runs.joints[0]
    np.testing.assert_allclose(runs.peaks[0], runs.peak_speeds[0] / window.document.robot.qd_max[j])
    limit = feature.panel.plots.speeds.curves[-1]
    assert limit.names == ("speed limit",) and not limit.y.any()


def test_where_it_makes_no_sense_it_says_why(crossing, find, click, wait_for):
    window, feature = crossing("rp", middle="nearest")
    click(window, "crossing_compute")
    wait_for(lambda: not feature.runner.busy)
    assert "no singular pose" in find(window, "crossing_sentence").text()
    window.files.open_robot("spherical_pendulum")
    if not set(window.document.robot.task) & set("xyz"):
        assert not find(window, "crossing_compute").isEnabled()
        assert "only turns its tool" in find(window, "crossing_sentence").text()
