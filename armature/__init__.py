"""Armature, robot arms from the lectures' equations to a workbench: `armature.load_robot("puma560")` is where to start.

Every name of `armature.engine` is here, too; `python -m armature` opens the window, whose code is `armature.app`.
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
if not (_HERE / "engine").is_dir():  # a checkout, where engine/, app/, robots/ and assets/ lie beside this folder, not in it
    __path__.append(str(_HERE.parent))
    from armature.door import open_doors

    open_doors()

from armature import engine  # noqa: E402 - found by what stands above
from armature.engine.version import VERSION as __version__  # noqa: E402

__all__ = [*engine.__all__, "__version__"]  # noqa: PLE0604 - a list of strings


def __getattr__(name: str):
    """A name of the engine, imported when it is first used."""
    if name not in engine.__all__:
        raise engine.missing("armature", name)
    value = getattr(engine, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
