"""README: the arm is made singular, and its reach is seen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest

from armature import engine
from armature.app.singularity.singularities import SingularitiesFeature
from armature.app.singularity.singularity_map import SingularityMapFeature
from armature.app.workspace.feature import WorkspaceFeature
from tests.app.readme_walk.walk import CTRL, LEFT, NONE, SHIFT, Key
from tests.app.scenes import drag


def make_it_singular(walk):
    window, scene = walk.window, walk.window.scene
    calm = scene.grabFramebuffer()
    walk.menu("toolbar_poses", "stretched")
    walk.wait_for(lambda: np.array_equal(window.readouts.latest.q, walk.q) and window.readouts.latest.level == 2)
    assert np.array_equal(walk.q, window.document.robot.configurations["stretched"])
    walk.wait_for(lambda: walk.find("readout_sigma_min").property("level") == "2")
    assert window.readouts.latest.report.sigma_min < 1e-9 and scene.grabFramebuffer() != calm
    words = walk.find("singularity_explanation").text()
    assert ("joint" in words or "axes" in words) and ("cannot move" in words or "cannot rotate" in words), words
    names = ("ellipsoid", "force")
    for name, keys in zip(names, (NONE, SHIFT), strict=True):
        walk.key(Key.Key_E, keys)
        assert window.preferences.now.overlays[name]
    walk.key(Key.Key_E)
    walk.key(Key.Key_E, SHIFT)
    walk.click("button_perspective_singularity")
    walk.wait_for(lambda: walk.find("singularity_play").isVisible())
    feature, robot = window.features[SingularitiesFeature], window.document.robot
    walk.menu("toolbar_poses", "home")
    walk.type("joint_value_joint5", "0")  # axes 4 and 6 in one line
    walk.wait_for(lambda: "axes 4 and 6" in walk.find("singularity_explanation").text())
    there, X = walk.q, engine.frame_pose(robot, walk.q)
    walk.click("singularity_play")
    walk.wait_for(lambda: np.abs(walk.q - there).max() > 0.02)
    assert np.linalg.norm(engine.frame_pose(robot, walk.q)[:3, 3] - X[:3, 3]) < 1e-3
    walk.click("singularity_play")
    assert np.array_equal(walk.q, there)
    walk.type("joint_value_joint5", "30")
    here = walk.q
    walk.wait_for(lambda: feature.nearest is not None and not feature.runner.busy and feature._searched is window.document.q)
    walk.click("nearest_go")
    walk.wait_for(lambda: not feature.glide.moving and not np.array_equal(walk.q, here))
    walk.wait_for(lambda: window.readouts.latest.report.sigma_min < 1e-6)
    walk.click("nearest_back")
    walk.wait_for(lambda: not feature.glide.moving and np.allclose(walk.q, here))
    walk.click("families_find")
    walk.wait_for(lambda: feature.families and not feature.family_runner.busy, 90)
    assert walk.find("families_list").count() == len(feature.families) >= 3
    drag_the_dot(walk)


def drag_the_dot(walk):
    map_, feature = walk.window.features[SingularityMapFeature].panel.map, walk.window.features[SingularityMapFeature]
    walk.wait_for(lambda: map_._map is not None and map_.isVisible(), 60)
    before, middle = walk.q, map_.plot().center()
    drag(map_, [map_.pixel(*map_.point), middle - QPointF(20, 10), middle])
    changed = np.flatnonzero(walk.q != before).tolist()
    assert changed and set(changed) <= set(feature.pair)


def see_its_reach(walk):
    window, feature = walk.window, walk.window.features[WorkspaceFeature]
    walk.key(Key.Key_3, CTRL)
    assert walk.find("button_perspective_workspace").isChecked()
    assert walk.find("workspace_samples").value() == 100_000
    quantity, style = walk.find("workspace_quantity"), walk.find("workspace_style")
    data = [quantity.itemData(k) for k in range(quantity.count())]
    assert data[0] == "manipulability" and "payload" in data and len(data) == 8
    walk.click("workspace_compute")
    walk.wait_for(lambda: feature.space is not None and not feature.runner.busy and not feature.painter.busy, 90)
    assert len(feature.space.points) == 100_000 and window.preferences.now.overlays["workspace"]
    walk.wait_for(lambda: "m³" in walk.find("workspace_volume").text(), 60)
    for name in [style.itemData(k) for k in range(style.count()) if k != style.currentIndex()]:
        walk.choose("workspace_style", name)
        walk.wait_for(lambda: not feature.painter.busy, 60)
        assert window.scene.stage.reach.mesh is not None
    walk.choose("workspace_style", style.itemData(0))
    walk.wait_for(lambda: not feature.painter.busy, 60)
    whole = len(window.scene.stage.cloud.records)
    walk.choose("workspace_cut_axis", walk.find("workspace_cut_axis").itemData(2))
    walk.wait_for(lambda: not feature.painter.busy and len(window.scene.stage.cloud.records) != whole, 60)
    walk.key(Key.Key_F)
    before = walk.q
    points = window.scene.stage.cloud.records["position"]
    seen = window.scene.camera.project(points)
    near = np.argsort(seen[:, 2])[:2000]
    inside = (k for k in near if window.scene.rect().adjusted(60, 60, -60, -60).contains(int(seen[k, 0]), int(seen[k, 1])))
    at = next(QPoint(*np.round(seen[k, :2]).astype(int)) for k in inside if window.scene.pick(*seen[k, :2]) is None)
    QTest.mouseClick(window.scene, LEFT, NONE, at)
    walk.wait_for(lambda: not np.array_equal(walk.q, before))
    tool = walk.pixel(engine.frame_pose(window.document.robot, walk.q)[:3, 3])
    assert (tool - at).manhattanLength() < 20
    walk.key(Key.Key_W)  # the cloud makes way
