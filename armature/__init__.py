"""Armature: robot arms from the lectures' equations to a workbench. Start with `armature.load_robot("puma560")`.

All public names of `armature.engine` are also here; `python -m armature` opens the window (`armature.app`).
"""

from __future__ import annotations

from pathlib import Path

if not Path(__file__).with_name("engine").is_dir():
    raise ImportError(
        "this checkout has plain files instead of symbolic links such as armature/engine: "
        "run `git config core.symlinks true` and `git checkout -f -- armature`, or install it with `pip install .`"
    )

from armature import engine
from armature.engine.version import VERSION as __version__

__all__ = [*engine.__all__, "__version__"]  # noqa: PLE0604 - a list of strings


def __getattr__(name: str):
    """Import a public name of the engine on first use."""
    if name not in engine.__all__:
        raise engine.missing("armature", name)
    value = getattr(engine, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
