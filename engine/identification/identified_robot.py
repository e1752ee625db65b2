"""The robot with identified parameters, and its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.identification.identification import Identification
from armature.engine.identification.unknowns import Unknowns
from armature.engine.model.body import Body, Friction
from armature.engine.model.export.toml_text import toml_text
from armature.engine.model.inertia_rules import InertiaRemark
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_writer import write_robot_file
from armature.engine.rotations import skew

IDENTIFIED = " (identified)"
"""Suffix of the title of an identified arm."""


def with_parameters(unknowns: Unknowns, full: np.ndarray) -> Robot:
    """Return the robot with parameters `(F,)`; static friction keeps the file's excess over Coulomb friction."""
    robot = unknowns.robot
    values = dict(zip(unknowns.full_names, full.tolist(), strict=True))
    alone = unknowns.held is not None
    bodies = [body if alone else _body(body, full[10 * i : 10 * i + 10]) for i, body in enumerate(robot.bodies)]
    for i, body in enumerate(robot.bodies):
        j = i + 1
        if unknowns.rotor:
            bodies[i] = replace(bodies[i], rotor_inertia=max(values[f"Ia{j}"], 0.0))
        if unknowns.friction:
            bodies[i] = replace(
                bodies[i], friction=_friction(body.friction, *(values[f"{name}{j}"] for name in ("Fv", "Fc+", "Fc−")))
            )
    if alone:
        return payload_of(full[:10]).held_by(replace(robot, bodies=tuple(bodies)))
    title = f"{robot.title.removesuffix(IDENTIFIED)}{IDENTIFIED}"
    remarks = tuple(remark for remark in robot.remarks if not isinstance(remark, InertiaRemark))
    return replace(
        robot, bodies=tuple(bodies), title=title, remarks=remarks, source=None, file_hash="", companion_hash="", changes=()
    )


def payload_of(full: np.ndarray) -> Payload:
    """Return the payload with parameters `(10,)` in the tool frame."""
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


def save_identified(found: Identification, path: str | Path) -> Path:
    """Write the identified robot as a `.toml` robot file with provenance, residuals, values and σ in the table
    `identification`. An arm without a DH table is written with equivalent DH rows and without its shapes.

    Raises:
        ModelError: another suffix, branches that no DH rows describe, or the file cannot be written.
    """
    names = ", ".join(str(recording["file"] or recording["sha256"][:12]) for recording in found.provenance["recordings"])
    source = f"Identified by Armature {found.provenance['version']} from {names}; see the table [identification]"
    text, _ = toml_text(replace(found.robot, sources=(*found.robot.sources, source)), _told(found), Path(path).parent)
    return write_robot_file(text, Path(path))


def _told(found: Identification) -> dict[str, Any]:
    base, residual = found.base, found.residual
    table: dict[str, Any] = dict(found.provenance)
    table["findings"] = [finding.sentence for finding in found.findings]
    table["residual"] = {
        name: [round(float(value), 9) for value in vars(residual)[name]]
        for name in ("training", "validation", "model", "consistent", "percent")
        if np.isfinite(vars(residual)[name]).all()
    }
    if found.gains is not None:
        table["gains"] = found.gains
    table["parameters"] = [
        {"name": name, "value": float(value), "sigma": float(sigma), "file": float(prior)}
        for name, value, sigma, prior in zip(base.names, base.values, base.sigma, base.prior, strict=True)
    ]
    return table
