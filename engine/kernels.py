"""Compiles every kernel, or loads it from the cache, with visible progress: `python -m armature.engine.kernels`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from armature.engine.jit import Kernel, prune_cache

_HOMES = (
    "armature.engine.kinematics.poses",
    "armature.engine.kinematics.jacobian",
    "armature.engine.dynamics.newton_euler",
    "armature.engine.dynamics.mass_matrix",
    "armature.engine.dynamics.forward",
    "armature.engine.simulation.stepping.fixed_steps",
    "armature.engine.simulation.stepping.adaptive_steps",
    "armature.engine.dynamics.energy",
    "armature.engine.dynamics.wrench",
    "armature.engine.dynamics.articulated",
    "armature.engine.dynamics.coriolis",
    "armature.engine.dynamics.lagrange",
    "armature.engine.dynamics.link_loads",
    "armature.engine.dynamics.centre_of_mass",
    "armature.engine.dynamics.regressor",
    "armature.engine.dynamics.inverse_slopes",
    "armature.engine.dynamics.derivatives",
    "armature.engine.singularities.operational_space",
    "armature.engine.singularities.dexterity_measures",
    "armature.engine.singularities.singular_search",
    "armature.engine.kinematics.targets",
    "armature.engine.kinematics.search.pose_search",
)


def warm_up(progress: Callable[[int, int, str], None] | None = None) -> None:
    """Makes every engine call fast from its first use on.

    Args:
        progress: called with (done, total, name of the kernel about to be compiled) from the calling thread, and once at the end.
    """
    for home in _HOMES:
        import_module(home)
    total = len(Kernel.registry)
    for done, entry in enumerate(Kernel.registry):
        if progress is not None:
            progress(done, total, entry.name)
        entry.compile()
    if progress is not None:
        progress(total, total, "")
    prune_cache()


def _print_progress(done: int, total: int, name: str) -> None:
    width = 30
    filled = width * done // total
    short = name.removeprefix("armature.engine.")
    line = f"Compiling the engine  [{'█' * filled}{'·' * (width - filled)}] {done:2d}/{total}  {short}"
    if sys.stdout.isatty():
        print(f"\r\x1b[2K{line}", end="\n" if done == total else "", flush=True)
    else:
        print(line, flush=True)


if __name__ == "__main__":
    warm_up(_print_progress)
