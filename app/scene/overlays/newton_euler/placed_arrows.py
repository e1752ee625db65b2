"""Where the parts of arrows and rings go, and their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from unicodedata import combining

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.mesh import linear
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.newton_euler.arrow_mesh import PARTS, ArrowMesh
from armature.app.scene.overlays.newton_euler.arrow_parts import frames
from armature.app.scene.overlays.newton_euler.rnea_walk import Arrow
from armature.app.state.units import significant

ARROW, RING = 0.34, 0.17  # the length of the longest arrow and the radius of the largest ring, in reaches
SHAFT, HEAD = 0.0075, 0.042  # radius and length of an arrow's parts, in reaches
THIN = 0.6  # of that is what explains another


class PlacedArrows:
    """The arrows and rings that have a size, in the colours of the theme, with `bodies` of BODY and their `tips`."""

    def __init__(self):
        self.arrows: list[Arrow] = []
        self.bodies = np.zeros(0, BODY)
        self.tips: list[np.ndarray] = []
        self.dark = False
        self._reach, self._s = 1.0, 1.0

    def place(self, arrows: Sequence[Arrow], reach: float, s: float = 1.0) -> None:
        """These, at an arm that reaches so many metres, s times as large as usual."""
        self.arrows, self._reach, self._s = [arrow for arrow in arrows if arrow.share > 0.0], reach, s
        self.bodies, self.tips = placed(self.arrows, reach, self.dark, s)

    def draw(self, frame: FrameState, mesh: Callable[[], ArrowMesh]) -> None:
        """Draw them with the `mesh` of the item that they belong to."""
        dark = frame.theme is palette.DARK
        if dark != self.dark:
            self.dark = dark
            self.place(self.arrows, self._reach, self._s)
        if len(self.bodies):
            mesh().draw(frame, self.bodies)

    def labels(self, frame: FrameState) -> list[Label]:
        """The symbol at every head and ring, under it how much it is."""
        return arrow_labels(self.arrows, self.tips, frame)


def placed(arrows: Sequence[Arrow], reach: float, dark: bool, s: float = 1.0) -> tuple[np.ndarray, list[np.ndarray]]:
    """Poses and colours of all parts, as BODY, and the tips; length and radius go with the root of the share, times s."""
    bodies, tips = np.zeros(PARTS * len(arrows), BODY), []
    vectors = np.array([arrow.vector for arrow in arrows]).reshape(-1, 3)
    axes = frames(vectors, np.linalg.norm(vectors, axis=1))
    for k, (arrow, R) in enumerate(zip(arrows, axes, strict=True)):
        pose, state = (bodies[name][PARTS * k : PARTS * (k + 1)] for name in ("pose", "state"))
        size = s * np.sqrt(arrow.share) * reach
        pose[:, 3, 3], pose[:, 3, :3] = 1.0, arrow.at
        state[:, :3], state[:, 3] = linear(palette.RNEA[arrow.kind][dark]), 0.2
        thick = THIN if arrow.thin else 1.0
        if arrow.turns:
            pose[2, :3, :3] = R * (RING * size * thick)
            tips.append(arrow.at + {"wd": -R[0], "tau": R[0]}.get(arrow.kind, -R[1]) * RING * size)
            continue
        length, tip = ARROW * size, min(HEAD * reach * thick, ARROW * size)
        radius = SHAFT * reach * thick * tip / (HEAD * reach * thick)
        pose[0, :3, :3] = R * np.array([radius, radius, max(length - 0.98 * tip, 0.0)])[:, None]
        pose[1, :3, :3] = R * tip
        pose[1, 3, :3] += R[2] * (length - tip)
        tips.append(arrow.at + R[2] * length)
    return bodies, tips


def arrow_labels(arrows: Sequence[Arrow], tips: Sequence[np.ndarray], frame: FrameState) -> list[Label]:
    """The symbol at every head and ring and, in its colour, how much it is: in one text where that can be, else under it."""
    out = []
    dark = frame.theme is palette.DARK
    for arrow, tip in zip(arrows, tips, strict=True):
        colour = palette.RNEA[arrow.kind][dark]
        value = "" if arrow.thin else f"{significant(float(np.linalg.norm(arrow.vector)), 3)} {arrow.unit}"
        if value and not any(character == "_" or combining(character) for character in arrow.symbol):
            out.append(Label(f"{arrow.symbol}  {value}", colour, tip, (0.0, -16.0), size=0.95, rank=-1, plain=True))
            continue
        out.append(Label(arrow.symbol, colour, tip, (0.0, -27.0), size=1.1, faint=arrow.thin, rank=arrow.thin - 1))
        if value:
            out.append(Label(value, colour, tip, (0.0, -10.0), size=0.82, rank=1, plain=True))
    return out
