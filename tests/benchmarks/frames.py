"""The 3D view beside MuJoCo's renderer: pictures of a moving arm, 1280×800, on the same OpenGL driver, in turns, in one run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from tests.benchmarks.row import Row
from tests.virtual_display import use_virtual_display

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3
DRAGGING = 15.0
PEERS = {
    "mujoco": "as it comes: 4 samples, shadow map of 4096",
    "mujoco_plain": "1 sample, shadow map of 512",
}


def rows() -> list[Row]:
    """Pictures drawn and read per second beside MuJoCo's of an arm alike, and frames on the screen while a link is dragged."""
    use_virtual_display()
    seen: dict[str, list[dict]] = {}
    for k in range(ROUNDS):
        for what in ("ours", *PEERS) if k % 2 == 0 else (*reversed(PEERS), "ours"):
            seen.setdefault(what, []).append(_run(what))
    ours = _rate(seen["ours"])
    scene = seen["ours"][0]
    result = []
    for peer, how in PEERS.items():
        theirs = _rate(seen[peer])
        geometry = f"{seen[peer][0]['triangles']:,} triangles"
        title = f"pictures/s, panda, {scene['triangles']:,} triangles, {scene['samples']} sample, {scene['renderer']}"
        told = f"{theirs:.1f} MuJoCo, {how}; {geometry}"
        result.append(Row(title, f"{ours:.1f}", told, ours / theirs, "not fewer than MuJoCo", ours >= theirs))
    rate = _rate([_run("drag") for _ in range(ROUNDS)])
    title = "frames/s while a link is dragged, 3D view at 1280×800"
    return [*result, Row(title, f"{rate:.1f}", bar=f"{DRAGGING:g} or more", passed=rate >= DRAGGING)]


def _rate(runs: list[dict]) -> float:
    return median(run["frames"] for run in runs)


def _run(what: str) -> dict:
    """One process, because two programs' ways to OpenGL do not go together in one."""
    command = [sys.executable, "-m", f"tests.benchmarks.{'mujoco' if what.startswith('mujoco') else 'frames'}_run", what]
    # GLX for both, so that the same driver of the same display draws
    environment = {**os.environ, "MUJOCO_GL": "glfw"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"{what}: {(done.stderr.strip().splitlines() or ['it ended without a word'])[-1]}")
    return json.loads(done.stdout.splitlines()[-1])
