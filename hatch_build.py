"""Puts compiled kernels into a wheel, which is then one for their Python and numba; without `ARMATURE_COMPILED` it is for any."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Kernels are objects for numba's linker, which name functions of libm and of numba; no system library is linked. What they run
# on is therefore said by numba's own wheels, which need a newer glibc.
PLATFORM = "manylinux_2_17_x86_64"


class CompiledKernels(BuildHookInterface):
    """Asked by hatchling while it builds a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the folder that `ARMATURE_COMPILED` names, the tag, and the versions of numba and llvmlite that can read it."""
        folder = os.environ.get("ARMATURE_COMPILED")
        if not folder or version != "standard":
            return
        made_for = json.loads((Path(folder) / "made_for.json").read_text("utf-8"))
        python = "cp" + made_for["python"].replace(".", "")
        build_data["force_include"][folder] = "armature/compiled"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{PLATFORM}"
        build_data["dependencies"] += [f"{name}=={made_for[name]}" for name in ("numba", "llvmlite")]
