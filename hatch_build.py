"""Add compiled kernels to a wheel, which is then for one Python and numba; without `ARMATURE_COMPILED` it is for any."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Kernels are objects for numba's linker that call functions of libm and numba; no system library is linked. The platforms of
# numba's own wheels therefore apply, which need a newer glibc.
PLATFORM = "manylinux_2_17_x86_64"


class CompiledKernels(BuildHookInterface):
    """Build hook that hatchling calls for each wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder of `ARMATURE_COMPILED`, the tag, and the versions of numba and llvmlite that can read the kernels."""
        folder = os.environ.get("ARMATURE_COMPILED")
        if not folder or version != "standard":
            return
        made_for = json.loads((Path(folder) / "made_for.json").read_text("utf-8"))
        python = "cp" + made_for["python"].replace(".", "")
        build_data["force_include"][folder] = "armature/compiled"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{PLATFORM}"
        build_data["dependencies"] += [f"{name}=={made_for[name]}" for name in ("numba", "llvmlite")]
