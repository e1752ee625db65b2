"""First calls by users of other toolboxes: names, payloads and frames."""

from __future__ import annotations

import numpy as np
import pytest

import armature
from armature import engine


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("fk", "frame_pose"),
        ("fkine", "frame_pose"),
        ("jacob0", "jacobian"),
        ("inertia", "mass_matrix"),
        ("coriolis", "coriolis_matrix"),
        ("gravload", "gravity_torque"),
        ("ikine", "ik"),
        ("ikine_LM", "ik"),
        ("accel", "forward_dynamics"),
        ("jtraj", "quintic"),
        ("loadrobot", "load_robot"),
    ],
)
@pytest.mark.parametrize("module", [armature, engine])
def test_a_name_of_another_toolbox_leads_to_ours(module, theirs, ours):
    with pytest.raises(AttributeError, match=rf"has no attribute '{theirs}'; here it is armature\.{ours}$"):
        getattr(module, theirs)
    assert hasattr(armature, ours)


def test_another_name_is_only_missing():
    with pytest.raises(AttributeError, match=r"^module 'armature' has no attribute 'nonsense'$"):
        armature.nonsense  # noqa: B018


def test_a_payload_is_held_as_its_figures_are():
    robot = engine.load_robot("puma560")
    payload = engine.Payload(1.2, [0, 0, 0.1], np.diag([0.01, 0.02, 0.02]))
    held = robot.with_payload(payload)
    assert held.changes == robot.with_payload(1.2, [0, 0, 0.1], np.diag([0.01, 0.02, 0.02])).changes
    q = robot.configurations["home"]
    np.testing.assert_array_equal(engine.mass_matrix(held, q), engine.mass_matrix(payload.held_by(robot), q))


def test_a_frame_says_its_link():
    robot = engine.load_robot("panda")
    assert robot.frames["tool"].link == "link7" and "link='link7'" in repr(robot.frames["tool"])
    assert all(frame.link == name for name, frame in robot.links.items())
    X = np.eye(4)
    X[2, 3] = 0.1
    assert robot.with_tool(X).frames["tool"].link == "link7"
    assert robot.with_tool("link5").frame().link == "link5"
