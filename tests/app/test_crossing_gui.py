"""The crossing dock with real clicks: three ways through a singularity as curves and as see-through arms."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.singularity.crossing.crossing_runs import METHODS, CrossingRequest, CrossingRuns, length_words, rounded
from armature.app.singularity.crossing.feature import CrossingFeature
from armature.app.state.units import Units

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
        feature = window.features[CrossingFeature]
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
    assert feature.panel.plots.speeds.note == feature.panel.plots.errors.note == "Run to see the plot"
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
    assert "17.6 times as fast" in sentence and "path error of 1.6 mm" in sentence, sentence
    robot, alone = window.document.robot, feature.panel.requested
    lost = engine.singularity(robot, BESIDE_WRIST).lost_twist[:3]
    run = engine.cross_singularity(robot, BESIDE_WRIST, lost, alone.length, alone.duration, "damped", alone.duration / 400)
    np.testing.assert_allclose(run.peak_speed.max(), runs.peak_speeds[1])


def test_the_timeline_and_play_move_three_ghosts(crossing, click, wait_for):
    window, feature = crossing(q=BESIDE_WRIST)
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    ghosts = window.scene.stage.ghosts
    assert ghosts.colours == window.bench.look.tokens.series[:3]
    press_timeline(feature.panel, 0.0)
    before = ghost_tools(window)
    np.testing.assert_allclose(before, np.array([before[0]] * 3), atol=1e-6)  # all begin at the same pose
    press_timeline(feature.panel, 1.0)
    after = ghost_tools(window)
    length = feature.runs.requested.length
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
    click(window, "crossing_compute")
    window.actions_["perspective_explore"].trigger()  # while it computes: nobody looks when it is done
    wait_for(lambda: not feature.runner.busy and feature.runs is not None)
    assert not len(ghosts.bodies)
    window.docks.bring_up("crossing")
    QTest.qWait(50)
    press_timeline(feature.panel, 0.3)
    assert len(ghosts.bodies) == 3
    click(window, "crossing_clear")
    assert not len(ghosts.bodies) and feature.runs is None


def test_ghosts_of_a_crossing_are_dismissed_and_stay_away(crossing, find, click, wait_for, press):
    window, feature = crossing(q=BESIDE_WRIST)
    click(window, "crossing_compute")
    ghosts, caption = window.scene.stage.ghosts, find(window, "ghost_caption")
    wait_for(lambda: len(ghosts.bodies) == 3 and caption.isVisible())
    click(window, "ghost_dismiss")
    assert not len(ghosts.bodies) and not caption.isVisible() and feature.runs is not None
    click(window, "crossing_play")  # they are there again, and on their way
    wait_for(lambda: len(ghosts.bodies) == 3 and feature.panel.timeline.value() > 20)
    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_Escape)
    assert not len(ghosts.bodies) and not caption.isVisible()
    at = feature.panel.timeline.value()
    QTest.qWait(200)
    assert not len(ghosts.bodies) and feature.panel.timeline.value() == at  # nothing plays on unseen


def test_another_robot_while_it_computes(crossing, find, click, wait_for):
    window, feature = crossing(q=BESIDE_WRIST)
    click(window, "crossing_compute")
    assert feature.runner.busy and find(window, "crossing_progress").isVisible()
    window.document.open_robot("scara")
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


def test_arms_with_speed_limits_are_measured_by_them(crossing, find, click, wait_for):
    window, feature = crossing("panda", middle="nearest")
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    runs = feature.runs
    assert runs.limited and runs.peaks[0] > 1.0
    j = runs.joints[0]
    np.testing.assert_allclose(runs.peaks[0], runs.peak_speeds[0] / window.document.robot.qd_max[j])
    *curves, limit = feature.panel.plots.speeds.curves
    np.testing.assert_allclose([10 ** curve.y.max() for curve in curves], runs.peaks)  # the plot holds what the table says
    assert find(window, "crossing_pseudo_inverse_1").text() == rounded(10 ** curves[0].y.max())
    assert limit.names == ("speed limit",) and not limit.y.any()


def test_where_it_makes_no_sense_it_says_why(crossing, find, click, wait_for):
    window, feature = crossing("rp", middle="nearest")
    click(window, "crossing_compute")
    wait_for(lambda: not feature.runner.busy)
    assert "No singular pose" in find(window, "crossing_sentence").text()
    window.document.open_robot("spherical_pendulum")
    if not set(window.document.robot.task) & set("xyz"):
        assert not find(window, "crossing_compute").isEnabled()
        assert "no straight path" in find(window, "crossing_sentence").text()


def test_an_arm_that_passes_the_middle_in_another_pose_says_so(crossing, find, click, wait_for):
    window, feature = crossing("puma560", np.radians([0, 45, -180, 0, 0, 0]), direction="y")
    click(window, "crossing_compute")
    wait_for(lambda: feature.runs is not None)
    text = find(window, "crossing_sentence").text()
    assert np.degrees(np.sort(feature.runs.aside[[3, 5]])) == pytest.approx([-70.84, 70.84], abs=0.5)
    assert "other joint positions" in text and "joint4 by" in text and "joint6 by" in text
    assert "joint1 by" not in text


def made_runs(peaks, errors) -> CrossingRuns:
    """Runs of a path of 2 m with these largest speeds in rad/s and errors in m."""
    robot, t = engine.load_robot("double_pendulum"), np.linspace(0, 1, 3)
    error = np.array(errors)[:, None] * [0.0, 1.0, 0.5]
    speed = np.array(peaks)[:, None] * [0.0, 1.0, 0.0]
    requested = CrossingRequest("here", "lost", 2.0, 1.0)
    poses = np.zeros((3, 3, 3, 4, 4))
    return CrossingRuns(
        robot, requested, t, speed, error, np.zeros(3), np.array(peaks), (0, 1, 0), np.array(peaks), False, poses, np.zeros(2)
    )


@pytest.mark.parametrize(
    "peaks, errors",
    [
        ((5e4, 2.4, 2.4), (1.87, 0.075, 0.075)),  # racing, and off the path
        ((5e4, 2.4, 2.4), (0.0, 0.075, 0.075)),
        ((2.5, 2.4, 3.0), (1.87, 0.6, 0.5)),  # alike, and off the path
        ((2.5, 2.4, 2.4), (0.1, 0.7, 0.7)),
        ((1.0, 2.4, 2.4), (0.0, 0.7, 0.7)),  # damping is the faster one
        ((20.0, 2.4, 1.0), (0.3, 0.1, 0.2)),
        ((20.0, 2.4, 1.0), (0.0, 0.1, 0.2)),
        ((2.5, 2.4, 2.4), (0.0, 0.001, 0.001)),  # nothing to tell apart
    ],
)
def test_every_number_of_the_sentence_belongs_to_its_subject_in_the_table(peaks, errors):
    runs, units = made_runs(peaks, errors), Units()
    text = runs.sentence(units)
    subjects = ("pseudo-inverse", "With null-space motion", "Damping", "damping")
    row = {"pseudo-inverse": 0, "Damping": 1, "damping": 1, "With null-space motion": 2}
    told = 0
    for sentence in text.split(". "):
        at = [(m.start(), m.group()) for m in re.finditer("|".join(subjects), sentence)]
        for (start, subject), (end, _) in pairwise([*at, (len(sentence), "")]):
            part, k = sentence[start:end], row[subject]
            for value in re.findall(r"[\d.,\s]+ m?m\b", part):
                assert value.strip() == length_words(errors[k], units), text
                told += 1
            if re.search(r"joint\d at", part):
                assert runs.speed_words(k, units) in part, text
                told += 1
    assert told >= 3 or "does not need the lost motion" in text
