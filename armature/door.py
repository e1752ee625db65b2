"""In a checkout, `import engine` and `import app` give the modules of `armature.engine` and `armature.app`, not second ones."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "app")


class Door(MetaPathFinder, Loader):
    """Gives `armature.engine.x`, with its own name and specification, for `engine.x`; packages of others keep their names."""

    def find_spec(self, fullname, path=None, target=None) -> ModuleSpec | None:
        room, inside, _ = fullname.partition(".")
        if room not in ROOMS or not (_leads_in(room) if inside else _is_found(room)):
            return None
        return ModuleSpec(fullname, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(f"armature.{spec.name}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Puts back what the import system has just set: the module has run already."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def _leads_in(room: str) -> bool:
    """Whether the package of that name is ours."""
    return sys.modules.get(room) is sys.modules.get(f"armature.{room}")


def _is_found(room: str) -> bool:
    """Whether the name leads to the checkout's folder, and not to somebody else's package."""
    found = PathFinder.find_spec(room)
    return found is not None and found.origin is not None and Path(found.origin).resolve() == ROOT / room / "__init__.py"


def open_doors() -> None:
    """Puts one door in front of the other finders."""
    if not any(isinstance(finder, Door) for finder in sys.meta_path):
        sys.meta_path.insert(0, Door())
