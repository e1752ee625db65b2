"""Assembly of a robot from a compiled MuJoCo model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from armature.engine.model.body import PRISMATIC, REVOLUTE, Body, Frame, Friction
from armature.engine.model.coupling import Coupling, chained_coupling
from armature.engine.model.dh_table import translate
from armature.engine.model.file_bytes import real_path
from armature.engine.model.mjcf.mjcf_model import CompiledModel, MjcfError, ignored_parts, pose_matrix
from armature.engine.model.robot import Robot
from armature.engine.model.urdf.urdf_reader import rotation_to_axis
from armature.engine.model.urdf.urdf_tree import TOOL_NAMES, TreeJoint, finger_joints, named_tool, tool_remark
from armature.engine.model.visual import Visual
from armature.engine.rotations import rot_z

_SHOWN_GROUPS = 3  # MuJoCo shows the groups 0, 1, 2 by default
_UNTOUCHED = (0.5, 0.5, 0.5, 1.0)  # the colour of a geom that has none of its own
_READ = (".stl", ".obj", ".dae")


def shapes_of(model: CompiledModel, source: Path) -> tuple[tuple[Visual, ...], tuple[Visual, ...], list[str]]:
    """Visible shapes, collision shapes, and messages about shapes that cannot be shown."""
    m = model.model
    visuals, collisions = list[Visual](), list[Visual]()
    unknown, unread = dict[str, None](), dict[str, None]()
    for g in range(m.ngeom):
        shapes = _shapes(model, g, source, unknown, unread)
        if m.geom_group[g] < _SHOWN_GROUPS and m.geom_rgba[g, 3] > 0:
            visuals += shapes
        if m.geom_contype[g] or m.geom_conaffinity[g]:
            collisions += shapes
    messages = [f"Shapes not shown: {', '.join(unknown)}."] * bool(unknown)
    messages += [f"Mesh files missing or not supported (shown as boxes): {', '.join(unread)}."] * bool(unread)
    return tuple(visuals), tuple(collisions), messages


def _shapes(model: CompiledModel, g: int, source: Path, unknown: dict[str, None], unread: dict[str, None]) -> list[Visual]:
    m = model.model
    link, X = model.name("body", m.geom_bodyid[g]), pose_matrix(m.geom_pos[g], m.geom_quat[g])
    kind, size, colour = _kind(model, g), [float(x) for x in m.geom_size[g]], _colour(model, g)
    if kind in ("plane", "hfield"):
        return []
    if kind == "mesh" and m.geom_dataid[g] >= 0:
        return [_mesh(model, g, link, X, source, colour, unread)]
    if kind == "box":
        return [Visual(link, "box", X, tuple(2 * x for x in size), colour=colour)]
    if kind == "sphere":
        return [Visual(link, "sphere", X, (size[0],), colour=colour)]
    if kind not in ("cylinder", "capsule"):
        unknown[f"{kind} {model.name('geom', g)!r} of {link}"] = None
        return []
    shapes = [Visual(link, "cylinder", X, (size[0], 2 * size[1]), colour=colour)]
    if kind == "capsule":
        ends = (X @ translate(0, 0, s * size[1]) for s in (-1, 1))
        shapes += [Visual(link, "sphere", end, (size[0],), colour=colour) for end in ends]
    return shapes


def _kind(model: CompiledModel, g: int) -> str:
    kinds = model.mujoco.mjtGeom.__members__  # mjGEOM_PLANE, mjGEOM_SPHERE, …
    number = int(model.model.geom_type[g])
    return next((name.removeprefix("mjGEOM_").lower() for name, kind in kinds.items() if number == int(kind)), "shape")


def _mesh(
    model: CompiledModel,
    g: int,
    link: str,
    X: np.ndarray,
    source: Path,
    colour: tuple[float, ...] | None,
    unread: dict[str, None],
) -> Visual:
    """The mesh by its file. MuJoCo turns meshes to their principal axes; the pose here undoes that.

    It makes S Rᵀ (v − p) of a vertex v first, with the scale S and the reference p, R; a stretch that is turned has no pose.
    """
    m = model.model
    k = int(m.geom_dataid[g])
    name = _path(bytes(m.paths), int(m.mesh_pathadr[k]))
    path = _found(source, name)
    if path is None or path.suffix.lower() not in _READ:
        unread[name or model.name("mesh", k)] = None
        path = None
    size = tuple(float(x) for x in m.mesh_scale[k])
    written = model.spec.mesh(model.name("mesh", k))
    reference = pose_matrix(np.array(size) * written.refpos, written.refquat)
    if len(set(size)) > 1 and np.abs(reference[:3, :3] - np.eye(3)).max() > 0:
        unread[name or model.name("mesh", k)], path = None, None
    X_LG = X @ np.linalg.inv(pose_matrix(m.mesh_pos[k], m.mesh_quat[k])) @ np.linalg.inv(reference)
    return Visual(link, "mesh", X_LG, size, path, name or model.name("mesh", k), colour=colour)  # type: ignore[arg-type]


def _path(paths: bytes, start: int) -> str:
    return paths[start:].split(b"\0", 1)[0].decode(errors="replace") if start >= 0 else ""


def _found(source: Path, name: str) -> Path | None:
    try:
        path = real_path(source.absolute().parent / name)
        return path if name and path.is_file() else None
    except (OSError, ValueError):
        return None


def _colour(model: CompiledModel, g: int) -> tuple[float, float, float, float] | None:
    """A geom's own colour, else that of its material, else none."""
    m = model.model
    r, b, c, a = (round(float(x), 6) for x in m.geom_rgba[g])
    if (r, b, c, a) != _UNTOUCHED:
        return r, b, c, a
    if m.geom_matid[g] < 0:
        return None
    r, b, c, a = (round(float(x), 6) for x in m.mat_rgba[m.geom_matid[g]])
    return r, b, c, a


_SLACK = 1e-9
WORLD = "world"
_ENDS = (*TOOL_NAMES, "attachment", "attachment_site", "pinch", "grasp_site", "gripperframe", "gripper_frame")


def coupling_of(
    model: CompiledModel, names: Sequence[str], limits: tuple[np.ndarray, np.ndarray]
) -> tuple[Coupling | None, list[str]]:
    """Coupling by the equality constraints, None without one, and its remark.

    `limits` are the lower and upper limits `(njnt,)` of all joints.

    q1 − q1_0 = a0 + a1 (q2 − q2_0) for qpos0 q_0.
    """
    m = model.model
    copies: dict[int, tuple[int, float, float]] = {}
    for i in range(m.neq):
        if not m.eq_active0[i]:
            continue
        one, other = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
        start, factor = float(m.eq_data[i, 0]), float(m.eq_data[i, 1])
        if one in copies and factor:  # it already copies another joint, so that this one copies it
            one, other, start, factor = other, one, -start / factor, 1.0 / factor
        masters = [other]
        while masters[-1] in copies:
            masters.append(copies[masters[-1]][0])
        if one in copies or one in masters:
            subject = f"{model.line(model.name('equality', i), 'joint')}equality constraint {model.name('equality', i)!r}"
            raise MjcfError(f"{subject}: another constraint already applies to joint {names[one]!r}")
        ref = [float(m.qpos0[m.jnt_qposadr[j]]) for j in (one, other)]
        copies[one] = (other, factor, start + ref[0] - factor * ref[1])
    if not copies:
        return None, []
    copied = ", ".join(names[j] for j in sorted(copies))
    remark = f"Joints that copy others (equality): {copied}; they follow exactly in Armature."
    return chained_coupling(names, copies, *limits), [remark]


def effort_limits(model: CompiledModel) -> tuple[np.ndarray, list[str]]:
    """The largest torque `(njnt,)` of each joint's motors, inf without a limit, and what to know about them.

    A motor gives gear · force, its force within forcerange, or within gain · ctrlrange where the gain is all it has; a joint lets
    actuatorfrcrange through.
    """
    m = model.model
    low, high = np.zeros(m.njnt), np.zeros(m.njnt)
    driven = np.zeros(m.njnt, bool)
    for i in range(m.nu):
        if m.actuator_trntype[i] not in (int(model.mujoco.mjtTrn.mjTRN_JOINT), int(model.mujoco.mjtTrn.mjTRN_JOINTINPARENT)):
            continue
        j = int(m.actuator_trnid[i, 0])
        ends = float(m.actuator_gear[i, 0]) * np.array(_force_range(model, i))
        low[j], high[j], driven[j] = low[j] + np.nanmin(ends), high[j] + np.nanmax(ends), True
    low[~driven], high[~driven] = -np.inf, np.inf
    limited = np.asarray(m.jnt_actfrclimited, bool)
    low = np.where(limited, np.maximum(low, m.jnt_actfrcrange[:, 0]), low)
    high = np.where(limited, np.minimum(high, m.jnt_actfrcrange[:, 1]), high)
    uneven = [j for j in range(m.njnt) if not np.isclose(-low[j], high[j], rtol=_SLACK)]
    remark = f"Motors whose limits differ by direction use the smaller limit: {model.names('joint', uneven)}."
    most = np.minimum(-low, high)
    return np.where(most > 0, most, np.inf), [remark] if uneven else []


def _force_range(model: CompiledModel, i: int) -> tuple[float, float]:
    m = model.model
    if m.actuator_forcelimited[i]:
        return float(m.actuator_forcerange[i, 0]), float(m.actuator_forcerange[i, 1])
    plain = m.actuator_gaintype[i] == int(model.mujoco.mjtGain.mjGAIN_FIXED)
    plain = plain and m.actuator_biastype[i] == int(model.mujoco.mjtBias.mjBIAS_NONE)
    plain = plain and m.actuator_dyntype[i] == int(model.mujoco.mjtDyn.mjDYN_NONE)
    if plain and m.actuator_ctrllimited[i]:
        gain = float(m.actuator_gainprm[i, 0])
        return gain * float(m.actuator_ctrlrange[i, 0]), gain * float(m.actuator_ctrlrange[i, 1])
    return -np.inf, np.inf


def named_poses_of(
    model: CompiledModel, own: Sequence[int], low: np.ndarray, high: np.ndarray
) -> tuple[dict[str, np.ndarray], list[str]]:
    """The keyframes as poses `(n,)`, and which lie outside the limits and are left out."""
    m = model.model
    poses, outside = dict[str, np.ndarray](), list[int]()
    for k in range(m.nkey):
        q = np.array(m.key_qpos[k])[own]
        if ((q < low - _SLACK) | (q > high + _SLACK)).any():
            outside.append(k)
        elif (name := model.name("key", k)) != "zero":
            poses[name] = np.clip(q, low, high)
    return poses, [f"Keyframes outside the joint limits are omitted: {model.names('key', outside)}."] if outside else []


def assemble_mjcf(model: CompiledModel, source: Path) -> Robot:
    """The `Robot` of a compiled model that `check_arm` lets pass."""
    m = model.model
    bodies, links, parents = _bodies(model)
    sites = {
        model.name("site", i): _on(links, model.name("body", m.site_bodyid[i]), m.site_pos[i], m.site_quat[i])
        for i in range(m.nsite)
    }
    frames = {**{name: frame for name, frame in sites.items() if name not in links}, **links, WORLD: Frame(-1, np.eye(4))}
    names = [model.name("joint", j) for j in range(m.njnt)]
    limited = np.asarray(m.jnt_limited, bool)
    low, high = (np.where(limited, m.jnt_range[:, k], infinite) for k, infinite in ((0, -np.inf), (1, np.inf)))
    coupling, remarks = coupling_of(model, names, (low, high))
    own = list(range(m.njnt)) if coupling is None else coupling.own.tolist()
    fingers = _finger_joints(bodies, names, links, coupling, high - low)
    low, high = (low, high) if coupling is None else coupling.common_limits()
    flange = _tool(frames, sites, links, bodies, fingers)
    finger_names = tuple(names[i] for i in sorted(fingers))
    effort, more = effort_limits(model)
    poses, others = named_poses_of(model, own, low, high)
    visuals, collisions, unseen = shapes_of(model, source)
    weightless = m.opt.disableflags & int(model.mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    return Robot(
        name=_model_name(model) or source.stem,
        bodies=tuple(bodies),
        joint_names=tuple(names[j] for j in own),
        links=links,
        frames=frames if "tool" in frames else frames | {"tool": frames[flange]},
        tool="tool",
        q_min=low,
        q_max=high,
        qd_max=np.full(len(own), np.inf),
        tau_max=effort[own],
        gravity=np.zeros(3) if weightless else np.array(m.opt.gravity),
        configurations=poses,
        has_dynamics=any(body.mass > 0 for body in bodies),
        source=source,
        remarks=(*ignored_parts(model), *remarks, *more, *others, *unseen, *tool_remark(flange, finger_names)),
        flange=flange,
        fingers=finger_names,
        link_parents=parents,
        coupling=coupling,
        visuals=visuals,
        collisions=collisions,
        ignored_contacts=_excluded_pairs(model),
    )


def _excluded_pairs(model: CompiledModel) -> tuple[tuple[str, str], ...]:
    """Pairs of bodies in `<contact><exclude>`, each in 32 bits of which each body has 16."""
    pairs = (divmod(int(signature), 1 << 16) for signature in model.model.exclude_signature)
    return tuple((model.name("body", one), model.name("body", other)) for one, other in pairs)


def _bodies(model: CompiledModel) -> tuple[list[Body], dict[str, Frame], dict[str, str]]:
    """One body per joint, with the masses welded to it; every body of the model as a link, and the parents of the links.

    Of several joints on one body, all but the last carry an additional body without mass.
    """
    m = model.model
    bodies, links, parents = list[Body](), {WORLD: Frame(-1, np.eye(4))}, dict[str, str]()
    for b in range(1, m.nbody):
        name, above = model.name("body", b), model.name("body", m.body_parentid[b])
        frame = _on(links, above, m.body_pos[b], m.body_quat[b])
        first = m.body_jntadr[b]
        for j in range(first, first + m.body_jntnum[b]):
            frame = _hang(bodies, model, j, frame)
            if j < first + m.body_jntnum[b] - 1:
                carried = f"{name}_{model.name('joint', j)}"
                links[carried], parents[carried], above = frame, above, carried
        links[name], parents[name] = frame, above
        if frame.body >= 0:
            X = frame.X_BF @ pose_matrix(m.body_ipos[b], m.body_iquat[b])
            R = X[:3, :3]
            inertia = R @ np.diag(m.body_inertia[b]) @ R.T
            bodies[frame.body] = bodies[frame.body].with_mass(float(m.body_mass[b]), X[:3, 3], (inertia + inertia.T) / 2)
    return bodies, links, parents


def _on(links: Mapping[str, Frame], name: str, position: np.ndarray, turn: np.ndarray) -> Frame:
    return Frame(links[name].body, links[name].X_BF @ pose_matrix(position, turn))


def _hang(bodies: list[Body], model: CompiledModel, j: int, frame: Frame) -> Frame:
    """Add the body of joint j and return the frame of its child on it. MuJoCo's joint is at 0 at its qpos0."""
    m = model.model
    R = np.eye(4)
    R[:3, :3] = rotation_to_axis(m.jnt_axis[j])
    R[:3, 3] = m.jnt_pos[j]
    slides = m.jnt_type[j] == int(model.mujoco.mjtJoint.mjJNT_SLIDE)
    at_zero = np.eye(4) if slides else rot_z(-m.qpos0[m.jnt_qposadr[j]])
    if slides:
        at_zero[2, 3] = -m.qpos0[m.jnt_qposadr[j]]
    d = m.jnt_dofadr[j]
    loss = float(m.dof_frictionloss[d])
    bodies.append(
        Body(
            frame.body,
            PRISMATIC if slides else REVOLUTE,
            frame.X_BF @ R @ at_zero,
            rotor_inertia=float(m.dof_armature[d]),
            friction=Friction(float(m.dof_damping[d]), (loss, loss), loss),
        )
    )
    return Frame(len(bodies) - 1, np.linalg.inv(R))


def _model_name(model: CompiledModel) -> str:
    """The name of the model, empty where MuJoCo put its own there."""
    name = bytes(model.model.names).split(b"\0", 1)[0].decode(errors="replace")
    return "" if name == "MuJoCo Model" else name


def _tool(
    frames: Mapping[str, Frame],
    sites: Mapping[str, Frame],
    links: Mapping[str, Frame],
    bodies: list[Body],
    fingers: frozenset[int],
) -> str:
    """The site `tool`, else the site or body called like one; else the last link of the first chain with the most joints.

    No finger's frame, and the chain ends before the fingers.
    """
    on_arm = [name for name in (*sites, *links) if frames[name].body >= 0 and frames[name].body not in fingers]
    if "tool" in sites and frames["tool"].body not in fingers:
        return "tool"
    if (named := named_tool(on_arm, _ENDS)) is not None:
        return named
    depth = {-1: 0}
    for i, body in enumerate(bodies):
        depth[i] = depth[body.parent] + 1
    carrying = {body.parent for i, body in enumerate(bodies) if i not in fingers}
    ends = [name for name in links if name in on_arm and frames[name].body not in carrying]
    deepest = max(depth[links[name].body] for name in ends)
    last = next(links[name].body for name in ends if depth[links[name].body] == deepest)
    return [name for name in ends if links[name].body == last][-1]


def _finger_joints(
    bodies: list[Body], names: list[str], links: Mapping[str, Frame], coupling: Coupling | None, span
) -> frozenset[int]:
    """Indices of the fingers' joints; `span` `(n,)` is how far each moves, rad or m."""
    carried = {frame.body: name for name, frame in reversed(list(links.items()))}
    leaders = range(len(bodies)) if coupling is None else coupling.own[coupling.driver]
    return finger_joints(
        [
            TreeJoint(
                names[i],
                carried.get(i, ""),
                body.parent,
                -1 if leaders[i] == i else int(leaders[i]),
                float(span[i]) if body.joint_type == PRISMATIC else None,
            )
            for i, body in enumerate(bodies)
        ]
    )
