"""The dynamics lab in a dozen calls of `engine`: trajectory, control, dynamics, recordings; four runs in parallel processes.

The PUMA 560 of the lectures carries 851 g from one table to another under two control laws, each with and without knowing what it
carries. Every run becomes an `.mcap` file; one is simulated again bit for bit, and saved for MATLAB and Octave.

    python assets/examples/pick_and_place.py FOLDER
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

import engine

PLAN = Path(__file__).parent.parent / "trajectories" / "pick_place_puma560.toml"
LAWS = ("pd-gravity", "computed-torque")


def carry(folder: Path, law: str, knows_payload: bool) -> tuple[str, float]:
    """One run, saved; its file's name and how far off the joints were, root mean square, rad."""
    arm = engine.load_robot("puma560").without_friction()
    way = engine.load_trajectory(PLAN, arm)
    run = engine.simulate(
        arm,
        q0=way.start,
        qd0=None,  # at rest
        duration=way.duration,
        dt=1e-3,
        controller=engine.default_gains(arm, law, natural_frequency=30.0),
        trajectory=way,  # what is grasped and released on the way comes with it
        knows_payload=knows_payload,
    )
    path = folder / f"{law}{'' if knows_payload else '-unaware'}.mcap"
    run.save(path)
    q_desired, _, _ = way.sample(run.t)
    return path.name, float(np.sqrt(np.mean((run.q - q_desired) ** 2)))


def main(folder: Path) -> None:
    """Checks the trajectory, runs all, and shows what can be done with a recording."""
    arm = engine.load_robot("puma560").without_friction()
    broken = engine.check_limits(arm, engine.load_trajectory(PLAN, arm), torque=True)
    print(broken.text if broken else "within all limits")

    folder.mkdir(parents=True, exist_ok=True)
    laws, knows = zip(*product(LAWS, (True, False)), strict=True)
    with ProcessPoolExecutor() as processes:
        for name, error in processes.map(carry, [folder] * len(laws), laws, knows):
            print(f"{name:30} {error:.1e} rad off")

    run = engine.load_recording(folder / "computed-torque.mcap")
    print(f"{len(run)} samples from {run.t[0]:g} to {run.t[-1]:g} s, joint 2 needs at most {np.abs(run.tau[:, 1]).max():.1f} N·m")
    print(f"simulated again, the same to the last bit: {engine.verify_recording(run).identical}")
    engine.convert_recording(folder / "computed-torque.mcap", folder / "computed-torque.mat", overwrite=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: pick_and_place.py FOLDER")
    main(Path(sys.argv[1]))
