"""Compiles every kernel, or loads it from the cache, with visible progress: `python -m engine.kernels`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from engine.jit import Kernel, prune_cache

_HOMES = (
    "engine.kinematics.poses",
    "engine.kinematics.jacobian",
    "engine.dynamics.newton_euler",
    "engine.dynamics.mass_matrix",
    "engine.dynamics.forward",
    "engine.simulation.stepping.fixed_steps",
    "engine.simulation.stepping.adaptive_steps",
    "engine.dynamics.energy",
    "engine.dynamics.wrench",
    "engine.dynamics.articulated",
    "engine.dynamics.coriolis",
    "engine.dynamics.lagrange",
    "engine.dynamics.link_loads",
    "engine.dynamics.centre_of_mass",
    "engine.dynamics.regressor",
    "engine.dynamics.inverse_slopes",
    "engine.dynamics.derivatives",
    "engine.singularities.operational_space",
    "engine.singularities.dexterity_measures",
    "engine.singularities.singular_search",
    "engine.kinematics.targets",
    "engine.kinematics.search.pose_search",
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
    line = f"Compiling the engine  [{'█' * filled}{'·' * (width - filled)}] {done:2d}/{total}  {name.removeprefix('engine.')}"
    if sys.stdout.isatty():
        print(f"\r\x1b[2K{line}", end="\n" if done == total else "", flush=True)
    else:
        print(line, flush=True)


if __name__ == "__main__":
    warm_up(_print_progress)
