"""Standard and modified Denavit–Hartenberg descriptions of the same arm, one turned into the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import Frame
from armature.engine.model.dh_table import MODIFIED, STANDARD, DHTable, translate
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual
from armature.engine.rotations import rot_x


def shapes_on_links(robot: Robot, links: Mapping[str, Frame], turns: Sequence[np.ndarray] | None = None) -> dict[str, Any]:
    """`visuals`, `collisions` and `ignored_contacts` of the robot, on the one of `links` that each body carries, where they were.

    X_LG' = X_BL'⁻¹ X_BB' X_BL X_LG; `turns` are the poses X_BB' `(4, 4)` of the old body frames in the new ones, None where they
    are the same.
    """
    own: dict[int, tuple[str, Frame]] = {}
    for name, frame in links.items():
        own.setdefault(frame.body, (name, frame))

    def on_new_link(shape: Visual) -> Visual:
        frame = robot.links[shape.link]
        name, new = own[frame.body]
        X_BG = frame.X_BF @ shape.X_LG
        if turns is not None and frame.body >= 0:
            X_BG = turns[frame.body] @ X_BG
        return replace(shape, link=name, X_LG=np.linalg.inv(new.X_BF) @ X_BG)

    def new_name(link: str) -> str:
        return own[robot.links[link].body][0] if link in robot.links else link

    ignored = ((new_name(one), new_name(other)) for one, other in robot.ignored_contacts)
    return {
        "visuals": tuple(map(on_new_link, robot.visuals)),
        "collisions": tuple(map(on_new_link, robot.collisions)),
        "ignored_contacts": tuple(dict.fromkeys(pair for pair in ignored if pair[0] != pair[1])),
    }


def to_standard(robot: Robot) -> Robot:
    """Return the arm with a DH table in the standard convention (Spong), unchanged if it already is.

    X_WT = X_W0 Π Rot_x(alpha_{i-1}) Trans_x(a_{i-1}) Rot_z(theta_i) Trans_z(d_i) X_nT

    This is the pose of the tool T in the world W by modified rows, with the base pose X_W0 and the tool pose X_nT. The factors
    before joint 1 go to the base, the others to the row before, and row n then has a = alpha = 0.

    Raises:
        ModelError: the robot has no DH table (`dh_from_robot` computes one).

    Source: Craig, Introduction to Robotics, eq. 3.6; Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, eq. 3.10.
    """
    table = _table(robot)
    if table.convention == STANDARD:
        return robot
    first = rot_x(table.alpha[0]) @ translate(table.a[0], 0, 0)
    a, alpha = np.append(table.a[1:], 0.0), np.append(table.alpha[1:], 0.0)
    return _described(robot, replace(table, convention=STANDARD, a=a, alpha=alpha), robot.base @ first)


def to_modified(robot: Robot) -> Robot:
    """Return the arm with a DH table in the modified convention (Craig), unchanged if it already is.

    X_WT = X_W0 Π Rot_z(theta_i) Trans_z(d_i) Trans_x(a_i) Rot_x(alpha_i) X_nT

    This is the pose of the tool T in the world W by standard rows, with the base pose X_W0 and the tool pose X_nT. a_i and
    alpha_i go to the next row, a_n and alpha_n to the tool, and row 1 then has a = alpha = 0.

    Raises:
        ModelError: the robot has no DH table (`dh_from_robot` computes one).

    Source: as for `to_standard`.
    """
    table = _table(robot)
    if table.convention == MODIFIED:
        return robot
    return _described(robot, modified_rows(table), robot.base)


def modified_rows(table: DHTable) -> DHTable:
    """A standard table in the modified convention, without Trans_x(a_n) Rot_x(alpha_n), which belong to the tool then."""
    a, alpha = np.append(0.0, table.a[:-1]), np.append(0.0, table.alpha[:-1])
    return replace(table, convention=MODIFIED, a=a, alpha=alpha)


def _table(robot: Robot) -> DHTable:
    if robot.dh is None:
        raise ModelError(f"{robot.name}: has no DH table; dh_from_robot computes one for a serial arm")
    return robot.dh


def _described(robot: Robot, table: DHTable, base: np.ndarray) -> Robot:
    """Return the robot with another table and its link frames; bodies, tool and all other frames are unchanged."""
    names = robot.link_names
    links = {names[0]: Frame(-1, base)} | {name: Frame(i, table.tail(i)) for i, name in enumerate(names[1:])}
    return replace(robot, dh=table, base=base, links=links, frames={**robot.frames, **links}, **shapes_on_links(robot, links))
