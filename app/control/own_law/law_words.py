"""What the dock says of an own law at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.state.units import grouped

if TYPE_CHECKING:
    from armature.engine.simulation.law_reading import LawReading

_AS_WANTED = 0.95  # of a rate, above which it is the one that was wanted


def ready_words(version: int, name: str) -> str:
    """Of a law that waits for time to pass."""
    return f"Version {version} of {name} is ready."


def running_words(version: int, reading: LawReading, pace: float, why_python: str) -> str:
    """Of a law at work: how often it is called, where time passes at `pace` of what was asked for, and how it runs.

    `why_python` says why it is not compiled, if that is known.
    """
    took = f", {grouped(round(1e6 * reading.seconds))} µs a call" if reading.seconds else ""
    if reading.compiled:
        return f"Version {version}: {_rate(reading, pace)}; compiled by numba{took}."
    why = f" Not compiled: {why_python}." if why_python else ""
    return f"Version {version}: {_rate(reading, pace)}; Python{took}.{why}"


def _rate(reading: LawReading, pace: float) -> str:
    """Calls in a second of those that it wants."""
    wanted, reached = 1 / reading.wanted, min(pace, 1.0) / reading.period
    if reached > _AS_WANTED * wanted:
        return f"{grouped(round(wanted))} Hz"
    return f"own law: {grouped(round(reached))} Hz of {grouped(round(wanted))}"


def fault_words(text: str, version: int) -> str:
    """Of a version that does not take over, because of `text`; `version` is the one that goes on, 0 for none."""
    return f"{text}. " + (f"Version {version} runs on." if version else "No version of it runs.")


def stopped_words(text: str) -> str:
    """Of a law that failed at work."""
    return f"{text}. The arm is paused; save a mended version, or run again."
