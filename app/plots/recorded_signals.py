"""What of a recording can be drawn or printed: panes of curves that share a unit, by the names people give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import EVENTS
from armature.engine.trajectory.trajectory import Trajectory

GROUPS = {
    "q": ("Position", "rad", "m"),
    "qd": ("Velocity", "rad/s", "m/s"),
    "qdd": ("Acceleration", "rad/s²", "m/s²"),
    "tau": ("Motor torque", "N·m", "N"),
}
OTHERS = {"tool": ("Tool position", "m"), "sigma_min": ("Smallest singular value", ""), "energy": ("Energy", "J")}
MEASURED = ("q_measured", "qd_measured", "tau_measured")
ERROR = "error"
NAMES = (*GROUPS, *OTHERS, *MEASURED, ERROR)
_CHANGES = ("begin", "state", "reset", "controller", "trajectory", "hold", "enter", "leave", "jump", "pose")
"""Kinds of events after which the goal at a time is not that of the metadata."""


@dataclass(frozen=True, eq=False)
class Pane:
    """Curves `values` `(N, k)` with a name each, under one title and unit."""

    title: str
    unit: str
    names: tuple[str, ...]
    values: np.ndarray


def panes(recording: Recording, signals: tuple[str, ...]) -> list[Pane]:
    """One pane per signal: a name of `NAMES`, or one of a joint such as "q.joint1". Raises ValueError naming the valid ones."""
    return [_pane(recording, signal) for signal in signals]


def available(recording: Recording) -> tuple[str, ...]:
    """Return the signals to plot; torques and energies only for an arm with masses."""
    masses = any(np.nan_to_num(values).any() for values in (recording.tau, recording.kinetic, recording.potential))
    return ("q", "qd", *(("tau",) if masses else ()), "tool", "sigma_min", *(("energy",) if masses else ()))


def _pane(recording: Recording, signal: str) -> Pane:
    group, _, joint = signal.partition(".")
    measured, group = group in MEASURED, group.removesuffix("_measured")
    if measured and not recording.measured:
        raise ValueError(f"signal {signal!r} is not available: the recording was made without sensors")
    if group in GROUPS and (not joint or joint in recording.joint_names):
        chosen = [i for i, name in enumerate(recording.joint_names) if joint in ("", name)]
        units = {_unit(recording, group, i) for i in chosen}
        names = tuple(recording.joint_names[i] for i in chosen)
        title = f"{GROUPS[group][0]}, measured" if measured else GROUPS[group][0]
        values = recording.measured_groups[f"measured.{group}"] if measured else recording.joint_groups[group]
        return Pane(title, ", ".join(sorted(units, reverse=True)), names, values[:, chosen])
    if group == ERROR and (not joint or joint in recording.joint_names):
        chosen = [i for i, name in enumerate(recording.joint_names) if joint in ("", name)]
        units = {_unit(recording, "q", i) for i in chosen}
        names = tuple(recording.joint_names[i] for i in chosen)
        return Pane("Tracking error", ", ".join(sorted(units, reverse=True)), names, _tracking_error(recording)[:, chosen])
    if signal == "tool":
        return Pane(*OTHERS[signal], ("x", "y", "z"), recording.tool[:, :3])
    if signal == "sigma_min":
        return Pane(*OTHERS[signal], ("sigma_min",), recording.sigma_min[:, None])
    if signal == "energy":
        kinetic, potential = recording.kinetic, recording.potential
        values = np.column_stack([kinetic, potential, kinetic + potential])
        return Pane(*OTHERS[signal], ("kinetic", "potential", "total"), values)
    joints = ", ".join(recording.joint_names)
    raise ValueError(f"unknown signal {signal!r}; valid are {', '.join(NAMES)}, or of one joint, e.g. q.NAME ({joints})")


def _tracking_error(recording: Recording) -> np.ndarray:
    """q_d − q of a run `(N, n)`, along its trajectory or from the start that its controller holds. Raises ValueError."""
    way, metadata = recording.metadata.get("trajectory"), recording.metadata
    events = metadata.get(EVENTS)
    if isinstance(events, list) and any(isinstance(event, dict) and event.get("kind") in _CHANGES for event in events):
        raise ValueError("signal 'error' is not available: the desired trajectory was replaced during this recording")
    if not isinstance(way, dict):
        law = metadata.get("controller")
        if not isinstance(law, dict) or law.get("kind") in (None, "none") or not len(recording):
            raise ValueError("signal 'error' is not available: this recording has no desired motion")
        return recording.q[0] - recording.q
    try:
        return Trajectory.from_description(way).sample(recording.t - recording.t[0])[0] - recording.q
    except (EngineError, KeyError, TypeError, ValueError, IndexError):
        raise ValueError("signal 'error' is not available: the trajectory in the recording is damaged") from None


def _unit(recording: Recording, group: str, joint: int) -> str:
    types = recording.metadata.get("joint_types")
    slides = isinstance(types, list) and len(types) > joint and types[joint] == "prismatic"
    return GROUPS[group][1 + slides]
