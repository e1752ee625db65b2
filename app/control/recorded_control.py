"""Controller of a recording."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armature.app.control.offered_laws import BY_HAND, laws
from armature.engine.errors import one_line
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED

MEASURED = "measured"


def recorded_control(recording: Recording, row: int) -> str:
    """Return the title of the controller that was active at a sample; empty without torques."""
    tau = recording.tau[row]
    if not np.isfinite(tau).all():
        return ""
    if recording.metadata.get(IMPORTED):
        return MEASURED
    events, law = recording.metadata.get("events"), recording.metadata.get("controller")
    for event in events if isinstance(events, (list, tuple)) else ():
        if isinstance(event, Mapping) and event.get("kind") == "controller" and event.get("row", 0) <= row:
            law = event.get("controller")
    description = law if isinstance(law, Mapping) else {}
    kind = str(description.get("kind", ""))
    if kind in ("", "none", "torque"):
        return BY_HAND["torque"].title if tau.any() else ""
    return laws()[kind].title if kind in laws() else one_line(str(description.get("name") or kind), 60)
