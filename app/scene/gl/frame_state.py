"""`FrameState`: what one frame is drawn with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import dist

import numpy as np

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gl.palette import Theme


@dataclass(frozen=True, eq=False)
class FrameState:
    """`clip` takes W to clip coordinates; `size` is in device pixels; `scale` is device pixels per logical one; with
    `transparent` nothing is drawn behind the scene. Something else lies over the first `covered` logical pixels of its height."""

    camera: Camera
    theme: Theme
    clip: np.ndarray
    eye: np.ndarray
    right: np.ndarray
    size: tuple[int, int]
    scale: float
    transparent: bool = False
    covered: int = 0

    @cached_property
    def pixel(self) -> tuple[float, float]:
        """Clip units that one device pixel spans."""
        return 2.0 / self.size[0], 2.0 / self.size[1]

    def nearer(self, point: np.ndarray, way: float) -> np.ndarray:
        """A point `(3,)` in W, moved so many metres towards the eye, as one row `(1, 3)`."""
        place, eye = point.tolist(), self.eye.tolist()
        share = way / max(dist(eye, place), 1e-9)
        return np.array([[p + share * (e - p) for p, e in zip(place, eye, strict=True)]])


@cache
def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green, blue in 0…1 of "#rrggbb", as the screen takes them."""
    red, green, blue = bytes.fromhex(colour[1:7])
    return red / 255.0, green / 255.0, blue / 255.0
