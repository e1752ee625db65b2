"""What a MuJoCo model may hold that an arm here has not: refused by its name, or left out and said."""

from __future__ import annotations

import numpy as np

from armature.engine.model.mjcf.compiled_model import CompiledModel


class MjcfError(Exception):
    """What is wrong in a MuJoCo model; one line."""


def check_arm(model: CompiledModel) -> None:
    """Raises MjcfError for the first part of a model that would move otherwise here."""
    m = model.model
    for i, kind in enumerate(m.jnt_type):
        body = model.name("body", m.jnt_bodyid[i])
        if kind == int(model.mujoco.mjtJoint.mjJNT_FREE):
            where = model.line(body, "body")
            raise MjcfError(f"{where}body {body!r} floats free; an arm stands on the world: take the free joint or the body out")
        if kind == int(model.mujoco.mjtJoint.mjJNT_BALL):
            name = model.name("joint", i)
            raise MjcfError(f"{model.line(name, 'joint')}joint {name!r} is a ball joint; make three hinges of it")
    if m.njnt == 0:
        raise MjcfError("has no joint that moves")
    if m.ntendon:
        name = model.name("tendon", 0)
        raise MjcfError(f"{model.line(name, 'fixed', 'spatial')}tendon {name!r}: there are no tendons here; take them out")
    if getattr(m, "nflex", 0):
        raise MjcfError(f"flexible body {model.name('flex', 0)!r}: bodies are rigid here; take it out")
    if m.nplugin:
        raise MjcfError(f"plugin {model.name('plugin', 0)!r}: what it does is not known here; take it out")
    if m.npair:
        name = model.name("pair", 0)
        raise MjcfError(f"{model.line(name, 'pair')}contact pair {name!r}: no contact is computed here; take them out")
    if m.opt.density or m.opt.viscosity:
        raise MjcfError("<option>: density and viscosity of a medium are not computed here; take them out")
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
            raise MjcfError(f"{where}joint {name!r} has {what} ({key}), which joints have not here")
    if getattr(model.model, "nplastic", 0):
        raise MjcfError("has joints that yield (plasticity), which joints do not here")
    for field, what in (("actuator_damping", "damping"), ("actuator_dampingpoly", "damping"), ("actuator_armature", "armature")):
        for i in model.any_of(field):
            raise MjcfError(f"actuator {model.name('actuator', int(i))!r} has {what} of its own; write it at the joint")


def _check_equalities(model: CompiledModel) -> None:
    m = model.model
    for i in range(m.neq):
        name = model.name("equality", i)
        if m.eq_type[i] != int(model.mujoco.mjtEq.mjEQ_JOINT):
            tags = ("connect", "weld", "tendon", "flex")
            raise MjcfError(
                f"{model.line(name, *tags)}equality constraint {name!r}: only joints that copy a joint are known here"
            )
        if not m.eq_active0[i]:
            continue
        copy, where = model.name("joint", m.eq_obj1id[i]), model.line(name, "joint")
        if m.eq_obj2id[i] < 0:
            raise MjcfError(f"{where}equality constraint {name!r} holds joint {copy!r} where it is; weld its body")
        if np.any(m.eq_data[i, 2:5]):
            told = ", ".join(f"{x:g}" for x in m.eq_data[i, :5])
            raise MjcfError(
                f"{where}equality constraint {name!r}: joint {copy!r} copies by a polynomial of higher degree "
                f"({told}); known are polycoef of two numbers, offset and factor"
            )


def left_out(model: CompiledModel) -> list[str]:
    """What does not come along though the arm moves alike without it, in sentences."""
    m, told = model.model, list[str]()
    if (lifted := model.any_of("body_gravcomp")).size:
        told.append(f"Gravity compensation of {model.names('body', lifted)} is left out: these bodies weigh what they weigh.")
    other = [i for i in range(m.nu) if m.actuator_trntype[i] not in _on_joints(model)]
    if other:
        told.append(f"Actuators that act on no joint are left out: {model.names('actuator', other)}.")
    if m.neq and (off := np.flatnonzero(np.asarray(m.eq_active0) == 0)).size:
        told.append(f"Equality constraints that are switched off are left out: {model.names('equality', off)}.")
    collides = np.flatnonzero((np.asarray(m.geom_contype) != 0) | (np.asarray(m.geom_conaffinity) != 0))
    if collides.size and not m.opt.disableflags & int(model.mujoco.mjtDisableBit.mjDSBL_CONTACT):
        told.append("Contacts between shapes are not computed.")
    return told


def _on_joints(model: CompiledModel) -> tuple[int, int]:
    return int(model.mujoco.mjtTrn.mjTRN_JOINT), int(model.mujoco.mjtTrn.mjTRN_JOINTINPARENT)
