"""Smallest clearance and first contact of runs, and their columns in the table of a sweep."""

from __future__ import annotations

import csv
import pickle

import numpy as np
import pytest

from armature import engine
from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.simulation.run_clearance import RunClearance
from armature.engine.simulation.runs.scenario import build_run, load_scenario
from armature.engine.simulation.sweeps.run_task import RunTask, perform
from armature.engine.simulation.sweeps.sweep import Sweep, SweepColumns
from armature.engine.simulation.sweeps.sweep_table import SweepTable

TABLE = engine.load_cell("table")
BALL = engine.Cell((), "ball").with_object("ball", "sphere", radius=0.1, xyz=(0.55, 0.1, 0.4))
SCENARIO = """
[defaults]
robot = "panda"
duration = 0.6
cell = "ball.toml"
[[runs]]
name = "fall"
sweep = { stop_at_contact = [false, true] }
[[runs]]
name = "hold"
controller = "computed-torque"
record = "hold.npz"
"""


@pytest.mark.parametrize("name", ["panda", "stanford", "ur10"])
def test_clearance_and_first_contact_are_those_of_all_states(name):
    robot = engine.load_robot(name)
    model = cell_contacts(robot, BALL)
    for seed in range(3):
        q0 = robot.configurations["home"] + np.random.default_rng(seed).uniform(-0.3, 0.3, robot.n)
        states = engine.simulate(robot, q0, None, 0.7, 1e-3).table()
        found = RunClearance(model)
        for start in range(0, len(states), 130):
            found.add(states[start : start + 130])
        seen, q = found.result, states[:, 1 : robot.n + 1]
        every = model.nearest(np.ascontiguousarray(q))
        assert seen.distance == pytest.approx(every.distance.min(), abs=1e-4)
        there = model.nearest(np.array([np.interp(seen.t, states[:, 0], column) for column in q.T]))
        assert seen.distance == pytest.approx(there.distance, abs=1e-9)
        assert model.pair_names[there.pair_index] == seen.pair
        touching = np.flatnonzero(every.distance <= 0)
        assert (seen.first_contact is None) == (not len(touching))
        if len(touching):
            assert states[touching[0] - 1, 0] - 1e-9 <= seen.first_contact[0] <= states[touching[0], 0] + 1e-9


def test_without_pairs_there_is_no_clearance():
    robot = engine.load_robot("pendulum").with_floor(None)
    found = RunClearance(cell_contacts(robot))
    found.add(engine.simulate(robot, [0.5], None, 0.1, 1e-3).table())
    assert found.result is None


def test_a_scenario_stops_at_contacts_and_fills_the_columns(tmp_path):
    engine.save_cell(BALL, tmp_path / "ball.toml")
    path = tmp_path / "s.toml"
    path.write_text(SCENARIO)
    sweep = Sweep(path)
    columns = SweepColumns(sweep)
    table = SweepTable(tmp_path / "t.csv", columns.columns, sweep.origin)
    outcomes = []
    for number in range(3):
        result = perform(pickle.loads(pickle.dumps(RunTask(number, sweep.run(number)))), lambda _: True)
        outcomes.append(result.outcome)
        table.add(columns.row(result))
    table.finish()
    with table.path.open(newline="") as file:
        falls, stops, holds = csv.DictReader(file)
    robot = engine.load_robot("panda")
    whole = engine.simulate(robot, robot.configurations["home"], None, 0.6, 1e-3, cell=BALL, stop_at_contact=True)
    (event,) = [event for event in whole.metadata["events"] if event["kind"] == "stop"]
    assert int(stops["steps"]) == len(whole) - 1 < int(falls["steps"]) == 600
    assert float(stops["first_contact"]) == pytest.approx(event["t"], abs=3e-4) == float(falls["first_contact"])
    assert stops["clearance_pair"] == " – ".join(event["pair"]) and float(stops["clearance"]) == pytest.approx(-event["depth"])
    assert whole.remarks[-1] in stops["remark"] and "stopped" not in falls["remark"]
    assert float(falls["clearance"]) < float(stops["clearance"]) < 0 < float(holds["clearance"]) and not holds["first_contact"]
    assert ", deepest contact " in outcomes[0].sentence(None) and "; smallest clearance " in outcomes[2].sentence(None)
    assert engine.load_recording(tmp_path / "hold.npz").metadata["cell"] == BALL.describe()


def test_another_cell_is_another_scenario(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(SCENARIO)
    origins = []
    for cell in (BALL, BALL.with_changes("ball", radius=0.11)):
        engine.save_cell(cell, tmp_path / "ball.toml")
        origins.append(Sweep(path).origin.scenario)
    assert origins[0] != origins[1]
    without = path.read_text().replace('cell = "ball.toml"', "")
    path.write_text(without)
    assert not any(column.name == "clearance" for column in SweepColumns(Sweep(path)).columns)
    entry = load_scenario(path)[1]
    assert build_run(path, entry["run"], entry["table"]).stop_at_contact
