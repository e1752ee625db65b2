"""Sentences that are said in several places."""

from __future__ import annotations


def no_masses(name: str) -> str:
    """Why a robot cannot be simulated."""
    return (
        f"The file of {name} gives no masses: it can be posed, measured and recorded, but not simulated,"
        " because without masses no torque and no acceleration can be computed."
    )
