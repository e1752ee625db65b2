"""Runs that stop at the first contact: none is missed between two states, and far from contact nothing is computed."""

from __future__ import annotations

import re

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.shapes import Shape
from armature.engine.simulation.commands import Reset, Run, SetCell, StartRecording, Step, StopRecording
from armature.engine.simulation.live.run_state import RunState
from armature.engine.simulation.run_loop import run
from armature.engine.simulation.stepper import Stepper
from tests.engine.contact_peers import pose
from tests.engine.test_contact_model import mimic_arm, model_of
from tests.engine.trees import random_state, random_tree

TABLE = engine.load_cell("table")
PANDA = engine.load_robot("panda")
HOME = PANDA.configurations["home"]


def states_until_stop(robot, model, q0, qd0, steps: int, dt: float = 1e-3):
    """States of a free fall, and its contact."""
    stepper = Stepper(robot, q0, qd0, dt)
    stepper.apply(SetCell(None, model))
    batches = list(run(stepper, steps))
    return np.concatenate([batch.states for batch in batches]), next((b.contact for b in batches if b.contact is not None), None)


def test_a_plate_of_one_millimetre_between_two_states_is_found():
    """The tip passes it at 3 m/s, 3 mm a step, and touches it in no state."""
    robot = engine.load_robot("pendulum").with_gravity([0, 0, 0])
    tip = robot.links[robot.link_names[-1]]
    X = engine.frame_pose(robot, np.array([1.0]), robot.link_names[-1]) @ np.linalg.inv(tip.X_BF)
    ball, plate = Shape("sphere", (0.0,), pose(1.0)), Shape("box", (0.2, 0.001, 0.2), X @ pose(1.0))
    model = ContactModel(robot, (ContactGroup("tip", 0, (ball,)), ContactGroup("plate", -1, (plate,))), np.array([[0, 1]]))
    states, contact = states_until_stop(robot, model, [0.0], [3.0], 1000)
    assert not model.collides(states[:, 1:2]).any()
    assert contact is not None and contact.pair == ("tip", "plate") and contact.depth == 0.0
    assert contact.t == pytest.approx((1.0 - 0.0005) / 3.0, abs=5e-4)
    assert states[-1, 0] - 1e-3 <= contact.t <= states[-1, 0]


def heavy_mimic_arm(tmp_path) -> engine.Robot:
    """An arm with a mimic joint and masses."""
    path = mimic_arm(tmp_path).source
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    path.write_text(re.sub(r'<link name="(l\d)"/>', rf'<link name="\1">{mass}</link>', path.read_text()))
    return engine.load_robot(path)


@pytest.mark.parametrize("name", ["panda", "ur10", "stanford", "mimic", "tree"])
def test_a_run_stops_in_the_first_state_that_touches(name, tmp_path):
    """Falls with prismatic and mimic joints among random shapes, compared with all states of a run that does not stop."""
    robot = heavy_mimic_arm(tmp_path) if name == "mimic" else random_tree(3, 4) if name == "tree" else engine.load_robot(name)
    rng, all_pairs, dt, contacts = np.random.default_rng(1), model_of(robot), 5e-3, 0
    for _ in range(8):
        q0, qd0 = (x[0] for x in random_state(robot, rng, 1)[:2])
        states = Stepper(robot, q0, qd0, dt).advance(300).states
        q = states[:, 1 : robot.n + 1]
        model = ContactModel(robot, all_pairs.groups, all_pairs.pairs[all_pairs.distances(q0).distance > 1e-6])
        touching = np.flatnonzero(model.collides(q))
        stopped, contact = states_until_stop(robot, model, q0, qd0, len(states) - 1, dt)
        last = len(stopped) - 1
        assert np.array_equal(stopped, states[: len(stopped)])
        if contact is None:
            assert not len(touching) and last == len(states) - 1
            continue
        contacts += 1
        assert last <= (touching[0] if len(touching) else last)
        between = q[last - 1] + np.linspace(0.0, 1.0, 2001)[:, None] * (q[last] - q[last - 1])
        assert model.nearest(between).distance.min() <= 1e-5
        assert states[last - 1, 0] <= contact.t <= states[last, 0]
    assert contacts >= 2


def test_far_from_contact_nothing_is_computed(monkeypatch):
    calls = []
    distances = ContactModel.distances
    monkeypatch.setattr(ContactModel, "distances", lambda *args: calls.append(1) or distances(*args))
    robot = engine.load_robot("pendulum")
    ball = Shape("sphere", (0.02,), pose(0.0, 0.0, 0.0))
    wall = Shape("box", (0.1, 0.1, 0.1), pose(1.5, 0.0, 0.0))
    model = ContactModel(robot, (ContactGroup("tip", 0, (ball,)), ContactGroup("wall", -1, (wall,))), np.array([[0, 1]]))
    _, contact = states_until_stop(robot, model, [1.0], None, 5000)
    assert contact is None and 1 <= len(calls) < 100


def test_pairs_that_touch_at_the_start_stop_the_run_only_after_they_were_apart():
    robot = engine.load_robot("pendulum").with_gravity([0, 0, 0])
    tip = engine.frame_pose(robot, np.array([0.5]))[:3, 3]
    cell = engine.Cell().with_object("ball", "sphere", radius=0.1, xyz=tuple(tip))
    assert engine.collision(robot, [0.5], cell).colliding
    recording = engine.simulate(robot, [0.5], [2.0], 6.0, 1e-3, cell=cell, stop_at_contact=True)
    assert 2 * np.pi - 1.0 < recording.q[-1, 0] - 0.5 < 2 * np.pi  # once around
    assert engine.collision(robot, recording.q[-1], cell).colliding


def test_simulate_ends_with_the_contact_in_remarks_and_events():
    recording = engine.simulate(PANDA, HOME, None, 1.0, 1e-3, cell=TABLE, stop_at_contact=True)
    found, before = (engine.collision(PANDA, recording.q[k], TABLE) for k in (-1, -2))
    assert found.colliding and not before.colliding and len(recording) < 1001
    (event,) = [event for event in recording.metadata["events"] if event["kind"] == "stop"]
    assert tuple(event["pair"]) == found.pair and event["depth"] == pytest.approx(-found.distance)
    assert recording.t[-2] < event["t"] <= recording.t[-1] and event["row"] == len(recording) - 1
    assert recording.remarks == (
        f"stopped at contact: {' and '.join(found.pair)} at t = {event['t']:.3f} s, {-1e3 * found.distance:.1f} mm deep",
    )
    assert engine.verify_recording(recording).identical
    whole = engine.simulate(PANDA, HOME, None, 1.0, 1e-3, cell=TABLE)
    assert np.array_equal(whole.table()[: len(recording)], recording.table())


def test_a_live_run_pauses_and_continues(start, tmp_path):
    worker = start("panda")
    worker.post(SetCell(TABLE, cell_contacts(PANDA, TABLE)))
    worker.post(StartRecording(tmp_path / "run.npz"))
    worker.post(Run())
    event = worker.until_event("stopped")
    stopped = worker.until(lambda s: not s.running and s.steps)
    found = engine.collision(PANDA, stopped.q, TABLE)
    assert found.colliding and event.text.startswith(f"stopped at contact: {' and '.join(found.pair)} at t = ")
    assert stopped.t - 1e-3 <= event.t <= stopped.t and worker.worker.state is RunState.PAUSED
    worker.post(Run())
    worker.until(lambda s: s.t > stopped.t + 0.005)
    worker.post(SetCell(TABLE))
    worker.post(Reset(HOME))
    worker.post(Step(600))
    worker.until(lambda s: s.t >= 0.6 - 1e-9 and not s.running)
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recording = engine.load_recording(tmp_path / "run.npz")
    assert next(e["pair"] for e in recording.metadata["events"] if e["kind"] == "stop") == list(found.pair)
    assert engine.verify_recording(recording).identical
