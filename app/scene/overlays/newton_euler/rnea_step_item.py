"""`RneaStepItem`: one move of recursive Newton–Euler in the scene, vectors as arrows, turns and moments as rings."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.mesh import linear
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.newton_euler.arrow_mesh import PARTS, ArrowMesh
from armature.app.scene.overlays.newton_euler.arrow_parts import frames
from armature.app.scene.overlays.newton_euler.rnea_walk import Arrow, RneaMoment
from armature.app.state.units import significant

ARROW, RING = 0.34, 0.17  # the length of the longest arrow and the radius of the largest ring, in reaches
SHAFT, HEAD = 0.0075, 0.042  # radius and length of an arrow's parts, in reaches
THIN = 0.6  # of that is what a move takes from others


class RneaStepItem(SceneItem):
    """Length and radius grow with the root of the share, so that small ones are seen beside large ones."""

    def __init__(self):
        super().__init__(depth=34)
        self.moment: RneaMoment | None = None
        self.bodies = np.zeros(0, BODY)
        self._reach, self._dark = 1.0, False
        self._tips: list[np.ndarray] = []
        self.setVisible(False)

    def set_reach(self, reach: float) -> None:
        """Size everything for a robot of this reach in m, with nothing to show yet."""
        self._reach = reach
        self.set_moment(None)

    def set_moment(self, moment: RneaMoment | None) -> None:
        """Show this; None for nothing."""
        self.moment = moment
        self.setVisible(moment is not None)
        self._place(self.shown, 1.0 if moment is None else moment.s)

    @property
    def shown(self) -> list[Arrow]:
        """The arrows that have a length."""
        return [] if self.moment is None else [arrow for arrow in self.moment.arrows if arrow.share > 0.0]

    def _place(self, arrows: list[Arrow], s: float) -> None:
        """Poses and colours of all parts."""
        self.bodies = np.zeros(PARTS * len(arrows), BODY)
        self._tips = []
        if not arrows:
            return
        vectors = np.array([arrow.vector for arrow in arrows])
        axes = frames(vectors, np.linalg.norm(vectors, axis=1))
        for k, (arrow, R) in enumerate(zip(arrows, axes, strict=True)):
            pose, state = (self.bodies[name][PARTS * k : PARTS * (k + 1)] for name in ("pose", "state"))
            size = s * np.sqrt(arrow.share) * self._reach
            pose[:, 3, 3], pose[:, 3, :3] = 1.0, arrow.at
            state[:, :3], state[:, 3] = linear(palette.RNEA[arrow.kind][self._dark]), 0.2
            if arrow.turns:
                pose[2, :3, :3] = R * (RING * size * (THIN if arrow.thin else 1.0))
                self._tips.append(arrow.at + {"wd": -R[0], "tau": R[0]}.get(arrow.kind, -R[1]) * RING * size)
                continue
            thick = THIN if arrow.thin else 1.0
            length, tip = ARROW * size, min(HEAD * self._reach * thick, ARROW * size)
            radius = SHAFT * self._reach * thick * tip / (HEAD * self._reach * thick)
            pose[0, :3, :3] = R * np.array([radius, radius, max(length - 0.98 * tip, 0.0)])[:, None]
            pose[1, :3, :3] = R * tip
            pose[1, 3, :3] += R[2] * (length - tip)
            self._tips.append(arrow.at + R[2] * length)

    def draw(self, frame: FrameState) -> None:
        if self.moment is None:
            return
        dark = frame.theme is palette.DARK
        if dark != self._dark:
            self._dark = dark
            self._place(self.shown, self.moment.s)
        if not len(self.bodies):
            return
        self.held("arrows", ArrowMesh).draw(frame, self.bodies)

    def labels(self, frame: FrameState) -> list[Label]:
        """The symbol at every head and ring, under it how much it is."""
        out = []
        dark = frame.theme is palette.DARK
        for arrow, tip in zip(self.shown, self._tips, strict=True):
            colour = palette.RNEA[arrow.kind][dark]
            out.append(Label(arrow.symbol, colour, tip, (0.0, -27.0), size=1.1, faint=arrow.thin, rank=arrow.thin - 1))
            if not arrow.thin:
                text = f"{significant(float(np.linalg.norm(arrow.vector)), 3)} {arrow.unit}"
                out.append(Label(text, frame.theme.text, tip, (0.0, -10.0), size=0.82, rank=1, counts=True))
        return out
