"""Surfaces in the workspace formed by singular poses and joint limits of the positioning part of an arm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.ik import ik
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import restricted
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.singularities.joint_axes import NEARLY, Centre, JointAxes
from armature.engine.singularities.positioning_part import Positioning
from armature.engine.singularities.singularity_patterns import at_centre

_ASIDE = 4e-3  # of the extent: distance of the tested points from the surface
_CLOUDS, _STARTS = (1 << 16, 1 << 12, 1 << 8), 6  # nearest samples as starts: in a small cloud they have every posture
_TOLERANCE = 1e-5  # of the extent
_FLAT = 1e-9  # of the extent: narrower pieces have no sides


class Sides:
    """Test of which points near its surfaces the positioning part of an arm reaches."""

    def __init__(self, part: Positioning):
        self.part = part
        self.arm = restricted(part.robot, joints=part.joints, q=part.q)
        self.positions = part.samples()
        self.cloud = part.points(self.positions)
        self.extent = float(np.ptp(self.cloud, axis=0).max())
        from scipy.spatial import cKDTree  # half a second to import, and no window needs it to open

        self.trees = [cKDTree(self.cloud[:size]) for size in _CLOUDS]
        self.task = tuple(TASK_AXES[row] for row in part.rows)

    def bounding(self, positions: np.ndarray) -> np.ndarray:
        """True for pieces between neighbours of positions `(K, S, k)` that bound the reach, `(K − 1, S − 1)` or `(V − 1)`.

        On each side of its middle, 0.4 % of the extent away, inverse kinematics starts from the nearest samples.
        """
        if min(positions.shape[:2]) < 2:
            line = positions.reshape(-1, positions.shape[2])
            middle = self.part.points(0.5 * (line[1:] + line[:-1]))
            across = np.cross(np.diff(self.part.points(line), axis=0), self._plane_normal())
            shape: tuple[int, ...] = (len(line) - 1,)
        else:
            corners = [positions[:-1, :-1], positions[1:, :-1], positions[:-1, 1:], positions[1:, 1:]]
            a, b, c, d = (self.part.points(p).reshape(-1, 3) for p in corners)
            middle = self.part.points(np.mean(corners, axis=0)).reshape(-1, 3)
            across = np.cross(d - a, c - b)
            shape = (positions.shape[0] - 1, positions.shape[1] - 1)
        size = np.linalg.norm(across, axis=1, keepdims=True)
        wide = size[:, 0] > (_FLAT * self.extent) ** min(2, len(shape))
        step = _ASIDE * self.extent * across[wide] / size[wide]
        bounds = np.zeros(len(middle), bool)
        bounds[wide] = ~(self.reached(middle[wide] + step) & self.reached(middle[wide] - step))
        return bounds.reshape(shape)

    def reached(self, points: np.ndarray) -> np.ndarray:
        """True for the points `(N, 3)` in W that a posture within the limits reaches, `(N,)`."""
        T = np.tile(np.eye(4), (len(points), 1, 1))
        T[:, :3, 3] = points
        nearest = np.concatenate([tree.query(points, k=_STARTS)[1] for tree in self.trees], axis=1)
        reached = np.zeros(len(points), bool)
        for starts in nearest.T:
            left = np.flatnonzero(~reached)
            if not len(left):
                break
            q0 = self.part.at(self.positions[starts[left]])
            found = ik(
                self.arm, T[left], q0=q0, frame=self.part.frame, task=self.task, tolerance=_TOLERANCE * self.extent, restarts=0
            )
            reached[left] = found.success
        return reached

    def _plane_normal(self) -> np.ndarray:
        return np.linalg.svd(self.cloud[:2000] - self.cloud[:2000].mean(axis=0), full_matrices=False)[2][-1]


_MOST_POINTS = 80  # of a curve that becomes a mesh
_LEAST = 0.1  # triangles with an area, per vertex; surfaces with fewer have shrunk to a line
_CROSSING = 2  # most points of a piece at a crossing of two curves


@dataclass(frozen=True, eq=False)
class SingularSurface(Frozen):
    """One surface in the workspace, or one curve for an arm that moves in a plane.

    `kind` is "singular", "limit", or "reach" if all reachable points form one surface; `name` identifies it: "Elbow stretched",
    "joint 2 at its upper limit". `vertices` `(V, 3)`: m in the world frame; `triangles` `(T, 3)`: indices of vertices, none for a
    curve, whose vertices are consecutive. `bounds` `(T,)`, for a curve `(V − 1,)`: True if this triangle or segment bounds the
    workspace within the joint limits, False if it is inside.
    """

    kind: str
    name: str
    vertices: np.ndarray
    triangles: np.ndarray
    bounds: np.ndarray


@dataclass(frozen=True, eq=False)
class SingularSurfaces:
    """Surfaces of singular poses and joint limits, as `singular_surfaces` returns them.

    `surfaces` are `SingularSurface` objects, traced by the `point` ("tool" or "wrist centre") that `joints` (0-based) move;
    `complete` is False if the computation was cancelled.
    """

    surfaces: tuple[SingularSurface, ...]
    point: str
    joints: tuple[int, ...]
    complete: bool


def singular_surfaces(
    robot: Robot,
    q=None,
    joints: tuple[int, ...] | None = None,
    resolution: int = 48,
    frame: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> SingularSurfaces:
    """Compute the surfaces in the workspace that singular poses and joint limits of the positioning joints form.

    The surfaces are swept by a point C: the wrist centre if the last three axes intersect, else the frame's origin. The first
    three joints that move C independently are used (the first two if all joints move it in one plane); all others are fixed at
    q. The singular poses satisfy det ∂C/∂(q_a, q_b, q_c) = 0 for the three joints a, b and c. The determinant does not depend on
    q_a: its zeros are curves in the positions of b and c, swept by joint a. A limit surface is swept by two joints with the
    third at its limit.

    Args:
        q: positions `(n,)` of the fixed joints, rad or m; None: home.
        joints: two or three joints to use instead, 0-based.
        resolution: points along each joint's range, 4 to 400.
        frame: a name in `robot.frames`; None: the tool.
        progress: called with (done, total) from the computing thread.
        cancel: called between surfaces; if it returns True, the surfaces computed so far are returned.

    Returns:
        `SingularSurfaces`: meshes in m in the world frame; curves for an arm whose tool moves in a plane.

    Raises:
        DimensionError, EngineError (also for arms with mimic joints), UnknownFrameError.

    Source: Abdel-Malek, Yeh 1997, Analytical boundary of the workspace for general 3-DOF mechanisms, IJRR 16(2).
    """
    (batch,), single = batching.states(robot, q=robot.configurations["home"] if q is None else q)
    if not single:
        raise EngineError(f"{robot.name}: q must be one pose of shape ({robot.n},)")
    if not isinstance(resolution, (int, np.integer)) or not 4 <= resolution <= 400:
        raise EngineError(f"resolution must be a whole number from 4 to 400, not {resolution!r}")
    part = Positioning.of(robot, batch[0], joints, frame)
    patches = [("singular", name, part.swept(line, resolution)) for name, line in _named_lines(part, 4 * resolution)]
    patches += [("limit", name, sides) for name, sides in part.limit_sides(resolution)]
    if part.is_shell:
        patches = [("reach", f"reachable positions of the {part.centre}", part.grid(resolution))]
    total = len(patches) + 1
    made: list[SingularSurface] = []
    sides = Sides(part)
    for done, (kind, name, positions) in enumerate(patches):
        if progress is not None:
            progress(done + 1, total)
        if cancel is not None and cancel():
            return SingularSurfaces(tuple(made), part.centre, part.joints, False)
        vertices, triangles, pieces = _mesh(part.points(positions))
        if len(triangles) > _LEAST * len(vertices) or (len(part.joints) == 2 and len(vertices) > 1):
            bounds = np.ones(len(pieces), bool) if kind == "reach" else sides.bounding(positions).ravel()[pieces]
            frozen = read_only(vertices), read_only(triangles, np.int64), read_only(bounds, bool)
            made.append(SingularSurface(kind, name, *frozen))
    if progress is not None:
        progress(total, total)
    return SingularSurfaces(tuple(made), part.centre, part.joints, True)


def _named_lines(part: Positioning, resolution: int) -> list[tuple[str, np.ndarray]]:
    """Singular curves in the last joints, cut where the geometric fact changes, each with the title of its fact."""
    named = []
    for line in part.singular_lines(resolution):
        line = line[np.unique(np.linspace(0, len(line) - 1, _MOST_POINTS).round().astype(int))]
        facts = _facts(part, line)
        starts = [0, *(k for k in range(1, len(line)) if facts[k] != facts[k - 1]), len(line)]
        for a, b in pairwise(starts):
            if b - a > _CROSSING or len(line) <= _CROSSING:  # shorter ones are where two curves cross
                named.append((facts[a][0] or "Singular", line[a : b + 1]))
    return named


def _facts(part: Positioning, line: np.ndarray) -> list[tuple[str, ...]]:
    """Title and condition of the geometric fact at each point `(K, 2)` of a singular curve."""
    positions = part.swept(line, 1)
    facts = []
    for q, point in zip(part.at(positions)[:, 0], part.points(positions)[:, 0], strict=True):
        lying = JointAxes.at(part.robot, q, part.frame)
        axes = JointAxes(part.robot, lying.z, lying.p, part.joints)
        patterns = at_centre(axes, Centre(point, (), part.centre), part.rows)
        facts.append((patterns[0].name.title, *patterns[0].conditions) if patterns else ("",))
    return facts


def _mesh(grid: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices `(V, 3)` and triangles of a grid of points `(K, S, 3)`, and the cell of each triangle, if it has an area.

    A curve has no triangles, and its cells are its V − 1 segments.
    """
    vertices = grid.reshape(-1, 3)
    if min(grid.shape[:2]) < 2:
        return vertices, np.empty((0, 3), int), np.arange(len(vertices) - 1)
    K, S = grid.shape[:2]
    corner = (np.arange(K - 1)[:, None] * S + np.arange(S - 1)).ravel()
    triangles = np.concatenate(
        [np.stack([corner, corner + 1, corner + S], 1), np.stack([corner + 1, corner + S + 1, corner + S], 1)]
    )
    sides = vertices[triangles[:, 1:]] - vertices[triangles[:, :1]]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    kept = area > NEARLY**2 * np.ptp(vertices, axis=0).max() ** 2
    return vertices, triangles[kept], np.tile(np.arange(len(corner)), 2)[kept]
