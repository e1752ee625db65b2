"""What a plot can show: signals by name, as curves of a run or of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from armature.app.plots.curves import Curves, thinned
from armature.app.plots.plot_history import WORKS
from armature.app.state.plot_names import JOINT_SIGNALS, LOG, MODELLED, SENSED, words
from armature.app.state.units import Units
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording

COLUMNS = {
    **dict.fromkeys(("tool", "tool_velocity", "tool_acceleration"), ("x", "y", "z")),
    "sigma_min": ("sigma_min",),
    "energy": ("kinetic", "potential", "total"),
    "work": WORKS,
}
_SUFFIX = {
    "desired": ", desired",
    "error": ", error",
    "measured": ", measured",
    "off": ", sensor error",
    "second": ", second − first",
}
NO_SECOND = "No second arm with this signal: select one in View ▸ Compare with…"
BESIDE = 2000  # samples from which the signals of a recording are worked out beside the window
OVERVIEW = 20_000  # samples of a long recording that are looked at in every frame


def title(signal: str, mode: str, robot: Robot, units: Units) -> str:
    """What a plot shows, with its unit."""
    unit = _unit(signal, robot, units)
    what = words(signal) + _SUFFIX.get(mode, "")
    return f"{what}  [{unit}]" if unit else what


def _unit(signal: str, robot: Robot, units: Units) -> str:
    kinds = [kind for kind in (False, True) if (robot.prismatic == kind).any()]
    if signal in ("q", "qd", "qdd", "phase"):
        after = {"q": "", "qd": "/s", "qdd": "/s²", "phase": "/s"}[signal]
        return ", ".join(units.symbol(kind) + after for kind in kinds)
    if signal.startswith("tau"):
        return ", ".join("N" if kind else "N·m" for kind in kinds)
    if signal.startswith("tool"):
        return units.length + {"tool": "", "tool_velocity": "/s", "tool_acceleration": "/s²"}[signal]
    return {"sigma_min": "", "energy": "J", "work": "J"}.get(signal, "")


def log_names(signal: str, width: int) -> tuple[str, ...]:
    """What the curves of a logged signal are called that has not one for each joint."""
    name = signal.removeprefix(LOG)
    return (name,) if width == 1 else tuple(f"{name}[{k}]" for k in range(width))


def missing(signal: str, mode: str, recorded: bool) -> str:
    """Why there is no curve."""
    if mode in ("measured", "off"):
        return f"Sensors {'were not simulated in this recording' if recorded else 'are off'}."
    if mode == "second":
        return "This replay has no second arm with this signal." if recorded else NO_SECOND
    if signal.startswith(LOG):
        return f"No controller records {signal.removeprefix(LOG)}{' in this recording' if recorded else ' now'}."
    if recorded:
        return "This recording does not contain this signal."
    if signal in MODELLED:
        return "Only recordings can be compared with the model."
    return "No joint is selected." if signal == "phase" else "No desired motion: the active controller follows none."


class RecordingSource:
    """A recording of `robot` as plots read it: `t` `(N,)` and `get(name)` `(N, columns)`, thinned where long, with every peak.

    Without `thin` it has all samples.
    """

    def __init__(self, recording: Recording, label: str, robot: Robot, thin: bool = True):
        self.recording, self.label, self._robot = recording, label, robot
        self._cell = max(recording.duration, 1e-9) / (OVERVIEW // 2)
        self._long = thin and len(recording) > OVERVIEW
        self._known: dict[str, np.ndarray | None] = {}
        self.t = thinned(recording.t, np.zeros((len(recording), 1)), self._cell)[0] if self._long else recording.t

    def prepared(self) -> RecordingSource:
        """This source, with all signals thinned already: worth a thread where the recording is long."""
        for name in (*JOINT_SIGNALS, *MODELLED, *COLUMNS, *(f"{signal}_measured" for signal in SENSED), *self.logged):
            self.get(name)
        return self

    def get(self, name: str) -> np.ndarray | None:
        """Values of one signal; None for what recordings do not hold."""
        if name not in self._known:
            values = self._values(name)
            if values is not None and self._long:
                values = thinned(self.recording.t, values, self._cell)[1]
            self._known[name] = values
        return self._known[name]

    @cached_property
    def logged(self) -> dict[str, np.ndarray]:
        """What an own law logged `(N, k)`, by the names of the signals."""
        return {f"{LOG}{name}": values.reshape(len(values), -1) for name, values in self.recording.log.items()}

    def _values(self, name: str) -> np.ndarray | None:
        recording = self.recording
        if name.startswith(LOG):
            return self.logged.get(name)
        if name in JOINT_SIGNALS:
            return recording.joint_groups.get(name)
        if name.endswith("_measured"):
            return recording.measured_groups.get(f"measured.{name.removesuffix('_measured')}")
        if name in MODELLED:
            return self._modelled(name)
        if name == "tool":
            return recording.tool[:, :3]
        if name in ("tool_velocity", "tool_acceleration"):
            from armature.engine.kinematics.jacobian import tool_rates  # numba: not before the window is on screen

            return tool_rates(self._robot, recording.q, recording.qd, recording.qdd)[name == "tool_acceleration"][:, :3]
        if name == "sigma_min":
            return recording.sigma_min[:, None]
        if name == "energy":
            return np.column_stack([recording.kinetic, recording.potential, recording.kinetic + recording.potential])
        return None

    def _modelled(self, name: str) -> np.ndarray | None:
        """Torques by the model, with what the tool held, or those measured less these; None without masses."""
        from armature.engine.recording.measured.measured_torques import (
            measured_joints,
            model_torque,  # numba: not before the window is on screen
        )
        from armature.engine.simulation.runs.recorded_dynamics import recorded_arms

        recording = self.recording
        if not self._robot.has_dynamics:
            return None
        arms = recorded_arms(recording, self._robot)
        motions = (np.split(values, [first for first, _ in arms[1:]]) for values in (recording.q, recording.qd, recording.qdd))
        model = np.concatenate([model_torque(arm, *motion) for (_, arm), *motion in zip(arms, *motions, strict=True)])
        names = measured_joints(recording)
        known = [joint in names for joint in recording.joint_names]
        return model if name == "tau_model" else np.where(known, recording.tau - model, np.nan)


class Drawn:
    """Turns signals of a source into curves: in the units of the display, for the joints that are shown."""

    def __init__(self, robot: Robot, units: Units, series: Sequence[str], shown: Sequence[bool]):
        self._robot, self._units, self._series = robot, units, series
        self._joints = np.flatnonzero(shown).tolist()

    def curves(self, source, signal: str, mode: str, start: float, style: int, label: str) -> list[Curves]:
        """The curves of one signal from time `start` on; empty where the source does not have it. Desired ones are dashed."""
        if signal == "phase":
            return self._phase(source, start, style, label)
        if mode in ("measured", "off"):
            return self._measured(source, signal, mode, start, style, label)
        if signal == "tau_model":
            return self._beside_model(source, start, style, label)
        actual = source.get(signal)
        desired = source.get(f"{signal}_desired") if mode != "actual" else None
        if actual is None or (desired is None and mode in ("desired", "error")):
            return []
        if mode == "error" and desired is not None:
            return [self._one(source, signal, desired - actual, start, style, label)]
        drawn = [self._one(source, signal, actual, start, style, label)] if mode in ("actual", "both") else []
        if desired is not None:
            dashed, said = style + 1 if mode == "both" else style, f"{label}, desired" if label else "desired"
            drawn.append(self._one(source, signal, desired, start, dashed, said))
        return drawn

    def _measured(self, source, signal: str, mode: str, start: float, style: int, label: str) -> list[Curves]:
        """What sensors tell, dashed over the truth, or how far it is off."""
        actual, measured = source.get(signal), source.get(f"{signal}_measured")
        if actual is None or measured is None:
            return []
        if mode == "off":
            return [self._one(source, signal, measured - actual, start, style, label)]
        said = f"{label}, measured" if label else "measured"
        return [
            self._one(source, signal, actual, start, style, label),
            self._one(source, signal, measured, start, style + 1, said),
        ]

    def _beside_model(self, source, start: float, style: int, label: str) -> list[Curves]:
        """Torques as they were measured, and dashed as the model has them."""
        tau, model = source.get("tau"), source.get("tau_model")
        if tau is None or model is None:
            return []
        told = f"{label}, model" if label else "model"
        return [self._one(source, "tau", tau, start, style, label), self._one(source, "tau", model, start, style + 1, told)]

    def _one(self, source, signal: str, values: np.ndarray, start: float, style: int, label: str) -> Curves:
        first = int(np.searchsorted(source.t, start))
        t, values = np.array(source.t[first:]), np.array(values[first:])  # the ring goes on while it is drawn
        if signal in COLUMNS:
            names, chosen = COLUMNS[signal], list(range(len(COLUMNS[signal])))
            values *= self._units.factor(True) if signal.startswith("tool") else 1.0
        elif signal.startswith(LOG) and values.shape[1] != self._robot.n:
            names = log_names(signal, values.shape[1])
            chosen = list(range(len(names)))
        else:
            names, chosen = self._robot.joint_names, self._joints
            values = values * self._factors() if signal in ("q", "qd", "qdd") else values
        picked, colours = tuple(names[k] for k in chosen), tuple(self._series[k % len(self._series)] for k in chosen)
        return Curves(t, values[:, chosen], picked, colours, style, source=label)

    def _phase(self, source, start: float, style: int, label: str) -> list[Curves]:
        """qd over q of every joint shown."""
        first, q, qd = int(np.searchsorted(source.t, start)), source.get("q"), source.get("qd")
        if q is None or qd is None or not len(self._joints):
            return []
        x, y = ((values * self._factors())[first:, self._joints] for values in (q, qd))
        names = tuple(self._robot.joint_names[k] for k in self._joints)
        colours = tuple(self._series[k % len(self._series)] for k in self._joints)
        return [Curves(x, y, names, colours, style, timed=False, source=label, t=np.array(source.t[first:]))]

    def _factors(self) -> np.ndarray:
        return np.array([self._units.factor(bool(slides)) for slides in self._robot.prismatic])
