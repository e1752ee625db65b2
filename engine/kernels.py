"""Compiles every kernel, or loads it from the cache, with visible progress: `python -m armature.engine.kernels`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

from armature.engine.jit import Kernel
from armature.engine.kernel_cache import KernelCache, can_keep, prune_cache
from armature.engine.kernel_workers import compiled_apart

_HOMES = (
    "armature.engine.kinematics.pose_kernels",
    "armature.engine.dynamics.newton_euler",
    "armature.engine.dynamics.mass_matrix",
    "armature.engine.dynamics.forward",
    "armature.engine.simulation.stepping.fixed_steps",
    "armature.engine.simulation.stepping.adaptive_steps",
    "armature.engine.dynamics.energy",
    "armature.engine.dynamics.wrench",
    "armature.engine.dynamics.lagrange",
    "armature.engine.dynamics.centre_of_mass",
    "armature.engine.dynamics.regressor",
    "armature.engine.dynamics.derivatives",
    "armature.engine.singularities.operational_space",
    "armature.engine.singularities.dexterity_measures",
    "armature.engine.singularities.singular_search",
    "armature.engine.kinematics.targets",
    "armature.engine.kinematics.search.pose_search",
    "armature.engine.kinematics.continuation.path_tracker",
    "armature.engine.contact.contact_kernel",
)

INVERSE_KINEMATICS = ("armature.engine.kinematics.search.pose_search", "armature.engine.kinematics.targets")
"""Modules whose kernels `armature.ik` calls."""
_LONG: tuple[str, ...] = ("fixed_steps._steps", "singular_search.nearest_many", "forward.aba_many")
_LONG += ("adaptive_steps._open", "newton_euler.rnea_many", "jacobian_dot_many", "search_many", "contacts_many")
"""What takes longest to compile, first; the others take a second or two each."""


def warm_up(
    progress: Callable[[int, int, str], None] | None = None,
    reached: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    more: Sequence[str] = (),
    first: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> None:
    """Load every kernel, so that the first call of each engine function is fast; missing kernels are compiled in parallel
    processes.

    Args:
        progress: called with (done, total, name of the next kernel) from the calling thread, and once more at the end.
        reached: called from the calling thread with the name of a stage of `first` when its kernels are loaded.
        cancelled: called repeatedly; if it returns True, loading stops early.
        more: names of modules outside the engine that contain kernels.
        first: stages to load first, in this order: the name of each and the modules of its kernels.
    """
    homes = imported(more)
    waiting = {entry.name: entry for entry in ranked(first)}
    total, ahead = len(waiting), list(first)

    def show() -> None:
        if progress is not None:
            progress(total - len(waiting), total, next(iter(waiting), ""))

    def take(name: str) -> None:
        waiting.pop(name).compile()
        show()
        while ahead and not any(_home(other) in first[ahead[0]] for other in waiting):
            stage = ahead.pop(0)
            if reached is not None:
                reached(stage)

    show()
    for name in [name for name, entry in waiting.items() if entry.is_ready or entry.is_cached()]:
        if not cancelled():
            take(name)
    if waiting and not cancelled() and can_keep():
        trouble = KernelCache.trouble
        for name in compiled_apart(list(waiting), homes, cancelled):
            take(name)
            if KernelCache.trouble != trouble:  # then processes work in vain
                break
    for name in list(waiting):
        if not cancelled():
            take(name)
    if not waiting:
        prune_cache({entry.cache.name for entry in Kernel.registry})


def imported(more: Sequence[str]) -> tuple[str, ...]:
    """The modules that have kernels, once they are imported."""
    homes = (*more, *_HOMES)
    for home in homes:
        import_module(home)
    return homes


def are_kept(more: Sequence[str] = ()) -> bool:
    """True if no kernel of the engine and of the modules `more` has to be compiled."""
    imported(more)
    return all(entry.is_ready or entry.is_cached() for entry in Kernel.registry)


def ranked(first: Mapping[str, Sequence[str]] = MappingProxyType({})) -> list[Kernel]:
    """All kernels that are imported, those of the stages `first` before the others, and within a stage the longest first."""
    stages = list(first.values())

    def rank(entry: Kernel) -> tuple[int, int]:
        early = (k for k, modules in enumerate(stages) if _home(entry.name) in modules)
        long = (k for k, name in enumerate(_LONG) if entry.name.endswith(name))
        return next(early, len(stages)), next(long, len(_LONG))

    return sorted(Kernel.registry, key=rank)


def _home(name: str) -> str:
    """The module of the kernel of that name."""
    return name.rpartition(".")[0]


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
        sys.exit("\ninterrupted; the kernels compiled so far are saved")
