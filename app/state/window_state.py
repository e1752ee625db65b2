"""`WindowState`: settings that views of all subjects show their values in."""

from __future__ import annotations

from dataclasses import dataclass

from armature.app.state.evented import Model
from armature.app.state.units import Units


@dataclass(eq=False)
class WindowState(Model):
    """Display units; SI in all models."""

    units: Units
