"""What is lost near a singularity, drawn where and as it is."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.scene.overlays.lost_motion import lost_motions
from tests.app.scenes import bare_view, changed, pixels

WRIST = [0.3, -0.5, 0.4, 0.5, 0.0, 0.2]


def losses_at(name, q):
    robot, q = engine.load_robot(name), np.array(q, float)
    report = engine.singularity(robot, q)
    return robot, q, report, lost_motions(robot, q, report, report.level())


def drawn(view, k):
    """The pose that shape k was drawn with: arrows are even, rings odd."""
    view.render_image(200, 150)
    return view.stage.lost_motion.bodies["pose"][k].T


def test_a_wrist_loses_a_turn_about_the_normal_of_its_axes():
    robot, q, report, (loss,) = losses_at("puma560", WRIST)
    J = engine.jacobian(robot, q)
    assert loss.turns and loss.words == "Wrist: axes 4 and 6 are collinear"
    np.testing.assert_allclose(loss.direction @ J[3:, 3:], 0, atol=1e-9)  # no joint of the wrist turns the tool about it


def test_beside_a_singular_pose_it_says_how_far_off_the_fact_is():
    *_, report, (loss,) = losses_at("puma560", [0.3, -0.5, 0.4, 0.5, 0.063, 0.2])
    assert report.rank == 6 and report.away == "3.6°"
    assert loss.words == "Wrist, 3.6° away: axes 4 and 6 are collinear"


@pytest.mark.parametrize("q2", [0.0, 0.1])
def test_a_stretched_scara_loses_the_way_outward_at_its_tool(qtbot, q2):
    robot, q, report, losses = losses_at("scara", [0.3, q2, 0.1])
    assert len(losses) == 1 and not losses[0].turns
    np.testing.assert_allclose(losses[0].place, 0, atol=1e-9)  # at the tool, also where the singular pose is some way off
    view = bare_view(qtbot, "scara", q, on=("lost_motion",))
    view.set_warning(report.level(), report.joints, losses)
    X = drawn(view, 0)
    np.testing.assert_allclose(X[:3, 3], engine.frame_pose(robot, q)[:3, 3], atol=1e-6)
    along = X[:3, 2] / np.linalg.norm(X[:3, 2])
    assert abs(along @ losses[0].direction) > 1 - 1e-6
    assert not drawn(view, 1).any()  # and no ring


def test_it_moves_with_the_tool_and_goes_where_the_arm_is_regular(qtbot):
    robot, q, report, losses = losses_at("puma560", WRIST)
    view = bare_view(qtbot, "puma560", q, on=("lost_motion",))
    empty = pixels(view.render_image(300, 220))
    view.set_warning(2, report.joints, losses)
    view.stage.arm.set_warning(0, ())
    assert changed(empty, pixels(view.render_image(300, 220))) > 200
    q = q + [0.4, 0, 0, 0, 0, 0]
    view.set_q(q)
    np.testing.assert_allclose(drawn(view, 1)[:3, 3], engine.frame_pose(robot, q)[:3, 3], atol=1e-6)
    view.set_warning(0)
    view.set_q(q - [0.4, 0, 0, 0, 0, 0])
    assert changed(empty, pixels(view.render_image(300, 220))) < 20


def test_a_regular_pose_loses_nothing():
    assert losses_at("puma560", [0.1, 0.4, -0.6, 0.3, 0.9, 0.2])[3] == ()
