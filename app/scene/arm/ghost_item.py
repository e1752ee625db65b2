"""`GhostItem`: the arm at other poses than its own, seen through."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.gl import gl_state
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.mesh import linear
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque
from armature.app.scene.labels.label import Label

OPACITY, MARKED = 0.34, 0.72
TEXT = 0.85  # of a name, relative to normal text
ALIKE = 0.05  # of what the names' places span
NEARER = 1e-3  # of its distance, by which a ghost is in front of the arm: where both have the same place, the arm is seen


class GhostLook(Enum):
    """What a ghost is, told by its stripes: how many there are per pixel, along x and y of the picture."""

    AHEAD = (0.0, 0.0)  # of a trajectory: none
    SINGULAR = (0.09, 0.09)  # a pose to go to: slanting
    CROSSING = (0.0, 0.14)  # ways through a singularity: lying
    COMPARED = (0.14, 0.0)  # other recordings: upright
    SCRIPT = (0.09, -0.09)  # of a script: slanting the other way
    BRANCH = (0.2, 0.2)  # other ways to take the tool's pose: slanting, fine


class GhostName(NamedTuple):
    """`head` tells a ghost from all others; `text` says more, in parts between commas."""

    head: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.head}  {self.text}".rstrip()


def shared_name(names: Sequence[GhostName]) -> str:
    """The heads of all, and the parts of the text that they have in common."""
    parts = [part for part in names[0].text.split(", ") if all(part in name.text.split(", ") for name in names)]
    return str(GhostName(", ".join(name.head for name in names), ", ".join(parts)))


class GhostItem(SceneItem):
    """Draws the arm's mesh once per ghost, each in one colour; a ghost hides what of it lies behind it.

    `owner` is who shows them; whoever shows others takes the place. Those with `names` are named in the view, and can be clicked.
    """

    def __init__(self, arm: ArmItem):
        super().__init__(depth=40)
        self._arm = arm
        self.bodies = np.zeros((0, 1), BODY)
        self.colours: tuple[str, ...] = ()
        self.names: tuple[GhostName, ...] = ()
        self._places = np.zeros((0, 3))
        self.owner: object = None

    def clear(self) -> None:
        """Show none, whoever's they are."""
        self.set_ghosts(None, np.zeros((0, 1, 4, 4)), (), GhostLook.AHEAD)

    def set_ghosts(
        self,
        owner: object,
        X_WS: np.ndarray,
        colours: tuple[str, ...],
        look: GhostLook,
        names: tuple[GhostName, ...] = (),
        marked: int = -1,
    ) -> None:
        """Poses of all slots, the world first, of every ghost `(k, n + 1, 4, 4)`, k colours and names; one may be `marked`."""
        self.owner, self.look = owner, look
        self.bodies = np.zeros(X_WS.shape[:2], BODY)
        self.bodies["pose"] = X_WS.swapaxes(-1, -2)
        self.bodies["state"] = 1.0, 1.0, 0.0, OPACITY
        if marked >= 0:
            self.bodies["state"][marked, :, 3] = MARKED
        self.bodies["state"][:, 0, 3] = 0.0
        self.colours, self.names = tuple(colours), names
        if names:
            self._places = _places(X_WS, self._arm.bodies["pose"].swapaxes(-1, -2))

    def under(self, eye: np.ndarray, ray: np.ndarray, arm: float) -> int:
        """Which named ghost a ray from the eye along a unit vector (both in W) meets first; -1 where it meets none before it
        meets the arm, `arm` m away."""
        solids = self._arm.solids
        if not self.names or solids is None or not self.visible():
            return -1
        world = frozenset({0})
        hits = [solids.picker.cast(eye, ray, X_WS.swapaxes(-1, -2).astype(float), world) for X_WS in self.bodies["pose"]]
        ahead = {k: hit.distance for k, hit in enumerate(hits) if hit is not None and hit.distance < (1 - NEARER) * arm}
        return min(ahead, key=ahead.__getitem__, default=-1)

    def labels(self, frame: FrameState) -> list[Label]:
        """The names, each where its ghost is farthest from the arm; ghosts that are alike there share one."""
        if not (self.visible() and self.names):
            return []
        reach = float(np.ptp(self._places, axis=0).max(initial=0.0)) + 1e-9
        groups: list[list[int]] = []
        for k, place in enumerate(self._places):
            group = next((g for g in groups if np.linalg.norm(self._places[g[0]] - place) < ALIKE * reach), None)
            groups.append([k]) if group is None else group.append(k)
        texts = [shared_name([self.names[k] for k in group]) for group in groups]
        return [
            Label(text, frame.theme.text, self._places[group[0]], (0.0, -14.0), size=TEXT)
            for text, group in zip(texts, groups, strict=True)
        ]

    def drawn_by(self) -> tuple | None:
        return () if not len(self.bodies) else None

    def draw(self, frame: FrameState) -> None:
        solids = self._arm.solids
        if not len(self.bodies) or solids is None or self.bodies.shape[1] != len(self._arm.bodies):
            return
        gpu = self._arm.gpu_mesh()
        # what stands still belongs to no ghost: the first slot's triangles are left out
        first = int(solids.starts[1])
        count = int(solids.starts[-1]) - first
        # a ghost where the arm is stays hidden behind it
        gl_state.enable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(1.0, 2.0)
        for bodies, colour in zip(self.bodies, self.colours, strict=True):
            gpu.set_bodies(bodies)
            self.shade_solids(frame, tint := linear(colour), tint).use(stripes=self.look.value)
            opaque()
            GL.glColorMask(False, False, False, False)
            gpu.draw(first, count)
            GL.glColorMask(True, True, True, True)
            blended()
            gpu.draw(first, count)
        gl_state.disable(GL.GL_POLYGON_OFFSET_FILL)
        gpu.set_bodies(self._arm.bodies)


def _places(X_WS: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Of every ghost the origin `(k, 3)` that is farthest from where the arm has it."""
    p = X_WS[:, :, :3, 3]
    off = np.linalg.norm(p - arm[:, :3, 3], axis=2)
    return p[np.arange(len(p)), off.argmax(axis=1)]
