"""Arrays of a web page as compressed text; `assets/page/arrays.js` reads them."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from armature.app.scene.gl.mesh import Mesh

FINE, COARSE, TIME = 20, 16, 30  # bits of a value: of up to LONG samples, of more, and of the time
LONG = 100_000
LARGEST = 1e100  # value that is not counted as missing
_SIGNED = np.dtype("<i4")


def pack(values: np.ndarray) -> str:
    """Bytes of an array, compressed, in base64."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 6)).decode()


def series(values: np.ndarray, bits: int | None = None, check: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Columns of samples `(N, k)`, quantised to `bits` of the range of each column; NaN and values above 1e100 are missing.

    value = low + quantum · (i − 1), with i = 0 for a missing value. Second differences of i, modulo 2³², are stored with the
    sign in the lowest bit, as four planes of bytes per column.
    """
    steps = 2 ** (bits or (FINE if len(values) <= LONG else COARSE)) - 2
    lows, quanta, planes = [], [], []
    for column in np.asarray(values, float).T:
        check()
        known = np.abs(column) <= LARGEST
        low, high = (float(column[known].min()), float(column[known].max())) if known.any() else (0.0, 0.0)
        quantum = (high - low) / steps
        i = np.zeros(len(column), np.int64)
        i[known] = 1 + (np.round((column[known] - low) / quantum).astype(np.int64) if quantum > 0 else 0)
        second = np.diff(i, n=2, prepend=[0, 0]).astype(_SIGNED)
        coded = ((second << 1) ^ (second >> 31)).astype("<u4")
        planes.append(coded.view(np.uint8).reshape(-1, 4).T.copy())
        lows.append(low)
        quanta.append(quantum)
    return {"samples": len(values), "low": lows, "quantum": quanta, "data": pack(np.array(planes, np.uint8))}


def pack_mesh(mesh: Mesh, slots: int) -> dict[str, Any]:
    """A mesh with its triangles sorted by slot: positions as fractions of a box, unit normals, and square roots of linear RGB."""
    mesh, starts = mesh.slot_order(slots)
    position = mesh.vertices["position"].astype(float)
    low = position.min(axis=0, initial=np.inf) if len(position) else np.zeros(3)
    span = np.maximum(position.max(axis=0) - low, 1e-9) if len(position) else np.ones(3)
    return {
        "low": low.tolist(),
        "span": span.tolist(),
        "starts": starts.tolist(),
        "places": pack(np.round((position - low) / span * 65535).astype("<u2")),
        "normals": pack(np.round(mesh.vertices["normal"] * 127).astype(np.int8)),
        "colours": pack(mesh.vertices["colour"][:, :3]),
        "faces": pack(mesh.faces.astype("<u4")),
    }
