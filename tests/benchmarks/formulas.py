"""What the equations of an arm take: pose, J, M and g of six and seven joints, and how many operations the Puma's need."""

from __future__ import annotations

import time
from statistics import median

from armature import engine
from tests.benchmarks.row import Row, seconds

BARS = {"puma560": 1.0, "panda": 3.0}
ARMSTRONG = 305
ROUNDS = 3


def rows() -> list[Row]:
    """Every coefficient of pose, J, M and g; operations for M, C and g beside those that Armstrong and others publish."""
    found = []
    for name, bar in BARS.items():
        robot = engine.load_robot(name)
        taken = median(_time(robot) for _ in range(ROUNDS))
        found.append(Row(f"equations of {name}, {robot.n} joints", seconds(taken), "", None, f"{bar:g} s", taken < bar))
    puma = engine.load_robot("puma560")
    short, whole = (sum(engine.equations(puma, share).operations) for share in (0.01, 0))
    criteria = f"{ARMSTRONG}: terms above 1 % of their equation"
    found.append(Row("operations of the Puma, terms above 1 % of their matrix", str(short), criteria, ARMSTRONG / short))
    return [*found, Row("operations of the Puma, every term", str(whole))]


def _time(robot: engine.Robot) -> float:
    started = time.perf_counter()
    E = engine.equations(robot)
    for formula in (E.fk, E.J, E.M, E.g):
        _ = formula.size
    return time.perf_counter() - started
