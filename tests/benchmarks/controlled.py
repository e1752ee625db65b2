"""Simulation steps under a controller, with a hand that pulls and the energy ledger, beside the same arm moving by itself."""

from __future__ import annotations

from collections.abc import Callable

from armature import engine
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.stepper import Stepper
from tests.benchmarks.free_arm import free_arm
from tests.benchmarks.row import Row
from tests.benchmarks.timing import race

STEPS = 2000


def rows() -> list[Row]:
    """Steps per second of the Panda under the cheapest and the dearest laws."""
    return [_row(law) for law in ("pd-gravity", "computed-torque", "impedance")]


def _row(law: str) -> Row:
    robot = free_arm("panda")
    home = robot.configurations["home"]
    trajectory = engine.minimum_jerk([home, home + 0.3, home], [1.0, 1.0])
    free, driven = Stepper(robot, home), Stepper(robot, home, ledger=True)
    driven.set_controller(engine.default_gains(robot, law))
    driven.set_trajectory(trajectory)
    tool = robot.frame()
    driven.set_pull(Pull(tool.body, tool.X_BF[:3, 3], engine.frame_pose(robot, home)[:3, 3], 100.0, 5.0))
    taken = race({"driven": _run(driven, home), "free": _run(free, home)}, rounds=15)
    rate = {key: f"{STEPS / seconds:,.0f}/s" for key, seconds in taken.items()}
    return Row(
        f"steps, rk4, panda, {law}, hand, ledger",
        rate["driven"],
        f"{rate['free']} moving by itself",
        taken["free"] / taken["driven"],
    )


def _run(stepper: Stepper, home) -> Callable[[], None]:
    def run():
        stepper.reset(home)
        stepper.advance(STEPS)

    return run
