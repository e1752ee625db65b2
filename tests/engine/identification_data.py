"""Recordings with known truth: Fourier motions of an arm, its torques, and sensors in between."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.engine.recording.recording import Recording


def fourier(robot, seed: int = 0, duration: float = 10.0, rate: float = 500.0, harmonics: int = 5, speed: float = 1.5):
    """t, q, qd, qdd of a periodic motion around the middle of the joints' ranges, at most `speed` rad/s or so fast."""
    rng = np.random.default_rng(seed)
    t = np.arange(int(duration * rate)) / rate
    w = 2 * np.pi * np.arange(1, harmonics + 1) / 10.0
    phase = np.outer(t, w)
    low, high = np.nan_to_num(robot.q_min, neginf=-1.0), np.nan_to_num(robot.q_max, posinf=1.6)
    middle = (low + high) / 2
    a, b = rng.normal(size=(2, harmonics, robot.n)) / np.sqrt(harmonics)
    a, b = a * speed, b * speed
    qd = np.cos(phase) @ a + np.sin(phase) @ b
    qdd = (-np.sin(phase) * w) @ a + (np.cos(phase) * w) @ b
    q = middle + (np.sin(phase) / w) @ a - (np.cos(phase) / w) @ b
    return t, q, qd, qdd


def recording_of(robot, t, q, qd, qdd, tau, **measured) -> Recording:
    """A recording of these columns."""
    none = np.zeros(len(t))
    tool = np.tile([0.0, 0, 0, 1, 0, 0, 0], (len(t), 1))
    return Recording(robot.name, robot.joint_names, t, q, qd, qdd, tau, tool, none, none, none, **measured)


def moved(robot, seed: int = 0, noise: float = 0.0, counts: float = 0.0, **motion) -> Recording:
    """A recording of `robot`: exact, or with noise of torques (a share of each joint's) and encoders of so many counts per
    turn."""
    t, q, qd, qdd = fourier(robot, seed, **motion)
    tau = engine.rnea(robot, q, qd, qdd) + engine.friction_torque(robot, qd)
    if not noise and not counts:
        return recording_of(robot, t, q, qd, qdd, tau)
    rng = np.random.default_rng(1000 + seed)
    # sensors tell the torque of the step before, that of its middle
    before = np.vstack([tau[:1], 0.5 * (tau[1:] + tau[:-1])])
    read = before + noise * tau.std(axis=0) * rng.normal(size=tau.shape)
    step = 2 * np.pi / counts if counts else 0.0
    told = np.round(q / step) * step if counts else q + 1e-12 * rng.normal(size=q.shape)
    return recording_of(robot, t, q, qd, qdd, tau, q_measured=told, qd_measured=qd, tau_measured=read)
