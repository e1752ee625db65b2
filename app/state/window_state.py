"""`WindowState`: units and notes, which concern all subjects."""

from __future__ import annotations

from dataclasses import dataclass

from armature.app.state.evented import Model
from armature.app.state.units import Units


@dataclass(eq=False)
class WindowState(Model):
    """Display units, SI in all models; `notes`: the user's text about everything that is open."""

    units: Units
    notes: str = ""
