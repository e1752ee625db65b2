"""The robot with identified parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.body import Body, Friction
from armature.engine.model.inertia_rules import InertiaRemark
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.rotations import skew

IDENTIFIED = " (identified)"
"""What the title of an identified arm ends with."""


def with_parameters(unknowns: Unknowns, full: np.ndarray) -> Robot:
    """The robot of `unknowns` with the parameters `(F,)`; friction keeps the file's breakaway level above the new Coulomb one."""
    robot = unknowns.robot
    told = dict(zip(unknowns.full_names, full.tolist(), strict=True))
    alone = unknowns.held is not None
    bodies = [body if alone else _body(body, full[10 * i : 10 * i + 10]) for i, body in enumerate(robot.bodies)]
    for i, body in enumerate(robot.bodies):
        j = i + 1
        if unknowns.rotor:
            bodies[i] = replace(bodies[i], rotor_inertia=max(told[f"Ia{j}"], 0.0))
        if unknowns.friction:
            bodies[i] = replace(
                bodies[i], friction=_friction(body.friction, *(told[f"{name}{j}"] for name in ("Fv", "Fc+", "Fc−")))
            )
    if alone:
        return payload_of(full[:10]).held_by(replace(robot, bodies=tuple(bodies)))
    title = f"{robot.title.removesuffix(IDENTIFIED)}{IDENTIFIED}"
    remarks = tuple(remark for remark in robot.remarks if not isinstance(remark, InertiaRemark))
    return replace(
        robot, bodies=tuple(bodies), title=title, remarks=remarks, source=None, file_hash="", companion_hash="", changes=()
    )


def payload_of(full: np.ndarray) -> Payload:
    """The payload with the parameters `(10,)` in the tool frame."""
    body = _body(Body(-1, "revolute", np.eye(4)), full)
    return Payload(body.mass, body.com, body.inertia)


def _body(body: Body, pi: np.ndarray) -> Body:
    m = float(pi[0])
    c = pi[1:4] / m
    I = np.array([[pi[4], pi[5], pi[7]], [pi[5], pi[6], pi[8]], [pi[7], pi[8], pi[9]]])
    return replace(body, mass=m, com=c, inertia=I + m * skew(c) @ skew(c))


def _friction(file: Friction, viscous: float, plus: float, minus: float) -> Friction:
    plus, minus = max(plus, 0.0), max(minus, 0.0)
    before, now = max(file.coulomb), max(plus, minus)
    stiction = file.stiction * now / before if before > 0.0 else file.stiction
    return Friction(max(viscous, 0.0), (plus, minus), stiction)
