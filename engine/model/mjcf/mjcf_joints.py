"""Joints of a compiled MuJoCo model: which copy others, how strong their motors are, and the poses it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from armature.engine.model.coupling import Coupling
from armature.engine.model.mjcf.compiled_model import CompiledModel
from armature.engine.model.mjcf.mjcf_refusals import MjcfError

_SLACK = 1e-9


def coupling_of(
    model: CompiledModel, names: Sequence[str], limits: tuple[np.ndarray, np.ndarray]
) -> tuple[Coupling | None, list[str]]:
    """Who copies whom by the equality constraints, None where nobody does, and the remark that says so.

    `limits` are the lower and upper ones `(njnt,)` of all joints.

    q1 − q1_0 = a0 + a1 (q2 − q2_0) for qpos0 q_0.
    """
    m = model.model
    copies: dict[int, tuple[int, float, float]] = {}
    for i in range(m.neq):
        if not m.eq_active0[i]:
            continue
        one, other = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
        start, factor = float(m.eq_data[i, 0]), float(m.eq_data[i, 1])
        if one in copies and factor:  # it copies another already, so that this one copies it
            one, other, start, factor = other, one, -start / factor, 1.0 / factor
        if one in copies or one in _copied(copies, other):
            subject = f"{model.line(model.name('equality', i), 'joint')}equality constraint {model.name('equality', i)!r}"
            raise MjcfError(f"{subject}: another constraint already applies to joint {names[one]!r}")
        ref = [float(m.qpos0[m.jnt_qposadr[j]]) for j in (one, other)]
        copies[one] = (other, factor, start + ref[0] - factor * ref[1])
    if not copies:
        return None, []
    own = [j for j in range(len(names)) if j not in copies]
    driver, multiplier, offset = [], [], []
    for j in range(len(names)):
        factor, shift, at = 1.0, 0.0, j
        while at in copies:
            at, by, start = copies[at]
            shift += factor * start
            factor *= by
        driver.append(own.index(at))
        multiplier.append(factor)
        offset.append(shift)
    remark = (
        f"Joints that copy others (equality): {', '.join(names[j] for j in sorted(copies))}; they follow exactly in Armature."
    )
    return Coupling(tuple(names), np.array(driver), np.array(multiplier), np.array(offset), np.array(own), *limits), [remark]


def _copied(copies: Mapping[int, tuple[int, float, float]], joint: int) -> list[int]:
    """The joint, and those that it copies one after the other."""
    chain = [joint]
    while chain[-1] in copies:
        chain.append(copies[chain[-1]][0])
    return chain


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
