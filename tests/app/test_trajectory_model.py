"""The trajectory that is edited, its plan and the texts about it, without a window."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine
from armature.app.state.severity import Severity
from armature.app.state.units import Units
from armature.app.trajectory.clearance_check import check_clearance
from armature.app.trajectory.trajectory_draft import Draft, example
from armature.app.trajectory.trajectory_model import NO_PATH, PlanResult, TrajectoryFunction, TrajectoryModel
from armature.app.trajectory.trajectory_preview import previewed
from armature.app.trajectory.trajectory_texts import COMPUTING, EMPTY, ONE, refusal, run_tip, status
from armature.engine.contact.arm_contacts import arm_contacts

DEGREES, RADIANS = Units("deg", "m"), Units("rad", "m")


class Undo:
    """Steps of undo, as the window records them."""

    def __init__(self):
        self.steps = []

    def __call__(self, put, old, new, text, gesture):
        if self.steps and gesture is not None and self.steps[-1][3] == gesture:
            old = self.steps.pop()[1]
        self.steps.append((put, old, text, gesture))
        put(new)

    def undo(self):
        put, old, *_ = self.steps.pop()
        put(old)


@pytest.fixture
def robot():
    return engine.load_robot("puma560")


@pytest.fixture
def model(robot):
    return TrajectoryModel(robot, Undo(), is_ready=True)


def plan_of(model) -> PlanResult:
    """Plan the draft as the window does."""
    robot, draft = model.robot, model.draft
    try:
        preview = previewed(robot, draft.plan(robot.name).trajectory(robot), len(draft.waypoints), lambda: False)
    except engine.EngineError as error:
        return PlanResult(robot, draft, None, str(error))
    return PlanResult(robot, draft, preview)


def add(model, *offsets) -> None:
    """Add waypoints at these joint positions relative to home."""
    home = model.robot.configurations["home"]
    for offset in offsets:
        model.add(engine.Waypoint(q=home + np.asarray(offset)))


def test_waypoints_are_added_after_the_selected_one_and_undone(model):
    add(model, 0.0, 0.2)
    model.selected = 0
    add(model, 0.1)
    q = [point.q[0] - model.robot.configurations["home"][0] for point in model.draft.waypoints]
    assert q == pytest.approx([0.0, 0.1, 0.2]) and model.selected == 1
    model.selected = 2
    model.delete()
    assert model.selected == 1 and len(model.draft.waypoints) == 2
    model.record.undo()
    assert len(model.draft.waypoints) == 3
    model.record.undo()
    assert len(model.draft.waypoints) == 2
    for _ in range(2):
        model.record.undo()
    assert not model.draft.waypoints and model.selected == -1


def test_one_gesture_is_one_step_of_undo(model):
    add(model, 0.0, 0.2)
    before = model.draft
    for value in (0.1, 0.2, 0.3):
        model.set_value(0, value, gesture=77)
    assert model.waypoint.q[0] == 0.3 and [step[2] for step in model.record.steps][-1] == "waypoint 2"
    model.record.undo()
    assert model.draft is before


def test_the_status_follows_draft_plan_and_messages(model):
    assert status(model, DEGREES).text == EMPTY
    add(model, 0.0)
    assert status(model, DEGREES).text == ONE
    add(model, 0.2)
    assert status(model, DEGREES).text == COMPUTING and model.preview is None and "run" not in model.possible_commands
    model.take_plan(plan_of(model))
    assert "within all limits and above the floor" in status(model, DEGREES).text and "run" in model.possible_commands
    model.report("Waypoint 2: 'x' is not a time.", Severity.WARNING)
    assert status(model, DEGREES) == ("Waypoint 2: 'x' is not a time.", Severity.WARNING)
    model.set_waypoint(1, duration=0.01)
    assert status(model, DEGREES).text == COMPUTING  # the message is about another draft
    model.take_plan(plan_of(model))
    text, severity = status(model, DEGREES)
    assert "the limit is" in text and severity is Severity.ERROR
    model.drag_error = "out of reach"
    assert status(model, DEGREES) == ("Waypoint 2: out of reach", Severity.ERROR)


def test_a_plan_of_an_earlier_draft_shows_its_path_and_nothing_else(model):
    add(model, 0.0, 0.2)
    earlier = plan_of(model)
    add(model, 0.4)
    model.take_plan(earlier)
    assert model.path is earlier.preview.path and model.preview is None and status(model, DEGREES).text == COMPUTING
    assert [row.needed for row in model.rows] == [None] * 3
    newest = plan_of(model)
    model.take_plan(newest)
    assert model.path is newest.preview.path and model.preview is newest.preview
    assert all(row.needed > 0 for row in model.rows[1:])
    model.edit(Draft(), "remove all waypoints")
    assert model.path is NO_PATH and model.preview is None


def test_a_draft_that_cannot_be_planned_says_why(model):
    X = engine.frame_pose(model.robot, model.robot.configurations["home"])
    far = X.copy()
    far[:3, 3] = 9.0
    model.add(engine.Waypoint(X_WT=X))
    model.add(engine.Waypoint(X_WT=far))
    model.take_plan(plan_of(model))
    text, severity = status(model, DEGREES)
    assert "aypoint 2" in text and severity is Severity.ERROR and model.path is NO_PATH
    assert model.place(model.robot.configurations["home"]) is None and "Waypoint 2: " in model.message.text


def test_a_refused_trajectory_is_refused_once_and_another_one_again(model):
    add(model, 0.0, [1.0, 0, 0, 0, 0, 0])
    model.set_waypoint(1, duration=0.05)
    model.take_plan(plan_of(model))
    assert not model.is_refused and "violates" not in run_tip(model)
    model.refused = model.preview
    assert model.is_refused and run_tip(model).startswith("The trajectory violates a limit")
    found = model.preview.violations[0]
    text = refusal(model.preview, None, RADIANS)
    assert f"not run: {found.quantity} of joint1" in text and "Press Run again" in text
    model.set_waypoint(1, dwell=1.0)
    model.take_plan(plan_of(model))
    assert not model.is_refused


def test_every_robot_retains_its_draft_until_it_is_saved_or_discarded(model, robot):
    add(model, 0.0, 0.2)
    first, other = model.draft, engine.load_robot("scara")
    model.take_plan(plan_of(model))
    model.change_robot(other, is_same_arm=False)
    assert not model.draft.waypoints and model.preview is None and model.path is NO_PATH and model.selected == -1
    assert [(kept.robot, kept.draft) for kept in model.unsaved] == [(robot, first)]
    add(model, 0.0)
    assert [kept.draft for kept in model.unsaved] == [model.draft, first]
    model.mark_saved(first)
    assert [kept.draft for kept in model.unsaved] == [model.draft]
    model.change_robot(robot, is_same_arm=False)
    assert model.draft is first and model.preview is not None
    heavier = robot.with_floor(-0.5)
    model.change_robot(heavier, is_same_arm=True)
    assert model.draft is first and model.preview is None  # planned for other parameters
    model.discard_all()
    assert not model.unsaved and not model.draft.waypoints


def test_an_example_counts_as_saved_until_it_is_edited(model):
    model.take(example(model.robot), "pick and place")
    assert not model.unsaved and len(model.draft.waypoints) == 8
    model.selected = 3
    model.move(1)
    assert model.unsaved and model.selected == 4


def test_a_function_is_previewed_until_there_are_waypoints(model):
    add(model, 0.0, 0.2)
    preview = plan_of(model).preview
    model.edit(Draft(), "trajectory function")
    model.report("Planning way.py…", Severity.INFO)
    model.take_function(TrajectoryFunction("way.py", preview, {}, {}))
    assert model.preview is preview and model.path is preview.path and status(model, DEGREES).text.startswith("From way.py: ")
    add(model, 0.0)
    assert model.preview is None and model.path is NO_PATH


def test_a_run_is_of_its_draft_and_its_end_is_noted_until_the_draft_changes(model):
    add(model, 0.0, 0.2)
    model.take_plan(plan_of(model))
    model.report("not run", Severity.ERROR)
    model.begin_run(model.preview)
    assert model.followed is model.preview and "stop" in model.possible_commands and model.message is None and not model.is_edited
    before = model.draft
    add(model, 0.3)
    assert model.is_edited
    model.put(before)
    assert not model.is_edited
    model.run_note = "The run has ended."
    model.end_run()
    assert model.run_note and "stop" not in model.possible_commands and not model.is_edited
    add(model, 0.1)
    assert not model.run_note


def test_commands_are_allowed_where_they_can_be_executed(model):
    assert model.possible_commands == {"load", "function", "example", "more", "add_joints", "add_tool"}
    add(model, 0.0, 0.1, 0.2)
    assert {"save", "reverse", "clear", "go", "replace", "delete", "up"} <= model.possible_commands
    assert not {"down", "run", "look", "stop"} & model.possible_commands
    model.selected = 0
    assert "up" not in model.possible_commands and "down" in model.possible_commands
    model.is_ready = False
    assert not {"go", "add_joints"} & model.possible_commands and "save" in model.possible_commands


def test_an_arc_gets_a_point_to_pass_through_and_loses_it(model):
    add(model, 0.0, [0.3, 0.2, 0, 0, 0, 0])
    model.set_waypoint(1, kind="arc")
    assert model.waypoint.through.shape == (3,)
    model.set_waypoint(1, kind="line")
    assert model.waypoint.through is None
    model.set_waypoint(1, dwell=-1.0)
    assert model.message.text.startswith("Waypoint 2: ") and model.waypoint.dwell == 0


def test_a_grasped_payload_is_edited(model):
    add(model, 0.0, 0.2)
    model.set_load(0, 2.0, gesture=1)
    assert model.waypoint.grasp is None  # nothing is grasped
    model.set_action("grasp")
    model.set_load(0, 2.0, gesture=2)
    model.set_load(3, 0.05, gesture=3)
    assert model.waypoint.grasp.mass == 2.0 and model.waypoint.grasp.com.tolist() == [0.0, 0.0, 0.05]
    model.set_action("release")
    assert model.waypoint.release and model.waypoint.grasp is None


def check(model, *objects) -> None:
    """Check the planned trajectory among these objects as the window does."""
    model.contacts = arm_contacts(model.robot, objects)
    model.check = check_clearance(model.preview, model.contacts, lambda: False)


def test_a_planned_trajectory_names_its_first_contact_or_its_smallest_clearance(model):
    add(model, 0.0, [0.6, 0.0, 0.0, 0.0, 0.0, 0.0])
    model.take_plan(plan_of(model))
    assert model.clearance is None and status(model, DEGREES).text.endswith("above the floor.")
    check(model)
    found = engine.check_trajectory(model.robot, model.preview.trajectory)
    mm = f"{1e3 * found.clearance.min():.0f} mm"
    text, severity = status(model, DEGREES)
    assert f"Smallest clearance {mm} (" in text and severity is Severity.INFO
    assert "contact" not in model.possible_commands and model.clearance.place is None
    place = engine.frame_pose(model.robot, model.preview.q_at(0.5 * model.preview.duration))[:3, 3]
    check(model, *engine.Cell().with_object("ball", "sphere", radius=0.02, xyz=place).objects)
    first = model.clearance.first
    text, severity = status(model, DEGREES)
    assert (
        first.pair[1] == "ball"
        and f" hits ball at {first.time:.3f} s, between waypoints 1 and 2. Move one of them, or select waypoint 1" in text
    )
    assert severity is Severity.WARNING and "contact" in model.possible_commands
    assert model.clearance.place == pytest.approx(engine.frame_pose(model.robot, first.q)[:3, 3])
    earlier = model.check
    model.contacts = None  # the cell has changed
    assert model.clearance is None and model.check is earlier and " hits " not in status(model, DEGREES).text


def test_a_contact_at_the_start_is_mended_at_the_first_waypoint(model):
    add(model, 0.0, 0.2)
    model.take_plan(plan_of(model))
    place = engine.frame_pose(model.robot, model.preview.q_at(0.0))[:3, 3]
    check(model, *engine.Cell().with_object("ball", "sphere", radius=0.02, xyz=place).objects)
    assert status(model, DEGREES).text.endswith(" hits ball at 0.000 s. Move waypoint 1.")


def test_a_waypoint_in_contact_is_the_one_to_move(model):
    add(model, 0.0, 0.3, 0.6)
    model.take_plan(plan_of(model))
    place = engine.frame_pose(model.robot, model.preview.q_at(model.preview.times[1]))[:3, 3]
    check(model, *engine.Cell().with_object("ball", "sphere", radius=0.02, xyz=place).objects)
    assert model.clearance.first.time < model.preview.times[1] - 1e-3
    assert status(model, DEGREES).text.endswith(f" hits ball at {model.clearance.first.time:.3f} s. Move waypoint 2.")


def test_the_check_of_another_plan_does_not_count(model):
    add(model, 0.0, 0.2)
    model.take_plan(plan_of(model))
    check(model)
    assert model.clearance is model.check
    add(model, 0.3)
    assert model.clearance is None
    model.take_plan(plan_of(model))
    assert model.clearance is None
