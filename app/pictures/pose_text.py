"""The pose in a picture's caption."""

from __future__ import annotations

import numpy as np

from armature.engine import Robot


def values(robot: Robot, q) -> str:
    """Joint positions as people read them: degrees and metres."""
    shown = [round(float(v if slides else np.degrees(v)), 6) + 0.0 for v, slides in zip(q, robot.prismatic, strict=True)]
    parts = [f"{v:.3g} m" if slides else f"{v:.4g}°" for v, slides in zip(shown, robot.prismatic, strict=True)]
    return "(" + ", ".join(parts).replace("-", "−") + ")"
