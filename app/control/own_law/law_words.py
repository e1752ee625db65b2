"""What the dock says of an own law at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.state.units import grouped, significant

if TYPE_CHECKING:
    from armature.engine.simulation.snapshot import LawReading, Snapshot

SLOW = 0.5  # of the speed that was requested, below which the dock warns
_AS_WANTED = 0.95  # of that speed, from which on nothing is said
_MOSTLY = 0.2  # of the time that passes: where calls take more, it is the law that is slow


def ready_words(version: int, name: str) -> str:
    """Of a law that waits for time to pass."""
    return f"Version {version} of {name} is ready; it starts with the next run."


def slow(latest: Snapshot) -> bool:
    """Whether time passes at less than SLOW of what was requested; it is not known in the first moment."""
    return 0 < latest.real_time_factor < SLOW * latest.speed


def running_words(version: int, reading: LawReading, latest: Snapshot, why_python: str) -> str:
    """Of a law at work: its rate, which it always keeps, how fast time passes because of it, and how it runs.

    `why_python` says why it is not compiled, if that is known.
    """
    took = f", {_duration(reading.seconds)} per call" if reading.seconds else ""
    how = f"; compiled by numba{took}." if reading.compiled else f"; Python{took}."
    why = "" if reading.compiled or not why_python else f" Not compiled: {why_python}."
    return f"Version {version}: {_rate(reading, latest)}{how}{why}"


def _rate(reading: LawReading, latest: Snapshot) -> str:
    """Calls in a simulated second, and in a real one where those are fewer than at the speed that was requested."""
    wanted, factor = f"{grouped(round(1 / reading.period))} Hz", latest.real_time_factor
    if not 0 < factor < _AS_WANTED * latest.speed:
        return wanted
    goal = "" if latest.speed == 1 else f" instead of {significant(latest.speed, 3)}"
    calls = factor / reading.period
    text = f"{wanted} in simulated time, which runs at {significant(factor, 2)} × real time{goal}"
    if reading.seconds * calls > _MOSTLY:
        text += f" because each call takes {_duration(reading.seconds)}"
    return f"{text}: {grouped(round(calls)) if calls >= 10 else significant(calls, 2)} calls per real second"


def _duration(seconds: float) -> str:
    return f"{grouped(round(1e6 * seconds))} µs" if seconds < 1e-3 else f"{significant(1e3 * seconds, 3)} ms"


def fault_words(text: str, version: int) -> str:
    """Of a version that does not take over, because of `text`; `version` is the one that goes on, 0 for none."""
    return f"{text}. " + (f"Version {version} remains active." if version else "No version of this controller is active.")


def stopped_words(text: str) -> str:
    """Of a law that failed at work."""
    return f"{text}. The simulation is paused: save a corrected version, or run again."
