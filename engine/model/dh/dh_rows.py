"""DH rows for every joint of an arm that has no table of its own, and the same arm with its bodies in the frames they mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.engine.errors import ModelError, enumeration
from armature.engine.model.body import PRISMATIC, Body, Frame
from armature.engine.model.dh.dh_conversion import shapes_on_links
from armature.engine.model.dh.dh_extraction import DHDescription, Line, Row, dh_from_robot, next_frame, row_to, start_frame
from armature.engine.model.dh_table import MODIFIED, STANDARD, DHTable
from armature.engine.model.robot import Robot

_SAME = 1e-11  # m, in reaches, or rad: two frames that are one
_FAR = 1e7  # m: normals of axes that are all but parallel, where rounding is still below the bend

Frames = tuple[np.ndarray, list[np.ndarray]]


def in_dh_frames(robot: Robot, convention: str | None = None) -> tuple[Robot, DHTable]:
    """Return the same arm with each body in the axis frame of its DH row, links `base`, `link1` …, and the rows.

    X_WL(i) = X_WL(parent) A_i, one row per joint, branches included; `table.tail(i)` is link i's frame on body i. Links of the
    robot that already are DH frames, in either convention, are used unchanged, so that the original table of an arm results;
    otherwise the common normals of the axes define the rows.

    Args:
        robot: a robot whose tool moves.
        convention: "standard" or "modified"; None: the one that fits, standard first.

    Raises:
        ModelError: mimic joints, a tool on the base, or a branch that no DH rows describe; names the link and the joints.

    Source: as for `dh_from_robot`.
    """
    if robot.dh is not None and convention in (None, robot.dh.convention):
        return _described(robot, robot.dh, robot.base), robot.dh
    if robot.coupling is not None:
        copies = [name for name in robot.coupling.names if name not in robot.joint_names]
        what = "copies another joint" if len(copies) == 1 else "copy other joints"
        raise ModelError(f"{robot.name}: {enumeration(copies)} {what} (mimic), which DH rows cannot describe")
    if robot.tool_frame.body < 0:
        raise ModelError(f"{robot.name}: DH rows need a tool that a joint moves; this tool is on the base")
    for kind in (STANDARD, MODIFIED) if convention is None else (convention,):
        if (frames := _through_links(robot, kind)) is not None:
            return _with_rows(robot, kind, frames)
    if _serial(robot) and robot.tool_frame.body == robot.n - 1:
        found = _fitted(robot, convention or STANDARD)
        return _described(robot, found.table, found.base), found.table
    return _with_rows(robot, STANDARD, _tree_frames(robot))


def _serial(robot: Robot) -> bool:
    return [body.parent for body in robot.bodies] == list(range(-1, robot.n - 1))


def _fitted(robot: Robot, convention: str) -> DHDescription:
    """By common normals; of axes that are all but parallel, with the normal far away where that is nearer to the arm."""
    found = dh_from_robot(robot, convention)
    if found.extra_joints:
        found = min(found, dh_from_robot(robot, convention, longest=_FAR), key=lambda one: max(one.error))
    return found


def _placed(robot: Robot) -> list[np.ndarray]:
    """X_WB of every body at q = 0."""
    placed: list[np.ndarray] = []
    for body in robot.bodies:
        placed.append((np.eye(4) if body.parent < 0 else placed[body.parent]) @ body.X_PJ)
    return placed


def _children(robot: Robot, i: int) -> list[int]:
    return [k for k, body in enumerate(robot.bodies) if body.parent == i]


def _through_links(robot: Robot, convention: str) -> Frames | None:
    """X_W0 and X_WL of links of the robot that are DH frames, one for the base and one per body; None if one is missing."""
    placed, frames = _placed(robot), list[np.ndarray]()
    for i in range(-1, robot.n):
        X_WB = np.eye(4) if i < 0 else placed[i]
        before = None if i < 0 else frames[robot.bodies[i].parent + 1]
        fitting = (X_WB @ X for X in _candidates(robot, i) if _is_frame(robot, placed, i, before, X_WB @ X, convention))
        if (found := next(fitting, None)) is None:
            return None
        frames.append(found)
    return frames[0], frames[1:]


def _candidates(robot: Robot, i: int) -> list[np.ndarray]:
    """Poses on body i of its links, that of the name which robot files give it first."""
    usual = "base" if i < 0 else f"link{i + 1}"
    on_body = [name for name, frame in robot.links.items() if frame.body == i]
    return [robot.links[name].X_BF for name in sorted(on_body, key=lambda name: name != usual)]


def _is_frame(robot: Robot, placed: list[np.ndarray], i: int, before: np.ndarray | None, X: np.ndarray, convention: str) -> bool:
    """Whether X can be the frame of link i (-1 for the base) behind the frame `before`."""
    on_its_z = _children(robot, i) if convention == STANDARD else [i] if i >= 0 else []
    if not all(_along(X, placed[k], robot.bodies[k].joint_type == PRISMATIC, robot.reach) for k in on_its_z):
        return False
    return before is None or bool(np.abs(_row(before, X, convention)[1] - X).max() <= _SAME * max(1.0, robot.reach))


def _along(X: np.ndarray, X_WB: np.ndarray, slides: bool, reach: float) -> bool:
    """True if the z axis of X is the axis of a joint; the position of a slide is arbitrary."""
    z, gap = X_WB[:3, 2], X_WB[:3, 3] - X[:3, 3]
    aside = 0.0 if slides else float(np.linalg.norm(gap - (gap @ z) * z))
    return float(np.abs(X[:3, 2] - z).max()) <= _SAME and aside <= _SAME * max(1.0, reach)


def _row(X: np.ndarray, target: np.ndarray, convention: str) -> tuple[Row, np.ndarray]:
    """The row (theta, d, a, alpha) from frame X to another, and where it leads.

    Of a modified row the inverse is a standard one: A⁻¹ = Rot_z(−theta) Trans_z(−d) Trans_x(−a) Rot_x(−alpha).
    """
    if convention == STANDARD:
        return row_to(X, target)
    (theta, d, a, alpha), reached = row_to(target, X)
    return (-theta, -d, -a, -alpha), target @ np.linalg.inv(reached) @ X


def _tree_frames(robot: Robot) -> Frames:
    """Standard frames by common normals where every link carries the joints behind it on one axis."""
    placed = _placed(robot)
    lines = [Line(X[:3, 3], X[:3, 2]) for X in placed]
    frames = [start_frame(lines[0])]
    _check_on_one_line(robot, placed, -1, frames[0])
    for i, body in enumerate(robot.bodies):
        children = _children(robot, i)
        end = placed[i] @ robot.tool_frame.X_BF if i == robot.tool_frame.body else None
        target = lines[children[0]] if children else lines[i] if end is None else Line(end[:3, 3], end[:3, 2])
        _, X, bent = next_frame(frames[body.parent + 1], target, _FAR, end)
        if bent and children:
            raise _no_rows(robot, i, children, "are nearly parallel to the preceding axis")
        _check_on_one_line(robot, placed, i, X)
        frames.append(X)
    return frames[0], frames[1:]


def _check_on_one_line(robot: Robot, placed: list[np.ndarray], i: int, X: np.ndarray) -> None:
    """Raises ModelError unless every joint on body i (-1 for the base) has the z axis of its frame X."""
    children = _children(robot, i)
    if not all(_along(X, placed[k], robot.bodies[k].joint_type == PRISMATIC, robot.reach) for k in children):
        raise _no_rows(robot, i, children, "are not on one line")


def _no_rows(robot: Robot, i: int, children: list[int], why: str) -> ModelError:
    link = "the base" if i < 0 else f"the link of {robot.joint_names[i]}"
    names = enumeration([robot.joint_names[k] for k in children])
    return ModelError(f"{robot.name}: DH rows cannot describe the branches at {link}: the axes of {names} {why}")


def _with_rows(robot: Robot, convention: str, frames: Frames) -> tuple[Robot, DHTable]:
    """The rows between link frames."""
    base, links = frames
    rows = []
    for body, X in zip(robot.bodies, links, strict=True):
        rows.append(_row(base if body.parent < 0 else links[body.parent], X, convention)[0])
    theta, d, a, alpha = np.array(rows).T
    table = DHTable(convention, a, alpha, d, theta, robot.prismatic)
    return _described(robot, table, base), table


def _described(robot: Robot, table: DHTable, base: np.ndarray) -> Robot:
    """The robot with its bodies in the axis frames of the rows, and the links that these mean."""
    placed, links, turns = _placed(robot), list[np.ndarray](), list[np.ndarray]()
    bodies = list[Body]()
    for i, body in enumerate(robot.bodies):
        X_PJ = (base if body.parent < 0 else table.tail(body.parent)) @ table.placement(i)
        X_WJ = (base if body.parent < 0 else links[body.parent]) @ table.placement(i)
        links.append(X_WJ @ table.tail(i))
        X = np.linalg.inv(X_WJ) @ placed[i]  # the old body frame in the new one: about and along the joint's axis
        turns.append(X)
        R, com = X[:3, :3], X[:3, :3] @ body.com + (X[:3, 3] if body.mass else 0.0)
        bodies.append(replace(body, X_PJ=X_PJ, com=com, inertia=R @ body.inertia @ R.T))
    frames = {name: _moved(frame, turns) for name, frame in robot.frames.items()}
    names = {"base": Frame(-1, base)} | {f"link{i + 1}": Frame(i, table.tail(i)) for i in range(robot.n)}
    return replace(
        robot,
        bodies=tuple(bodies),
        links=names,
        frames=frames | names,
        base=base,
        dh=table if _serial(robot) else None,
        flange="",
        link_parents={},
        **shapes_on_links(robot, names, turns),
    )


def _moved(frame: Frame, turns: list[np.ndarray]) -> Frame:
    return frame if frame.body < 0 else Frame(frame.body, turns[frame.body] @ frame.X_BF)
