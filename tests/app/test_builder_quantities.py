"""What is typed in the builder as a number, and what becomes of the pose of an edited arm."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from armature import engine
from armature.app.builder.arm_file import file_of
from armature.app.builder.joint_entries import drive_entries, joint_entry, link_entries, slides
from armature.app.builder.typed_quantity import Kind, Scale
from armature.app.state.edits.arm_edit import carried_pose
from armature.app.state.units import Units

DEG, MM = Units(), Units("rad", "mm")
WHATS = ("name", "type", "theta", "d", "a", "alpha", "limits", "speed", "torque")


@pytest.mark.parametrize(
    ("kind", "units", "text", "value"),
    [
        (Kind.ANGLE, DEG, "90", pi / 2),
        (Kind.ANGLE, MM, "90°", pi / 2),
        (Kind.ANGLE, DEG, "-3*pi/4", -3 * pi / 4),
        (Kind.ANGLE, DEG, "π/2", pi / 2),
        (Kind.ANGLE, DEG, "1.5 rad", 1.5),
        (Kind.ANGLE, DEG, "−45", -pi / 4),
        (Kind.LENGTH, DEG, "0.4318", 0.4318),
        (Kind.LENGTH, DEG, "431.8 mm", 0.4318),
        (Kind.LENGTH, MM, "431.8", 0.4318),
        (Kind.LENGTH, MM, "43,18 cm", 0.4318),
        (Kind.LENGTH, DEG, "2*(0.1 + 0.05)", 0.3),
        (Kind.TURN_SPEED, DEG, "180", pi),
        (Kind.TURN_SPEED, DEG, "30 rpm", pi),
        (Kind.TORQUE, DEG, "97.6 N m", 97.6),
        (Kind.MASS, DEG, "250 g", 0.25),
        (Kind.INERTIA, DEG, "5e3 kg mm²", 0.005),
    ],
)
def test_numbers_with_units_are_understood(kind, units, text, value):
    assert np.isclose(Scale(kind, units).typed(text), value, rtol=1e-14)


@pytest.mark.parametrize("text", ["", "abc", "0.4x", "1/0", "4 kg", "import os", "1 2", "(3"])
def test_what_is_no_number_is_refused_in_one_line(text):
    with pytest.raises(engine.ModelError) as error:
        Scale(Kind.LENGTH, DEG).typed(text)
    assert "\n" not in str(error.value) and ("number" in str(error.value))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("-170 170", (-170, 170)),
        ("−170 … 170", (-170, 170)),
        ("±90", (-90, 90)),
        ("-170° to 2*85°", (-170, 170)),
        ("-pi pi", (-180, 180)),
    ],
)
def test_ranges_are_understood(text, ends):
    assert np.allclose(np.degrees(Scale(Kind.ANGLE, DEG).typed_range(text)), ends)
    assert Scale(Kind.ANGLE, DEG).typed_range("  ") is None
    with pytest.raises(engine.ModelError, match="both ends"):
        Scale(Kind.ANGLE, DEG).typed_range("90")


@pytest.mark.parametrize("name", ["puma560", "scara", "panda", "stanford"])
@pytest.mark.parametrize("units", [DEG, MM])
def test_every_place_is_read_and_typed_back_as_the_same_arm(name, units):
    draft = engine.draft_of(engine.load_robot(name))
    for i in range(draft.robot.n):
        entries = [joint_entry(i, what, slides(file_of(draft), i)) for what in WHATS]
        if draft.robot.has_dynamics:
            entries += [*link_entries(i).values(), *drive_entries(i, slides(file_of(draft), i)).values()]
        for entry in entries:
            back = entry.typed(draft, entry.edited(draft, units), units).robot
            assert np.allclose(back.packed, draft.robot.packed, rtol=1e-10, atol=1e-12), entry.where


def test_the_pose_goes_with_its_joints():
    robot = engine.load_robot("panda")  # whose file gives no names: they are numbers, which move on
    draft = engine.draft_of(robot)
    q = np.linspace(-0.5, -1.1, 7)
    q[5] = 1.0
    longer = draft.with_joint(2)
    assert np.array_equal(carried_pose(robot, q, longer.robot, (0, 1, -1, 2, 3, 4, 5, 6)), np.insert(q, 2, 0.0))
    named = draft.with_value(("joints", 0, "name"), "waist")
    assert np.array_equal(carried_pose(robot, q, named.robot), q)
    narrow = draft.with_value(("joints", 0, "limits"), [-0.2, 0.2])
    assert carried_pose(robot, q, narrow.robot)[0] == -0.2


@pytest.mark.parametrize(
    ("kind", "text", "units"),
    [
        (Kind.LENGTH, "45 deg", "m, cm, mm"),
        (Kind.LENGTH, "12 in", "m, cm, mm"),
        (Kind.ANGLE, "3 mm", "°, deg, rad"),
        (Kind.MASS, "2 lb", "kg, g"),
    ],
)
def test_what_is_refused_names_the_units_of_its_column(kind, text, units):
    with pytest.raises(engine.ModelError) as error:
        Scale(kind, DEG).typed(text)
    assert str(error.value).endswith(f"units: {units}")
    for valid in ("0.5", "0,5", "sqrt(1)/2"):
        assert Scale(Kind.LENGTH, DEG).typed(valid) == 0.5


def test_friction_has_the_unit_of_its_joint():
    turning, sliding = drive_entries(0, False), drive_entries(0, True)
    for name, of_turning, of_sliding in (
        ("viscous", "N·m·s/rad", "N·s/m"),
        ("stiction", "N·m", "N"),
        ("coulomb_plus", "N·m", "N"),
    ):
        assert [Scale(one[name].kind, DEG).symbol for one in (turning, sliding)] == [of_turning, of_sliding]
    assert Scale(Kind.TURN_VISCOUS, DEG).typed("2 Nms/rad") == 2
