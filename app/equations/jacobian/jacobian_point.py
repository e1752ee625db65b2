"""`JacobianPoint`: where on the arm a Jacobian is of: the tool, a link's frame or its centre of mass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.state.units import significant
from armature.engine.model.body import Frame
from armature.engine.model.robot import Robot
from armature.engine.rotations import roll_pitch_yaw, rotation_vector

if TYPE_CHECKING:
    from armature.engine.formulas.formula import Formula

GEOMETRIC, ANALYTIC = "geometric", "analytic"
MOMENT = 1e-4  # s
LOCKED, NEAR = 1e-6, 0.1  # cosines of pitches that count as ±90°, and as near it


@dataclass(frozen=True)
class JacobianPoint:
    """`robot` with a frame at the point as its tool, `name` in words, and whether it is a centre of mass."""

    robot: Robot
    name: str
    at_mass: bool

    @property
    def frame(self) -> Frame:
        """The frame on its body."""
        return self.robot.tool_frame

    def jacobian(self, q: np.ndarray, kind: str) -> np.ndarray:
        """J or J_A `(6, n)`. Raises EngineError where the angles have no rates."""
        return engine.jacobian(self.robot, q) if kind == GEOMETRIC else engine.analytic_jacobian(self.robot, q)

    def jacobian_dot(self, q: np.ndarray, qd: np.ndarray, kind: str) -> np.ndarray:
        """Jdot or that of J_A. Raises EngineError where the angles have no rates."""
        if kind == GEOMETRIC:
            return engine.jacobian_dot(self.robot, q, qd)
        return engine.analytic_jacobian_dot(self.robot, q, qd)

    def angles(self, q: np.ndarray) -> np.ndarray:
        """Roll, pitch and yaw `(3,)` of its frame."""
        return roll_pitch_yaw(engine.frame_pose(self.robot, q)[:3, :3])

    def by_differences(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Velocity and acceleration (v, w) of the point as columns `(6, 2)`, from where it is a moment before and after."""
        before, now, after = (engine.frame_pose(self.robot, q + t * qd + 0.5 * t * t * qdd) for t in (-MOMENT, 0.0, MOMENT))
        turns = [rotation_vector(b[:3, :3] @ a[:3, :3].T) for a, b in ((before, now), (now, after), (before, after))]
        ways = now[:3, 3] - before[:3, 3], after[:3, 3] - now[:3, 3]
        v, w = (ways[0] + ways[1]) / (2 * MOMENT), turns[2] / (2 * MOMENT)
        a, wd = (ways[1] - ways[0]) / MOMENT**2, (turns[1] - turns[0]) / MOMENT**2
        return np.column_stack([np.concatenate([v, w]), np.concatenate([a, wd])])

    def formula(self) -> Formula:
        """J in symbols. Raises EngineError where there are none."""
        found = engine.equations(self.robot).J
        return _renamed(self.robot, found) if self.at_mass else found


def tool_point(robot: Robot) -> JacobianPoint:
    """The tool."""
    return JacobianPoint(robot, "the tool", False)


def link_point(robot: Robot, link: str, at_mass: bool) -> JacobianPoint:
    """A link's frame, or its centre of mass with the axes of its body."""
    if not at_mass:
        return JacobianPoint(robot.with_tool(link), link, False)
    name, body = f"centre of mass of {link}", robot.links[link].body
    X = np.eye(4)
    X[:3, 3] = robot.bodies[body].com
    return JacobianPoint(replace(robot, frames={**robot.frames, name: Frame(body, X)}, tool=name), name, True)


def moving_links(robot: Robot) -> list[str]:
    """The links that joints move, one per body."""
    first: dict[int, str] = {}
    for name, frame in robot.links.items():
        first.setdefault(frame.body, name)
    return [first[body] for body in range(len(robot.bodies))]


def motion_words(source: str, still: bool) -> str:
    """Where speeds and accelerations are from."""
    if still:
        return "The arm is at rest: enter q̇ and q̈ in Joints, run the simulation or replay a recording."
    return f"q̇ and q̈ from {source}. Velocities in m/s and rad/s, accelerations in m/s² and rad/s²."


def rates_words(pitch: float, text: str) -> str:
    """det E at this pitch, and what happens at ±90°."""
    cosine = float(np.cos(pitch))
    locked = cosine < LOCKED
    where = " (at this pose)" if locked else " (close to this pose)" if cosine < NEAR else ""
    value = "∞" if locked else significant(1.0 / cosine)
    return (
        f"det E = 1/cos(pitch) = {value} at a pitch of {text}. At ±90°{where} it is infinite:"
        " roll and yaw rotate about the same axis. This is a singularity of the angles, not of the arm or of its"
        " geometric Jacobian."
    )


def no_entry(kind: str, row: int) -> str:
    """Why an entry of an analytic Jacobian has no formula of its own; empty where it has."""
    if kind == GEOMETRIC or row < 3:
        return ""
    return "Formulas are shown for the geometric Jacobian: multiply its rows 4 to 6 by E to obtain this row."


def _renamed(robot: Robot, J: Formula) -> Formula:
    """With the lc of the books for what the letters call the place of a tool."""
    from armature.engine.formulas.formula import Formula

    body = robot.tool_frame.body + 1
    ends = [axis for axis in "xyz" if f"{axis}t" in J.letters]
    new = {f"{axis}t": f"lc{body}" if len(ends) == 1 else f"{axis}c{body}" for axis in ends}
    if not new:
        return J
    from sympy import Symbol

    def make(place):
        return {monomial: renamed(value) for monomial, value in J.terms(place).items()}

    def renamed(value):
        return value.xreplace({x: Symbol(new[x.name]) for x in value.free_symbols if x.name in new})

    letters = {new.get(name, name): value for name, value in J.letters.items()}
    return Formula(robot, "J", J.about, J.shape, make, J.arguments, letters)
