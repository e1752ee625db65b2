"""README: where the table comes from, and other arms."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from armature import engine
from armature.app.dh.feature import DHSteps
from armature.app.robots.robot_meshes import MeshesFeature
from tests.app.readme_walk.walk import CTRL, Key
from tests.app.test_open_robots import drop


def see_where_the_table_comes_from(walk):
    window = walk.window
    walk.key(Key.Key_D, CTRL)
    walk.wait_for(lambda: window.features[DHSteps].panel.isVisible())
    player = window.features[DHSteps].player
    walk.wait_for(lambda: window.features[DHSteps].walk is not None and window.features[DHSteps]._active)
    walk.key(Key.Key_Right)
    walk.key(Key.Key_Right)
    walk.wait_for(lambda: player.p == 2.0)
    walk.key(Key.Key_Left)
    walk.wait_for(lambda: player.p == 1.0)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: player.playing and player.p > 1.5)
    walk.key(Key.Key_Space)
    assert not player.playing and not window.simulation.running
    before = window.features[DHSteps].walk.poses.copy()
    slider = walk.find("joint_slider_joint1")
    walk.click(slider, QPoint(slider.width() // 3, slider.height() // 2))
    assert not np.allclose(window.features[DHSteps].walk.poses, before)
    QTest.keyClick(slider, Key.Key_Escape)


def choose_robot(walk, words: str, name: str):
    chooser = walk.find("robot_chooser")
    QTest.keyClicks(chooser.filter, words)
    walk.wait_for(lambda: chooser.cards.current() is not None and chooser.cards.current().place.name == name)
    QTest.keyClick(chooser.filter, Key.Key_Return)
    walk.wait_for(lambda: walk.window.document.robot.name == name)
    assert not chooser.isVisible()
    walk.window.activateWindow()  # without a window manager nobody else hands the focus back


def open_another_arm(walk, tmp_path):
    window = walk.window
    assert window.toolbar.widgetForAction(window.toolbar.actions()[0]) is walk.find("toolbar_robots")
    walk.click("toolbar_robots")
    choose_robot(walk, "scara textbook", "scara")
    walk.menu_bar("File", "Robots…")
    choose_robot(walk, "irb 140", "irb140")
    source = engine.load_robot("panda").source
    mine = tmp_path / f"mine{source.suffix}"
    mine.write_bytes(source.read_bytes())
    drop(window, mine)
    walk.wait_for(lambda: window.document.robot.n == 7)
    (tmp_path / "box.urdf").write_text(URDF)
    drop(window.scene, tmp_path / "box.urdf")
    walk.wait_for(lambda: window.document.robot.name == "box" and not window.features[MeshesFeature].runner.busy)
    drawn = window.scene.stage.solids.mesh
    for shapes in ("collision", "visual"):
        window.actions_[f"shapes_{shapes}"].trigger()
        walk.wait_for(lambda: not window.features[MeshesFeature].runner.busy)
    assert drawn is not None and window.preferences.now.shapes == "visual"
    walk.key(Key.Key_F1)
    assert walk.find("help_dialog").isVisible()
    walk.find("help_dialog").close()


URDF = """<robot name="box"><link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
<link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0"
iyz="0"/></inertial><visual><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.05 0.05"/></geometry></visual>
<collision><origin xyz="0.2 0 0"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="20" velocity="2"/></joint></robot>"""
