"""A DH chain as the elementary moves that build its frames one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.model.dh.dh_conversion import to_modified, to_standard
from armature.engine.model.dh.dh_extraction import DHDescription, dh_from_robot
from armature.engine.model.dh_table import MODIFIED, STANDARD, translate
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.rotations import rot_x, rot_z, rotation, rotation_vector

THETA, D, A, ALPHA, BASE, TOOL = "theta", "d", "a", "alpha", "base", "tool"
ORDER = {STANDARD: (THETA, D, A, ALPHA), MODIFIED: (ALPHA, A, THETA, D)}
TURNS = (THETA, ALPHA)
_STILL = 1e-12  # m or rad


@dataclass(frozen=True, eq=False)
class DHMove(Frozen):
    """One elementary move of a frame about or along its own z (theta, d) or x axis (a, alpha), or a constant placement.

    `quantity` is one of theta, d, a, alpha, base, tool; `row` the 0-based row of the table (-1 for base and tool); `index` the
    subscript the quantity has in books; `value` in rad or m; `live` where the joint variable is part of it; `X` the whole
    move, 4×4.
    """

    quantity: str
    row: int
    index: int
    value: float
    live: bool
    X: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "X", read_only(self.X))

    @property
    def turns(self) -> bool:
        """Whether it is a rotation about one axis; d and a are translations."""
        return self.quantity in TURNS

    @property
    def axis(self) -> int:
        """Column of the moving frame's pose for the axis of the move: 0 for x, 2 for z."""
        return 2 if self.quantity in (THETA, D) else 0

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return bool(np.abs(self.X - np.eye(4)).max() < _STILL)

    def at(self, s: float) -> np.ndarray:
        """The pose 4×4 after the fraction s in 0 … 1 of the move: Rot or Trans of s · value, exactly `X` at 1."""
        if s >= 1.0:
            return self.X
        if self.row < 0:
            return _part_way(self.X, s)
        return elementary(self.quantity, s * self.value)


def elementary(quantity: str, value: float) -> np.ndarray:
    """Rot_z(theta), Trans_z(d), Trans_x(a) or Rot_x(alpha) as a 4×4 pose; value in rad or m."""
    if quantity in TURNS:
        return rot_z(value) if quantity == THETA else rot_x(value)
    return translate(0, 0, value) if quantity == D else translate(value, 0, 0)


def dh_chain(robot: Robot, convention: str | None = None) -> DHDescription:
    """The robot's own DH table, or the one of the other convention; found from the joint axes where the robot has none.

    X_WT(q) = X_W0 A_1(q_1) … A_n(q_n) X_nT; of a tree, the joints of the `tree` robot that move the tool.

    Raises:
        ModelError: where no joint moves the tool.
    """
    if robot.dh is not None and convention is not None:
        robot = to_standard(robot) if convention == STANDARD else to_modified(robot)
    if robot.dh is None:
        return dh_from_robot(robot.tree, convention or STANDARD)
    base, last = robot.base, robot.links[robot.link_names[-1]]
    tool = np.linalg.inv(last.X_BF) @ robot.frames[robot.tool].X_BF
    found = DHDescription(robot.dh, base, tool, robot.tool, tuple(range(robot.n)), (0.0, 0.0), (), ())
    return replace(found, extra_frames=tuple(end for end, X in ((BASE, base), (TOOL, tool)) if not _is_identity(X)))


def chain_positions(robot: Robot, chain: DHDescription, q: np.ndarray) -> np.ndarray:
    """Positions `(len(chain.joints),)` of the joints of a chain at the robot's q `(n,)`; rad and m."""
    every = q if robot.coupling is None else robot.coupling.position(q)
    return every[list(chain.joints)]


def dh_moves(chain: DHDescription, q: np.ndarray) -> tuple[DHMove, ...]:
    """All moves of a chain at q `(len(chain.joints),)` in rad or m, whose product is X_WF.

    Standard:  Rot_z(theta_i) Trans_z(d_i) Trans_x(a_i) Rot_x(alpha_i).
    Modified:  Rot_x(alpha_{i-1}) Trans_x(a_{i-1}) Rot_z(theta_i) Trans_z(d_i).
    Before and after them base and tool, where `chain.extra_frames` names them.

    Source: Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, eq. 3.10; Craig, Introduction to Robotics, eq. 3.6.
    """
    table, moves = chain.table, []
    order = ORDER[table.convention]
    for i, row in enumerate(table.rows(np.asarray(q, float))):
        values = dict(zip((THETA, D, A, ALPHA), row.tolist(), strict=True))
        for quantity in order:
            index = i if table.convention == MODIFIED and quantity in (A, ALPHA) else i + 1
            live = quantity == (D if table.prismatic[i] else THETA)
            moves.append(DHMove(quantity, i, index, values[quantity], live, elementary(quantity, values[quantity])))
    if BASE in chain.extra_frames:
        moves.insert(0, DHMove(BASE, -1, 0, 0.0, False, chain.base))
    if TOOL in chain.extra_frames:
        moves.append(DHMove(TOOL, -1, 0, 0.0, False, chain.tool))
    return tuple(moves)


def frame_poses(moves: tuple[DHMove, ...]) -> np.ndarray:
    """Poses `(len(moves) + 1, 4, 4)` of the moving frame in W before the first move and after each one."""
    poses = np.empty((len(moves) + 1, 4, 4))
    poses[0] = np.eye(4)
    for k, move in enumerate(moves):
        poses[k + 1] = poses[k] @ move.X
    return poses


def _is_identity(X: np.ndarray) -> bool:
    return bool(np.abs(X - np.eye(4)).max() < _STILL)


def _part_way(X: np.ndarray, s: float) -> np.ndarray:
    """A fraction s of a placement: R(s) about the fixed axis of R by s times its angle, p(s) = s p (Rodrigues)."""
    out = translate(*(s * X[:3, 3]))
    out[:3, :3] = rotation(s * rotation_vector(X[:3, :3]))
    return out
