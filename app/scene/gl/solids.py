"""`Solids`: what is drawn of an arm and met by rays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

import numpy as np

from armature.app.scene.gl.mesh import Mesh, joined
from armature.app.scene.gl.picking import Picker
from armature.engine import Robot

# Directions in which an arm's extremes are looked for: to the faces, edges and corners of a cube.
OUTWARD = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])


@dataclass(frozen=True, eq=False)
class Solids:
    """A mesh and all that is made of it once, away from the GUI's thread where it is large.

    Triangles `starts[s]` to `starts[s + 1]` of `mesh` are those of slot s; after the last comes the veil, which is drawn
    translucent and which no ray meets. `extremes` are the outermost points `(N, 3)` of every slot, in its axes, and `owners`
    `(N,)` their slots; `joints` the joint that moves each body. `stands` says that the mesh brings its own foot.
    """

    mesh: Mesh
    starts: np.ndarray
    extremes: np.ndarray
    owners: np.ndarray
    joints: tuple[int, ...]
    stands: bool = False

    @staticmethod
    def of(robot: Robot, mesh: Mesh, veil: Mesh | None = None, stands: bool = False) -> Solids:
        """The solids of a robot whose vertices are on the slots of its bodies."""
        ordered, starts = mesh.slot_order(len(robot.bodies) + 1)
        extremes, owners = _extremes(ordered, starts)
        whole = ordered if veil is None else joined([ordered, veil])
        return Solids(whole, starts, extremes, owners, robot.body_joints, stands)

    @cached_property
    def picker(self) -> Picker:
        """Meets them with rays; made at the first ray, or ahead of it in the background."""
        return Picker(self.mesh, self.starts, self.joints)

    @property
    def solid(self) -> tuple[int, int]:
        """First triangle and number of those that are not the veil."""
        return 0, int(self.starts[-1])

    @property
    def closed(self) -> bool:
        """Whether the inside of no shape is ever seen: those built here are closed, what files bring may be anything."""
        return not self.stands

    @property
    def veil(self) -> tuple[int, int]:
        """First triangle and number of the veil."""
        return int(self.starts[-1]), len(self.mesh.faces) - int(self.starts[-1])

    def points(self, X_WS: np.ndarray) -> np.ndarray:
        """The extremes in W at slot poses `(slots, 4, 4)`."""
        X = X_WS[self.owners]
        return np.einsum("vij,vj->vi", X[:, :3, :3], self.extremes) + X[:, :3, 3]


def _extremes(mesh: Mesh, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    points, owners = [np.zeros((0, 3))], [np.zeros(0, np.int64)]
    position, used = mesh.vertices["position"], np.zeros(len(mesh.vertices), bool)
    for slot, (first, last) in enumerate(pairwise(starts)):
        if last > first:
            corners = mesh.faces[first:last].ravel()
            used[corners] = True
            place = position[used].astype(float)
            used[corners] = False
            outermost = np.unique((OUTWARD @ place.T).argmax(axis=1))
            points.append(place[outermost])
            owners.append(np.full(len(outermost), slot))
    return np.concatenate(points), np.concatenate(owners)
