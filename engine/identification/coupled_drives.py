"""Coupled drives: motors whose speed depends on several joints, as in wrists. The window parses them before kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from armature.engine.errors import EngineError, enumeration
from armature.engine.model.robot import Robot

Coupling = Mapping[str, float]
"""Ratios r_j of a motor's speed w = Σ r_j qd_j, by joint name."""


def coupled_drives(robot: Robot, couplings: Sequence[Coupling]) -> np.ndarray:
    """Return the ratios r of each drive `(D, n)`. Raises EngineError for unknown joints, or fewer than two."""
    drives = np.zeros((len(couplings), robot.n))
    for row, coupling in zip(drives, couplings, strict=True):
        if not isinstance(coupling, Mapping):
            raise EngineError(f"a coupled drive must be ratios by joint, such as {{'joint5': 1, 'joint6': 1}}, got {coupling!r}")
        for name, ratio in coupling.items():
            if name not in robot.joint_names:
                raise EngineError(
                    f"coupled drive: {robot.name} has no joint {name!r}; valid are {enumeration(robot.joint_names)}"
                )
            if not (isinstance(ratio, (int, float, np.number)) and np.isfinite(ratio) and ratio != 0.0):
                raise EngineError(f"coupled drive: the ratio of {name} must be a number other than 0, got {ratio!r}")
            row[robot.joint_names.index(name)] = float(ratio)
        if np.count_nonzero(row) < 2:
            raise EngineError(f"coupled drive: it needs two joints or more, got {', '.join(coupling) or 'none'}")
    return drives


def coupling_of(text: str) -> dict[str, float]:
    """Parse "joint5+0.5*joint6" or "joint5 - joint6" to ratios by joint. Raises EngineError."""
    ratios: dict[str, float] = {}
    for part in text.replace("−", "-").replace(" - ", " + -1*").split("+"):
        *factors, name = (word.strip() for word in part.split("*"))
        try:
            ratio = float(np.prod([float(factor) for factor in factors]))
        except ValueError:
            raise EngineError(
                f"coupled drive {text!r}: the factor in {part.strip()!r} is not a number; write, for example, joint5+0.5*joint6"
            ) from None
        ratios[name] = ratios.get(name, 0.0) + ratio
    return ratios


def drive_name(ratios: np.ndarray) -> str:
    """Return the drive in parameter names: "5+6", or with ratios "5+0.5·6"."""
    parts = []
    for j in np.flatnonzero(ratios):
        factor = "" if abs(ratios[j]) == 1.0 else f"{abs(ratios[j]):.4g}·"
        parts.append(f"{'−' if ratios[j] < 0 else '+'}{factor}{j + 1}")
    return "".join(parts).removeprefix("+")


def drive_columns(drives: np.ndarray, qd: np.ndarray, qdd: np.ndarray, friction: bool) -> np.ndarray:
    """Return the columns `(N, n, D or 3 D)` of inertia and, with `friction`, viscous and Coulomb friction of drives `(D, n)`.

    tau_j = r_j (Ia dw/dt + Fv w + Fc sign w),  w = Σ r_j qd_j
    """
    w, dw = qd @ drives.T, qdd @ drives.T
    parts = [dw, w, np.sign(w)] if friction else [dw]
    return np.concatenate([part[:, None, :] * drives.T for part in parts], axis=2)
