"""The joints between base and frame as an arm of their own: fingers and other branches have no part in its singularities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class ChainArm:
    """An arm without mimic joints whose tool is a frame of a robot; `joints` `(k,)` are the indices of its joints in q there."""

    robot: Robot
    joints: np.ndarray

    def within(self, q: np.ndarray, there: np.ndarray) -> np.ndarray:
        """q `(…, n)` of the whole robot with its chain's joints at `there` `(…, k)`."""
        whole = np.array(np.broadcast_to(q, (*there.shape[:-1], q.shape[-1])))
        whole[..., self.joints] = there
        return whole


def chain_arm(robot: Robot, frame: str | None) -> ChainArm | None:
    """The arm that moves a frame; None where a joint on the way to it copies another, or no joint moves it.

    Raises UnknownFrameError.
    """
    name = robot.tool if frame is None else frame
    chain = robot.chain(robot.frame(name))
    if not chain or (robot.coupling is not None and not set(chain) <= set(robot.joint_bodies)):
        return None
    if len(chain) == robot.n and robot.coupling is None:
        return ChainArm(robot, np.arange(robot.n))
    known = _KNOWN.setdefault(robot, {})
    if name not in known:
        known[name] = _cut(robot, name, chain)
    return known[name]


_KNOWN: WeakKeyDictionary[Robot, dict[str, ChainArm]] = WeakKeyDictionary()


def _cut(robot: Robot, name: str, chain: tuple[int, ...]) -> ChainArm:
    joints = np.array([robot.body_joints[body] for body in chain], np.int64)
    places = {-1: -1} | {body: k for k, body in enumerate(chain)}
    bodies = [replace(robot.bodies[body], parent=places[robot.bodies[body].parent]) for body in chain]
    frames = {key: replace(F, body=places[F.body]) for key, F in robot.frames.items() if F.body in places}
    arm = replace(
        robot,
        bodies=tuple(bodies),
        joint_names=tuple(robot.joint_names[j] for j in joints),
        links={key: frames[key] for key in robot.links if key in frames},
        frames=frames,
        tool=name,
        q_min=robot.q_min[joints],
        q_max=robot.q_max[joints],
        qd_max=robot.qd_max[joints],
        qdd_max=robot.qdd_max[joints],
        tau_max=robot.tau_max[joints],
        configurations={key: q[joints] for key, q in robot.configurations.items()},
        coupling=None,
        dh=None,
        link_parents={key: on for key, on in robot.link_parents.items() if key in frames and on in frames},
        flange="",
        fingers=(),
        visuals=(),
        collisions=(),
    )
    vars(arm)["reach"] = robot.reach  # one radian counts as many metres in the part as in the whole
    return ChainArm(arm, read_only(joints, np.int64))
