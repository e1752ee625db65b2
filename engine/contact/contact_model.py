"""Distances between groups of convex shapes, for one pose of an arm or many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from armature.engine import batching
from armature.engine.contact.contact_kernel import ALL, GRADIENT, NEAREST, PAIR, VERDICT, contacts_many
from armature.engine.contact.packed_shapes import HALFSPACE, KIND, PackedShapes, pack_shapes
from armature.engine.contact.pair_distance import DISTANCE, NORMAL, POINT_A, RESULT
from armature.engine.contact.shapes import Shape
from armature.engine.errors import Cancelled, EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

TOUCHING = 1e-9
"""Distance in m up to which shapes count as touching."""
_CHUNK = 4096  # states between two checks for cancellation
_SPLIT_FROM = 32  # states, from which several threads share them


@dataclass(frozen=True, eq=False)
class ContactGroup(Frozen):
    """Convex shapes of one link or object.

    `body`: index of the body of the robot's tree that carries them, −1 for the world.
    """

    name: str
    body: int
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, eq=False)
class Distances(Frozen):
    """Signed distances of pairs of groups, for one pose `()` or many `(N,)`, in front of the named axes.

    `distance` m, negative: depth of penetration. `pair_index`: the pair (g, h), −1 where the distance is only a lower bound;
    `points` `(2, 3)`: the nearest points on g and h, m in W; `normal` `(3,)`: unit vector from h to g in W; `gradient` `(n,)`:
    derivative of the distance by joint, m/rad (prismatic: 1).

    p_g − p_h = distance · normal,  ∂distance/∂q = normalᵀ (J_g − J_h)
    """

    distance: np.ndarray
    pair_index: np.ndarray
    points: np.ndarray
    normal: np.ndarray
    gradient: np.ndarray


@dataclass(frozen=True, eq=False)
class ContactModel(Frozen):
    """Groups of convex shapes on an arm and in the world, and the pairs `(m, 2)` of their indices whose distances count."""

    robot: Robot = field(repr=False)
    groups: tuple[ContactGroup, ...]
    pairs: np.ndarray
    packed: PackedShapes = field(init=False, repr=False)
    _rows: np.ndarray = field(init=False, repr=False)

    def __post_init__(self):
        pairs = read_only(np.reshape(self.pairs, (-1, 2)), np.int64)
        packed = pack_shapes([(group.body, group.shapes) for group in self.groups])
        first = len(packed.rows) - len(self.groups)
        flat = packed.rows[first:, KIND] == HALFSPACE
        if pairs.size and not 0 <= pairs.min() <= pairs.max() < len(self.groups):
            raise EngineError(f"pairs of groups must be indices 0 to {len(self.groups) - 1}")
        for g, h in pairs:
            if flat[g] and flat[h]:
                raise EngineError(f"{self.groups[g].name} and {self.groups[h].name} are half-spaces, which have no distance")
        bodies = len(self.robot.bodies)
        for g, group in enumerate(self.groups):
            if not -1 <= group.body < bodies:
                raise EngineError(f"{group.name}: body must be -1 to {bodies - 1}, got {group.body}")
            if flat[g] and group.body >= 0:
                raise EngineError(f"{group.name}: a half-space must be fixed to the world, body -1")
        vars(self).update(pairs=pairs, packed=packed, _rows=read_only(pairs.ravel() + first, np.int64))

    @cached_property
    def pair_names(self) -> tuple[tuple[str, str], ...]:
        """Names of the two groups of each pair."""
        return tuple((self.groups[g].name, self.groups[h].name) for g, h in self.pairs)

    def nearest(self, q, limit: float = np.inf, cancelled: Callable[[], bool] | None = None) -> Distances:
        """Return the smallest signed distance over all pairs.

        Args:
            q: joint positions `(n,)` or `(N, n)`, rad or m.
            limit: distance in m from which pairs are skipped; where all are, `distance` is `limit` and `pair_index` −1.
            cancelled: called every few thousand states.

        Raises:
            DimensionError; Cancelled after `cancelled` returned True.
        """
        table, single = self._compute(q, NEAREST, 1, limit, cancelled)
        return self._distances(table[0, 0] if single else table[:, 0])

    def distances(self, q, limit: float = np.inf, cancelled: Callable[[], bool] | None = None) -> Distances:
        """Return the signed distances of all pairs, with an axis `(m,)` behind that of the poses.

        Args:
            q: joint positions `(n,)` or `(N, n)`, rad or m.
            limit: distance in m from which a lower bound of at least as much will do; `pair_index` is −1 there.
            cancelled: called every few thousand states.

        Raises:
            DimensionError; Cancelled after `cancelled` returned True.
        """
        table, single = self._compute(q, ALL, len(self.pairs), limit, cancelled)
        return self._distances(table[0] if single else table)

    def collides(self, q, margin: float = 0.0, cancelled: Callable[[], bool] | None = None) -> np.ndarray:
        """Return whether any pair touches or is nearer than `margin` m, `()` or `(N,)` bool.

        Args:
            q: joint positions `(n,)` or `(N, n)`, rad or m.
            margin: m.
            cancelled: called every few thousand states.

        Raises:
            DimensionError; Cancelled after `cancelled` returned True.
        """
        table, single = self._compute(q, VERDICT, 1, margin + TOUCHING, cancelled)
        found = table[:, 0, PAIR] >= 0
        return found[0] if single else found

    def _compute(self, q, mode: int, rows: int, limit: float, cancelled: Callable[[], bool] | None) -> tuple[np.ndarray, bool]:
        """Rows of the kernel's results `(N, rows, GRADIENT + n)`, and whether q was a single pose."""
        robot = self.robot
        (q,), single = batching.vectors(robot, q=q)
        moved = q if robot.coupling is None else robot.coupling.position(q)
        P, packed, N = robot.tree.packed, self.packed, len(q)
        table = np.zeros((N, rows, GRADIENT + P.shape[0] - 1))
        for start in range(0, N, _CHUNK):
            if cancelled is not None and cancelled():
                raise Cancelled("distances")
            part, out = moved[start : start + _CHUNK], table[start : start + _CHUNK]

            def task(lo: int, hi: int, part=part, out=out) -> None:
                contacts_many.call(P, part, packed.rows, packed.vertices, packed.graph, self._rows, mode, limit, out, lo, hi)

            batching.run(task, len(part), _SPLIT_FROM)
        return table, single

    def _distances(self, table: np.ndarray) -> Distances:
        """The results `(…, GRADIENT + bodies)` as arrays."""
        gradient, coupling = table[..., GRADIENT:], self.robot.coupling
        return Distances(
            table[..., DISTANCE],
            table[..., PAIR].astype(int),
            table[..., POINT_A:RESULT].reshape(*table.shape[:-1], 2, 3),
            table[..., NORMAL:POINT_A],
            gradient if coupling is None else coupling.force(gradient),
        )
