"""The floor: when which link of an arm was below it, in runs, recordings and scenarios."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from armature import engine
from armature.app import cli
from armature.engine.model.link_outline import link_outline, link_radii
from armature.engine.model.robot_changes import with_changes
from armature.engine.simulation.commands import Run, SetSpeed, StartRecording, StopRecording
from armature.engine.simulation.floor_watch import CLEAR, EVERY, FloorWatch, floor_contacts
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.simulation_event import EventKind
from armature.engine.trajectory.motion_limits import floor_violation
from tests.time_limits import WAIT

FLOORS = {
    "cobra600",
    "irb140",
    "lwr4",
    "panda",
    "puma560",
    "scara",
    "stanford",
    "two_arms",
    "ur10",
    "ur5",
    "ur3e",
    "ur5e",
    "ur10e",
    "fr3",
    "iiwa14",
    "gen3",
}
FLOORS |= {"jaco2", "xarm6", "so101", "kr6_r900", "irb120", "irb6700", "lrmate200id", "gp7", "tx2_60", "vs060"}


def pendulum(floor):
    return replace(engine.load_robot("double_pendulum"), floor=floor)


class CountingWatch(FloorWatch):
    """Counts the states it looks at."""

    looked = 0

    def depths(self, q):
        self.looked += len(q)
        return super().depths(q)


def contacts_of(recording):
    return [event for event in recording.metadata["events"] if event["kind"] == "contact"]


def test_arms_that_stand_have_a_floor_and_those_that_swing_have_none():
    assert {name for name in engine.shipped_robots() if engine.load_robot(name).floor is not None} == FLOORS
    swings = engine.load_robot("rp")
    assert floor_contacts(swings, np.arange(3.0), np.zeros((3, 2))) == ()


def test_depths_are_those_of_the_lowest_points_of_the_links():
    robot = pendulum(-0.5)
    (reach, radius) = robot.reach, link_radii(robot)[2] * 1.28
    down = np.array([-np.pi / 2, 0.0])
    elbow = -engine.frame_pose(robot, down, "link1")[2, 3]
    depths = FloorWatch(robot).depths(down)
    assert depths == pytest.approx([elbow + radius - 0.5, reach - 0.5])
    assert FloorWatch(robot).depths(np.array([down, [0.0, 0.0]]))[1] == pytest.approx([radius - 0.5, -0.5])


def test_what_cannot_fall_has_no_part_in_it_and_shapes_of_a_urdf_count(tmp_path):
    scara = engine.load_robot("scara")
    assert set(link_outline(scara).bodies.tolist()) == {2}  # the slide alone goes down
    urdf = tmp_path / "box.urdf"
    urdf.write_text(
        '<robot name="box"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
        'ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><box size="2 0.2 0.4"/></geometry></collision></link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>'
    )
    (tmp_path / "box.armature.toml").write_text("floor = -0.3\n")
    box = engine.load_robot(urdf)
    assert box.floor == -0.3
    assert FloorWatch(box).depths(np.array([[0.0], [np.pi / 2]]))[:, 0] == pytest.approx([-0.1, 0.7])


def test_one_event_per_contact_with_time_link_and_depth(tmp_path):
    robot = pendulum(-0.6).without_friction()
    q0 = np.zeros(2)
    run = engine.simulate(robot, q0, q0, 3.0, 1e-3)
    events = contacts_of(run)
    tip = np.array([engine.frame_pose(robot, q)[2, 3] for q in run.q])
    mine = [event for event in events if event["link"] == "link2"]
    below = tip < -0.6
    begun = run.t[1:][below[1:] & ~below[:-1]]
    assert len(mine) == len(begun) >= 2
    for event, t in zip(mine, begun, strict=True):
        assert event["t"] == pytest.approx(t)
        until = run.t[-1] if event["until"] is None else event["until"]
        within = (run.t >= event["t"]) & (run.t <= until)
        assert event["depth"] == pytest.approx(-0.6 - tip[within].min(), abs=5e-3)
        assert event["until"] is None or -CLEAR > -0.6 - tip[np.searchsorted(run.t, until)] > -0.02
    assert engine.simulate(replace(robot, floor=None), q0, q0, 3.0, 1e-3).metadata["events"] == []
    # a run done again, and under another law, goes by what acted on the arm
    source = engine.load_robot("double_pendulum").without_friction()
    again = engine.resimulate(engine.load_recording(run.save(tmp_path / "run.npz")), robot=source)
    assert np.array_equal(again.q, run.q) and contacts_of(again) == events


def test_a_part_of_a_recording_has_the_contacts_that_lie_in_it(tmp_path):
    run = engine.simulate(pendulum(-0.6), [0.0, 0.0], None, 3.0, 1e-3)
    whole = contacts_of(run)
    first, second = [event for event in whole if event["link"] == "link2"][:2]
    run.save(tmp_path / "run.npz")

    def kept(start, end):
        place = engine.convert_recording(tmp_path / "run.npz", tmp_path / "part.csv", overwrite=True, start=start, end=end)
        return contacts_of(engine.load_recording(place))

    assert first not in kept(None, first["t"] - 0.01)
    assert first in kept(first["t"] + 0.01, first["until"] - 0.01) and second not in kept(None, first["until"])
    assert first not in kept(second["t"], None) and second in kept(second["t"], None)
    assert kept(None, None) == whole


def test_batches_of_any_size_tell_the_same():
    robot = pendulum(-0.6)
    run = engine.simulate(robot, np.zeros(2), np.zeros(2), 2.0, 1e-3)
    states = np.column_stack([run.t, run.q])
    whole = floor_contacts(robot, run.t, run.q)
    for size in (1, 7, 15, 640):
        watch, began, ended = FloorWatch(robot), [], []
        for first in range(0, len(states), size):
            more, over = watch.look(states[first : first + size])
            began += more
            ended += over
        found = sorted([*ended, *watch.restart()], key=lambda contact: contact.t)
        assert [(c.link, c.t, c.until) for c in found] == [(c.link, c.t, c.until) for c in whole], size
        assert {(c.link, c.t) for c in began} == {(c.link, c.t) for c in whole}
        assert [c.depth for c in found] == pytest.approx([c.depth for c in whole], abs=5e-3)


def test_a_contact_that_is_there_from_the_beginning_is_told_once():
    watch = FloorWatch(pendulum(-0.6))
    began, ended = watch.look(np.array([[0.0, -np.pi / 2, 0.0], [1e-3, -np.pi / 2, 0.0]]))
    assert sorted((c.link, c.t) for c in began) == [("link1", 0.0), ("link2", 0.0)] and not ended
    assert len(watch.restart()) == 2


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda", "scara", "rp"])
def test_every_dip_is_found_however_short(name):
    """Against a look at every state: quick and slow motions, through slides that go far beyond their limits too."""
    robot = replace(engine.load_robot(name), floor=0.0)
    home = robot.configurations["home"]
    robot = replace(robot, floor=-float(FloorWatch(robot).depths(home).max()) - 0.05)
    rng, t = np.random.default_rng(5), np.arange(4000) * 1e-3
    short = 0
    for _ in range(6):
        speeds, phases = rng.uniform(1.0, 60.0, (3, robot.n)), rng.uniform(0, 6.3, (3, robot.n))
        q = home + (np.sin(t[:, None, None] * speeds + phases) * rng.uniform(0, 1.0, robot.n)).mean(axis=1)
        watch, depths = CountingWatch(robot), FloorWatch(robot).depths(q)
        _, ended = watch.look(np.column_stack([t, q]))
        found = sorted((c.link, c.t, c.until) for c in [*ended, *watch.restart()] if c.until is not None)
        expected = []
        for k, link in enumerate(watch.links):
            began = None
            for row, depth in enumerate(depths[:, k]):
                if depth > 0 and began is None:
                    began = t[row]
                elif depth < -CLEAR and began is not None:
                    expected.append((link, began, t[row]))
                    began = None
        assert found == sorted(expected)
        short += sum(until - start < 1.5 * EVERY for _, start, until in expected)
    assert short and watch.looked < len(t)


def test_a_live_run_tells_each_contact_once_and_its_recording_has_it(tmp_path):
    robot = pendulum(-0.6)
    worker = SimulationWorker(robot, np.zeros(2))
    worker.start()
    try:
        worker.post(StartRecording(tmp_path / "fall.npz"))
        worker.post(SetSpeed(20.0))
        worker.post(Run())
        emitted = []
        while sum(event.kind is EventKind.CONTACT_ENDED for event in emitted) < 3:
            emitted.append(worker.events.get(timeout=WAIT))
        worker.post(StopRecording())
    finally:
        assert worker.stop(WAIT)
    while not worker.events.empty():
        emitted.append(worker.events.get())
    began = [event for event in emitted if event.kind is EventKind.CONTACT]
    assert len({(event.link, event.t) for event in began}) == len(began) >= 3
    for link in ("link1", "link2"):  # the end of the recording ends no contact
        kinds = [event.kind for event in emitted if event.link == link]
        assert all(a is not b for a, b in pairwise(kinds))
    run = engine.load_recording(tmp_path / "fall.npz")
    events = contacts_of(run)
    whole = floor_contacts(robot, run.t, run.q)
    assert [(e["link"], round(e["t"], 6)) for e in sorted(events, key=lambda e: e["t"])] == [
        (c.link, round(c.t, 6)) for c in whole
    ]
    assert np.array_equal(engine.resimulate(run, robot=robot).q, run.q)


def test_the_command_and_a_scenario_tell_and_record_it(tmp_path, capsys):
    out = tmp_path / "fall.csv"
    assert cli.main(["simulate", "puma560", "--duration", "1", "--q0", "stretched", "--record", str(out)]) == 0
    text = capsys.readouterr().out
    assert "link3 was below the floor from t = 0." in text and "the floor exerts no force" in text
    fall = engine.load_recording(out)
    assert {event["link"] for event in contacts_of(fall)} >= {"link3", "link6"} and fall.metadata["floor"] == 0.0
    assert all(fall.t[event["row"]] == event["t"] for event in contacts_of(fall))
    scenario = tmp_path / "floor.toml"
    scenario.write_text(
        '[[runs]]\nname = "swing"\nrobot = "double_pendulum"\nduration = 1.0\nq0 = [0.0, 0.0]\n'
        'floor = -0.6\nrecord = "swing.npz"\n'
    )
    assert cli.main(["scenario", str(scenario)]) == 0
    assert "passed through the floor: link" in capsys.readouterr().out
    swing = engine.load_recording(tmp_path / "swing.npz")
    assert swing.metadata["floor"] == -0.6 and {"floor": -0.6} in swing.metadata["changes"]
    assert contacts_of(swing) and all(swing.t[event["row"]] == event["t"] for event in contacts_of(swing))
    contacts = [(event["link"], event["t"], event["until"]) for event in contacts_of(swing)]
    assert contacts == [(one.link, one.t, one.until) for one in floor_contacts(pendulum(-0.6), swing.t, swing.q)]
    assert np.array_equal(engine.resimulate(swing).q, swing.q)


def test_a_robot_is_put_over_another_floor():
    arm = engine.load_robot("double_pendulum")
    assert arm.with_floor(-1).floor == -1.0 and arm.with_floor(-1).with_floor(None).floor is None
    assert with_changes(arm, arm.with_floor(0.2).changes).floor == 0.2
    for wrong in ("low", np.nan, [0.0]):
        with pytest.raises(engine.ModelError, match=r"double_pendulum: floor must be a finite height in m, got"):
            arm.with_floor(wrong)


def test_a_trajectory_below_the_floor_is_found_before_it_runs():
    puma = engine.load_robot("puma560")
    home, low = puma.configurations["home"], np.array([0.0, -0.785, -1.878, 0.0, 0.0, 0.0])
    path = engine.quintic(home, low, 2.0)
    found = engine.check_limits(puma, path)
    t = np.linspace(0.0, 2.0, 2001)
    first, *_ = contacts = floor_contacts(puma, t, path.sample(t)[0])
    assert (found.quantity, found.link, found.limit) == ("floor", first.link, 0.0)
    assert found.t == pytest.approx(first.t, abs=2e-3)
    assert -found.value == pytest.approx(max(c.depth for c in contacts if c.link == found.link), abs=2e-3)
    assert f"{first.link} goes below the floor at t = {found.t:.3f} s" in found.text
    assert puma.joint_names[found.joint] == "joint3"
    assert engine.check_limits(puma.with_floor(None), path) is None and engine.check_limits(puma.with_floor(-0.5), path) is None
    fast = engine.quintic(home, low, 0.2)  # the first in time
    assert engine.check_limits(puma, fast, torque=True).quantity == "torque" and floor_violation(puma, fast).link == first.link


def test_a_hand_that_leads_below_the_floor_is_not_slowed_down_for_it():
    puma = engine.load_robot("puma560")
    path = engine.quintic(puma.configurations["home"], [0.0, -0.785, -1.878, 0.0, 0.0, 0.0], 6.0)
    t = np.linspace(0.0, 6.0, 400)
    shown = engine.demonstrated_trajectory(puma, t, path.sample(t)[0])
    assert shown.slower == 1.0 and engine.check_limits(puma, shown.trajectory).quantity == "floor"
