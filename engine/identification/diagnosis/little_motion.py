"""Joints that hardly moved."""

from __future__ import annotations

import numpy as np

from armature.engine.identification.identification import Finding
from armature.engine.identification.motion import Motion
from armature.engine.model.robot import Robot

_LEAST = np.radians(5.0), 0.02  # rad, m
_USEFUL = "60°", "0.2 m"


def little_motion(motions: list[Motion], robot: Robot) -> list[Finding]:
    """A sentence for every joint whose positions span less than 5° or 20 mm in all recordings together."""
    findings = []
    for k, name in enumerate(robot.joint_names):
        q = np.concatenate([motion.q[np.isfinite(motion.q[:, k]), k] for motion in motions])
        span, slides = float(np.ptp(q)) if len(q) else 0.0, int(robot.prismatic[k])
        if span < _LEAST[slides]:
            told = f"{1e3 * span:.3g} mm" if slides else f"{np.degrees(span):.3g}°"
            sentence = (
                f"{name}: it moved only {told}, too little to identify its friction and the inertia it carries; move "
                f"it {_USEFUL[slides]} or more"
            )
            findings.append(Finding("motion", name, None, sentence))
    return findings
