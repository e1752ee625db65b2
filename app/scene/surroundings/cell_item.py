"""`CellItem`: the objects of a cell, met by rays and coloured by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import at_once
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import Mesh, joined, linear
from armature.app.scene.gl.picking import Picker
from armature.app.scene.gl.scene_item import SceneItem, blended, opaque

SOLID, CLEAR = 12, 24  # depths: translucent objects are drawn after the arm and the floor
TINT, GLOW = 0.35, 0.6  # of a warned and of the selected object


@dataclass(frozen=True, eq=False)
class DrawnObject:
    """An object of a cell: its mesh in its own axes, its pose X_WO `(4, 4)`, and its opacity, 0 to 1.

    With `is_endless`, such as a half-space, it is not framed. With `is_quiet` it is drawn only while it is selected or warned,
    and no ray meets it.
    """

    name: str
    mesh: Mesh
    X_WO: np.ndarray
    opacity: float = 1.0
    is_endless: bool = False
    is_quiet: bool = False


class CellItem(SceneItem):
    """Draws the opaque objects; `veil` draws the others. The one `selected` glows, those in `warned` have the colour of contacts.

    `hides`: the user has hidden objects, which are not among `objects`.
    """

    def __init__(self):
        super().__init__(depth=SOLID)
        self.objects: tuple[DrawnObject, ...] = ()
        self.selected = ""
        self.warned: frozenset[str] = frozenset()
        self.hides = False
        self.veil = CellVeilItem(self)
        self._bodies = np.zeros(1, BODY)
        self._mesh, self._starts = joined([]), np.zeros(2, int)
        self._picker: Picker | None = None
        self._version = 0  # of the mesh
        self._bodies_are_new = False

    def set_objects(self, objects: tuple[DrawnObject, ...]) -> None:
        """Draw these objects; moving one uploads no mesh."""
        objects = tuple(sorted(objects, key=lambda thing: thing.opacity < 1.0))
        if [id(thing.mesh) for thing in objects] != [id(thing.mesh) for thing in self.objects]:
            whole = joined([thing.mesh.on_slot(k + 1) for k, thing in enumerate(objects)])
            self._mesh, self._starts = whole.slot_order(len(objects) + 1)
            self._picker = None
            self._version += 1
        self.objects = objects
        self._color()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the objects that are drawn."""
        return tuple(thing.name for thing in self.objects)

    def set_selected(self, name: str) -> None:
        """Light up an object; none for ""."""
        if name != self.selected:
            self.selected = name
            self._color()

    def set_warned(self, names: frozenset[str]) -> None:
        """Draw the objects of these names in the colour of contacts."""
        if names != self.warned:
            self.warned = names
            self._color()

    def _color(self) -> None:
        self._bodies = np.zeros(len(self.objects) + 1, BODY)
        for body, thing in zip(self._bodies[1:], self.objects, strict=True):
            body["pose"] = thing.X_WO.T
            tint, glow = TINT * (thing.name in self.warned), GLOW * (thing.name == self.selected)
            body["state"] = tint, tint, glow, thing.opacity * (not thing.is_quiet or tint > 0 or glow > 0)
        self._bodies_are_new = True

    def object_under(self, eye: np.ndarray, ray: np.ndarray, nearest: float = np.inf) -> str:
        """Name of the first object that a ray meets before `nearest` m; "" for none. `ray` is a unit vector in W."""
        if not self.objects or not self.visible():
            return ""
        if self._picker is None:
            self._picker = Picker(self._mesh, self._starts)
        quiet = frozenset(k + 1 for k, thing in enumerate(self.objects) if thing.is_quiet)
        hit = self._picker.cast(eye, ray, self._bodies["pose"].swapaxes(1, 2).astype(float), quiet)
        return self.objects[hit.slot - 1].name if hit is not None and hit.distance < nearest else ""

    def points(self, name: str = "") -> np.ndarray:
        """Corners `(N, 3)` in W of the box around each object that is not endless, or around the one with this name."""
        found = [_corners(thing) for thing in self.objects if name in ("", thing.name) and not thing.is_endless]
        return np.concatenate([np.zeros((0, 3)), *found])

    def prepare(self, frame: FrameState) -> None:
        self._gpu_mesh()

    def _gpu_mesh(self) -> GpuMesh:
        """The mesh on the card with the newest poses and colours, which another item may change after `prepare`."""
        gpu = self.held("mesh", GpuMesh)
        gpu.upload(self._mesh)
        if self._bodies_are_new:
            with at_once():  # an upload must not be repeated with the drawing
                gpu.set_bodies(self._bodies)
            self._bodies_are_new = False
        return gpu

    def drawn_by(self) -> tuple:
        return self._version, self.split, self.selected, self.warned

    @property
    def split(self) -> int:
        """Number of triangles of opaque objects."""
        return int(self._starts[1 + sum(thing.opacity >= 1.0 for thing in self.objects)])

    def draw(self, frame: FrameState) -> None:
        opaque()
        self.draw_part(frame, 0, self.split)

    def draw_part(self, frame: FrameState, first: int, count: int) -> None:
        """Draw triangles `first` to `first + count`."""
        if count > 0:
            gpu = self._gpu_mesh()
            tint, glow = linear(palette.CONTACT), linear(palette.SELECTED)
            self.shade_solids(frame, tint, glow)
            gpu.draw(first, count)

    @property
    def triangles(self) -> int:
        """Number of all triangles."""
        return len(self._mesh.faces)

    def release(self) -> None:
        super().release()
        self._bodies_are_new = True


class CellVeilItem(SceneItem):
    """Draws the translucent objects of a `CellItem` over everything behind them."""

    def __init__(self, cell: CellItem):
        super().__init__(depth=CLEAR)
        self._cell = cell

    def drawn_by(self) -> tuple:
        return self._cell.drawn_by()

    def draw(self, frame: FrameState) -> None:
        blended()
        self._cell.draw_part(frame, self._cell.split, self._cell.triangles - self._cell.split)


def _corners(thing: DrawnObject) -> np.ndarray:
    place = thing.mesh.vertices["position"].astype(float)
    low, high = place.min(axis=0), place.max(axis=0)
    corners = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    return corners @ thing.X_WO[:3, :3].T + thing.X_WO[:3, 3]
