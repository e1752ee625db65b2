"""The processor that kernels are compiled for: decided before the first is, for a process and all that it starts.

An installation may bring kernels for a level that most processors share. They serve until kernels for this very processor, which
are up to a third faster, are whole; a process that has begun with the ones ends with them, because the others round differently.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding
from numba.core.codegen import get_host_cpu_features  # private: llvmlite names features without what NUMBA_ENABLE_AVX takes
from numba.core.registry import cpu_target  # private: no public name returns the processor that numba compiles for

from armature.engine.files import kernel_root

COMMON = "x86-64-v3"
NATIVE = "native"
VARIABLE = "ARMATURE_TARGET"
"""What a process tells those that it starts, and what a user may set: `COMMON` or `NATIVE`."""
SHIPPED = Path(__file__).parents[1] / "compiled"
"""Kernels that came with the installation; a checkout has none."""
MANIFEST = SHIPPED / "made_for.json"

# What x86-64-v3 has, by LLVM's names. Source: System V ABI, AMD64 supplement, 3.1.1 (micro-architecture levels).
_LEVEL = {"cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"}
_LEVEL |= {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}


@cache
def take_target() -> str:
    """Sets numba's target for this process and those that it starts; `COMMON` or `NATIVE`, the same at every call."""
    target = os.environ.get(VARIABLE)
    if target not in (COMMON, NATIVE):
        target = COMMON if made_for() == conditions() and not native_mark().exists() else NATIVE
    if target == COMMON and (_is_decided() or not _features() >= _LEVEL):
        target = NATIVE
    if target == COMMON:
        numba.config.CPU_NAME, numba.config.CPU_FEATURES = COMMON, ""
    os.environ[VARIABLE] = target
    return target


def _is_decided() -> bool:
    """Whether the user named a processor for all of numba, or other code of this process has been compiled already."""
    return numba.config.CPU_NAME is not None or "_toplevel_target_context" in cpu_target.__dict__


def conditions() -> dict[str, str]:
    """What kernels of `COMMON` that are made here depend on, besides their sources."""
    return {
        "target": COMMON,
        "system": binding.get_process_triple(),
        "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
    }


@cache
def made_for() -> dict[str, str] | None:
    """The `conditions` of the kernels that came with the installation; None where none did."""
    try:
        told: Any = json.loads(MANIFEST.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) else None


@cache
def _features() -> frozenset[str]:
    """What this processor can, by LLVM's names, without what the user took from numba."""
    return frozenset(name[1:] for name in get_host_cpu_features().split(",") if name.startswith("+"))


def native_mark() -> Path:
    """The file that says that kernels for this processor are whole, and that the next start may take them."""
    shipped = sorted(str(path.relative_to(SHIPPED)) for path in SHIPPED.glob("kernels/*"))
    state = [shipped, binding.get_host_cpu_name(), sorted(_features()), conditions()]
    return kernel_root() / f"native-{hashlib.sha256(repr(state).encode()).hexdigest()[:16]}"


def target_of_numba() -> tuple[str, str, str]:
    """Return system, processor and its features, for which numba compiles in this process."""
    return cpu_target.target_context.codegen().magic_tuple()


def target_name() -> str:
    """The processor of this process's kernels in one word, for what they computed: `x86-64-v3`, `znver4-1f3a5c7e`."""
    _, name, features = target_of_numba()
    return name if not features else f"{name}-{hashlib.sha256(features.encode()).hexdigest()[:8]}"
