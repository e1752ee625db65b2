"""The 3D view beside MuJoCo's renderer: pictures of a moving arm, 1280×800, on the same OpenGL driver, in turns, in one run."""

from __future__ import annotations

from statistics import median

from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row

ROUNDS = 3
DRAGGING = 15.0
PEERS = {
    "mujoco": "as it comes: 4 samples, shadow map of 4096",
    "mujoco_plain": "1 sample, shadow map of 512",
}


def rows() -> list[Row]:
    """Pictures drawn and read per second beside MuJoCo's of an arm alike, and frames on the screen while a link is dragged."""
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
    return printed("frames_run" if what in ("ours", "drag") else "mujoco_run", what)
