"""A Denavit–Hartenberg description of any serial chain, found from where its joint axes lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC
from armature.engine.model.dh.dh_conversion import modified_rows
from armature.engine.model.dh_table import MODIFIED, STANDARD, DHTable, translate
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.rotations import rot_x, rot_z

_PARALLEL = 1e-9  # sine of the angle below which two axes differ by the rounding of a file only
_TOUCH = 1e-12  # m or rad, below which a value is rounding

Row = tuple[float, float, float, float]
_POSES = 64
_EXACT = 1e-9  # of the reach, and rad: below it a frame counts as fitted


@dataclass(frozen=True, eq=False)
class Line(Frozen):
    """The line through `p` `(3,)` along the unit vector `z` `(3,)`, world axes."""

    p: np.ndarray
    z: np.ndarray


def start_frame(axis: Line) -> np.ndarray:
    """Frame 0, 4×4, with z on the first axis: the world frame if that fits, else the point next to the world's origin."""
    if np.linalg.norm(axis.z - [0, 0, 1]) < _PARALLEL and np.linalg.norm(axis.p[:2]) < _TOUCH:
        return np.eye(4)
    return frame_at(axis.p - (axis.p @ axis.z) * axis.z, axis.z)


def frame_at(p: np.ndarray, z: np.ndarray, x: np.ndarray | None = None) -> np.ndarray:
    """Frame 4×4 at p with axis z; x is made orthogonal to z, by default the first coordinate axis far from z."""
    x = next(e for e in np.eye(3) if abs(e @ z) < 0.9) if x is None else x
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = np.column_stack([x, np.cross(z, x), z]), p
    return X


def next_frame(X: np.ndarray, target: Line, longest: float, end: np.ndarray | None = None) -> tuple[Row, np.ndarray, bool]:
    """The row (theta, d, a, alpha) from frame X to a frame whose z lies on `target`, that frame, and whether it had to be bent.

    Bent means: the axes are all but parallel, their normal farther than `longest` m away; then the new z is made parallel to the
    old one, through the target's own point. `end`, the last frame of a chain, is hit where a free choice allows.
    """
    z, p = X[:3, 2], X[:3, 3]
    across = np.cross(z, target.z)
    sine, cosine = float(np.linalg.norm(across)), float(z @ target.z)
    if sine > _PARALLEL:
        normal = across / sine
        d, a, foot = _common_normal(p, z, target, normal)
        if max(abs(d), float(np.linalg.norm(foot - target.p))) <= longest:
            # a ≥ 0; of the two directions that intersecting axes leave, the one with the smaller theta
            if a < -_TOUCH or (a < _TOUCH and normal @ X[:3, 0] < -_PARALLEL):
                normal, a, sine = -normal, -a, -sine
            return *_row(X, normal, d, a, float(np.arctan2(sine, cosine))), False
    return *_parallel(X, target, cosine, end), sine > _PARALLEL


def _common_normal(p: np.ndarray, z: np.ndarray, target: Line, normal: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Start of the common normal on the line (p, z), its signed length along `normal`, and its foot on the target.

    p + d z + a n = target.p + s target.z.
    """
    d, a, s = np.linalg.solve(np.column_stack([z, normal, -target.z]), target.p - p)
    return float(d), float(a), target.p + s * target.z


def foot_and_length(one: Line, other: Line, normal: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """Start of the common normal on one line, its signed length along `normal`, and its foot on the other."""
    d, a, foot = _common_normal(one.p, one.z, other, normal)
    return one.p + d * one.z, a, foot


def row_to(X: np.ndarray, target: np.ndarray) -> tuple[Row, np.ndarray]:
    """The row (theta, d, a, alpha) from frame X towards another whose x crosses both z at a right angle, and where it leads."""
    z, x = X[:3, 2], target[:3, 0]
    gap = target[:3, 3] - X[:3, 3]
    alpha = float(np.arctan2(np.cross(z, target[:3, 2]) @ x, z @ target[:3, 2]))
    return _row(X, x, float(gap @ z), float(gap @ x), alpha)


def _parallel(X: np.ndarray, target: Line, cosine: float, end: np.ndarray | None) -> tuple[Row, np.ndarray]:
    """Row for parallel axes: alpha is 0 or π; the normal starts at X, or so that it ends in the origin of `end`."""
    z = X[:3, 2]
    gap = target.p - X[:3, 3]
    d = float(gap @ z) if end is not None else 0.0
    offset = gap - (gap @ z) * z
    a = float(np.linalg.norm(offset))
    if a >= _TOUCH:
        normal = offset / a
    else:
        normal, a = (X if end is None else end)[:3, 0], 0.0
        normal = normal - (normal @ z) * z  # what rounding, or bending, has left along z
        normal = normal / np.linalg.norm(normal)
    return _row(X, normal, d, a, 0.0 if cosine > 0 else float(np.pi))


def _row(X: np.ndarray, normal: np.ndarray, d: float, a: float, alpha: float) -> tuple[Row, np.ndarray]:
    """The row whose x lies along `normal`, free of dust, and exactly the frame it leads to, so that no error adds up."""
    theta = float(np.arctan2(normal @ X[:3, 1], normal @ X[:3, 0]))
    theta, alpha = (np.pi if value < _TOUCH - np.pi else value for value in (theta, alpha))  # half a turn either way
    theta, d, a, alpha = (0.0 if abs(value) < _TOUCH else value for value in (theta, d, a, alpha))
    return (theta, d, a, alpha), X @ rot_z(theta) @ translate(a, 0, d) @ rot_x(alpha)


@dataclass(frozen=True, eq=False)
class DHDescription(Frozen):
    """DH table of a chain with its base and tool poses, as `dh_from_robot` returns it: X_WF(q) = X_W0 A_1(q_1) … A_n(q_n) X_nF.

    X_WF is the pose of the frame F in the world W, A_i the transform of row i. `table` has the `convention` and the rows `a`,
    `d` in m, `alpha`, `theta` in rad and `prismatic`, `(n,)` each; `base` X_W0 and `tool` X_nF are the 4×4 poses before and
    after them; `frame` is the name of F; `joints` are the 0-based indices of the robot's joints, one for each row, base first;
    `error` is the largest deviation of F from the robot's own, (m, rad), over random poses. `extra_joints` are joints after
    which an exact description needs one more frame than DH has, because the next axis is nearly parallel: the table treats the
    two as parallel, which is included in `error`. `extra_frames` names the constant poses, "base", "tool" or both, that differ
    from the identity; no row of the table contains them.
    """

    table: DHTable
    base: np.ndarray
    tool: np.ndarray
    frame: str
    joints: tuple[int, ...]
    error: tuple[float, float]
    extra_joints: tuple[int, ...]
    extra_frames: tuple[str, ...]

    def __post_init__(self):
        vars(self).update(base=read_only(self.base), tool=read_only(self.tool))

    def pose(self, q) -> np.ndarray:
        """Return the pose X_WF `(4, 4)` at q `(len(joints),)` in rad or m, computed from the table."""
        X = self.base
        for i, x in enumerate(np.asarray(q, float)):
            moved = translate(0, 0, x) if self.table.prismatic[i] else rot_z(x)
            X = X @ self.table.placement(i) @ moved @ self.table.tail(i)
        return X @ self.tool


def dh_from_robot(
    robot: Robot, convention: str = STANDARD, frame: str | None = None, longest: float | None = None
) -> DHDescription:
    """Compute the DH rows of the joints between the world and a frame F from the common normals of neighbouring axes.

    a_i is the length of the common normal of axes i and i+1, alpha_i the angle between them about it, d_i and theta_i where it
    starts on axis i. For intersecting axes the normal is their cross product; for parallel axes any normal is valid, and the
    one without offset is used. The z axis of F closes the chain.

    Args:
        robot: any robot; of a tree, only the joints that move F are described.
        convention: "standard" or "modified".
        frame: a name in `robot.frames`; None: the tool.
        longest: length in m. Two axes are treated as parallel if their common normal is at a greater distance than this along an
            axis; None: 1000 times the robot's reach, so that lengths keep at least ten digits.

    Returns:
        A `DHDescription`: table, poses before and after it, and the error of the fit.

    Raises:
        ModelError: unknown convention, frame that no joint moves, or mimic joints.
        UnknownFrameError: the robot has no such frame.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 2.8.2; Hayati, Mirmirani, Improving the
    absolute positioning accuracy of robot manipulators, 1985, for nearly parallel axes.
    """
    if convention not in (STANDARD, MODIFIED):
        raise ModelError(f"{robot.name}: unknown DH convention {convention!r}; valid are {STANDARD} and {MODIFIED}")
    name = robot.tool if frame is None else frame
    joints = _chain(robot, name)
    X_WF, axes = lines_at_zero(robot, name, joints)
    table, base, tool, snapped = _standard(axes, X_WF, [robot.prismatic[i] for i in joints], longest or 1000 * robot.reach)
    if convention == MODIFIED:
        tool = table.tail(-1) @ tool
        table = modified_rows(table)
    return describe(robot, name, joints, table, base, tool, tuple(joints[i] for i in snapped))


def describe(
    robot: Robot,
    frame: str,
    joints: tuple[int, ...],
    table: DHTable,
    base: np.ndarray,
    tool: np.ndarray,
    extra_joints: tuple[int, ...] = (),
) -> DHDescription:
    """The description with its error over random poses, and with the ends that no row holds."""
    found = DHDescription(table, base, tool, frame, joints, (0.0, 0.0), extra_joints, ())
    scale = _EXACT * max(1.0, robot.reach)
    ends = tuple(end for end, X in (("base", base), ("tool", tool)) if np.abs(X - np.eye(4)).max() > scale)
    return replace(found, error=_error(robot, found), extra_frames=ends)


def _chain(robot: Robot, name: str) -> tuple[int, ...]:
    if robot.coupling is not None:
        raise ModelError(f"{robot.name}: a DH table cannot describe mimic joints (joints that copy others)")
    chain = robot.chain(robot.frame(name))
    if not chain:
        raise ModelError(f"{robot.name}: no joint moves the frame {name!r}, so it has no DH table")
    return chain


def lines_at_zero(robot: Robot, name: str, joints: tuple[int, ...]) -> tuple[np.ndarray, list[Line]]:
    """X_WF and the lines of the joint axes at q = 0."""
    X, axes = np.eye(4), []
    for i in joints:
        X = X @ robot.bodies[i].X_PJ
        axes.append(Line(X[:3, 3], X[:3, 2]))
    return X @ robot.frame(name).X_BF, axes


def _standard(
    axes: list[Line], X_WF: np.ndarray, prismatic: list[bool], longest: float
) -> tuple[DHTable, np.ndarray, np.ndarray, list[int]]:
    """The standard table, X_W0, X_nF, and the rows whose axes were taken as parallel."""
    n = len(axes)
    X = base = start_frame(axes[0])
    rows, snapped = np.empty((n, 4)), []
    for i in range(n):
        target = axes[i + 1] if i + 1 < n else Line(X_WF[:3, 3], X_WF[:3, 2])
        rows[i], X, bent = next_frame(X, target, longest, X_WF if i + 1 == n else None)
        if bent and i + 1 < n:  # what the last row leaves, the tool's pose holds
            snapped.append(i)
    theta, d, a, alpha = rows.T
    return DHTable(STANDARD, a, alpha, d, theta, np.array(prismatic)), base, np.linalg.inv(X) @ X_WF, snapped


def _error(robot: Robot, found: DHDescription) -> tuple[float, float]:
    """Largest distance in m and angle in rad between F by the table and by the robot, over random poses."""
    distance = angle = 0.0
    for q in np.random.default_rng(0).uniform(-np.pi, np.pi, (_POSES, len(found.joints))):
        X, Y = _robot_pose(robot, found, q), found.pose(q)
        distance = max(distance, float(np.linalg.norm(X[:3, 3] - Y[:3, 3])))
        # |X − Y|_F = 2 √2 sin(angle / 2), exact for small angles where acos of the trace is not
        half = np.linalg.norm(X[:3, :3] - Y[:3, :3]) / (2 * np.sqrt(2))
        angle = max(angle, float(2 * np.arcsin(min(1.0, half))))
    return distance, angle


def _robot_pose(robot: Robot, found: DHDescription, q: np.ndarray) -> np.ndarray:
    X = np.eye(4)
    for i, x in zip(found.joints, q, strict=True):
        body = robot.bodies[i]
        X = X @ body.X_PJ @ (translate(0, 0, x) if body.joint_type == PRISMATIC else rot_z(x))
    return X @ robot.frame(found.frame).X_BF
