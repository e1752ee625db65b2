"""What Lagrange's method costs as an arm gets longer, beside Newton–Euler: n³ against n, as the lectures say."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import numpy as np

from armature import engine
from tests.benchmarks.loglog_plot import loglog_plot
from tests.benchmarks.row import Row, seconds
from tests.engine.trees import random_state, random_tree

JOINTS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 28, 33, 39, 44, 50)
LONG = 20  # joints from which the highest power rules
STATES = 500
ROUNDS = 5
PLOT = Path(__file__).parents[2] / "build" / "lagrange.svg"


def rows() -> list[Row]:
    """The power of n by which the time of one state grows over long chains, for both methods, and the plot of all lengths."""
    times = np.array([_times(n) for n in JOINTS])
    curves = {"Lagrange": times[:, 0], "Newton–Euler": times[:, 1]}
    powers = {name: _power(curve) for name, curve in curves.items()}
    PLOT.parent.mkdir(exist_ok=True)
    guides = {"n³": (3, times[-1, 0]), "n": (1, times[-1, 1])}
    PLOT.write_text(loglog_plot(JOINTS, curves, guides, "joints of a chain", "time per state, s"), encoding="utf-8")
    lagrange, recursive = powers.values()
    spread = f"{seconds(times[0, 0])} at {JOINTS[0]} … {seconds(times[-1, 0])} at {JOINTS[-1]} joints"
    grows = (f"n^{lagrange:.2f}", f"n^{recursive:.2f} RNEA", None, "n^3 ± 0.4", abs(lagrange - 3) < 0.4)
    return [
        Row("Lagrange, growth of its time with n", *grows),
        Row(f"Lagrange, time per state, plot in {PLOT.parent.name}/{PLOT.name}", spread),
    ]


def _times(n: int) -> tuple[float, float]:
    """Seconds per state of all terms by Lagrange, and of one torque by RNEA."""
    robot = random_tree(n, n, branching=False)
    q, qd, qdd = random_state(robot, np.random.default_rng(n), STATES)
    calls = (lambda: engine.lagrange_terms(robot, q, qd), lambda: engine.rnea(robot, q, qd, qdd))
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for call, record in zip(calls, taken, strict=True):
            started = time.perf_counter()
            call()
            record.append((time.perf_counter() - started) / STATES)
    return median(taken[0]), median(taken[1])


def _power(curve: np.ndarray) -> float:
    """Slope of the straight line through log time over log n, from LONG joints on."""
    n = np.array(JOINTS)
    return float(np.polyfit(np.log(n[n >= LONG]), np.log(curve[n >= LONG]), 1)[0])
