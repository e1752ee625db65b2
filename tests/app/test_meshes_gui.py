"""The shapes of URDF robots in the window: how they arrive, what is told, how they are chosen, and that nothing grows."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from armature import engine
from armature.app import cli
from armature.app.robots.examination.feature import ExaminationFeature
from armature.app.robots.meshes.arm_meshes import load
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.robots.robot_meshes import MeshesFeature
from armature.app.scene.hands.pointer import PointerMode
from armature.app.scene.stage import OVERLAYS
from armature.app.state.settings import decode
from armature.app.state.severity import Severity
from tests.app.mesh_files import BLUE, RED, WRITERS, ball, binary_stl, dae, material, mesh, mesh_arm
from tests.app.scenes import gl_objects, pixels, shown_view, visible_point

STATM = Path("/proc/self/statm")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Nothing is left in the user's cache, nothing found there."""
    monkeypatch.setattr("armature.app.robots.meshes.mesh_cache.user_cache", lambda: tmp_path)


@pytest.fixture
def arm(tmp_path):
    """A red and a blue ball over a black one, of three formats."""
    (tmp_path / "red.stl").write_bytes(binary_stl(*ball(16)))
    (tmp_path / "blue.dae").write_bytes(dae(*ball(16), (BLUE,)))
    (tmp_path / "foot.obj").write_bytes(WRITERS["mesh.obj"](*ball(16)))
    sphere = '<collision><origin xyz="0 0 0.15"/><geometry><sphere radius="0.2"/></geometry></collision>'
    links = [mesh("foot.obj", at="0 0 0.1", scale="0.3 0.3 0.2", material=material((0.1, 0.1, 0.1)))]
    links += [mesh("red.stl", "0.2 0.2 0.3", material=material(RED)), mesh("blue.dae", "0.2 0.2 0.3") + sphere]
    return mesh_arm(tmp_path, links)


def busy(window) -> bool:
    return window.features[MeshesFeature].runner.busy


def opened(window, path, wait_for):
    """The window with that robot and its shapes, if it has any that can be shown."""
    window.document.open_robot(str(path))
    wait_for(lambda: not busy(window))
    return window


def share(picture, colour) -> float:
    """How much of a picture has about the hue of this colour."""
    toward = np.array(colour) / np.linalg.norm(colour)
    bright = np.linalg.norm(picture, axis=2)
    return float(((picture @ toward > 0.93 * bright) & (bright > 60)).mean())


def test_the_built_arm_is_drawn_until_the_meshes_are_there(make_window, wait_for, arm):
    window = make_window(anew=True)
    window.actions_["show_frames"].setChecked(False)
    window.document.open_robot(str(arm))
    assert not window.scene.stage.solids.stands and busy(window)  # the first frame waits for nothing
    window.document.set_q(np.array([0.8, 0.0]))  # at zero it is singular, and drawn in the colour of a warning
    built = pixels(window.scene.render_image(400, 300))
    wait_for(lambda: not busy(window) and np.array_equal(window.readouts.latest.q, window.document.q))
    assert window.scene.stage.solids.stands
    shown = pixels(window.scene.render_image(400, 300))
    for colour in (RED, BLUE):
        assert share(shown, colour) > 0.01 + share(built, colour)


def test_meshes_are_picked_lit_up_and_dragged_as_any_link(window, wait_for, arm):
    scene = opened(window, arm, wait_for).scene
    at = visible_point(scene, 1)
    QTest.mouseMove(scene, at)
    wait_for(lambda: scene.hovered == 1)
    hit = scene.pick(at.x(), at.y())
    X = scene.slot_poses[hit.slot]
    assert np.allclose(X[:3, :3] @ hit.local + X[:3, 3], hit.point)
    centre = X @ window.document.robot.links["link2"].X_BF @ [0, 0, 0.15, 1]
    assert np.linalg.norm(hit.point - centre[:3]) < 0.16
    before = window.document.q.copy()
    QTest.mousePress(scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(scene, at + type(at)(30, 25))
    QTest.mouseMove(scene, at + type(at)(60, 50))
    QTest.mouseRelease(scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + type(at)(60, 50))
    assert np.flatnonzero(window.document.q != before).tolist() == [1]


def test_meshes_that_arrive_during_a_drag_leave_it_alone(window, wait_for, arm):
    window.document.open_robot(str(arm))
    scene = window.scene
    at = visible_point(scene, 1)
    QTest.mousePress(scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(scene, at + type(at)(20, 20))
    wait_for(lambda: not busy(window))
    QTest.mouseMove(scene, at + type(at)(40, 40))
    assert scene.pointer.mode is PointerMode.DRAG and window.document.q[1] != 0
    QTest.mouseRelease(scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + type(at)(40, 40))
    assert scene.pointer.idle


def test_warnings_tint_meshes_too(window, wait_for, arm):
    scene = opened(window, arm, wait_for).scene
    scene.set_warning(2, (1,))
    red = pixels(scene.render_image(300, 200))
    scene.set_warning(0)
    assert np.abs(red - pixels(scene.render_image(300, 200))).max() > 60


def test_the_floor_is_where_the_meshes_stand(window, wait_for, tmp_path):
    (tmp_path / "leg.stl").write_bytes(binary_stl(*ball(12)))
    leg = mesh_arm(tmp_path, [mesh("leg.stl", scale="0.2 0.2 1", at="0 0 -0.5"), mesh("leg.stl")])
    scene = opened(window, leg, wait_for).scene
    assert scene.stage.floor.height == pytest.approx(-1.0, abs=0.01)


def test_what_cannot_be_read_is_listed_in_the_banner(window, wait_for, find, tmp_path):
    (tmp_path / "good.stl").write_bytes(binary_stl(*ball(8)))
    (tmp_path / "bad.dae").write_bytes(b"<COLLADA")
    opened(window, mesh_arm(tmp_path, [mesh("good.stl"), mesh("bad.dae"), mesh("gone.stl")]), wait_for)
    assert window.scene.stage.solids.stands
    assert "2 mesh files cannot be shown; boxes" in window.banner.text.text()
    more = find(window, "banner_details")
    assert more.isVisible()
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    lines = find(window, "list_dialog_lines").toPlainText().splitlines()
    assert len(lines) == 2 and lines[0].startswith(str(tmp_path / "bad.dae")) and lines[1] == "gone.stl: not found"
    find(window, "list_dialog").close()
    window.banner.show_message(Severity.INFO, "Something else.")
    assert not more.isVisible()


def test_without_a_single_mesh_the_arm_is_built_from_its_joints(window, wait_for, tmp_path):
    opened(window, mesh_arm(tmp_path, [mesh("gone.stl"), mesh("lost.stl")]), wait_for)
    assert not window.scene.stage.solids.stands
    assert "simplified links" in window.banner.text.text()


def test_visual_collision_or_both_is_chosen_and_remembered(window, wait_for, find, arm):
    stage = opened(window, arm, wait_for).scene.stage
    visual = stage.solids.solid[1]
    find(window, "action_shapes_collision").trigger()
    wait_for(lambda: not busy(window) and stage.solids.solid[1] != visual)
    assert set(stage.solids.owners) == {2}  # the only link with a collision shape
    find(window, "action_shapes_both").trigger()
    wait_for(lambda: not busy(window) and stage.solids.veil[1] > 0)
    assert stage.solids.solid[1] == visual
    picture = pixels(window.scene.render_image(300, 200))
    find(window, "action_shapes_visual").trigger()
    wait_for(lambda: not busy(window) and stage.solids.veil[1] == 0)
    assert np.abs(picture - pixels(window.scene.render_image(300, 200))).max() > 30
    find(window, "action_shapes_collision").trigger()
    assert decode(window.preferences._store.text).shapes == "collision"
    wait_for(lambda: not busy(window))


def test_a_robot_without_the_chosen_shapes_is_told(make_window, wait_for, tmp_path):
    window = make_window(shapes="collision")
    (tmp_path / "a.stl").write_bytes(binary_stl(*ball(8)))
    window.document.open_robot(str(mesh_arm(tmp_path, [mesh("a.stl"), mesh("a.stl")])))
    assert "no collision shapes" in window.banner.text.text() and not busy(window)


def test_the_robot_opened_last_wins(window, wait_for, tmp_path, arm):
    (tmp_path / "big.stl").write_bytes(binary_stl(*ball(90)))
    big = mesh_arm(tmp_path, [mesh("big.stl"), mesh("big.stl")], name="big")
    for _ in range(3):
        window.document.open_robot(str(big))
        window.document.open_robot(str(arm))
    window.document.open_robot(str(big))
    window.document.open_robot("scara")
    assert not busy(window)
    QTest.qWait(400)
    assert not window.scene.stage.solids.stands
    window.document.open_robot(str(big))
    window.document.open_robot(str(arm))
    wait_for(lambda: not busy(window))
    QTest.qWait(200)
    assert len(window.scene.stage.solids.starts) == 4 and window.scene.stage.solids.stands


def test_closing_the_window_ends_the_reading(make_window, tmp_path):
    (tmp_path / "big.stl").write_bytes(binary_stl(*ball(90)))
    window = make_window(str(mesh_arm(tmp_path, [mesh("big.stl"), mesh("big.stl")])))
    window.document.open_robot(str(tmp_path / "mesh_arm.urdf"))
    window.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "job-meshes"]


def test_the_same_robot_with_a_load_keeps_its_meshes(window, wait_for, arm):
    robot = opened(window, arm, wait_for).document.robot
    solids = window.scene.stage.solids
    window.document.set_robot(robot.with_payload(2.0))
    assert window.scene.stage.solids is solids and not busy(window)


def test_an_arm_under_edit_keeps_its_meshes_and_is_saved_with_them(make_window, wait_for, arm, tmp_path):
    window = make_window(str(arm))
    document, stage = window.document, window.scene.stage
    wait_for(lambda: not busy(window) and stage.solids.stands)
    before = stage.solids
    draft = engine.draft_of(document.robot)
    document.take_draft(draft)
    wait_for(lambda: not window.features[ExaminationFeature].busy)  # of the rows that were found
    document.edit_draft(draft.with_value(("joints", 0, "torque_limit"), 7.0), "torque")
    wait_for(lambda: not busy(window))
    assert stage.solids.stands and len(stage.solids.mesh.faces) == len(before.mesh.faces)
    X = stage.arm.bodies["pose"][1].T
    tall = document.draft.with_value(("joints", 0, "alpha"), float(document.robot.dh.alpha[0]) + 0.3)
    window.scene.show_edited(tall.robot, document.q)  # as a keystroke does
    assert stage.solids.stands  # until the new places are reckoned
    wait_for(lambda: not busy(window))
    assert stage.solids.stands and np.allclose(stage.arm.bodies["pose"][1].T, X)
    window.scene.show_edited(document.robot, document.q)
    saved = document.draft.saved_as(tmp_path / "mine.toml")
    assert [shape.path for shape in engine.load_robot(saved.path).visuals] == [
        shape.path for shape in engine.load_robot(arm).visuals
    ]


def test_more_bodies_than_a_uniform_buffer_holds(qtbot, tmp_path):
    boxes = ['<visual><geometry><box size="0.2 0.2 0.28"/></geometry></visual>'] * 251
    robot = engine.load_robot(mesh_arm(tmp_path, boxes, name="snake"))
    view = shown_view(qtbot, "rp", size=(300, 400))
    view.set_robot(robot, robot.configurations["home"])
    view.set_solids(load(robot, "visual", None, MeshCache()).solids)
    view.standard_view("front")
    view.select_joint(249)
    view.fit()
    x, y = view.camera.project(view.slot_poses[250][None, :3, 3])[0][:2]
    assert view.pick(x, y).slot == 250
    view.select_joint(-1)
    for overlay in OVERLAYS:
        view.set_overlay(overlay, False)
    plain = pixels(view.grabFramebuffer())
    view.highlight_joint(249)
    lit = np.abs(plain - pixels(view.grabFramebuffer())).max(axis=2) > 5
    assert lit[round(y), round(x)] and 0.001 < lit.mean() < 0.4


def resident() -> float:
    """Memory of this process in MB."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def change_robots(tmp_path, view, changes: int):
    """So many changes among mesh arms and others; how GL objects and memory grew over the second half."""
    (tmp_path / "a.stl").write_bytes(binary_stl(*ball(24)))
    (tmp_path / "b.dae").write_bytes(dae(*ball(30), (RED, BLUE)))
    names = ["scara", mesh_arm(tmp_path, [mesh("a.stl")] * 4), mesh_arm(tmp_path, [mesh("b.dae")] * 7, name="other"), "puma560"]
    cache, seen = MeshCache(tmp_path / "cache"), []
    for k in range(changes):
        robot = engine.load_robot(names[k % 4])
        view.set_robot(robot, robot.configurations["home"])
        view.set_solids(load(robot, ("visual", "both")[k % 2], (None, 900)[k // 4 % 2], cache).solids)
        view.grabFramebuffer()
        if k in (changes // 2, changes - 1):
            gc.collect()
            seen.append((gl_objects(view), resident()))
    (objects, memory), (objects_now, memory_now) = seen
    assert objects_now == objects
    return memory_now - memory


@pytest.mark.skipif(not STATM.exists(), reason="memory is read from /proc")
def test_sixty_changes_of_robot_leave_nothing_behind(qtbot, tmp_path):
    assert change_robots(tmp_path, shown_view(qtbot, "rp", size=(300, 200)), 64) < 25


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not STATM.exists(), reason="memory is read from /proc")
def test_a_thousand_changes_of_robot_leave_nothing_behind(qtbot, tmp_path):
    assert change_robots(tmp_path, shown_view(qtbot, "rp", size=(300, 200)), 1000) < 40


def test_a_screenshot_shows_the_meshes_and_names_what_is_missing(qapp, tmp_path, arm, capsys):
    out = tmp_path / "arm.png"
    assert cli.main(["screenshot", str(arm), str(out), "--size", "400x300", "--show", "grid", "--q", "0.8, 0"]) == 0
    seen = pixels(QImage(str(out)))
    assert share(seen, RED) > 0.01 and share(seen, BLUE) > 0.01
    (tmp_path / "red.stl").unlink()
    assert cli.main(["screenshot", str(arm), str(out), "--size", "400x300", "--show", "grid"]) == 0
    assert "red.stl: not found" in capsys.readouterr().err
