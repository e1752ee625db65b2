"""Solids of a wheel at the end of an arm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, cylinder, hoop, sphere, tube
from armature.app.scene.gl.mesh import Mesh, joined
from armature.engine.model.skeleton import RIM, UP, Skeleton

SPOKES = 5


def wheel_mesh(bones: Skeleton, i: int) -> Mesh:
    """Rim, spokes and hub, in the axes of body i; one spoke and a knob on the rim are marked, so that its turning is seen."""
    body, thin = bones.robot.bodies[i], bones.tubes[i + 1]
    radius = bones.wheel_radius(i)
    rim = hoop(0.0, 2 * np.pi, RIM, pieces=96, segments=20)
    vertices = rim.vertices.copy()
    vertices["position"] *= radius
    parts = [
        replace(rim, vertices=vertices).painted(palette.MASS, gloss=0.8),
        cylinder(2.6 * thin, -2 * thin, 2 * thin, bevel=0.4 * thin).painted(palette.HOUSING),
    ]
    for k in range(SPOKES):
        angle = 2 * np.pi * k / SPOKES
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        spoke = tube(np.stack([2 * thin * out, radius * out]), np.full(2, 0.6 * thin), bend=0.0)
        parts.append(spoke.painted(palette.LINKS[0] if k else palette.TRACE, gloss=0.6))
    knob = sphere(1.5 * RIM * radius).moved(aligned(UP, [radius, 0.0, 0.0]))
    parts.append(knob.painted(palette.TRACE, gloss=0.6))
    return joined(parts).moved(aligned(UP, body.com)).on_slot(i + 1)
