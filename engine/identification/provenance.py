"""Where an identified robot comes from, as plain data."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

import numpy as np

from armature.engine.identification.least_squares import Solution
from armature.engine.identification.motion import Motion
from armature.engine.identification.rows import Rows
from armature.engine.recording.measured.resampling import METHOD
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import IMPORTED
from armature.engine.version import VERSION


def provenance_of(
    training: list[Recording], held_out: list[Recording], motions: list[Motion], rows: Rows, solution: Solution
) -> dict[str, Any]:
    """Recordings with their hashes, filters, rates and versions."""
    lengths = ", ".join(map(str, sorted(set(rows.lengths))))
    return {
        "program": "armature",
        "version": VERSION,
        "numpy": np.__version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "recordings": [_recording(recording) for recording in training],
        "validation": [_recording(recording) for recording in held_out],
        "position_filter": [_filter(motion) for motion in motions],
        "torque_filter": f"means of {lengths} samples (no delay, half power at {rows.cutoff:.3g} Hz), also for the equations",
        "rate": float(rows.rate),
        "rows": len(rows.y),
        "noise_model": f"autoregressive, with the orders {', '.join(map(str, solution.model.orders))} of the joints",
        "correlation": [round(float(value), 4) for value in solution.correlation[0]],
        "correlations_within": [round(float(value), 4) for value in solution.within],
        "whiteness": [round(float(value), 4) for value in solution.whiteness],
    }


def _recording(recording: Recording) -> dict[str, Any]:
    imported = recording.metadata.get(IMPORTED)
    file = imported.get("file", "") if isinstance(imported, dict) else ""
    return {
        "robot": recording.robot_name,
        "file": str(file),
        "started": str(recording.metadata.get("started", "")),
        "samples": len(recording),
        "seconds": round(recording.duration, 6),
        "sha256": recording_hash(recording),
    }


def recording_hash(recording: Recording) -> str:
    """SHA-256 over the columns of a recording, whatever the format of its file."""
    digest = hashlib.sha256("\n".join(recording.columns).encode())
    digest.update(np.ascontiguousarray(recording.table(), dtype="<f8").tobytes())
    return digest.hexdigest()


def _filter(motion: Motion) -> str:
    if motion.cutoff is None:
        return "none: states of a simulation without sensors"
    return f"{METHOD}, at {motion.cutoff:.4g} Hz"
