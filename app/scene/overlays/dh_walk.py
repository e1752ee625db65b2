"""A walk along the moves of a DH chain: where it stands, and in words what happens there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.state.units import MINUS, Units, number, significant
from armature.engine.model.dh.dh_extraction import DHDescription
from armature.engine.model.dh.dh_moves import (
    ALPHA,
    BASE,
    THETA,
    TOOL,
    A,
    D,
    DHMove,
    chain_positions,
    dh_chain,
    dh_moves,
    frame_poses,
)
from armature.engine.model.dh_table import MODIFIED
from armature.engine.model.robot import Robot

SYMBOLS = {THETA: "θ", D: "d", A: "a", ALPHA: "α"}
MATRICES = {THETA: "Rot z", D: "Trans z", A: "Trans x", ALPHA: "Rot x"}
SUBSCRIPTS = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")


def subscript(index: int) -> str:
    """12 as ₁₂."""
    return str(index).translate(SUBSCRIPTS)


@dataclass(frozen=True, eq=False)
class DHStep:
    """One moment of a walk: `move` has gone the fraction `s` of its way.

    `trail` `(k, 4, 4)` are the frames this joint's moves have left behind, the joint's own start first, `before` the last of
    them; `now` is the moving frame and `after` where it goes to, all in W. `elementary` is the part of the move already made.
    """

    number: int
    count: int
    move: DHMove
    s: float
    trail: np.ndarray
    after: np.ndarray
    frame: int  # the frame that this joint's moves start from
    ends_frame: bool
    modified: bool
    from_world: bool

    @property
    def before(self) -> np.ndarray:
        """Where the move starts."""
        return self.trail[-1]

    @property
    def elementary(self) -> np.ndarray:
        """The part of the move that is made."""
        return self.move.at(self.s)

    @property
    def now(self) -> np.ndarray:
        """The moving frame in W."""
        return self.after if self.s >= 1.0 else self.before @ self.elementary

    @property
    def complete(self) -> bool:
        """Whether the moving frame is a link's frame now."""
        return self.s >= 1.0 and self.ends_frame

    @property
    def symbol(self) -> str:
        """θ₂, d₃, a₁, α₀, base or tool."""
        move = self.move
        return SYMBOLS[move.quantity] + subscript(move.index) if move.row >= 0 else move.quantity

    @property
    def axis(self) -> str:
        """The axis turned about or slid along, as the lectures number it: z₁."""
        z = self.move.axis == 2
        return "xyz"[self.move.axis] + subscript(self.move.row + int(self.modified == z))

    def value(self, units: Units) -> str:
        """θ₂ = −30°."""
        if self.move.row < 0:
            return self.move.quantity
        return f"{self.symbol} = {_brief(self.move.value, not self.move.turns, units)}"

    def sentence(self, units: Units) -> str:
        """What happens, for people."""
        if self.number == 1 and self.s == 0.0:
            return f"Start: the moving frame is at {'the world frame' if self.from_world else 'frame 0'}."
        if self.move.quantity == BASE:
            return "Place frame 0 at the base of the arm."
        if self.move.quantity == TOOL:
            return f"Place the tool on frame {self.frame}."
        verb = ("Rotate about", "rotation about") if self.move.turns else ("Translate along", "translation along")
        if self.move.still:
            text = f"{self.value(units)}: no {verb[1]} {self.axis}."
        else:
            text = f"{verb[0]} {self.axis} by {self.value(units)}."
        return text + (f" Frame {self.frame + 1} is complete." if self.complete else "")

    def matrix_title(self) -> str:
        """Rot z(θ₂), with the fraction while under way."""
        if self.move.row < 0:
            return "Base" if self.move.quantity == BASE else "Tool"
        part = "" if self.s >= 1.0 else f"{number(self.s, 2)} "
        return f"{MATRICES[self.move.quantity]}({part}{self.symbol})"

    def accumulated_title(self) -> str:
        """⁰T₂, and what has been multiplied to it on the way to the next frame."""
        base = "ᵂT" if self.from_world else "⁰T"
        if self.move.quantity == BASE:
            return f"{base}₀"
        if self.move.quantity == TOOL:
            return f"{base}{subscript(self.frame)} Tool"
        if self.complete:
            return f"{base}{subscript(self.frame + 1)}"
        return f"{base}{subscript(self.frame)} … {self.matrix_title()}"

    def touched(self) -> tuple[np.ndarray, np.ndarray]:
        """Which entries `(4, 4)` of the elementary and of the accumulated matrix this move is about."""
        own, product = np.zeros((4, 4), bool), np.zeros((4, 4), bool)
        if self.move.row < 0:
            own = np.abs(self.move.X - np.eye(4)) > 1e-12
            product[:3] = True
        elif self.move.turns:
            pair = [0, 1] if self.move.axis == 2 else [1, 2]
            own[np.ix_(pair, pair)] = True
            product[:3, pair] = True
        else:
            own[self.move.axis, 3] = True
            product[:3, 3] = True
        return own, product


class DHWalk:
    """The chain of a robot in one convention, its moves at a pose, and the moment at any point of the way.

    A point p of the way counts moves: at 6.5 six are made and half of the seventh; `count` is the end.
    """

    def __init__(self, robot: Robot, q: np.ndarray, convention: str | None = None, chain: DHDescription | None = None):
        self.robot, self.chain = robot, dh_chain(robot, convention) if chain is None else chain
        self._laid = chain is not None  # by somebody who chose between what the rules leave open
        self.convention = self.chain.table.convention
        self.set_q(q)
        self.count = len(self.moves)
        self.joint_stops = self._joint_stops()

    def set_q(self, q: np.ndarray):
        """The same way at another pose `(n,)` of the robot."""
        self.q = chain_positions(self.robot, self.chain, q)
        self.moves = dh_moves(self.chain, self.q)
        self.poses = frame_poses(self.moves)

    @property
    def still(self) -> tuple[bool, ...]:
        """Of every move, whether it moves nothing."""
        return tuple(move.still for move in self.moves)

    def index(self, p: float) -> int:
        """The move under way at p; the one just made where p is whole."""
        return max(0, int(np.ceil(p)) - 1)

    def step(self, p: float) -> DHStep:
        """The moment at p in 0 … `count`."""
        k = self.index(p)
        move, n = self.moves[k], self.chain.table.n
        first = k if move.row < 0 else next(j for j in range(k + 1) if self.moves[j].row == move.row)
        ends = k + 1 == self.count or self.moves[k + 1].row != move.row
        frame = move.row if move.row >= 0 else n if move.quantity == TOOL else 0
        return DHStep(
            number=k + 1,
            count=self.count,
            move=move,
            s=p - k,
            trail=self.poses[first : k + 1],
            after=self.poses[k + 1],
            frame=frame,
            ends_frame=ends,
            modified=self.convention == MODIFIED,
            from_world=self.moves[0].quantity == BASE,
        )

    def remark(self) -> str:
        """Where the table comes from, and what it does not hold."""
        robot, chain = self.robot, self.chain
        if self._laid:
            said = ["Frames chosen in Assign frames."]
        elif robot.dh is None:
            far, turned = (significant(error, 1) for error in chain.error)
            said = [f"Computed from the joint axes; fit error {far} m, {turned} rad."]
        elif robot.dh.convention != self.convention:
            said = [f"Converted from the {robot.dh.convention} table of the robot: same arm, other frames."]
        else:
            said = ["The DH table of the robot."]
        if len(chain.joints) < len(robot.bodies):
            said.append(f"Shows the {len(chain.joints)} of {len(robot.bodies)} joints that move the tool.")
        for i in chain.extra_joints:
            name = robot.tree.joint_names[i]
            said.append(
                f"The axis after {name} is almost parallel to it; the table treats both as parallel, which adds to the fit error."
            )
        if chain.extra_frames:
            several = len(chain.extra_frames) > 1
            rest = "have no row and are separate steps" if several else "has no row and is a separate step"
            said.append(f"The {' and the '.join(chain.extra_frames)} {rest}.")
        return " ".join(said)

    def _joint_stops(self) -> list[int]:
        """Points of the way where a frame is complete, the start first."""
        rows = [move.row for move in self.moves] + [-2]
        return [0] + [k + 1 for k in range(self.count) if rows[k] != rows[k + 1]]


def _brief(value: float, length: bool, units: Units) -> str:
    """A value with its unit and no zeros at the end."""
    text = number(value * units.factor(length), units.decimals(length))
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text if text not in (MINUS, '') else '0'}{units.suffix(length)}"
