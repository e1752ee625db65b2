"""The pose in a picture's caption."""

from __future__ import annotations

import numpy as np

from armature.app.state.units import significant
from armature.engine import Robot


def values(robot: Robot, q) -> str:
    """Joint positions as people read them: degrees and metres."""
    shown = [round(float(v if slides else np.degrees(v)), 6) + 0.0 for v, slides in zip(q, robot.prismatic, strict=True)]
    parts = [
        f"{significant(v, 3)} m" if slides else f"{significant(v)}°" for v, slides in zip(shown, robot.prismatic, strict=True)
    ]
    return f"({', '.join(parts)})"
