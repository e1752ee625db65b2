"""`NAME.armature.toml` beside `NAME.urdf`: what it adds, how it is refused, and that recordings know of it."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from tests.engine.test_urdf import LIMIT, joint, link

ARM = (
    link("base", 9), link("upper", 2, "0 0 0.2"), link("fore", 1, "0 0 0.2"), link("hand", 0.5, "0 0 0.05"), link("finger", 0.1),
    joint("shoulder", "base", "upper", "revolute", LIMIT + '<axis xyz="0 0 1"/><dynamics damping="0.5" friction="0.2"/>'),
    joint("elbow", "upper", "fore", "revolute", LIMIT + '<axis xyz="0 1 0"/><origin xyz="0.1 0 0.4"/>'),
    joint("lift", "fore", "hand", "prismatic", LIMIT + '<axis xyz="0 0 1"/><origin xyz="0 0 0.4"/>'),
    joint("grip", "hand", "finger", "prismatic", LIMIT + '<axis xyz="0 1 0"/><mimic joint="lift" multiplier="0.1"/>'),
)  # fmt: skip
WHOLE = """
title       = "My arm"
floor       = -0.1
description = "an arm in two files"
sources     = ["a data sheet"]
remarks     = ["rotor inertias are estimates"]
gravity     = [0, 0, -1.62]
task        = ["x", "z"]
tool        = { link = "hand", xyz = [0, 0, 0.1], rpy_deg = [0, 90, 0] }
tool_limits = { speed = 0.25 }

[configurations]
home = [0.1, "pi/6", 0.2]

[configurations_deg]
bent = [30, 90, 0.5]

[joints.shoulder]
rotor_inertia = 1e-4
gear_ratio    = -100
friction      = { at = "motor", viscous = 1e-5, coulomb = [1e-3, 2e-3] }

[joints.lift]
restitution   = 0.5
"""


@pytest.fixture
def write(tmp_path):
    def files(companion=None, name="arm"):
        urdf, beside = tmp_path / f"{name}.urdf", tmp_path / f"{name}.armature.toml"
        urdf.write_text('<robot name="arm">' + "\n".join(ARM) + "</robot>")
        beside.unlink(missing_ok=True)
        if companion is not None:
            beside.write_text(companion, encoding="utf-8")
        return urdf

    return files


def test_a_urdf_with_its_companion(write):
    bare, arm = engine.load_robot(write()), engine.load_robot(write(WHOLE))
    assert bare.companion_hash == "" and arm.companion_hash and arm.file_hash == bare.file_hash
    assert arm.description == "an arm in two files" and arm.task == ("x", "z") and not arm.task_reason
    assert set(arm.remarks) == {*bare.remarks, "rotor inertias are estimates"} and arm.sources == ("a data sheet",)
    assert (bare.title, bare.floor, arm.title, arm.floor) == ("arm", None, "My arm", -0.1)
    assert arm.gravity.tolist() == [0, 0, -1.62] and arm.tool_limits == engine.ToolLimits(speed=0.25)
    assert arm.configurations["home"] == pytest.approx([0.1, np.pi / 6, 0.2])
    assert arm.configurations["bent"] == pytest.approx([np.pi / 6, np.pi / 2, 0.5])
    shoulder = arm.bodies[0]
    assert shoulder.rotor_inertia == pytest.approx(1.0) and shoulder.friction.viscous == pytest.approx(0.1)
    assert shoulder.friction.coulomb == pytest.approx((0.1, 0.2))
    assert arm.bodies[1].friction == bare.bodies[1].friction and arm.bodies[arm.joint_bodies[2]].restitution == 0.5
    q = np.array([0.3, 0.2, 0.1])
    M = engine.mass_matrix(arm, q) - engine.mass_matrix(bare, q)
    np.testing.assert_allclose(M, np.diag([1.0, 0, 0]), atol=1e-12)
    X = engine.frame_pose(bare, q, "hand") @ np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0.1], [0, 0, 0, 1]])
    np.testing.assert_allclose(engine.frame_pose(arm, q), X, atol=1e-12)
    assert engine.load_robot(write(WHOLE).with_name("arm.armature.toml")).file_hash == arm.file_hash


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; a companion file needs one or more of task, tool, gravity"),
        ("task = ", "is not TOML"),
        (
            "taks = ['x']",
            "taks: unknown key; did you mean task? valid are title, description, sources, remarks, floor, gravity, ",
        ),
        ("task = ['x', 'w']", "task: must be an array of names from x, y, z, rx, ry, rz"),
        ("tool = { link = 'palm' }", "tool.link: 'palm' is not a link of the URDF; valid are base, upper, fore, hand, finger"),
        ("tool = { xzy = [0, 0, 1] }", "tool.xzy: unknown key; did you mean xyz?"),
        (
            "[joints.sholder]\ngear_ratio = 2",
            "joints.sholder: is not a joint of the URDF; valid are shoulder, elbow, lift; did you",
        ),
        ("[joints.grip]\ngear_ratio = 2", "joints.grip: is a mimic joint (it copies another joint) without a motor"),
        ("[joints.elbow]\ngear_ratio = 0", "joints.elbow.gear_ratio: must not be 0"),
        ("[joints.elbow]\nrotor_inertia = -1", "joints.elbow.rotor_inertia: must be 0 or more, got -1"),
        (
            "[joints.elbow]\nratio = 1",
            "joints.elbow.ratio: unknown key; did you mean gear_ratio? valid are rotor_inertia, gear",
        ),
        ("[joints.elbow.friction]\nvicous = 1", "joints.elbow.friction.vicous: unknown key; did you mean viscous?"),
        ("[configurations]\nhome = [0, 0]", "configurations.home: has 2 values, must have 3"),
        ("[configurations]\nhome = [9, 0, 0]", "configurations.home: moves shoulder to 9, outside its limits -1 to 2 rad"),
        ("[configurations]\nzero = [0, 0, 0]", "configurations.zero: is predefined"),
    ],
)
def test_a_companion_that_cannot_be_used_is_told_in_one_line(write, text, words):
    with pytest.raises(engine.ModelError) as caught:
        engine.load_robot(write(text))
    message = str(caught.value)
    assert "arm.armature.toml: " in message and words in message and message.isprintable(), message


def test_a_companion_alone_or_unreadable(write, tmp_path):
    urdf = write(WHOLE)
    urdf.unlink()
    with pytest.raises(engine.ModelError, match=r"arm\.armature\.toml: needs arm\.urdf in the same folder"):
        engine.load_robot(tmp_path / "arm.armature.toml")
    beside = write(None).with_name("arm.armature.toml")
    beside.mkdir()
    with pytest.raises(engine.ModelError, match=r"arm\.armature\.toml: is a folder; give a companion file"):
        engine.load_robot(tmp_path / "arm.urdf")


def test_a_recording_is_done_again_with_the_companion_it_was_made_with(write):
    arm = engine.load_robot(write(WHOLE))
    run = engine.simulate(arm, arm.configurations["home"], None, 0.05, 1e-3)
    assert engine.verify_recording(run).identical
    alone = engine.simulate(engine.load_robot(write()), [0, 0, 0], None, 0.05, 1e-3)
    with pytest.raises(engine.RecordingError, match=r"arm\.armature\.toml is missing"):
        engine.resimulate(run)
    write(WHOLE.replace("1.62", "1.63"))
    with pytest.raises(engine.RecordingError, match=r"arm\.armature\.toml differs from"):
        engine.resimulate(run)
    with pytest.raises(engine.RecordingError, match=r"it was recorded without .*arm\.armature\.toml"):
        engine.resimulate(alone)
    write()
    assert engine.verify_recording(alone).identical


def test_a_recording_from_before_there_were_companions_is_done_again(write):
    run = engine.simulate(engine.load_robot(write()), [0, 0, 0], None, 0.05, 1e-3)
    older = {key: value for key, value in run.metadata.items() if key != "companion_sha256"}
    from armature.engine.recording.recording import Recording
    from armature.engine.recording.recording_metadata import with_defaults

    assert engine.verify_recording(Recording.from_table(run.table(), run.joint_names, with_defaults(older))).identical


def test_the_readme_documents_every_key_of_the_companion(write):
    from armature.engine.model.load_robot import ROBOTS
    from armature.engine.model.toml.urdf_companion import CompanionFile, CompanionJoint, ToolEntry

    text = (ROBOTS / "README.md").read_text(encoding="utf-8").split("### Companion file")[1]
    for table in (CompanionFile, CompanionJoint):
        for key in table.model_fields:
            assert f"`{key}`" in text or f"`[{key}" in text, key
    assert "`link`" in text and set(ToolEntry.model_fields) - {"link"} <= {"xyz", "rpy", "rpy_deg", "quaternion", "matrix"}
    example = text.split("```toml\n")[1].split("```")[0]
    assert engine.load_robot(write(example)).companion_hash
