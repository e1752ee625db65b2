"""Xacro files and MuJoCo models open in the window without holding it up, arguments are requested, and any arm is exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from armature import engine
from armature.app.recording.recording_owner import owner_of
from armature.app.robots.robot_catalogue import OWN, places
from armature.app.robots.thumbnails import thumbnail_name
from tests.app.dialogs import answer_the_file_dialog
from tests.app.test_open_robots import drop

XACRO = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="$(arg name)">
  <xacro:arg name="name" default="x"/>
  <xacro:arg name="length" default="0.5"/>
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="$(arg length) 0 0"/><mass value="1"/></inertial></link>
  <joint name="swing" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"""
MJCF = """<mujoco model="swing"><worldbody><body name="rod"><joint name="swing" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" rgba="0.2 0.5 0.8 1"/></body></worldbody></mujoco>
"""


def test_a_dropped_model_of_mujoco_opens(window, tmp_path, wait_for):
    path = tmp_path / "swing.xml"
    path.write_text(MJCF, encoding="utf-8")
    drop(window.scene, path)
    wait_for(lambda: window.document.robot.name == "swing")
    assert window.preferences.now.recent_files[0] == str(path.resolve())
    assert len(window.document.robot.visuals) == 3


def test_arguments_that_a_xacro_file_needs_are_asked_for(window, tmp_path, find, wait_for):
    path = tmp_path / "swing.urdf.xacro"
    path.write_text(XACRO, encoding="utf-8")
    drop(window, path)
    wait_for(lambda: window.parentWidget() is None and find(window, "xacro_arguments").isVisible())
    name, length = find(window, "xacro_argument_name"), find(window, "xacro_argument_length")
    go = find(window, "xacro_arguments_open")
    assert length.placeholderText() == "0.5" and not go.isEnabled()
    QTest.keyClicks(name, "left arm")
    QTest.keyClicks(length, "0.7")
    QTest.mouseClick(go, Qt.MouseButton.LeftButton)
    wait_for(lambda: window.document.robot.name == "left arm")
    np.testing.assert_allclose(window.document.robot.bodies[0].com[np.argmax(np.abs(window.document.robot.bodies[0].com))], 0.7)
    recent = window.preferences.now.recent_files[0]
    assert recent == f"{path.resolve()}?length=0.7&name=left arm"
    assert engine.load_robot(recent).file_hash == window.document.robot.file_hash
    assert [place.name for place in places([recent]) if place.group == OWN] == [recent]
    assert thumbnail_name(Path(recent)).startswith("swing.urdf-") and thumbnail_name(Path(recent)) != thumbnail_name(path)


def test_a_recording_of_a_xacro_arm_finds_its_way_back(tmp_path):
    path = tmp_path / "swing.urdf.xacro"
    path.write_text(XACRO, encoding="utf-8")
    robot = engine.load_robot(path, arguments={"name": "one", "length": 0.6})
    engine.simulate(robot, [0.1], [0.0], 0.05, 1e-3).save(tmp_path / "fall.csv")
    recording = engine.load_recording(tmp_path / "fall.csv")
    assert owner_of(recording, tmp_path / "fall.csv", engine.load_robot("puma560")).robot == str(robot.source)
    np.testing.assert_array_equal(engine.resimulate(recording).q, recording.q)


def test_a_bad_file_is_told_and_the_arm_stays(window, tmp_path, find, wait_for):
    path = tmp_path / "bad.xml"
    path.write_text(MJCF.replace('"swing" axis', '"swing" stiffness="2" axis'), encoding="utf-8")
    before = window.document.robot
    window.files.open_path(str(path))
    wait_for(lambda: window.findChild(QMessageBox, "complaint") is not None)
    assert "joint 'swing' has a spring" in find(window, "complaint").text()
    assert window.document.robot is before


def test_the_open_arm_is_exported_and_told_what_is_lost(window, tmp_path, find, wait_for):
    answer_the_file_dialog(tmp_path / "mine.urdf")
    window.actions_["export_robot"].trigger()
    wait_for(lambda: window.findChild(QMessageBox, "export_losses") is not None)
    assert "Rotor inertias" in find(window, "export_losses").informativeText()
    assert engine.load_robot(tmp_path / "mine.urdf").joint_names == window.document.robot.joint_names
    find(window, "export_losses").close()
    (tmp_path / "mine.urdf").unlink()
    answer_the_file_dialog(tmp_path / "mine.urdf")
    window.actions_["export_robot"].trigger()
    wait_for(lambda: "mine.armature.toml" in window.banner.text.text())
    assert "already exists" in window.banner.text.text()
    assert not (tmp_path / "mine.urdf").exists()
