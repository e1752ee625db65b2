"""Contacts in the window: coloured, explained and measured while anything moves the arm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from armature import engine
from armature.app.contact.feature import ContactFeature
from armature.app.contact.pair_feature import PairFeature
from armature.app.scene.gl import palette
from tests.app import gizmos
from tests.app.scenes import pixels

FREE = np.radians([0.0, -15.0, 0.0, -126.0, 0.0, 60.0, 45.0])
TOUCHING = np.radians([0.0, -15.0, 0.0, -176.0, 0.0, 60.0, 45.0])  # the Panda's hand in its own base


@pytest.fixture
def panda(make_window, wait_for):
    window = make_window("panda")
    wait_for(lambda: window.scene.stage.clearance.tested is not None)
    return window


def caption(window) -> str:
    pills = window.scene.stage.clearance.pills(window.scene.frame_state)
    return pills[0].text if pills else ""


def contact_pixels(window) -> int:
    """Number of pixels of the view in the hue of a contact."""
    rgb = pixels(window.scene.grabFramebuffer())
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    return int(((red > 120) & (green < 0.45 * red) & (blue < 0.75 * red) & (blue > 1.05 * green)).sum())


def test_a_slider_that_moves_a_link_into_another_colours_and_explains_both(panda, find, wait_for):
    window, stage = panda, panda.scene.stage
    window.document.edit(FREE)
    wait_for(lambda: np.array_equal(window.scene.q, FREE))
    assert not stage.arm.colliding and not caption(window)
    before = contact_pixels(window)
    slider = find(window, "joint_slider_joint4")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    wait_for(lambda: stage.arm.colliding)
    found = engine.collision(window.document.robot, window.document.q)
    bodies = {window.document.robot.links[name].body + 1 for contact in found.pairs for name in contact.pair}
    assert stage.arm.colliding == bodies
    wait_for(lambda: caption(window) == found.explanation)
    assert " hits " in found.explanation and "mm deep" in found.explanation and contact_pixels(window) > before + 500
    window.document.edit(window.document.robot.configurations["home"])
    wait_for(lambda: not stage.arm.colliding)
    assert not caption(window)


def test_the_smallest_distance_is_drawn_with_its_value_and_can_be_switched(panda, press, wait_for):
    window, item = panda, panda.scene.stage.clearance
    assert not window.scene.overlay("clearance") and not item.labels(window.scene.frame_state)
    press(window.scene, Qt.Key.Key_D)
    assert window.scene.overlay("clearance") and window.actions_["show_clearance"].isChecked()
    window.document.edit(np.array([0.0, 0.2, 0.0, -2.7, 0.0, 2.6, 0.0]))
    wait_for(lambda: item.nearest and item.labels(window.scene.frame_state))
    (label,) = item.labels(window.scene.frame_state)
    wait_for(lambda: np.isclose(np.linalg.norm(np.subtract(*item.nearest.points)), item.nearest.distance))
    assert label.text == f"{item.nearest.distance:.3f} m" and label.point == pytest.approx(item.nearest.points.mean(axis=0))
    press(window.scene, Qt.Key.Key_D)
    assert not item.labels(window.scene.frame_state)


def test_another_robot_is_tested_with_its_own_shapes(panda, wait_for):
    window, item = panda, panda.scene.stage.clearance
    window.document.open_robot("puma560")
    wait_for(lambda: item.tested is not None and item.tested.robot is window.document.robot)
    runner = window.features[ContactFeature].runner
    wait_for(lambda: not runner.busy)
    assert not window.scene.stage.arm.colliding


def test_a_run_and_a_replay_show_contacts(panda, wait_for):
    window, stage = panda, panda.scene.stage
    window.document.edit(TOUCHING)
    wait_for(lambda: stage.arm.colliding)
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running and window.scene.q is not None and not np.array_equal(window.scene.q, TOUCHING))
    q = np.array(window.scene.q)
    wait_for(lambda: stage.clearance.report is not None)
    assert stage.arm.colliding or not engine.collision(window.document.robot, q).colliding
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)


def test_a_link_in_the_floor_is_stated_once(make_window, wait_for):
    window = make_window("puma560")
    stage = window.scene.stage

    def statements() -> list[str]:
        return [text for text, _ in stage.labels.boxes if "the floor" in text or " hits " in text]

    wait_for(lambda: stage.clearance.tested is not None)
    window.document.edit(np.array([0.0, -0.785, -1.878, 0.0, 0.0, 0.0]))
    wait_for(lambda: stage.contacts.sunk and any(" hits floor" in text for text in statements()))
    assert len(statements()) == 1
    window.scene.set_contacts(None)  # as long as the contact model is not computed
    wait_for(lambda: any("m below the floor" in text for text in statements()))
    assert len(statements()) == 1


@pytest.fixture
def stopping(make_window, wait_for, find):
    """Window of a Panda before a contact, in which drags stop."""
    window = make_window("panda")
    wait_for(lambda: window.scene.stage.clearance.tested is not None)
    window.document.edit(FREE)
    find(window, "action_stop_at_contact").trigger()
    assert window.preferences.now.stop_at_contact
    yield window
    find(window, "action_stop_at_contact").setChecked(False)


def stop_value(window, before: np.ndarray) -> float:
    """Value of joint 4, which was moved toward a contact and is just before it."""
    found = engine.collision(window.document.robot, window.document.q)
    assert not found.colliding and found.distance < 1e-3 and np.flatnonzero(window.document.q != before).tolist() == [3]
    return window.document.q[3]


def test_a_slider_stops_at_a_contact_but_a_typed_value_does_not(stopping, find, wait_for):
    window, document = stopping, stopping.document
    slider, field = find(window, "joint_slider_joint4"), find(window, "joint_value_joint4")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    stop = stop_value(window, FREE)
    assert document.robot.q_min[3] < stop < FREE[3] and document.undo_stack.count() == 2
    assert field.value() == pytest.approx(np.degrees(stop), abs=0.06) and slider.value() > slider.minimum()
    deeper = engine.collision(document.robot, document.q - np.radians(0.5) * np.eye(7)[3])
    why = f"stopped at contact: {' and '.join(deeper.pair)}"
    wait_for(lambda: caption(window) == why)
    assert document.drag_stop == why and window.status_line.currentMessage() == f"S{why[1:]}"
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert document.q[3] == pytest.approx(stop, abs=1e-4)
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field.lineEdit(), "-176")
    QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert document.q[3] == pytest.approx(np.radians(-176))
    wait_for(lambda: " hits " in caption(window))
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Left)  # deeper
    assert document.q[3] == pytest.approx(np.radians(-176))
    wait_for(lambda: " hits " in caption(window))
    QTest.keyClick(slider, Qt.Key.Key_PageUp)  # out
    assert not document.drag_stop
    assert document.q[3] > np.radians(-176)
    find(window, "action_stop_at_contact").trigger()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert document.q[3] == pytest.approx(document.robot.q_min[3])


def test_a_link_dragged_in_the_view_stops_at_a_contact(stopping, wait_for):
    window, scene = stopping, stopping.scene
    wait_for(lambda: np.array_equal(scene.q, FREE))
    places = [QPoint(x, y) for y in range(10, scene.height(), 6) for x in range(10, scene.width(), 6)]
    grabbed = next(at for at in places if (hit := scene.pick(at.x(), at.y())) is not None and hit.joint == 3)
    arm, point = window.document.robot, scene.pick(grabbed.x(), grabbed.y()).point
    X_WL = engine.link_poses(arm, FREE)[arm.link_names.index("link4")]
    held = np.linalg.inv(X_WL) @ [*point, 1.0]  # the grabbed point in the frame of its link
    QTest.mousePress(scene, Qt.MouseButton.LeftButton, pos=grabbed)
    for k in range(1, 13):
        q = FREE - np.radians(4.0 * k) * np.eye(7)[3]
        x, y, _ = scene.camera.project((engine.link_poses(arm, q)[arm.link_names.index("link4")] @ held)[:3])
        QTest.mouseMove(scene, QPoint(round(x), round(y)))
        QApplication.processEvents()
    stop = stop_value(window, FREE)
    QTest.mouseMove(scene, grabbed)
    QApplication.processEvents()
    assert window.document.q[3] > stop + 0.1
    wait_for(lambda: not caption(window))  # the reason is shown only where the arm stopped
    QTest.mouseRelease(scene, Qt.MouseButton.LeftButton, pos=grabbed)


def test_contacts_have_a_colour_of_their_own():
    assert palette.CONTACT not in (*palette.WARNING, palette.LOST, palette.COLLISION)


def test_a_slider_shows_how_far_its_joint_is_from_contact(panda, find, wait_for):
    window, slider = panda, find(panda, "joint_slider_joint2")
    window.bench.cell.set(window.bench.cell.now.with_object("ball", "sphere", radius=0.1, xyz=(0.5, -0.4, 0.3)))
    q = np.radians([0.0, 10.0, 0.0, -126.0, 0.0, 130.0, 45.0])
    window.document.edit(q)
    model = lambda: window.scene.stage.clearance.tested  # noqa: E731
    wait_for(lambda: model() is not None and any(group.name == "ball" for group in model().groups))
    found = engine.free_ranges(window.document.robot, q, window.bench.cell.now)
    wait_for(lambda: slider.free_range == pytest.approx([found.low[1], found.high[1]]))
    assert found.high_pairs[1][1] == "floor" and found.high[1] < window.document.robot.q_max[1]
    end = f"{np.degrees(found.high[1]):.3g}°"
    assert slider.toolTip().endswith(f"free from −101° to {end}; at {end} {found.high_pairs[1][0]} hits floor")
    wait_for(lambda: find(window, "joint_slider_joint1").free_range)
    assert "hits ball" in find(window, "joint_slider_joint1").toolTip()
    window.document.edit(TOUCHING)
    wait_for(lambda: "no free range" in slider.toolTip())
    assert slider.toolTip().count(" hits ") == 1
    window.document.edit(q)
    wait_for(lambda: "free from" in slider.toolTip())
    assert not find(window, "joint_slider_joint7").free_range  # only limits
    find(window, "action_run").trigger()
    wait_for(lambda: not slider.free_range)
    find(window, "action_run").trigger()


def test_the_nearest_pair_is_explained_and_opened(panda, find, press, wait_for):
    window = panda
    window.document.edit(np.radians([0.0, 28.0, 0.0, -126.0, 0.0, 130.0, 45.0]))
    press(window.scene, Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier)
    title, go, rows = find(window, "contact_title"), find(window, "contact_go"), find(window, "contact_motions")
    wait_for(lambda: title.text().endswith(" and floor"))
    before = engine.collision(window.document.robot, window.document.q)
    assert f"{1e3 * before.distance:.1f} mm apart" in find(window, "contact_numbers").text()
    assert find(window, "contact_cause").text().startswith("joint2 opens the pair fastest")
    assert rows.item(0).text().startswith("all joints: joint2 −") and rows.item(1).text().startswith("joint2 −")
    steps, q = window.document.undo_stack.count(), window.document.q
    QTest.mouseClick(go, Qt.MouseButton.LeftButton)
    wait_for(lambda: not window.features[PairFeature].glide.moving and window.document.q is not q)
    after = engine.collision(window.document.robot, window.document.q)
    assert after.distance == pytest.approx(before.distance + 0.01, abs=1e-5)
    assert window.status_line.currentMessage().endswith(" by 10.0 mm") and window.document.undo_stack.count() == steps + 1
    rows.setCurrentRow(1)
    rows.setFocus()
    QTest.keyClick(rows, Qt.Key.Key_Return)
    wait_for(lambda: window.document.undo_stack.count() == steps + 2 and not window.features[PairFeature].glide.moving)
    assert engine.collision(window.document.robot, window.document.q).distance == pytest.approx(after.distance + 0.01, abs=1e-5)
    window.document.undo_stack.setIndex(steps)
    assert np.array_equal(window.document.q, q)


def test_the_motions_listed_for_a_contact_are_those_of_the_caption_and_end_all_contacts(panda, find, press, wait_for):
    window, document, item = panda, panda.document, panda.scene.stage.clearance
    cell = window.bench.cell.now.with_object("table", "box", size=(0.6, 0.8, 0.04), xyz=(0.6, 0.0, 0.3))
    window.bench.cell.set(cell.with_object("box", "box", size=(0.1, 0.1, 0.1), xyz=(0.6, 0.25, 0.371)))
    wait_for(lambda: item.tested is not None and any(group.name == "box" for group in item.tested.groups))
    document.edit(np.radians([25.0, 30.0, 0.0, -90.0, 0.0, 105.0, 45.0]))
    press(window.scene, Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier)
    rows, pairs, title = find(window, "contact_motions"), find(window, "contact_pairs"), find(window, "contact_title")
    wait_for(lambda: title.text() == "link7 hits box" and rows.count())
    found = engine.collision(document.robot, document.q, window.bench.cell.now)
    joint, motion = rows.item(0).text().removesuffix("°").split()
    wait_for(lambda: caption(window) == found.explanation)
    assert found.explanation.endswith(f"{joint} {float(motion.replace('−', '-')):+.1f}° frees it".replace("-", "−"))
    names = [" – ".join(contact.pair) for contact in found.pairs]
    assert len(names) > 2 and [pairs.itemText(k) for k in range(pairs.count())] == ["Nearest pair", *names]
    pairs.setFocus()
    QTest.keyClick(pairs, Qt.Key.Key_End)
    wait_for(lambda: title.text() == names[-1].replace(" – ", " hits "))
    assert f"{-1e3 * found.pairs[-1].distance:.1f} mm deep" in find(window, "contact_numbers").text()
    QTest.mouseClick(find(window, "contact_go"), Qt.MouseButton.LeftButton)
    wait_for(lambda: not window.features[PairFeature].glide.moving and not caption(window))
    assert not engine.collision(document.robot, document.q, window.bench.cell.now).colliding
    assert window.status_line.currentMessage() == f"{joint} {motion}° frees the arm"
    assert document.undo_stack.undoText() == "end all contacts"


def test_the_contact_of_a_link_or_object_under_the_pointer_is_marked(panda, wait_for):
    window, scene, item = panda, panda.scene, panda.scene.stage.clearance
    window.document.edit(np.radians([0.0, 35.0, 0.0, -126.0, 0.0, 130.0, 45.0]))
    wait_for(lambda: caption(window) and item.report.pair[1] == "floor")
    places = [QPoint(x, y) for y in range(10, scene.height(), 6) for x in range(10, scene.width(), 6)]

    def hover(joint: int) -> str:
        at = next(at for at in places if (hit := scene.pick(at.x(), at.y())) is not None and hit.joint == joint)
        QTest.mouseMove(scene, at)
        QApplication.processEvents()
        return window.findChild(QLabel, "hover_label").text()

    one = item.report.pairs[0]
    assert hover(6) == f"link7\njoint7 = 45.00°\n{one.caption}" and item.marked is one
    assert one.caption == f"link7 hits floor, {-1e3 * one.distance:.0f} mm deep"
    with_mark, item.marked = pixels(scene.grabFramebuffer()), replace(one, points=one.points + 0.1)
    assert (pixels(scene.grabFramebuffer()) != with_mark).any()
    item.marked = None  # the deepest contact is marked without the pointer, too
    assert (pixels(scene.grabFramebuffer()) == with_mark).all()
    assert "hits" not in hover(3) and item.marked is None
    window.document.edit(FREE)
    wait_for(lambda: not caption(window))
    assert hover(6).count("\n") == 1  # the line between the nearest points is not drawn
    window.actions_["show_clearance"].trigger()
    pair = item.nearest.pair
    assert hover(window.document.robot.joint_names.index(f"joint{pair[1][-1]}")).endswith(item.nearest.caption)
    window.actions_["show_clearance"].trigger()


def test_a_tool_that_stops_at_a_contact_names_the_pair(stopping, find, wait_for):
    """Pulled down by its blue arrow onto a table."""
    window, document, scene = stopping, stopping.document, stopping.scene
    document.edit(document.robot.configurations["home"])
    tool, cell = engine.frame_pose(document.robot, document.q)[:3, 3], window.bench.cell
    table = cell.now.with_object("table", "box", size=(0.3, 0.3, 0.1), xyz=tuple(tool - [0.0, 0.0, 0.2]))
    assert not engine.collision(document.robot, document.q, table).colliding
    cell.edit(table, "table")
    wait_for(lambda: (model := scene.stage.clearance.tested) is not None and "table" in np.ravel(model.pair_names))
    find(window, "action_gizmo").trigger()
    scene.fit()
    QApplication.processEvents()
    start = gizmos.pixel_on(scene, "z")
    gizmos.press(scene, start)
    end = gizmos.pull(scene, gizmos.way(scene, "z", start, -160.0, 12))
    why = document.drag_stop
    assert why.startswith("stopped at contact: ") and why.endswith(" and table")
    wait_for(lambda: caption(window) == why and find(window, "readout_hand").text() == f"S{why[1:]}")
    look = scene.gizmo.look
    assert look.words == "stopped at contact" and look.wanted is not None  # else its caption would be that of the motion
    gizmos.release(scene, end)
    assert not engine.collision(document.robot, document.q, table).colliding
    find(window, "action_gizmo").trigger()
