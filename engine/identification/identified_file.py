"""The file of an identified robot: its figures, where they come from, and how sure each parameter is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.identification.identification import Identification
from armature.engine.model.export.toml_text import toml_text
from armature.engine.model.toml.robot_writer import write_robot_file


def save_identified(found: Identification, path: str | Path) -> Path:
    """Writes the identified robot as a robot file, `.toml`, with provenance, residuals, values and σ in its table
    `identification`. An arm without a DH table gets the rows that describe it, without its shapes.

    Raises:
        ModelError: another suffix, branches that no DH rows describe, or the file cannot be written.
    """
    names = ", ".join(str(recording["file"] or recording["sha256"][:12]) for recording in found.provenance["recordings"])
    source = f"Identified by Armature {found.provenance['version']} from {names}; see the table identification"
    text, _ = toml_text(replace(found.robot, sources=(*found.robot.sources, source)), _told(found), Path(path).parent)
    return write_robot_file(text, Path(path))


def _told(found: Identification) -> dict[str, Any]:
    base, residual = found.base, found.residual
    told: dict[str, Any] = dict(found.provenance)
    told["findings"] = [finding.sentence for finding in found.findings]
    told["residual"] = {
        name: [round(float(value), 9) for value in vars(residual)[name]]
        for name in ("training", "validation", "model", "consistent", "percent")
        if np.isfinite(vars(residual)[name]).all()
    }
    if found.gains is not None:
        told["gains"] = found.gains
    told["parameters"] = [
        {"name": name, "value": float(value), "sigma": float(sigma), "file": float(prior)}
        for name, value, sigma, prior in zip(base.names, base.values, base.sigma, base.prior, strict=True)
    ]
    return told
