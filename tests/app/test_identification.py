"""What the Identify dock says and chooses, apart from its window."""

from __future__ import annotations

from math import nan
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from armature import engine
from armature.app.identification.identification_jobs import COULOMB, MASSES, VISCOUS, other_motion, split, true_arm
from armature.app.identification.identification_model import (
    EXAMPLE,
    FIT,
    NO_FIT,
    NO_RECORDINGS,
    STEPS,
    UNUSED,
    VALIDATE,
    Entry,
    IdentificationModel,
    Options,
    Outcome,
)
from armature.app.identification.identification_texts import (
    NEVER,
    UNTOLD,
    ParameterRow,
    base_rows,
    different,
    full_rows,
    motion_text,
    step_result,
    step_text,
    summary,
    times,
)


@pytest.fixture(scope="module")
def scara():
    return engine.load_robot("scara")


@pytest.fixture(scope="module")
def run(scara):
    return engine.simulate(scara, scara.configurations["home"], None, 0.2, 1e-3)


def found_for(robot, *, held_out=True, sigma=(0.1, 0.01, np.inf)):
    """A hand-made result: the first parameter is hardly another one, the second surely, the third is not told."""
    n = robot.n
    some, none = np.linspace(1.0, 2.0, n), np.full(n, nan)
    names = tuple(f"p{k}" for k in range(10 * n))
    return SimpleNamespace(
        robot=robot.with_payload(1.0),
        base=SimpleNamespace(
            names=("Izz1", "mx2", "Fv1"),
            values=np.array([1.1, 2.4, 0.5]),
            sigma=np.array(sigma),
            prior=np.array([1.0, 2.0, 0.5]),
        ),
        residual=SimpleNamespace(
            joint_names=robot.joint_names,
            training=some,
            validation=some if held_out else none,
            model=5 * some,
            consistent=1.2 * some,
            percent=some if held_out else none,
        ),
        curves=(SimpleNamespace(measured=np.ones((4, n))),),
        unidentifiable=(("p0", ""), ("p1", "p1 + 0.5 p2")),
        unknowns=SimpleNamespace(full_names=names, full=engine.parameters),
        payload=None,
        gains=None,
        provenance={"position_filter": ["a filter, at 20 Hz"], "torque_filter": "means", "rate": 250.0, "rows": 1000},
    )


def test_recordings_are_chosen(scara, run):
    model = IdentificationModel(scara, is_ready=True)
    assert model.why_not_identify == NO_RECORDINGS
    model.add(Entry("a", Path("a.csv")), Entry("open", run))
    assert [entry.use for entry in model.entries] == [UNUSED, UNUSED] and model.why_not_identify == NO_FIT
    model.set_use(0, FIT)
    model.set_use(1, VALIDATE)
    assert not model.why_not_identify and [entry.name for entry in model.of_use(VALIDATE)] == ["open"]
    model.add(Entry("a", Path("a.csv")))  # recorded once more into the same file
    assert model.entries[0].use == FIT and len(model.entries) == 2
    model.set_option("couplings", "joint1+arm")
    assert "no joint 'arm'" in model.why_not_identify
    model.set_option("couplings", "")
    model.fail("no torque in a.csv")
    assert model.note == "No torque in a.csv."
    model.remove(0)
    assert [entry.name for entry in model.entries] == ["open"] and not model.note


def test_recordings_are_parted(run):
    training, validation = split([run], [run], 25.0)
    assert [len(one) for one in training] == [151] and [len(one) for one in validation] == [201, 50]
    end = validation[1]
    assert np.array_equal(end.q, run.q[151:]) and end.t[0] == run.t[151] and end.joint_names == run.joint_names
    assert end.metadata["excerpt"]["start"] == run.t[151]
    assert split([run], [], 0.0) == ([run], [])
    with pytest.raises(engine.RecordingError, match="too few to hold out 99 %"):
        split([run], [], 99.0)


def test_results_are_of_one_arm(scara, run):
    model = IdentificationModel(scara)
    assert "Compiling" in model.why_not and motion_text(model) == model.why_not
    model.is_ready, outcome = True, Outcome(found_for(scara), scara, ("a",))
    assert "excites" in motion_text(model)
    model.motion_note = "Cancelled."
    assert motion_text(model) == "Cancelled."
    model.take_outcome(outcome)
    assert not model.is_accepted and model.note.startswith("Done")
    model.change_robot(outcome.found.robot, is_same_arm=True)
    assert model.is_accepted
    model.change_robot(engine.load_robot("irb140"), is_same_arm=False)
    assert model.outcome is None and "mass" in model.why_not


def test_steps_of_the_example_follow_each_other(scara, run):
    model = IdentificationModel(scara, is_ready=True)
    model.take_outcome(Outcome(found_for(scara), scara, ()))  # by hand: not a step
    assert model.next_step == STEPS[0] and model.result("identify") is None
    for step, result in zip(STEPS, (true_arm(scara), SimpleNamespace(), run)):
        model.begin_step(step)
        model.take_step(step, result)
    assert model.next_step == "identify" and "moving mass" in step_result("disturb", model.result("disturb"))
    assert "201 samples" in step_result("simulate", run) and "1.3" in step_text("disturb")
    model.add(Entry("a", Path("a.csv"), FIT))
    model.use_example(run)
    model.use_example(run)
    assert [(entry.name, entry.use) for entry in model.entries] == [("a", UNUSED), (EXAMPLE, FIT)]
    model.begin_step("identify")
    model.fail("no way")
    assert model.step_error == "No way." and not model.step and len(model.results) == 3
    model.begin_step("motion")
    assert not model.step_error and len(model.results) == 1
    model.take_step("compare", None)  # of a step that was cancelled
    assert len(model.results) == 1


def test_factors_are_written_out():
    assert [times(x) for x in (1.25, 7.69, 9.97, 343.4)] == ["1.2", "7.7", "10.0", "343"]


def test_coupled_drives_as_text(scara):
    assert Options(couplings="joint1+joint2").drives(scara) == ({"joint1": 1.0, "joint2": 1.0},)
    assert Options(couplings=" joint1 - 0.5*joint2, joint2+joint3").drives(scara) == (
        {"joint1": 1.0, "joint2": -0.5},
        {"joint2": 1.0, "joint3": 1.0},
    )
    assert Options(couplings="joint1 − joint2").drives(scara) == ({"joint1": 1.0, "joint2": -1.0},)
    assert Options(couplings="nonsense", payload=True).drives(scara) == Options(couplings=" ,").drives(scara) == ()
    for text, why in (("joint1", "two joints or more"), ("joint1+arm", "no joint 'arm'"), ("joint1+x*joint2", "is not a number")):
        assert why in Options(couplings=text).why_not(scara)
    assert Options().why_not(scara) == ""


def test_parameters_beside_those_of_the_file(scara):
    found = found_for(scara)
    rows = base_rows(found)
    assert [row.sure for row in rows] == [False, True, False]
    assert [row.change for row in rows] == pytest.approx([0.1, 0.4, 0.0]) and rows[1].percent == pytest.approx(20.0)
    assert [row.instead for row in rows] == ["", "", UNTOLD] and [row.name for row in different(rows)] == ["mx2"]
    low, high = rows[0].span  # the bar holds the file's value and three standard deviations
    assert low < 0.8 and high > 1.4 and np.isnan(ParameterRow("m", 1.0, nan, 0.0).percent)

    full = full_rows(found, scara)
    assert len(full) == 10 * scara.n and (full[0].instead, full[1].instead, full[2].instead) == (NEVER, "p1 + 0.5 p2", "")
    tool = 10 * scara.tool_frame.body
    assert full[tool].change == pytest.approx(1.0)  # the mass of the link that holds the kilogram more


def test_what_is_said_of_a_result(scara):
    text = " ".join(summary(found_for(scara), scara))
    assert "On held-out data" in text and "2.0 % at most (joint3)" in text and "5.0 times" in text
    assert "by up to 20.0 %" in text and "1 of 3 parameters differ" in text and "mx2 (+20 %)" in text
    assert "2 parameters" in text and "20 Hz" in text and "250 Hz" in text
    found = found_for(scara)
    found.payload, found.gains = engine.Payload(0.851, com=np.array([0.0, 0.01, 0.05])), np.array([10.0, 11.5, 8.0])
    text = " ".join(summary(found, scara))
    assert "0.851 kg, centre of mass at 0, 10, 50 mm" in text and "joint2 11.5" in text
    text = " ".join(summary(found_for(scara, held_out=False, sigma=(9, 9, 9)), scara))
    assert "No data were held out" in text and "On held-out data" not in text and "No parameter differs" in text


def test_the_arm_of_the_example(scara):
    arm, way = true_arm(scara), other_motion(scara)
    g, there = engine.gravity_torque(arm, way.start), engine.gravity_torque(scara, way.start)
    assert g == pytest.approx(MASSES * there)
    qd = np.ones(scara.n)
    before, after = (robot.bodies[0].friction for robot in (scara, arm))
    assert after.viscous == VISCOUS * before.viscous and after.coulomb[0] == COULOMB * before.coulomb[0]
    assert (engine.friction_torque(arm, qd) >= engine.friction_torque(scara, qd)).all()
    assert engine.check_limits(scara, way) is None and way.duration < 30
