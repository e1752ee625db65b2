"""Identifies three real robots from published logs, and prints what is left of the torques held out, beside other models.

The logs are fetched by hand, each repository into one folder:
    git clone https://github.com/shamilmamedov/dynamic_calibration         UR10e, currents
    git clone https://github.com/marcocognetti/FrankaEmikaPandaDynModel    Panda, torques
    git clone https://github.com/thanhndv212/figaroh-examples              Stäubli TX40, torques of motors
Run in the repository: .venv/bin/python scripts/published_logs.py FOLDER
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import armature
from armature.engine.identification.motion import Motion, motion_of
from armature.engine.identification.rows import rows_of
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.resampling import low_pass
from armature.engine.recording.recording import Recording

SLOW = 10.0  # Hz: no arm moves by design faster; what is left above is ripple of motors and gears, and noise
MassRow = tuple[float, np.ndarray, np.ndarray]  # mass, first moment, inertia about the frame's origin


@dataclass
class Case:
    """A robot with recordings to learn from and to judge by, and the torque that was published for it."""

    title: str
    robot: Robot
    training: list[Recording]
    held_out: list[Recording]
    published: Callable[[Motion], np.ndarray]
    couplings: tuple[dict[str, float], ...] = ()


def main() -> None:
    """Prints a table per robot whose log is there."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    for case in (ur10e, panda, tx40):
        try:
            made = case(Path(sys.argv[1]))
        except FileNotFoundError as error:
            print(f"{case.__name__}: {error.filename} is not there\n")
            continue
        report(made)


def report(case: Case) -> None:
    """Root mean square of what each model leaves of the torques held out, per joint, and as a share of them."""
    found = armature.identify(case.training, case.robot, validation=case.held_out, rotor=True, couplings=case.couplings)
    motions = [motion_of(recording, case.robot, None, True) for recording in case.training]
    judged = [motion_of(recording, case.robot, None, True) for recording in case.held_out]
    rows = rows_of(motions, found.unknowns, None)
    plain = np.linalg.lstsq(rows.A.reshape(-1, rows.A.shape[2]), rows.y.ravel(), rcond=None)[0]
    size = left_over(judged, lambda motion: 0.0 * motion.tau)
    lines = {
        "identified, base": found.residual.validation,
        f"  of it below {SLOW:g} Hz": left_over(judged, lambda m: found.unknowns.torque(found.base.values, *states(m)), SLOW),
        "identified, consistent": found.residual.consistent,
        "ordinary least squares": left_over(judged, lambda m: found.unknowns.torque(plain, *states(m))),
        "published model": left_over(judged, case.published),
    }
    used = sum(int(motion.used.any(axis=1).sum()) for motion in judged)
    print(f"{case.title}: residual held out, N·m (% of the torque), {used} samples")
    print(f"{'':24}" + "".join(f"{f'joint {k + 1}':>16}" for k in range(case.robot.n)) + f"{'all':>9}")
    print(f"{'torque':24}" + "".join(f"{value:16.3f}" for value in size))
    for name, values in lines.items():
        whole = 100 * np.sqrt((values**2).sum() / (size**2).sum())
        cells = "".join(f"{v:8.3f} ({100 * v / s:4.1f}%)" for v, s in zip(values, size, strict=True))
        print(f"{name:24}{cells}{whole:8.1f}%")
    for finding in found.findings:
        print(f"  {finding.sentence}")
    print(flush=True)


def states(m: Motion) -> tuple[np.ndarray, ...]:
    """What a model of the arm has to predict."""
    return m.q, m.qd, m.qdd, m.held


def left_over(motions: list[Motion], torque: Callable[[Motion], np.ndarray], below: float | None = None) -> np.ndarray:
    """Root mean square of measured − predicted torque where it counts, per joint; of what of it is slower than `below` Hz."""
    squares = 0.0
    for m in motions:
        left = np.where(m.used, m.tau - torque(m), 0.0)
        slow = left if below is None else np.where(m.used, low_pass(left, m.rate, below), 0.0)
        squares = squares + (slow**2).sum(axis=0)
    return np.sqrt(squares / sum(m.used.sum(axis=0) for m in motions))


def ur10e(folder: Path) -> Case:
    """Currents times the drive gains published with the parameters; learned from one exciting motion, judged by another kind."""
    home = folder / "dynamic_calibration"
    told = (home / "UR10E_parameters.txt").read_text(encoding="utf-8")
    gains, drives, friction, rigid = (numbers(told, name) for name in ("drvGains", "pi_drvs", "pi_frcn", "pi_rgd"))
    robot = armature.load_robot(home / "URe" / "urdf" / "ur10e.urdf")
    columns = {"t": "column 1", "q": [f"column {k}" for k in range(2, 8)], "tau": [f"column {k}" for k in range(14, 20)]}

    def log(name: str) -> Recording:
        path = home / "dataset_ur10e" / name
        return armature.import_log(path, robot, columns, False, time_unit="s", torque_unit="A", torque_constants=gains)

    links = [(row[9], row[6:9], symmetric(row[:6])) for row in rigid.reshape(6, 10)]
    viscous, coulomb, offset = friction.reshape(6, 3).T
    real = with_links(robot, links)

    def published(m: Motion) -> np.ndarray:
        rubbing = viscous * m.qd + coulomb * np.sign(m.qd) + offset
        return armature.rnea(real, m.q, m.qd, m.qdd) + drives * m.qdd + rubbing

    training = [log("identification_data/ur-20_02_10-30sec_12harm.csv")]
    return Case("UR10e", robot, training, [log("validation_data/ur-20_01_17-ptp_10_points.csv")], published)


def panda(folder: Path) -> Case:
    """Joint torque sensors; the last third of the one motion is held out."""
    home = folder / "FrankaEmikaPandaDynModel" / "matlab" / "data" / "Exciting_Traj" / "Trajectory_1" / "rbt_log"
    t, q, tau = (np.loadtxt(home / f"exciting_traj_{name}.txt") for name in ("time", "positions", "torques"))
    robot = armature.load_robot("panda")
    first, last = halves(robot, t, q.reshape(-1, 7), tau.reshape(-1, 7))
    size = np.array([0.54615, 0.87224, 0.64068, 1.2794, 0.83904, 0.30301, 0.56489])
    steep = np.array([5.1181, 9.0657, 10.136, 5.5903, 8.3469, 17.133, 10.336])
    shift = np.array([0.039533, 0.025882, -0.04607, 0.036194, 0.026226, -0.021047, 0.0035526])

    def published(m: Motion) -> np.ndarray:  # Gaz et al. 2019; its rigid bodies are those of the robot's file
        rubbing = size / (1 + np.exp(-steep * (m.qd + shift))) - size / (1 + np.exp(-steep * shift))
        return armature.rnea(robot, m.q, m.qd, m.qdd) + rubbing

    return Case("Panda", robot, [first], [last], published)


def tx40(folder: Path) -> Case:
    """Torques and positions of motors, with the wrist's coupling undone; the last third of the one motion is held out."""
    home = folder / "figaroh-examples" / "examples" / "staubli_TX40"
    robot = armature.load_robot(home / "urdf" / "tx40_mdh_modified.urdf")
    ratios = np.diag([32.0, 32.0, 45.0, -48.0, 45.0, 32.0])
    position, torque = ratios.copy(), ratios.copy()
    position[5, 4] = torque[4, 5] = 32.0
    motors, currents = (
        np.loadtxt(home / "data" / f"{name}.csv", delimiter=",", skiprows=1) for name in ("pos_read_data", "curr_data")
    )
    q = motors @ np.linalg.inv(position).T + np.array([0, -np.pi / 2, np.pi / 2, 0, 0, 0])
    first, last = halves(robot, 2e-4 * np.arange(len(q)), q, currents @ torque.T, rate=1000.0)
    told = (home / "config" / "TX40_config.yaml").read_text(encoding="utf-8")
    viscous, coulomb, drives, offset = (numbers(told, rf"\b{name}") for name in ("fv", "fs", "Ia", "offset"))
    drive6, viscous6, coulomb6 = 0.00964, 0.616, 1.95  # of the motor that turns joints 5 and 6

    def published(m: Motion) -> np.ndarray:
        tau = armature.rnea(robot, m.q, m.qd, m.qdd) + drives * m.qdd + viscous * m.qd + coulomb * np.sign(m.qd) + offset
        both = coulomb6 * np.sign(m.qd[:, 4] + m.qd[:, 5])
        tau[:, 4] += drive6 * m.qdd[:, 5] + viscous6 * m.qd[:, 5] + both
        tau[:, 5] += drive6 * m.qdd[:, 4] + viscous6 * m.qd[:, 4] + both
        return tau

    wrist = {robot.joint_names[4]: 1.0, robot.joint_names[5]: 1.0}  # the sixth motor turns both
    return Case("Stäubli TX40", robot, [first], [last], published, (wrist,))


def halves(robot: Robot, t, q, tau, rate: float | None = None) -> tuple[Recording, Recording]:
    """The first two thirds and the last, each read as a log of its own."""
    cut, parts = 2 * len(t) // 3, []
    with tempfile.TemporaryDirectory() as folder:
        for part in (slice(0, cut), slice(cut, None)):
            path = Path(folder) / "log.npz"
            np.savez(path, t=t[part], q=q[part], tau=tau[part])
            columns = {name: [f"{name}[{k}]" for k in range(robot.n)] for name in ("q", "tau")}
            parts.append(armature.import_log(path, robot, {"t": "t", **columns}, False, time_unit="s", rate=rate))
    return parts[0], parts[1]


def with_links(robot: Robot, links: list[MassRow]) -> Robot:
    """The robot with bodies given in the frames of its file's links, one per joint."""
    frames = {frame.body: frame for frame in reversed(robot.links.values()) if frame.body >= 0}
    bodies = []
    for k, (mass, moment, about_origin) in enumerate(links):
        R, p = frames[k].X_BF[:3, :3], frames[k].X_BF[:3, 3]
        c = moment / mass
        central = about_origin - mass * ((c @ c) * np.eye(3) - np.outer(c, c))
        bodies.append(replace(robot.bodies[k], mass=mass, com=p + R @ c, inertia=R @ central @ R.T))
    return replace(robot, bodies=tuple(bodies))


def symmetric(row: np.ndarray) -> np.ndarray:
    """From xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = row
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def numbers(text: str, name: str) -> np.ndarray:
    """The list that a text gives a name."""
    found = re.search(name + r"\s*[=:]\s*\[([^\]]*)\]", text)
    if found is None:
        raise SystemExit(f"the file says nothing of {name}")
    return np.array([float(word) for word in re.split(r"[\s,]+", found[1].strip())])


if __name__ == "__main__":
    main()
