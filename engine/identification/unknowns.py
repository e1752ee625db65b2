"""Unknowns of the identification and their identifiable combinations: inertia, friction, rotors, coupled drives."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.dynamics.regressor import PARAMETERS, BaseParameters, base_parameters, parameters, regressor
from armature.engine.errors import EngineError
from armature.engine.identification.coupled_drives import drive_columns, drive_name
from armature.engine.identification.pseudo_inertia import parameters_of, pseudo_inertia, transform
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot


@dataclass(frozen=True, eq=False)
class Unknowns(Frozen):
    """Combinations `(m,)` of parameters `(F,)`: `torque = equations @ combination @ full + known`.

    `names` `(m,)` of the combinations and `full_names` `(F,)` of the parameters: 10 of each body, then of each joint rotor
    inertia, viscous and Coulomb friction (positive and negative direction) and offset, if they are identified.
    `combination` `(m, F)`. `drives` `(D, n)` are the ratios of coupled drives, whose inertia and friction come last. An offset
    cannot be separated from different Coulomb friction by direction; if both are identified, the combinations are Fc+ + offset
    and Fc− − offset.
    """

    robot: Robot
    friction: bool
    offsets: bool
    rotor: bool
    names: tuple[str, ...]
    full_names: tuple[str, ...]
    combination: np.ndarray
    columns: np.ndarray
    held: np.ndarray | None
    """`(10, 10)`: parameters in the frame of the body with the tool, from payload parameters in the tool frame; None unless only
    the payload is identified."""
    _rotor: RotorColumns = field(repr=False)
    drives: np.ndarray = field(repr=False)

    def __post_init__(self):
        object.__setattr__(self, "combination", read_only(self.combination))

    @property
    def bodies(self) -> int:
        """Number of identified bodies."""
        return self.robot.n if self.held is None else 1

    @property
    def signed(self) -> np.ndarray:
        """Parameters `(F,)` that may be negative, including inertial ones, which have a condition of their own."""
        return np.array([k < 10 * self.bodies or name.startswith("offset") for k, name in enumerate(self.full_names)])

    @property
    def inertial(self) -> int:
        """Number of inertial combinations."""
        return len(self.columns)

    def values(self, robot: Robot) -> np.ndarray:
        """Return the combinations `(m,)` of `robot`, which may differ in masses, friction and rotors only."""
        return self.combination @ self.full(robot)

    def full(self, robot: Robot) -> np.ndarray:
        """Return the parameters `(F,)` of `robot`; an identified payload has zeros."""
        inertial = parameters(robot) if self.held is None else np.zeros(10)
        own = np.concatenate([inertial, *self._joint_parameters(robot)])
        return np.concatenate([own, np.zeros(len(self.full_names) - len(own))])  # no file has coupled drives

    def _joint_parameters(self, robot: Robot) -> list[np.ndarray]:
        bodies = robot.bodies
        parts = [np.array([body.rotor_inertia for body in bodies])] if self.rotor else []
        if self.friction:
            parts.append(np.array([body.friction.viscous for body in bodies]))
            parts += list(np.array([body.friction.coulomb for body in bodies]).T)
        return [*parts, np.zeros(robot.n)] if self.offsets else parts

    def equations(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return the matrices `(N, n, m)` of the combinations."""
        n, N = self.robot.n, len(q)
        each = np.arange(n)
        result = np.zeros((N, n, len(self.names)))
        Y = regressor(self.robot, q, qd, qdd)[..., self.columns]
        result[..., : self.inertial] = Y if self.held is None else Y @ self.held * held[:, None, None]
        at = self.inertial
        for column in self._joint_columns(qd):
            result[:, each, at + each] = column
            at += n
        for k, joint in enumerate(self._rotor.free):
            result[:, joint, at + k] = qdd[:, joint]
        if len(self.drives):
            result[..., at + len(self._rotor.free) :] = drive_columns(self.drives, qd, qdd, self.friction)
        return result

    def _joint_columns(self, qd: np.ndarray) -> list[np.ndarray]:
        if self.friction:
            return [qd, (qd > 0).astype(float), -(qd < 0).astype(float)]
        return [np.ones_like(qd)] if self.offsets else []

    def known_torque(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the torque `(N, n)` of parameters that are not identified, with the file's values."""
        robot = self.robot
        torque = np.zeros_like(q)
        if self.held is not None:
            torque += rnea(robot, q, qd, qdd)
        elif not self.rotor:
            torque += np.array([body.rotor_inertia for body in robot.bodies]) * qdd
        return torque if self.friction else torque + friction_torque(robot, qd)

    def torque(self, values: np.ndarray, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return the torque `(N, n)` of combinations `(m,)`."""
        return self.equations(q, qd, qdd, held) @ values + self.known_torque(q, qd, qdd)


def unknowns_of(robot: Robot, *, friction: bool, offsets: bool, rotor: bool, drives: np.ndarray) -> Unknowns:
    """Return the unknowns of `robot` with coupled drives of ratios `(D, n)`.

    Raises EngineError for mimic joints, MissingDynamicsError.
    """
    if robot.coupling is not None:
        raise EngineError(f"{robot.name}: arms with mimic joints cannot be identified")
    base = base_parameters(robot)
    turning = rotor_columns(robot, base) if rotor else RotorColumns((), np.zeros((base.rank, robot.n)), base.names)
    n, inertial = robot.n, 10 * robot.n
    full = [f"{name}{body + 1}" for body in range(n) for name in PARAMETERS]
    blocks = ["Ia"] * rotor + ["Fv", "Fc+", "Fc−"] * friction + ["offset"] * offsets
    full += [f"{block}{joint + 1}" for block in blocks for joint in range(n)]
    rows, names = _joint_rows(n, friction, offsets)
    common = [f"{kind}({drive_name(ratios)})" for kind in ["Ia", *["Fv", "Fc"] * friction] for ratios in drives]
    own, shift = len(full), inertial + n * rotor
    combination = np.zeros((base.rank + len(names) + len(turning.free) + len(common), own + len(common)))
    combination[: base.rank, :inertial] = base.combination
    combination[base.rank : base.rank + len(names), shift:own] = rows
    if rotor:
        combination[: base.rank, inertial:shift] = turning.combination
        for k, joint in enumerate(turning.free):
            combination[base.rank + len(names) + k, inertial + joint] = 1.0
    combination[len(combination) - len(common) :, own:] = np.eye(len(common))
    return Unknowns(
        robot=robot,
        friction=friction,
        offsets=offsets,
        rotor=rotor,
        names=(*turning.names, *names, *(f"Ia{joint + 1}" for joint in turning.free), *common),
        full_names=(*full, *common),
        combination=combination,
        columns=base.columns,
        held=None,
        _rotor=turning,
        drives=drives,
    )


def payload_unknowns(robot: Robot, *, friction: bool, offsets: bool) -> Unknowns:
    """Return the unknowns of a payload in the tool frame. Raises EngineError, MissingDynamicsError."""
    frame = robot.frame()
    if robot.coupling is not None or frame.body < 0:
        raise EngineError(
            f"{robot.name}: no payload can be identified on an arm with mimic joints or with a tool that no joint moves"
        )
    n, names = robot.n, [f"payload {name}" for name in PARAMETERS]
    rows, joint_names = _joint_rows(n, friction, offsets)
    combination = np.zeros((10 + rows.shape[0], 10 + rows.shape[1]))
    combination[:10, :10] = np.eye(10)
    combination[10:, 10:] = rows
    blocks = ["Fv", "Fc+", "Fc−"] * friction + ["offset"] * offsets
    held = [parameters_of(transform(pseudo_inertia(unit), frame.X_BF)) for unit in np.eye(10)]
    return Unknowns(
        robot=robot,
        friction=friction,
        offsets=offsets,
        rotor=False,
        names=(*names, *joint_names),
        full_names=(*names, *(f"{block}{joint + 1}" for block in blocks for joint in range(n))),
        combination=combination,
        columns=10 * frame.body + np.arange(10),
        held=np.column_stack(held),
        _rotor=RotorColumns((), np.zeros((0, n)), ()),
        drives=np.zeros((0, n)),
    )


def _joint_rows(n: int, friction: bool, offsets: bool) -> tuple[np.ndarray, list[str]]:
    """Return combinations of friction and offset, and their names."""
    one, none = np.eye(n), np.zeros((n, n))
    joints = range(1, n + 1)
    if not friction:
        return (one, [f"offset{j}" for j in joints]) if offsets else (np.zeros((0, 0)), [])
    names = [f"Fv{j}" for j in joints]
    if not offsets:
        return np.eye(3 * n), names + [f"Fc+{j}" for j in joints] + [f"Fc−{j}" for j in joints]
    rows = np.block([[one, none, none, none], [none, one, none, one], [none, none, one, -one]])
    return rows, names + [f"Fc+{j} + offset{j}" for j in joints] + [f"Fc−{j} − offset{j}" for j in joints]


_STATES = 60
_TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False)
class RotorColumns(Frozen):
    """Identifiability of rotor inertias.

    `free`: joints whose rotor inertia is identified separately; for the others `combination` `(r, n)` adds it to the base
    parameters with `names`.
    """

    free: tuple[int, ...]
    combination: np.ndarray
    names: tuple[str, ...]


def rotor_columns(robot: Robot, base: BaseParameters) -> RotorColumns:
    """Decide for each rotor whether its torque Ia qdd is separate from, or part of, the base parameters."""
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-1, 1, (3, _STATES, robot.n)) * 3
    Y = regressor(robot, q, qd, qdd)[..., base.columns].reshape(-1, base.rank)
    free, combination, names = list[int](), np.zeros((base.rank, robot.n)), list(base.names)
    for joint in range(robot.n):
        column = np.zeros_like(qdd)
        column[:, joint] = qdd[:, joint]
        found, *_ = np.linalg.lstsq(Y, column.ravel())
        if np.abs(Y @ found - column.ravel()).max() > _TOLERANCE * np.abs(column).max():
            free.append(joint)
            continue
        found[np.abs(found) < _TOLERANCE] = 0.0
        combination[:, joint] = found
        for k in np.flatnonzero(found):
            factor = "" if abs(abs(found[k]) - 1) < _TOLERANCE else f"{abs(found[k]):.6g} "
            names[k] += f" {'−' if found[k] < 0 else '+'} {factor}Ia{joint + 1}"
    return RotorColumns(tuple(free), combination, tuple(names))
