"""States of a live simulation: every transition, and those that commands cause, without a window or a thread."""

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import (
    Pause,
    Reset,
    Run,
    SetController,
    SetIntegrator,
    SetRobot,
    SetState,
    SetTimeStep,
    SetTorque,
    Step,
)
from armature.engine.simulation.live.run_state import RunState
from armature.engine.simulation.live.simulation_worker import SimulationWorker

POSED, RUNNING, PAUSED, DIVERGED, FAILED, ENDED = RunState
STOPPED = (POSED, PAUSED, DIVERGED, FAILED)


@pytest.mark.parametrize(
    ("transition", "from_running", "from_stopped"),
    [
        (RunState.run, RUNNING, dict.fromkeys(STOPPED, RUNNING)),
        (RunState.pause, PAUSED, {state: state for state in STOPPED}),
        (RunState.diverge, DIVERGED, {state: state for state in STOPPED}),
        (RunState.fail, FAILED, {state: state for state in STOPPED}),
        (RunState.place, RUNNING, dict.fromkeys(STOPPED, POSED)),
        (RunState.exchange, POSED, dict.fromkeys(STOPPED, POSED)),
    ],
)
def test_transitions(transition, from_running, from_stopped):
    assert transition(RUNNING) is from_running
    assert {state: transition(state) for state in STOPPED} == from_stopped
    assert transition(ENDED) is ENDED


def test_every_state_ends():
    assert {state.end() for state in RunState} == {ENDED}


class Clock:
    """A clock that only `wait` advances, s."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def states(worker, *commands):
    """The state after each command."""
    found = []
    for command in commands:
        worker.obey(command)
        found.append(worker.state)
    return found


def test_commands_change_the_state():
    robot = engine.load_robot("double_pendulum")
    worker = SimulationWorker(robot, clock=Clock())
    assert states(worker, Pause(), Step(3), SetState([0.1, 0.2]), Run(), SetState([0.1, 0.2]), Reset([0.0, 0.0]), Pause()) == [
        POSED,
        PAUSED,
        POSED,
        RUNNING,
        RUNNING,
        RUNNING,
        PAUSED,
    ]
    assert states(worker, Run(), SetRobot(robot, [0.0, 0.0])) == [RUNNING, POSED]


def test_a_refused_command_leaves_the_state():
    worker = SimulationWorker(engine.load_robot("irb140"), clock=Clock())
    assert states(worker, Run(), Step(), SetTorque([1.0])) == [POSED] * 3
    assert [worker.events.get_nowait().kind for _ in range(3)] == ["refused"] * 3


def test_a_diverged_run_is_no_pause_and_can_be_run_again():
    worker = SimulationWorker(engine.load_robot("double_pendulum"), clock=Clock())
    wild = SetTimeStep(0.1), SetIntegrator("euler"), SetTorque([1e9, -1e9]), Reset([0.0, 0.0], [0.0, 9e5]), Step(50)
    assert states(worker, *wild)[-1] is DIVERGED
    assert states(worker, Pause(), SetTorque([0.0, 0.0]), Reset([0.0, 0.0]), Run()) == [DIVERGED, DIVERGED, POSED, RUNNING]


def test_a_controller_that_raises_fails_the_run():
    robot, clock = engine.load_robot("double_pendulum"), Clock()

    def law(t, q, qd):
        if t > 0.01:
            raise ZeroDivisionError
        return np.zeros(2)

    worker = SimulationWorker(robot, clock=clock)
    assert states(worker, SetController(engine.PythonLaw(law)), Run()) == [POSED, RUNNING]
    for _ in range(9):
        clock.now += 0.004
        try:
            worker.catch_up()
        except engine.EngineError:
            break
    else:
        pytest.fail("the controller did not raise")
    assert worker.state is RUNNING  # the thread handles the error
    assert states(worker, Step(5)) == [FAILED] and worker.events.get_nowait().kind == "law"
