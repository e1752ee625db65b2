"""What can be plotted, by name: the settings remember it."""

from __future__ import annotations

JOINT_SIGNALS = {"q": "Position", "qd": "Velocity", "qdd": "Acceleration", "tau": "Motor torque"}
TERM_TITLES = {
    "inertia": "Torque: inertia M q̈",
    "coriolis": "Torque: Coriolis and centrifugal",
    "gravity": "Torque: gravity",
    "payload": "Torque: payload",
    "friction": "Torque: friction",
    "external": "Torque: external forces",
    "stop": "Torque: joint stops",
}
MODELLED = {"tau_model": "Torque, measured and model (dashed)", "tau_residual": "Torque residual (measured − model)"}
"""Of recordings alone."""
SIGNALS = {
    **JOINT_SIGNALS,
    **MODELLED,
    **{f"tau.{term}": TERM_TITLES[term] for term in TERM_TITLES},
    "tool": "Tool position",
    "tool_velocity": "Tool velocity",
    "tool_acceleration": "Tool acceleration",
    "sigma_min": "Smallest singular value",
    "energy": "Energy",
    "work": "Work",
    "phase": "Phase plot, q̇ over q",
}
LOG = "log."
"""What begins the signals that an own law logs, as `p.log["e"]`: "log.e"."""
MODES = {
    "actual": "Actual",
    "both": "Actual and desired",
    "desired": "Desired",
    "error": "Error (desired − actual)",
    "measured": "Actual and measured",
    "off": "Sensor error (measured − actual)",
    "second": "Difference of the second arm (second − first)",
}
COMPARED = ("q", "qd", "qdd", "tool", "tool_velocity", "tool_acceleration")  # of which a controller knows what it wants
UNCOMPARED = ("work", "phase", *MODELLED)  # of which a second arm has no difference
SENSED = ("q", "qd", "tau")  # which sensors tell
DEFAULT = ("q", "qd", "tau", "energy")
MOST = 8  # panes


def words(signal: str) -> str:
    """What a signal is called on screen."""
    return f"{signal.removeprefix(LOG)}, logged by the controller" if signal.startswith(LOG) else SIGNALS[signal]


def checked(name: str) -> tuple[str, str]:
    """Signal and mode of "signal" or "signal:mode"; raises ValueError naming what there is."""
    signal, _, mode = name.partition(":")
    mode = mode or "actual"
    if signal.startswith(LOG) and signal != LOG and mode == "actual":
        return signal, mode
    if signal not in SIGNALS or mode not in modes_of(signal):
        raise ValueError(f"unknown plot {name!r}; valid are {', '.join(SIGNALS)}, some with :{', :'.join(MODES)}")
    return signal, mode


def modes_of(signal: str) -> tuple[str, ...]:
    """In which of `MODES` a signal can be shown."""
    desired = ("both", "desired", "error") if signal in COMPARED else ()
    second = () if signal in UNCOMPARED or signal.startswith((LOG, "tau.")) else ("second",)
    return ("actual", *desired, *(("measured", "off") if signal in SENSED else ()), *second)
