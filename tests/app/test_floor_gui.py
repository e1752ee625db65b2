"""A fall through the floor: told once, seen in the view, and listed."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.simulation.floor_feature import FloorFeature
from armature.app.state.number_marks import MARKS
from armature.app.state.severity import Severity

LEFT = Qt.MouseButton.LeftButton


def test_a_fall_through_the_floor_is_told_once_seen_and_forgotten_after_a_reset(make_window, find, wait_for, monkeypatch):
    window = make_window("puma560")
    monkeypatch.setattr(MARKS, "decimal", ",")
    scene, banner, feature = window.scene, window.banner, window.features[FloorFeature]
    contacts = scene.stage.contacts
    window.document.edit(window.document.robot.configurations["stretched"])
    scene.setFocus()
    QTest.keyClick(scene, Qt.Key.Key_Space)
    wait_for(lambda: len(feature.contacts) >= 3)
    first = next(iter(feature.contacts))
    assert banner.isVisible() and banner.text.text().startswith(f"{first[0]} reached the floor at t = 0,")
    assert "no force" in banner.text.text() and banner._shown.severity is Severity.WARNING
    wait_for(lambda: contacts.sunk)
    sunk = max(contacts.sunk, key=lambda sunk: sunk.depth)
    assert sunk.depth > 0 and sunk.place[2] == 0.0
    monkeypatch.setattr(contacts, "is_explained", lambda frame: False)  # the caption of a contact replaces the label
    (label,) = contacts.labels(scene.frame_state)
    assert label.text.startswith(f"{sunk.link}: ") and "m below the floor" in label.text
    QTest.keyClick(scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    QTest.mouseClick(find(window, "banner_details"), LEFT)
    lines = find(window, "list_dialog_lines").toPlainText().splitlines()
    assert len(lines) == len(feature.contacts) and all(" t = " in line for line in lines)
    find(window, "list_dialog").close()
    banner.dismiss()  # closed: further contacts of this run do not bring it back
    QTest.keyClick(scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    QTest.keyClick(scene, Qt.Key.Key_Backspace)
    wait_for(lambda: not feature.contacts)
    if window.simulation.running:
        QTest.keyClick(scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    window.document.edit(np.array(window.document.robot.configurations["ready"]))
    wait_for(lambda: not contacts.sunk and not banner.isVisible())
    # a pose by hand is marked, too; an arm without a floor never is
    window.document.edit(np.array([0.0, -0.785, -1.878, 0.0, 0.0, 0.0]))
    wait_for(lambda: contacts.sunk)
    assert not feature.contacts
    window.document.open_robot("double_pendulum")
    window.document.edit(np.array([-np.pi / 2, 0.0]))
    wait_for(lambda: window.readouts.latest is not None)
    assert not contacts.sunk


def test_a_replay_stands_over_the_floor_of_its_recording(make_window, wait_for, tmp_path):
    arm = engine.load_robot("double_pendulum")
    run = engine.simulate(arm.with_floor(-0.6), [-1.5, 0.0], None, 0.05, 1e-3)
    run.save(tmp_path / "swing.npz")
    window = make_window("double_pendulum")
    scene, below = window.scene, window.scene.stage.floor.height
    assert below < -0.6
    window.files.open_path(str(tmp_path / "swing.npz"))
    wait_for(lambda: window.replay.replaying and scene.stage.contacts.sunk)
    assert scene.stage.floor.height == scene.stage.contacts.sunk[0].place[2] == -0.6
    assert window.document.robot.floor is None
    window.replay.close()
    wait_for(lambda: not scene.stage.contacts.sunk)
    assert scene.stage.floor.height == below
    damaged = engine.Recording.from_table(run.table(), run.joint_names, {**run.metadata, "floor": "low"})
    damaged.save(tmp_path / "damaged.npz")
    window.files.open_path(str(tmp_path / "damaged.npz"))
    wait_for(lambda: window.replay.replaying)
    assert scene.stage.floor.height == below
