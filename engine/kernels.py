"""Compiles every kernel, or loads it from the cache, with visible progress: `python -m armature.engine.kernels`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from armature.engine.jit import Kernel
from armature.engine.kernel_cache import KernelCache, can_keep, prune_cache
from armature.engine.kernel_workers import compiled_apart

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
    "armature.engine.kinematics.continuation.path_tracker",
)


DRAWABLE, DRAGGABLE = "drawable", "draggable"
_STAGES = {
    DRAWABLE: ("kinematics.poses.", "kinematics.jacobian.jacobian_many", "singularities.dexterity"),
    DRAGGABLE: ("kinematics.search.pose_search.", "kinematics.targets."),
}
"""What an arm on the screen needs, and what a hand on its tool: how the names of these kernels begin."""
_LONG: tuple[str, ...] = ("fixed_steps._driven", "fixed_steps._free", "singular_search.nearest_many", "articulated.aba_many")
_LONG += ("coriolis._many", "adaptive_steps._open", "newton_euler.rnea_many", "jacobian._dot_many")
"""What takes longest to compile, first; the others take a second or two each."""


def warm_up(
    progress: Callable[[int, int, str], None] | None = None,
    reached: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    more: Sequence[str] = (),
) -> None:
    """Makes every engine call fast from its first use on: what no cache has is compiled by processes beside this one.

    Args:
        progress: called with (done, total, name of a kernel) from the calling thread, and once at the end.
        reached: called from the calling thread with `DRAWABLE` as soon as poses, Jacobians and singularities are fast, and with
            `DRAGGABLE` as soon as inverse kinematics is.
        cancelled: called all the time; it ends early where this says so.
        more: modules outside of the engine whose kernels are needed to draw.
    """
    homes = imported(more)
    waiting = {entry.name: entry for entry in ranked()}
    total, ahead = len(waiting), list(_STAGES)

    def take(name: str) -> None:
        if progress is not None:
            progress(total - len(waiting), total, name)
        waiting.pop(name).compile()
        while ahead and not any(_belongs(other, ahead[0]) for other in waiting):
            stage = ahead.pop(0)
            if reached is not None:
                reached(stage)

    for name in [name for name, entry in waiting.items() if entry.is_ready or entry.is_kept()]:
        if not cancelled():
            take(name)
    if waiting and not cancelled() and can_keep({name.rpartition(".")[0] for name in waiting}):
        trouble = KernelCache.trouble
        for name in compiled_apart(list(waiting), homes, cancelled):
            take(name)
            if KernelCache.trouble != trouble:  # then processes work in vain
                break
    for name in list(waiting):
        if not cancelled():
            take(name)
    if not waiting:
        if progress is not None:
            progress(total, total, "")
        prune_cache()


def imported(more: Sequence[str]) -> tuple[str, ...]:
    """The modules that have kernels, once they are imported."""
    homes = (*more, *_HOMES)
    for home in homes:
        import_module(home)
    return homes


def ranked() -> list[Kernel]:
    """All kernels that are imported, in the order in which they are wanted."""
    return sorted(Kernel.registry, key=_rank)


def _belongs(name: str, stage: str) -> bool:
    inside = name.removeprefix("armature.engine.")
    return inside.startswith(_STAGES[stage]) if inside != name else stage == DRAWABLE


def _rank(entry: Kernel) -> tuple[int, int]:
    """What an early stage needs comes first, and within a stage what takes long."""
    stages = [k for k, stage in enumerate(_STAGES) if _belongs(entry.name, stage)]
    long = [k for k, name in enumerate(_LONG) if entry.name.endswith(name)]
    return stages[0] if stages else len(_STAGES), long[0] if long else len(_LONG)


def print_progress(done: int, total: int, name: str) -> None:
    """What `warm_up` tells, as a bar on standard output."""
    width = 30
    filled = width * done // total
    short = name.removeprefix("armature.engine.")
    line = f"Compiling the engine  [{'█' * filled}{'·' * (width - filled)}] {done:2d}/{total}  {short}"
    if sys.stdout.isatty():
        print(f"\r\x1b[2K{line}", end="\n" if done == total else "", flush=True)
    else:
        print(line, flush=True)


if __name__ == "__main__":
    try:
        warm_up(print_progress)
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what is compiled is kept")
