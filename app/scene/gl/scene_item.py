"""`SceneItem`: what every drawn thing of the project's own has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from pyqtgraph.opengl.GLGraphicsItem import GLGraphicsItem

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.gl_calls import GL, at_once
from armature.app.scene.gl.gpu_mesh import GpuMesh
from armature.app.scene.gl.mesh import Mesh
from armature.app.scene.gl.repeated_drawing import RepeatedDrawing
from armature.app.scene.gl.shader_program import Program
from armature.app.state.units import Units

if TYPE_CHECKING:
    from armature.app.scene.gl.frame_state import FrameState
    from armature.engine import Robot
    from armature.engine.model.skeleton import Skeleton


class Resource(Protocol):
    """Something the driver holds."""

    def release(self) -> None: ...


Held = TypeVar("Held", bound=Resource)
FACTORS = [(source, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA) for source in (GL.GL_SRC_ALPHA, GL.GL_ONE)]
BLACK = (0.0, 0.0, 0.0)
OPEN = gl_state.way_of_drawing(depth_test=True, writes_depth=True)
CLOSED = gl_state.way_of_drawing(depth_test=True, writes_depth=True, culled=GL.GL_BACK)
OVER = [[gl_state.way_of_drawing(test, False, factors) for factors in FACTORS] for test in (False, True)]


class SceneItem(GLGraphicsItem):
    """An item that makes its GL objects when first drawn, keeps them for good and gives all of them back in `release`.

    New data goes into the buffers that exist, so a thousand robots later there are as many GL objects as after the first.
    """

    draws_aside = False
    changes = 0  # of what is shown and in which order, of all items
    units = Units()  # of its numbers

    def __init__(self, depth: int):
        super().__init__()
        self.setDepthValue(depth)
        self._broken = False
        self._resources: dict[str, Any] = {}  # of the kind that the name says
        self._drawing = RepeatedDrawing()

    @property
    def broken(self) -> bool:
        """Whether it failed, and is left out."""
        return self._broken

    @broken.setter
    def broken(self, broken: bool) -> None:
        self._broken = broken
        SceneItem.changes += 1

    def setVisible(self, vis: bool) -> None:
        super().setVisible(vis)
        SceneItem.changes += 1

    def setDepthValue(self, value: float) -> None:
        super().setDepthValue(value)
        SceneItem.changes += 1

    def clear(self) -> None:
        """Remove all that belongs to the robot that is shown; the next one follows."""

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """Use the parameters of this robot, another one or an edited one, and where its housings and its floor are."""

    def prepare(self, frame: FrameState) -> None:
        """Compute and upload what `draw` needs; all items do before any of them draws, because a drawing in software drives what
        computes out of the processor's caches."""

    def draw_aside(self) -> None:
        """Draw what the frame needs into targets of the item's own; called for those that say `draws_aside`."""

    def draw(self, frame: FrameState) -> None:
        """Draw with the camera, size and theme of `frame`."""
        raise NotImplementedError

    def drawn_by(self) -> tuple | None:
        """All that the calls of `draw` depend on besides the frame: while it stays, they are repeated; None, never."""
        return None

    def draw_or_repeat(self, frame: FrameState) -> None:
        """`draw`, or its calls of the last frame where the item looks as it did then."""
        cause = self.drawn_by()
        if cause is None:
            self.draw(frame)
        else:
            self._drawing.draw((frame, *cause), self.draw, frame)

    def held(self, name: str, make: Callable[..., Held], *args) -> Held:
        """The GL object by that name, made on first use."""
        if name not in self._resources:
            with at_once():
                self._resources[name] = make(*args)
        held: Held = self._resources[name]
        return held

    def on_card(self, mesh: Mesh, bodies: np.ndarray) -> GpuMesh:
        """The mesh with these `bodies` of BODY on the graphics card; only what has changed is uploaded."""
        gpu = self.held("mesh", GpuMesh)
        gpu.upload(mesh)
        gpu.set_bodies(bodies)
        return gpu

    def shade_solids(self, frame: FrameState, tint: ArrayLike = BLACK, glow: ArrayLike = BLACK, opacity: float = 1.0) -> Program:
        """Shade meshes that are drawn next as solids; `tint` and `glow` are linear colours, as strong as their bodies' states."""
        program = self.held("program", Program, "solid.vert", "solid.frag")
        program.use(clip=frame.clip, eye=frame.eye, right=frame.right, tint=tint, glow=glow, opacity=opacity)
        return program

    def release(self) -> None:
        """Give every GL object back; the context must be current."""
        for resource in self._resources.values():
            resource.release()
        self._resources.clear()
        self._drawing = RepeatedDrawing()
        SceneItem.changes += 1


def opaque(closed: bool = False) -> None:
    """Depth-tested, nothing shines through; of closed shapes only the sides that face the eye are drawn."""
    gl_state.set_way(CLOSED if closed else OPEN)


def blended(depth_test: bool = True, premultiplied: bool = False) -> None:
    """Laid over what is there by alpha, leaving the depth as it is."""
    gl_state.set_way(OVER[depth_test][premultiplied])


def cull(closed: bool, side: int = GL.GL_BACK) -> None:
    """Leave out that side of closed shapes."""
    gl_state.cull_face(side)
    gl_state.enable(GL.GL_CULL_FACE, closed)
