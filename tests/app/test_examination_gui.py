"""What the window tells of a robot's figures, and its repairs by one click."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel

from armature import engine
from armature.app.robots.examination.feature import ExaminationFeature
from armature.app.robots.feature import RobotsFeature
from tests.engine.mistakes import MISTAKES
from tests.engine.sound_arms import TOML, URDF, opened, wrong

LEFT = Qt.MouseButton.LeftButton
CASES = Path(__file__).parents[1] / "data" / "robots"


@pytest.fixture
def examined(make_window, wait_for):
    """A window on an arm, once that is examined."""

    def make(robot):
        window = make_window(robot)
        feature = window.features[ExaminationFeature]
        wait_for(lambda: not feature.busy, 30)
        return window, feature

    return make


def bad(tmp_path, *names):
    text = MISTAKES[names[0]][0]
    for name in names:
        _, old, new, after, *_ = MISTAKES[name]
        text, _ = wrong(text, old, new, after)
    return opened(tmp_path, text)


def test_findings_stand_in_the_dock_with_place_figure_cause_and_repair(examined, find, tmp_path):
    window, feature = examined(bad(tmp_path, "limits in degrees", "alpha nearly"))
    assert find(window, "examination_summary").text() == "1 error, 1 note."
    card = feature.section.cards[0]
    texts = [label.text() for label in card.findChildren(QLabel)]
    assert "Error: limits in degrees" in texts and "arm.toml, line 12, joint 1" in texts
    assert "They were probably entered in degrees." in texts and any(text.startswith("[−190, 45] rad") for text in texts)
    assert card.accessibleName() == "Error: limits in degrees, arm.toml, line 12, joint 1"
    notice = find(window, "examination_notice")
    assert notice.isVisible() and notice.text() == "1 error"
    assert "arm: 1 error in " in find(window, "banner_text").text()
    window.features[RobotsFeature].dock.hide()
    QTest.mouseClick(notice, LEFT)
    assert feature.section.isVisible() and not feature.section.visibleRegion().isEmpty()


def test_an_arm_that_is_sound_is_told_so_and_a_shipped_one_raises_no_notice(examined, find, tmp_path):
    window, feature = examined(opened(tmp_path, TOML))
    assert "no problems" in find(window, "examination_summary").text() and not feature.section.cards
    window, feature = examined("puma560")
    assert (
        find(window, "examination_summary").text() == "1 warning, 1 note." and not find(window, "examination_notice").isVisible()
    )


@pytest.mark.parametrize("name", ["limits in degrees, URDF", "inertia about the CAD frame, URDF"])
def test_a_urdf_is_repaired_by_one_click_in_a_copy_that_opens(examined, find, wait_for, monkeypatch, tmp_path, name):
    robot = bad(tmp_path, name)
    before = robot.source.read_text()
    window, feature = examined(robot)
    asked = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(lambda *a: (asked.append(a[2]) or a[2], "")))
    (card,) = feature.section.cards
    QTest.mouseClick(card.repair, LEFT)
    wait_for(lambda: window.document.robot.source.name == "arm_repaired.urdf", 20)
    assert asked == [str(tmp_path / "arm_repaired.urdf")] and robot.source.read_text() == before
    assert engine.examine(window.document.robot) == ()
    wait_for(lambda: not feature.section.cards, 30)
    assert not find(window, "examination_notice").isVisible()


def test_a_mistake_of_all_links_is_one_card_and_one_click(examined, find, wait_for, monkeypatch, tmp_path):
    robot = opened(tmp_path, (CASES / "com_in_base_frame.urdf").read_text())
    window, feature = examined(robot)
    assert find(window, "examination_summary").text() == "1 warning."
    (card,) = feature.section.cards
    texts = [label.text() for label in card.findChildren(QLabel)]
    assert "Warning: centres of mass of all links" in texts and "arm.urdf, line 4, r" in texts
    assert "They were probably entered in the base frame (all joints at 0)." in texts
    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(lambda *a: (a[2], "")))
    QTest.mouseClick(card.repair, LEFT)
    wait_for(lambda: window.document.robot.source.name == "arm_repaired.urdf", 20)
    for body in window.document.robot.bodies:
        assert np.linalg.norm(body.com) == pytest.approx(0.15)  # the middle of a link
    wait_for(lambda: not feature.busy and not feature.section.cards, 30)


def test_an_arm_that_cannot_be_simulated_is_an_error_before_any_run(examined, find):
    window, feature = examined(CASES / "mass_thin.toml")
    assert find(window, "examination_notice").text() == "1 error"
    texts = [label.text() for label in feature.section.cards[0].findChildren(QLabel)]
    assert "Error: joint without inertia" in texts and "mass_thin.toml, line 50, link 6" in texts


def test_repairs_of_a_robot_file_are_undo_steps(examined, find, wait_for, tmp_path):
    robot = bad(tmp_path, "limits in degrees", "alpha nearly", "centre in mm")
    before = robot.source.read_text()
    window, feature = examined(robot)
    assert find(window, "examination_summary").text() == "2 errors, 1 note."
    QTest.mouseClick(find(window, "finding_1_repair"), LEFT)
    wait_for(lambda: find(window, "examination_summary").text() == "1 error, 1 note.", 30)
    QTest.mouseClick(find(window, "examination_repair_all"), LEFT)
    wait_for(lambda: not feature.section.cards, 30)
    document = window.document
    np.testing.assert_allclose(document.robot.q_min[0], np.radians(-190))
    assert document.unsaved and engine.examine(document.robot, text=document.draft.text) == ()
    assert robot.source.read_text() == before
    for _ in range(2):
        window.actions_["undo"].trigger()
    wait_for(lambda: len(feature.section.cards) == 3, 30)
    assert not document.unsaved and document.robot.file_hash == robot.file_hash


def test_repair_all_leaves_guesses_to_their_own_buttons(examined, find, wait_for, tmp_path):
    robot = bad(tmp_path, "limits in degrees", "alpha nearly", "zeroed inertia")
    window, feature = examined(robot)
    QTest.mouseClick(find(window, "examination_repair_all"), LEFT)
    wait_for(lambda: len(feature.section.cards) == 1, 30)
    (card,) = feature.section.cards
    document = window.document
    assert card.finding.rule == "zero inertia" and not document.robot.bodies[1].inertia.any()
    assert any("Likely repair: a ball" in label.text() for label in card.findChildren(QLabel))
    assert not find(window, "examination_repair_all").isVisible() and document.undo_stack.count() == 1
    QTest.mouseClick(card.repair, LEFT)
    wait_for(lambda: not feature.section.cards, 30)
    assert document.robot.bodies[1].inertia.any() and document.undo_stack.count() == 2
    for _ in range(2):
        window.actions_["undo"].trigger()
    assert not document.unsaved


def test_a_urdf_of_no_mistake_is_silent(examined, find, tmp_path):
    window, feature = examined(opened(tmp_path, URDF))
    assert not feature.section.cards and not find(window, "banner_text").isVisible()
