"""Ghosts: the arm at other poses, drawn through and gone again."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.app.scene.arm.ghost_item import GhostLook
from tests.app.scenes import pixels, shown_view


def test_ghosts_are_drawn_where_the_arm_would_be_and_leave_nothing(qtbot):
    view = shown_view(qtbot, "panda")
    alone = pixels(view.render_image(400, 300))
    other = view.q + np.array([0.9, 0, 0, 0.4, 0, 0, 0])
    view.show_ghosts(view, engine.link_poses(view.robot, other[None]), ("#e69f00",), GhostLook.AHEAD, "ahead")
    with_ghost = pixels(view.render_image(400, 300))
    changed = np.abs(with_ghost - alone).max(axis=2) > 12
    assert changed.mean() > 0.02
    redder = (with_ghost - alone)[changed]
    assert (redder[:, 0] - redder[:, 2]).mean() > 10  # orange over what was there
    view.clear_ghosts(view)
    assert np.abs(pixels(view.render_image(400, 300)) - alone).max() <= 1


def test_a_ghost_at_the_arms_own_pose_is_hidden(qtbot):
    view = shown_view(qtbot, "puma560")
    alone = pixels(view.render_image(400, 300))
    view.show_ghosts(view, engine.link_poses(view.robot, view.q[None]), ("#ff0000",), GhostLook.AHEAD, "ahead")
    assert (np.abs(pixels(view.render_image(400, 300)) - alone).max(axis=2) > 40).mean() < 0.002


def test_another_robot_has_no_ghosts(qtbot):
    view = shown_view(qtbot, "panda")
    view.show_ghosts(view, engine.link_poses(view.robot, view.q[None] + 0.5), ("#ff0000",), GhostLook.AHEAD, "ahead")
    scara = engine.load_robot("scara")
    view.set_robot(scara, scara.configurations["home"])
    assert not len(view.stage.ghosts.bodies)
    view.render_image(300, 200)
