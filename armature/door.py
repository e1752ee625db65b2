"""In a checkout, `import engine` and `import app` give the modules of `armature.engine` and `armature.app`, not second ones."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

ROOMS = ("engine", "app")


class Door(MetaPathFinder, Loader):
    """Finds `engine.x` and gives `armature.engine.x`, which keeps its own name and specification."""

    def find_spec(self, fullname, path=None, target=None) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in ROOMS:
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


def open_doors() -> None:
    """From here on, and for names that a folder of the checkout was found under before."""
    if not any(isinstance(finder, Door) for finder in sys.meta_path):
        sys.meta_path.insert(0, Door())
