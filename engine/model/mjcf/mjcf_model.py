"""Compiled MuJoCo model, and the checks for unsupported parts: errors with their names, or remarks."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from armature.engine.errors import one_line
from armature.engine.rotations import quaternion_matrix


class CompiledModel:
    """`spec` is the mjSpec, `model` the mjModel made of it, `root` the outermost element of its file; `mujoco` the module."""

    def __init__(self, spec: Any, model: Any, root: Any):
        self.spec, self.model, self._root, self.mujoco = spec, model, root, import_module("mujoco")
        self._kinds = {name.removeprefix("mjOBJ_").lower(): kind for name, kind in self.mujoco.mjtObj.__members__.items()}

    def name(self, kind: str, i: int) -> str:
        """The name of the i-th body, joint, site, … , or that with its number where it has none."""
        found = self.mujoco.mj_id2name(self.model, self._kinds[kind], i)
        return found or f"{kind}{i}"

    def names(self, kind: str, indices) -> str:
        """Some of them in quotation marks."""
        named = [repr(one_line(self.name(kind, int(i)), 60)) for i in indices]
        return ", ".join(named[:4]) + (f" and {len(named) - 4} more" if len(named) > 4 else "")

    def line(self, name: str, *tags: str) -> str:
        """ "line 12, " of the element with one of these tags and this name in the file itself, "" for included files."""
        found = (element for tag in tags for element in self._root.iter(tag) if element.get("name") == name)
        element = next(found, None)
        return "" if element is None else f"line {element.sourceline}, "

    def any_of(self, field: str) -> np.ndarray:
        """Indices of the parts of which `field` holds anything but 0; none where this version of MuJoCo has no such field."""
        values = getattr(self.model, field, None)
        if values is None or len(values) == 0:
            return np.empty(0, int)
        values = np.asarray(values)
        return np.flatnonzero(values.reshape(len(values), -1).any(axis=1))


def pose_matrix(position: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The pose 4×4 of a position `(3,)` and a quaternion `(4,)`."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = quaternion_matrix(np.asarray(turn, float) / np.linalg.norm(turn)), position
    return X


class MjcfError(Exception):
    """Error in a MuJoCo model, in one line."""


def check_arm(model: CompiledModel) -> None:
    """Raises MjcfError for the first part of a model that would move otherwise here."""
    m = model.model
    for i, kind in enumerate(m.jnt_type):
        body = model.name("body", m.jnt_bodyid[i])
        if kind == int(model.mujoco.mjtJoint.mjJNT_FREE):
            where = model.line(body, "body")
            raise MjcfError(
                f"{where}body {body!r} has a free joint, but an arm needs a fixed base; remove the free joint or the body"
            )
        if kind == int(model.mujoco.mjtJoint.mjJNT_BALL):
            name = model.name("joint", i)
            raise MjcfError(f"{model.line(name, 'joint')}joint {name!r} is a ball joint; replace it by three hinges")
    if m.njnt == 0:
        raise MjcfError("has no moving joint")
    if m.ntendon:
        name = model.name("tendon", 0)
        raise MjcfError(f"{model.line(name, 'fixed', 'spatial')}tendon {name!r}: tendons are not supported; remove them")
    if getattr(m, "nflex", 0):
        raise MjcfError(f"flexible body {model.name('flex', 0)!r}: only rigid bodies are supported; remove it")
    if m.nplugin:
        raise MjcfError(f"plugin {model.name('plugin', 0)!r}: plugins are not supported; remove it")
    if m.npair:
        name = model.name("pair", 0)
        raise MjcfError(f"{model.line(name, 'pair')}contact pair {name!r}: contact is not supported; remove the pairs")
    if m.opt.density or m.opt.viscosity:
        raise MjcfError("<option>: density and viscosity of a medium are not supported; remove them")
    _check_joints(model)
    _check_equalities(model)


def _check_joints(model: CompiledModel) -> None:
    fields = {
        "jnt_stiffness": "a spring",
        "jnt_stiffnesspoly": "a spring",
        "dof_dampingpoly": "damping that is not proportional to speed",
    }
    for field, what in fields.items():
        for i in model.any_of(field):
            name = model.name("joint", int(i))  # hinges and slides have one degree of freedom each, in their order
            where, key = model.line(name, "joint"), field.partition("_")[2]
            raise MjcfError(f"{where}joint {name!r} has {what} ({key}), which is not supported; remove it")
    if getattr(model.model, "nplastic", 0):
        raise MjcfError("has joints with plasticity, which is not supported; remove it")
    for field, what in (("actuator_damping", "damping"), ("actuator_dampingpoly", "damping"), ("actuator_armature", "armature")):
        for i in model.any_of(field):
            raise MjcfError(f"actuator {model.name('actuator', int(i))!r} has its own {what}; set it on the joint instead")


def _check_equalities(model: CompiledModel) -> None:
    m = model.model
    for i in range(m.neq):
        name = model.name("equality", i)
        if m.eq_type[i] != int(model.mujoco.mjtEq.mjEQ_JOINT):
            tags = ("connect", "weld", "tendon", "flex")
            raise MjcfError(
                f"{model.line(name, *tags)}equality constraint {name!r}: only a joint that copies a joint is supported; remove it"
            )
        if not m.eq_active0[i]:
            continue
        copy, where = model.name("joint", m.eq_obj1id[i]), model.line(name, "joint")
        if m.eq_obj2id[i] < 0:
            raise MjcfError(
                f"{where}equality constraint {name!r} fixes joint {copy!r}; remove the joint, so that its body is welded"
            )
        if np.any(m.eq_data[i, 2:5]):
            polynomial = ", ".join(f"{x:g}" for x in m.eq_data[i, :5])
            raise MjcfError(
                f"{where}equality constraint {name!r}: joint {copy!r} copies by a polynomial of degree 2 or more "
                f"({polynomial}); only offset and factor are supported in polycoef"
            )


def ignored_parts(model: CompiledModel) -> list[str]:
    """Messages about ignored parts that do not change the motion."""
    m, messages = model.model, list[str]()
    if (lifted := model.any_of("body_gravcomp")).size:
        messages.append(f"Gravity compensation of {model.names('body', lifted)} is ignored: full gravity acts on these bodies.")
    other = [i for i in range(m.nu) if m.actuator_trntype[i] not in _on_joints(model)]
    if other:
        messages.append(f"Actuators that drive no joint are ignored: {model.names('actuator', other)}.")
    if m.neq and (off := np.flatnonzero(np.asarray(m.eq_active0) == 0)).size:
        messages.append(f"Inactive equality constraints are ignored: {model.names('equality', off)}.")
    collides = np.flatnonzero((np.asarray(m.geom_contype) != 0) | (np.asarray(m.geom_conaffinity) != 0))
    if collides.size and not m.opt.disableflags & int(model.mujoco.mjtDisableBit.mjDSBL_CONTACT):
        messages.append("Contacts between shapes are not computed.")
    return messages


def _on_joints(model: CompiledModel) -> tuple[int, int]:
    return int(model.mujoco.mjtTrn.mjTRN_JOINT), int(model.mujoco.mjtTrn.mjTRN_JOINTINPARENT)
