"""Writes assets/logs/ur5.csv: the log of an arm that is not quite its model, as a robot's own software might write it.

A UR5 with friction and 1.5 kg in its hand is simulated along a motion; times jitter, a few rows are missing, encoders count.
Run in the repository: .venv/bin/python scripts/sample_log.py
"""

from pathlib import Path

import numpy as np

from armature import engine

RATE, SECONDS, COUNT = 125.0, 6.0, 2 * np.pi / 2**17
TARGET = Path(__file__).resolve().parents[1] / "assets" / "logs" / "ur5.csv"


def main() -> None:
    """Simulates the arm and writes what it would log."""
    robot, rng = engine.load_robot("ur5"), np.random.default_rng(16)
    home = robot.configurations["home"]
    away = home + np.radians([60, 25, -30, 20, 40, 90])
    path = engine.minimum_jerk([home, away, home + np.radians([-30, 10, -20, 0, 10, -60]), home], [2.0, 2.0, 2.0])
    loaded = robot.with_payload(1.5)
    law = engine.default_gains(loaded, "computed-torque")
    run = engine.simulate(loaded, home, None, SECONDS, 1e-3, law, trajectory=path)
    due = np.arange(0, SECONDS, 1 / RATE) + rng.uniform(0, 1e-3, int(RATE * SECONDS))
    rows = np.searchsorted(run.t, due, side="right") - 1
    rows = np.delete(rows, [200, 201, 202, 500])
    q = np.degrees(np.round(run.q[rows] / COUNT) * COUNT)
    friction = 4.0 * np.tanh(run.qd[rows] / 0.02) + 6.0 * run.qd[rows]
    tau = run.tau[rows] + friction + rng.normal(0, 0.2, q.shape)
    names = ["Zeit"] + [f"Achse {k} [deg]" for k in range(1, 7)] + [f"Moment {k} [Nm]" for k in range(1, 7)]
    lines = ["UR5, Protokoll", ";".join(names)]
    for t, a, b in zip(run.t[rows] * 1e3, q, tau, strict=True):
        lines.append(
            ";".join([f"{t:.0f}", *(f"{x:.4f}".replace(".", ",") for x in a), *(f"{x:.2f}".replace(".", ",") for x in b)])
        )
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
